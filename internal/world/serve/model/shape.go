package model

import (
	"encoding/json"
	"strings"
)

// schema is as much of JSON Schema as a strict answer needs.
type schema struct {
	Type       any               `json:"type"`
	Properties map[string]schema `json:"properties"`
	Items      *schema           `json:"items"`
	Enum       []any             `json:"enum"`
	MaxItems   int               `json:"maxItems"`
}

func (s schema) is(kind string) bool {
	switch t := s.Type.(type) {
	case string:
		return t == kind
	case []any:
		for _, v := range t {
			if v == kind {
				return true
			}
		}
	}
	return false
}

// describe answers a schema for frames: an array of objects gets one object a frame, a lone object the first frame.
func describe(s schema, seen []frameSeen) any {
	switch {
	case s.is("array") && s.Items != nil && len(s.Items.Properties) > 0:
		out := []any{}
		for _, one := range seen {
			out = append(out, describe(*s.Items, []frameSeen{one}))
		}
		return out
	case len(s.Properties) > 0:
		out := map[string]any{}
		for name, p := range s.Properties {
			out[name] = field(name, p, seen)
		}
		return out
	}
	return nil
}

func field(name string, p schema, seen []frameSeen) any {
	if len(p.Properties) > 0 || p.is("array") {
		return describe(p, seen)
	}
	var one frameSeen
	if len(seen) > 0 {
		one = seen[0]
	}
	var v any
	switch lower := strings.ToLower(name); {
	case strings.Contains(lower, "soccer") || strings.Contains(lower, "football"):
		v = one.soccer
	case strings.Contains(lower, "screen") || strings.Contains(lower, "phone"):
		v = one.screen
	case strings.Contains(lower, "stoppage"):
		v = one.stoppage
	case strings.Contains(lower, "added"):
		v = one.added
	case strings.Contains(lower, "clock"):
		v = one.clock
	case strings.Contains(lower, "shows"):
		v = one.shows
	case strings.Contains(lower, "period") || strings.Contains(lower, "half"):
		v = one.period
	}
	return fit(v, p)
}

// fit keeps the answer inside the schema's type: null only where null is allowed.
func fit(v any, p schema) any {
	if v != nil || p.is("null") || p.Type == nil {
		return v
	}
	switch {
	case p.is("string") && len(p.Enum) > 0:
		return p.Enum[0]
	case p.is("string"):
		return "NONE"
	case p.is("boolean"):
		return false
	case p.is("integer"), p.is("number"):
		return 0
	}
	return nil
}

// framesSchema is the answer's shape when none is asked for.
var framesSchema = schema{Type: "object", Properties: map[string]schema{"frames": {Type: "array", Items: &schema{Type: "object",
	Properties: map[string]schema{"soccer": {Type: "boolean"}, "screen": {Type: "boolean"}, "clock": {}, "added": {}, "stoppage_clock": {}, "period": {}}}}}}

// pick chooses search words from the last JSON list of strings in a prompt: never a generic word, never one not listed.
func pick(prompt string, most int) []string {
	out := []string{}
	seen := map[string]bool{}
	for _, word := range lastList(prompt) {
		key := strings.ToLower(strings.TrimSpace(word))
		if len([]rune(key)) < 2 || generic[key] || seen[key] || most > 0 && len(out) >= most {
			continue
		}
		seen[key] = true
		out = append(out, word)
	}
	return out
}

var generic = map[string]bool{"fc": true, "cf": true, "afc": true, "sc": true, "ac": true, "as": true, "club": true, "football": true,
	"united": true, "city": true, "real": true, "red": true, "reds": true, "blues": true, "blue": true, "the": true, "de": true, "town": true,
	"sporting": true, "team": true, "soccer": true, "association": true, "athletic": true, "stadium": true, "wanderers": true, "rovers": true}

func lastList(prompt string) []string {
	for end := len(prompt); end > 0; {
		start := strings.LastIndex(prompt[:end], "[")
		if start < 0 {
			return nil
		}
		var list []string
		dec := json.NewDecoder(strings.NewReader(prompt[start:]))
		if dec.Decode(&list) == nil && len(list) > 0 {
			return list
		}
		end = start
	}
	return nil
}
