package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Problem is one bad setting, said in one line.
type Problem struct {
	Setting string
	Value   string // as may be shown: secrets are masked
	Why     string
	Remedy  string
}

// String is the line: what, why, and what to do.
func (p Problem) String() string {
	s := p.Setting
	if p.Value != "" {
		s += fmt.Sprintf("=%q", p.Value)
	}
	return s + " " + p.Why + ": " + p.Remedy
}

// Problems are all bad settings of one start; people should not have to find them one by one.
type Problems []Problem

// Error gives one line for each.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].String()
	}
	return strings.Join(lines, "\n")
}

// problem makes the line for a bad value.
func (s Setting) problem(value, why string) Problem {
	remedy := "write " + s.Like
	if s.Secret != "true" && s.Type != "true or false" {
		remedy = "write it like " + s.Like
	}
	if s.tag.Get("envDefault") != "" {
		remedy += ", or unset it for the default " + s.tag.Get("envDefault")
	} else {
		remedy += ", or unset it"
	}
	return Problem{Setting: s.Name, Value: s.masked(value), Why: why, Remedy: remedy}
}

// masked masks what must not reach a terminal or a log.
func (s Setting) masked(value string) string {
	switch s.Secret {
	case "true":
		return fmt.Sprintf("(%d characters, hidden)", utf8.RuneCountInString(value))
	case "url":
		u, err := url.Parse(value)
		if err != nil || u.Host == "" || strings.ContainsAny(u.Path, "@ ") || slices.ContainsFunc(passwordKeys, u.Query().Has) {
			return "(hidden: it may hold a password)"
		}
		return u.Redacted()
	}
	if letters := []rune(value); len(letters) > 80 {
		return string(letters[:77]) + "..."
	}
	return value
}

// passwordKeys are the parameters of an address that are passwords.
var passwordKeys = []string{"password", "sslpassword"}

// passwords are those in an address.
func passwords(raw string) (list []string) {
	u, err := url.Parse(raw)
	if err != nil { // some databases have addresses of their own
		_, rest, _ := strings.Cut(raw, "://")
		login, _, _ := strings.Cut(rest, "@")
		_, p, _ := strings.Cut(login, ":")
		return []string{p}
	}
	p, _ := u.User.Password()
	list = append(list, p)
	for _, key := range passwordKeys {
		list = append(list, u.Query().Get(key))
	}
	return slices.DeleteFunc(list, func(p string) bool { return p == "" })
}
