package footy

import (
	"slices"
	"time"
)

// TeamAliases is what is known about how people call a team, with where it came from.
type TeamAliases struct {
	TeamID     int64              `json:"_id"`
	Team       string             `json:"team"`
	Country    string             `json:"country,omitempty"`
	National   bool               `json:"national,omitempty"`
	Aliases    []string           `json:"aliases"`         // folded single words, best first
	Names      []string           `json:"names,omitempty"` // folded whole names of several words
	Abbr       string             `json:"abbreviation,omitempty"`
	Spelt      map[string][]int64 `json:"spelt,omitempty"` // what titles call it that only the other facts explain, with the matches
	WikidataID string             `json:"wikidata_id,omitempty"`
	Provenance string             `json:"provenance"` // "static", "wikidata", "wikidata+model", "name"
	UpdatedAt  time.Time          `json:"updated_at"`
}

// maxSpelt bounds the spellings that are kept of a team.
const maxSpelt = 50

// Learn notes that a title of a match calls the team so, and reports whether that is new.
func (a *TeamAliases) Learn(name string, match int64) bool {
	if known, there := a.Spelt[name]; len(known) > 1 || slices.Contains(known, match) || !there && len(a.Spelt) == maxSpelt {
		return false
	}
	if a.Spelt == nil {
		a.Spelt = map[string][]int64{}
	}
	a.Spelt[name] = append(a.Spelt[name], match)
	return true
}

// Called are the names of the team beside its own: those it was looked up with, and those that titles of two matches gave it.
func (a TeamAliases) Called() []string {
	var learned []string
	for name, matches := range a.Spelt {
		if len(matches) > 1 {
			learned = append(learned, name)
		}
	}
	slices.Sort(learned)
	return append(learned, a.Names...)
}
