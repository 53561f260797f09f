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
}

// most is how many words are kept.
const most = 8

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
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, DefaultURL), "/")
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
	own := slices.DeleteFunc(names.Tokens(want.bare), names.Generic)
	words := r.curated(ctx, team, country, national, &out)
	found, whole := item.called(want)
	picked, asked := r.pick(ctx, team.Name, found)
	if asked {
		out.Provenance = "wikidata+model"
	}
	out.Names = whole[:min(len(whole), most)]
	out.Aliases = names.Unique(slices.Concat(own, words, picked))
	out.Aliases = out.Aliases[:min(len(out.Aliases), most)]
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
		items, err := r.search(ctx, text)
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
