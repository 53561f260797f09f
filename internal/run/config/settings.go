package config

import (
	"reflect"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Setting describes one variable.
type Setting struct {
	Name    string
	Group   string
	Type    string // in words: "a whole number", ...
	Default string // for people; "" = none
	Doc     string
	Like    string // what a good value looks like
	Secret  string // "", "true", "url" (a password may hide inside) or "addresses" (tokens may)

	index []int
	tag   reflect.StructTag
}

// Settings lists every setting in the order of Config.
func Settings() []Setting {
	var out []Setting
	root := reflect.TypeFor[Config]()
	for _, group := range reflect.VisibleFields(root) {
		if group.Type.Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(group.Type) {
			s := Setting{
				Name: f.Tag.Get("env"), Group: group.Tag.Get("group"), Type: inWords(f.Type),
				Default: f.Tag.Get("envDefault"), Doc: f.Tag.Get("doc"), Like: f.Tag.Get("like"), Secret: f.Tag.Get("secret"),
				index: []int{group.Index[0], f.Index[0]}, tag: f.Tag,
			}
			if s.Default == "" {
				s.Default = f.Tag.Get("default")
			}
			out = append(out, s)
		}
	}
	return out
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
	for _, s := range Settings() {
		v := reflect.ValueOf(c).Elem().FieldByIndex(s.index)
		switch {
		case v.Kind() != reflect.String || v.String() == "":
		case s.Secret == "true":
			out = append(out, v.String())
			if _, token := c.Reddit.Own(); s.Name == "REDDIT_FEED" && token != "" {
				out = append(out, token)
			}
		case s.Secret == "addresses":
			for _, a := range c.Notifications.Addresses() {
				out = append(out, secretParts(a)...)
			}
		case s.Secret == "url":
			out = append(out, passwords(v.String())...)
		}
	}
	return out
}

// Markdown is the text of docs/settings.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Settings\n\n<!-- Made by `make docs` from internal/run/config: edit the tags there. -->\n\n" +
		"Every setting is an environment variable, and every one is optional. A file `" + File + "` in the working\n" +
		"directory (one `NAME=value` per line) is read too; variables that are set win over it. A bad value stops the program\n" +
		"with one line that names the setting and the remedy. `footy doctor` shows what the settings lead to.\n")
	group := ""
	for _, s := range Settings() {
		if s.Group != group {
			group = s.Group
			b.WriteString("\n## " + group + "\n\n| setting | default | meaning |\n|---|---|---|\n")
		}
		def := "none"
		if s.Default != "" {
			def = "`" + s.Default + "`"
			if s.tag.Get("default") != "" {
				def = s.Default
			}
		}
		b.WriteString("| `" + s.Name + "` | " + def + " | " + s.Doc + limits(s) + " |\n")
	}
	return b.String()
}

// words are the values a setting may have; none if it may have any.
func (s Setting) words() []string {
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

// limits tells what check.go enforces.
func limits(s Setting) string {
	var out string
	if words := s.words(); len(words) > 0 {
		out += " One of: " + strings.Join(words, ", ") + "."
	}
	lo, hi := s.tag.Get("min"), s.tag.Get("max")
	if lo != "" && hi != "" {
		out += " From " + lo + " to " + hi + "."
	}
	if v := s.tag.Get("minlen"); v != "" {
		out += " At least " + v + " characters."
	}
	if s.Secret != "" {
		out += " Secret."
	}
	return out
}
