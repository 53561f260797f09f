// Package wikidata finds the words for a team among Wikidata's items. Names are shared by reserve sides, stadiums, cities and
// other sports, so an item is checked before its words are used.
package wikidata

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

// Options say where Wikidata is.
type Options struct {
	BaseURL string         // without /w/api.php
	Curated alias.Resolver // its words and abbreviations come first; nil = none
	Max     int            // words kept; 0 = 8
}

// DefaultURL is Wikidata itself.
const DefaultURL = "https://www.wikidata.org"

// Resolver implements alias.Resolver.
type Resolver struct {
	o      Options
	client *http.Client
	picker alias.Picker
}

var _ alias.Resolver = (*Resolver)(nil)

// New makes a resolver; picker may be nil.
func New(o Options, client *http.Client, picker alias.Picker) *Resolver {
	o.BaseURL = cmp.Or(o.BaseURL, DefaultURL)
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	o.Max = cmp.Or(max(o.Max, 0), 8)
	return &Resolver{o: o, client: client, picker: picker}
}

// Resolve implements alias.Resolver.
func (r *Resolver) Resolve(ctx context.Context, team footy.Team, country string, national bool) (footy.TeamAliases, error) {
	want := wanted(team.Name, country, national)
	item, err := r.find(ctx, want)
	if err != nil {
		return footy.TeamAliases{}, err
	}
	out := footy.TeamAliases{TeamID: team.ID, Team: team.Name, Country: country, National: national, WikidataID: item.ID,
		Provenance: "wikidata", Abbr: item.abbreviation()}
	own := dropGeneric(names.Tokens(want.bare))
	words := r.curated(ctx, team, country, national, &out)
	found := item.singleWords(want)
	picked, asked := r.pick(ctx, team.Name, found)
	if asked {
		out.Provenance = "wikidata+model"
	}
	out.Aliases = unique(slices.Concat(own, words, picked))
	if len(out.Aliases) > r.o.Max {
		out.Aliases = out.Aliases[:r.o.Max]
	}
	if out.Abbr == "" && !want.women {
		out.Abbr = names.Abbreviate(want.bare)
	}
	return out, nil
}

// curated adds what people wrote down about well-known teams; their abbreviation beats anything found.
func (r *Resolver) curated(ctx context.Context, team footy.Team, country string, national bool, out *footy.TeamAliases) []string {
	if r.o.Curated == nil {
		return nil
	}
	known, err := r.o.Curated.Resolve(ctx, team, country, national)
	if err != nil {
		return nil // the curated list is an addition; Wikidata answered
	}
	if known.Abbr != "" {
		out.Abbr = known.Abbr
	}
	return known.Aliases
}

// pick lets a model choose from the candidates. Words it invents are dropped, and without an answer the candidates
// serve as they are.
func (r *Resolver) pick(ctx context.Context, team string, candidates []string) (words []string, asked bool) {
	if r.picker == nil || len(candidates) == 0 {
		return candidates, false
	}
	chosen, err := r.picker.Pick(ctx, team, candidates)
	if err != nil {
		return candidates, false
	}
	for _, c := range chosen {
		if w := names.Fold(c); slices.Contains(candidates, w) {
			words = append(words, w)
		}
	}
	return words, true
}

// find searches under the names people file teams under and returns the first item that is the team.
func (r *Resolver) find(ctx context.Context, want team) (item, error) {
	const op = "resolve aliases"
	var best item
	score := 0
	for _, text := range want.searches() {
		ids, err := r.search(ctx, text)
		if err != nil {
			return item{}, footy.Wrap(footy.CodeUnavailable, op, err)
		}
		items, err := r.fetch(ctx, ids)
		if err != nil {
			return item{}, footy.Wrap(footy.CodeUnavailable, op, err)
		}
		places, err := r.places(ctx, items, want)
		if err != nil {
			return item{}, footy.Wrap(footy.CodeUnavailable, op, err)
		}
		for _, it := range items {
			if s := want.score(it, places); s > score {
				best, score = it, s
			}
		}
		if score >= sure {
			break
		}
	}
	if score == 0 {
		return item{}, footy.Errorf(footy.CodeNotFound, op, "no item of Wikidata is %s", want.name)
	}
	return best, nil
}
