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
	ID           string          `json:"id"`
	Missing      *string         `json:"missing"`
	Labels       object[word]    `json:"labels"`
	Descriptions object[word]    `json:"descriptions"`
	Aliases      object[[]word]  `json:"aliases"`
	Claims       object[[]claim] `json:"claims"`
}

// object is a map that arrives as an empty list where it is empty.
type object[T any] map[string]T

// UnmarshalJSON reads either.
func (o *object[T]) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '{' {
		return nil
	}
	return json.Unmarshal(data, (*map[string]T)(o))
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
var joiners = names.Set("the los las les die der gli afc club football soccer team futbol")

// called are the names of the item: those of one word, and whole names of several. Parts of longer ones are not used: "York" and "United" lie
// inside names of clubs that are neither.
func (i item) called(want team) (words, whole []string) {
	for _, a := range append([]string{i.label()}, i.aliases()...) {
		tokens := slices.DeleteFunc(names.Tokens(a), func(t string) bool { return joiners[t] })
		switch {
		case len(tokens) == 1 && want.takes(tokens[0]) && !names.Generic(tokens[0]):
			words = append(words, tokens[0])
		case len(tokens) == 2 && len(strings.Fields(names.Fold(a))) == 2:
			whole = append(whole, names.Fold(a))
		}
	}
	return names.Unique(words), names.Unique(whole)
}
