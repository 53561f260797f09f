// Package static knows the words for well-known clubs and national teams without asking anyone, and makes do with the name
// itself for all others.
package static

import (
	"context"
	_ "embed" // the two lists
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

//go:embed clubs.txt
var clubs string

//go:embed nations.txt
var nations string

// Where an answer came from.
const (
	Curated = "static"
	Named   = "name"
)

// Resolver implements alias.Resolver from the curated lists.
type Resolver struct {
	clubs   map[string][]entry // by folded name; two clubs of two countries may share one
	nations map[string]entry
}

var _ alias.Resolver = (*Resolver)(nil)

type entry struct {
	name, country, abbr string
	words               []string
}

// New reads the lists.
func New() *Resolver {
	r := &Resolver{clubs: map[string][]entry{}, nations: map[string]entry{}}
	for _, fields := range rows(clubs, 4) {
		e := entry{fields[0], fields[1], fields[2], strings.Fields(fields[3])}
		r.clubs[names.Fold(e.name)] = append(r.clubs[names.Fold(e.name)], e)
	}
	for _, fields := range rows(nations, 3) {
		r.nations[names.Fold(fields[0])] = entry{fields[0], fields[0], fields[1], strings.Fields(fields[2])}
	}
	return r
}

// rows are the lines of a list that have n fields and are no comment.
func rows(text string, n int) (out [][]string) {
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) == n && !strings.HasPrefix(fields[0], "#") {
			out = append(out, fields)
		}
	}
	return out
}

// Resolve implements alias.Resolver. It always has an answer, except for a team without a name.
func (r *Resolver) Resolve(_ context.Context, team footy.Team, country string, national bool) (footy.TeamAliases, error) {
	out := footy.TeamAliases{TeamID: team.ID, Team: team.Name, Country: country, National: national, Provenance: Named}
	name, women := names.Women(team.Name)
	e, known := r.find(name, country, national)
	words := names.Tokens(name)
	if known {
		out.Provenance, out.Abbr = Curated, e.abbr
		words = append(words, e.words...)
	}
	if women {
		out.Abbr = "" // the men's abbreviation would bring the men's goals
	}
	if out.Abbr == "" && !women {
		out.Abbr = names.Abbreviate(name)
	}
	for _, w := range words {
		if !names.Generic(w) && !slices.Contains(out.Aliases, w) {
			out.Aliases = append(out.Aliases, w)
		}
	}
	if strings.TrimSpace(team.Name) == "" {
		return out, footy.Errorf(footy.CodeNotFound, "resolve aliases", "team %d has no name", team.ID)
	}
	return out, nil
}

func (r *Resolver) find(name, country string, national bool) (entry, bool) {
	key := names.Fold(name)
	if national {
		e, ok := r.nations[key]
		return e, ok
	}
	list := r.clubs[key]
	for _, e := range list {
		if strings.EqualFold(e.country, country) {
			return e, true
		}
	}
	// The country of a cup is "World": only then, or where none is given, the name alone decides.
	if len(list) > 0 && (country == "" || strings.EqualFold(country, "World")) {
		return list[0], true
	}
	if len(list) == 0 && country == "" {
		e, ok := r.nations[key]
		return e, ok
	}
	return entry{}, false
}
