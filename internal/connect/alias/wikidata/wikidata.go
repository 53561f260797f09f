// Package wikidata finds the words for a team among Wikidata's items. Names are shared by reserve sides, stadiums, cities and
// other sports, so an item is checked before its words are used.
package wikidata

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
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
	out := footy.TeamAliases{TeamID: team.ID, Team: team.Name, Country: country, National: national, WikidataID: item.id,
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

const (
	maxBody  = 16 << 20
	hits     = "10"
	language = "en"
)

// search returns the items filed under a text, in Wikidata's order.
func (r *Resolver) search(ctx context.Context, text string) ([]item, error) {
	answer, err := r.get(ctx, url.Values{"action": {"wbsearchentities"}, "search": {text}, "language": {language}, "uselang": {language},
		"type": {"item"}, "limit": {hits}})
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, id := range answer.Get("search.#.id").Array() {
		ids = append(ids, id.String())
	}
	return r.fetch(ctx, ids)
}

func (r *Resolver) fetch(ctx context.Context, ids []string) ([]item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	answer, err := r.get(ctx, url.Values{"action": {"wbgetentities"}, "ids": {strings.Join(ids, "|")}, "languages": {language},
		"props": {"labels|descriptions|aliases|claims"}})
	var out []item
	for _, id := range ids {
		if it := answer.Get("entities." + id); it.Exists() && !it.Get("missing").Exists() {
			out = append(out, item{it, id})
		}
	}
	return out, err
}

// places returns the names of the countries and cities that items point at.
func (r *Resolver) places(ctx context.Context, items []item, want team) (map[string]string, error) {
	var ids []string
	for _, it := range items {
		if want.kind(it) {
			ids = slices.Concat(ids, it.ids(propCountry), it.ids(propSeat), it.ids(propPlace))
		}
	}
	ids = names.Unique(ids)
	labels := map[string]string{}
	found, err := r.fetch(ctx, ids[:min(len(ids), 50)]) // one call takes fifty
	for _, it := range found {
		labels[it.id] = it.label()
	}
	return labels, err
}

func (r *Resolver) get(ctx context.Context, q url.Values) (none gjson.Result, err error) {
	const op = "ask wikidata"
	q.Set("format", "json")
	resp, body, err := httpx.Call{Address: r.o.BaseURL + "/w/api.php?" + q.Encode(), Most: maxBody}.Do(ctx, r.client) //nolint:bodyclose // it closes it
	switch {
	case resp == nil:
		return none, httpx.Fault(op, err)
	case resp.StatusCode != http.StatusOK:
		return none, httpx.Refused(op, "Wikidata", resp, time.Now())
	case err != nil:
		return none, footy.Wrap(footy.CodeUnavailable, op, err)
	case !gjson.ValidBytes(body):
		return none, footy.Errorf(footy.CodeUnavailable, op, "the answer is no JSON")
	}
	answer := gjson.ParseBytes(body)
	if refusal := answer.Get("error"); refusal.Exists() {
		e := footy.Errorf(footy.CodeUnavailable, op, "%s: %s", refusal.Get("code"), refusal.Get("info"))
		if code := refusal.Get("code").String(); code == "maxlag" || code == "ratelimited" {
			e.Code = footy.CodeRateLimited
		}
		return none, e
	}
	return answer, nil
}
