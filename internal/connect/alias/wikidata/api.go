package wikidata

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

const (
	maxBody  = 16 << 20
	hits     = "10"
	language = "en"
)

// answer is that of either action.
type answer struct {
	Search []struct {
		ID string `json:"id"`
	} `json:"search"`
	Entities map[string]item `json:"entities"`
	Error    *struct {
		Code string `json:"code"`
		Info string `json:"info"`
	} `json:"error"`
}

// search returns the items filed under a text, in Wikidata's order.
func (r *Resolver) search(ctx context.Context, text string) ([]item, error) {
	a, err := r.get(ctx, url.Values{"action": {"wbsearchentities"}, "search": {text}, "language": {language}, "uselang": {language},
		"type": {"item"}, "limit": {hits}})
	var ids []string
	for _, s := range a.Search {
		ids = append(ids, s.ID)
	}
	if err != nil {
		return nil, err
	}
	return r.fetch(ctx, ids)
}

// fetch returns the items in the order of their ids.
func (r *Resolver) fetch(ctx context.Context, ids []string) ([]item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	a, err := r.get(ctx, url.Values{"action": {"wbgetentities"}, "ids": {strings.Join(ids, "|")}, "languages": {language},
		"props": {"labels|descriptions|aliases|claims"}})
	var out []item
	for _, id := range ids {
		if it, ok := a.Entities[id]; ok && it.Missing == nil {
			it.ID = id
			out = append(out, it)
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
		labels[it.ID] = it.label()
	}
	return labels, err
}

func (r *Resolver) get(ctx context.Context, q url.Values) (a answer, err error) {
	const op = "ask wikidata"
	q.Set("format", "json")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.o.BaseURL+"/w/api.php?"+q.Encode(), nil)
	if err != nil {
		return a, footy.Wrap(footy.CodeInvalid, op, err)
	}
	resp, body, err := httpx.Read(r.client, req, maxBody) //nolint:bodyclose // it closes it
	switch {
	case resp == nil:
		return a, httpx.Fault(op, err)
	case resp.StatusCode != http.StatusOK:
		return a, httpx.Refused(op, "Wikidata", resp, time.Now())
	case err == nil:
		err = json.Unmarshal(body, &a)
	}
	switch {
	case err != nil:
		return a, footy.Wrap(footy.CodeUnavailable, op, err)
	case a.Error != nil && (a.Error.Code == "maxlag" || a.Error.Code == "ratelimited"):
		return a, footy.Errorf(footy.CodeRateLimited, op, "%s: %s", a.Error.Code, a.Error.Info)
	case a.Error != nil:
		return a, footy.Errorf(footy.CodeUnavailable, op, "%s: %s", a.Error.Code, a.Error.Info)
	}
	return a, nil
}
