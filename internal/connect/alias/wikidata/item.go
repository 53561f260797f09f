package wikidata

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

// Properties of an item that say what it is and where.
const (
	propType    = "P31"
	propCountry = "P17"
	propSport   = "P641"
	propClass   = "P2094" // competition class
	propSeat    = "P159"
	propPlace   = "P131"
	propEnd     = "P576" // dissolved
	propShort   = "P1813"
)

type item struct {
	ID           string             `json:"id"`
	Missing      *string            `json:"missing"`
	Labels       map[string]word    `json:"labels"`
	Descriptions map[string]word    `json:"descriptions"`
	Aliases      map[string][]word  `json:"aliases"`
	Claims       map[string][]claim `json:"claims"`
}

type word struct {
	Value string `json:"value"`
}

type claim struct {
	Rank     string `json:"rank"`
	Mainsnak struct {
		Datavalue struct {
			Value json.RawMessage `json:"value"`
		} `json:"datavalue"`
	} `json:"mainsnak"`
}

// UnmarshalJSON tolerates an empty PHP array where a map belongs.
func (i *item) UnmarshalJSON(data []byte) error {
	var raw struct {
		ID           string          `json:"id"`
		Missing      *string         `json:"missing"`
		Labels       json.RawMessage `json:"labels"`
		Descriptions json.RawMessage `json:"descriptions"`
		Aliases      json.RawMessage `json:"aliases"`
		Claims       json.RawMessage `json:"claims"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	i.ID, i.Missing = raw.ID, raw.Missing
	for _, f := range []struct {
		from json.RawMessage
		to   any
	}{{raw.Labels, &i.Labels}, {raw.Descriptions, &i.Descriptions}, {raw.Aliases, &i.Aliases}, {raw.Claims, &i.Claims}} {
		if len(f.from) > 0 && f.from[0] == '{' {
			if err := json.Unmarshal(f.from, f.to); err != nil {
				return err
			}
		}
	}
	return nil
}

func (i item) label() string       { return i.Labels[language].Value }
func (i item) description() string { return strings.ToLower(i.Descriptions[language].Value) }

func (i item) aliases() []string {
	out := make([]string, 0, len(i.Aliases[language]))
	for _, a := range i.Aliases[language] {
		out = append(out, a.Value)
	}
	return out
}

// ids are the items a property points at; deprecated statements do not count.
func (i item) ids(property string) []string {
	var out []string
	for _, c := range i.Claims[property] {
		var v struct {
			ID string `json:"id"`
		}
		if c.Rank != "deprecated" && json.Unmarshal(c.Mainsnak.Datavalue.Value, &v) == nil && v.ID != "" {
			out = append(out, v.ID)
		}
	}
	return out
}

var capitals = regexp.MustCompile(`^[A-Z]{3,6}$`)

// abbreviation is a short name in capitals, stated or among the aliases.
func (i item) abbreviation() string {
	for _, c := range i.Claims[propShort] {
		var v struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(c.Mainsnak.Datavalue.Value, &v) == nil && capitals.MatchString(v.Text) {
			return v.Text
		}
	}
	for _, a := range i.aliases() {
		if capitals.MatchString(a) {
			return a
		}
	}
	return ""
}

// joiners say nothing beside a nickname: "The Gunners" is one word.
var joiners = map[string]bool{"the": true, "los": true, "las": true, "les": true, "die": true, "der": true, "gli": true, "afc": true,
	"club": true, "football": true, "soccer": true, "team": true, "futbol": true}

// singleWords are the aliases that are one word each. Parts of longer ones are not used: "York" and "United" lie inside names of
// clubs that are neither.
func (i item) singleWords(want team) []string {
	var out []string
	for _, a := range append([]string{i.label()}, i.aliases()...) {
		tokens := slices.DeleteFunc(names.Tokens(a), func(t string) bool { return joiners[t] })
		if len(tokens) == 1 && want.takes(tokens[0]) {
			out = append(out, tokens[0])
		}
	}
	return unique(dropGeneric(out))
}

// dropGeneric drops words that mean nothing alone.
func dropGeneric(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), names.Generic)
}

func unique(words []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
