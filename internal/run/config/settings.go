package config

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Setting describes one variable.
type Setting struct {
	Name      string
	Group     string
	Type      string // in words: "a whole number", ...
	Default   string // for people; "" = none
	Described bool   // the default is in words
	Doc       string
	Like      string // what a good value looks like
	Test      bool   // no operator sets it: it is for demos and tests
	Secret    string // "", "true" or "url" (a password may hide inside)

	own   int // the number of its group among those of extras, from 1; 0: it is a field of Config
	index []int
	tag   reflect.StructTag
}

// Group is what an extra lets people set: a struct with the tags of Config.
type Group struct {
	Title string
	New   func() any                       // a pointer to an empty one
	Check func(c Config, own any) Problems // what contradicts; nil: nothing can
	Parts func(own any) []string           // of its secrets, which the log hides alone, too; nil: none
}

// Own is what was set of an extra's group, by its type; zero if the extra is not there.
func Own[T any](c Config) (out T) {
	for _, o := range c.own {
		if is, ok := o.(*T); ok {
			return *is
		}
	}
	return out
}

// Groups are those it was read with.
func (c Config) Groups() []Group { return c.groups }

// Settings lists every setting in the order of Config, then those of extras.
func Settings(own ...Group) []Setting {
	var out []Setting
	for _, group := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		if group.Type.Kind() == reflect.Struct {
			out = append(out, settingsOf(group.Type, Setting{Group: group.Tag.Get("group"), index: group.Index})...)
		}
	}
	for i, g := range own {
		out = append(out, settingsOf(reflect.TypeOf(g.New()).Elem(), Setting{Group: g.Title, own: i + 1})...)
	}
	return out
}

func settingsOf(t reflect.Type, in Setting) (out []Setting) {
	for _, f := range reflect.VisibleFields(t) {
		if f.Tag.Get("env") == "" {
			continue
		}
		out = append(out, Setting{
			Name: f.Tag.Get("env"), Group: in.Group, Type: inWords(f.Type), Default: cmp.Or(f.Tag.Get("envDefault"), f.Tag.Get("default")), Described: f.Tag.Get("default") != "",
			Doc: f.Tag.Get("doc"), Like: f.Tag.Get("like"), Test: f.Tag.Get("test") != "", Secret: f.Tag.Get("secret"), own: in.own, index: slices.Concat(in.index, f.Index), tag: f.Tag,
		})
	}
	return out
}

// in is the setting's value.
func (s Setting) in(c *Config) reflect.Value {
	into := any(c)
	if s.own > 0 {
		into = c.own[s.own-1]
	}
	return reflect.ValueOf(into).Elem().FieldByIndex(s.index)
}

func inWords(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "a duration with its unit"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Int64:
		return "a list of whole numbers with commas"
	case t.Kind() == reflect.Slice:
		return "a list with commas"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Float64:
		return "a number"
	case t.Kind() == reflect.Int:
		return "a whole number"
	}
	return "text"
}

// Secrets returns the secret values in use, for the log to hide.
func (c *Config) Secrets() []string {
	var out []string
	for _, s := range Settings(c.groups...) {
		v := s.in(c)
		switch {
		case v.Kind() != reflect.String || v.String() == "":
		case s.Secret == "true":
			out = append(out, v.String())
			if _, token := c.Reddit.Own(); s.Name == "REDDIT_FEED" && token != "" {
				out = append(out, token)
			}
		case s.Secret == "url":
			out = append(out, passwords(v.String())...)
		}
	}
	for i, g := range c.groups {
		if g.Parts != nil {
			out = append(out, g.Parts(c.own[i])...)
		}
	}
	return out
}

// Words are the values a setting may have; none if it may have any.
func (s Setting) Words() []string {
	words := strings.Fields(s.tag.Get("oneof"))
	if len(words) == 1 && words[0] == "kinds" {
		words = nil
		for _, k := range footy.Kinds() {
			if k.Followed {
				words = append(words, k.Name)
			}
		}
	}
	return words
}
