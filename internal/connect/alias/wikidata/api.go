package wikidata

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

const (
	maxBody  = 16 << 20
	hits     = "10"
	agent    = "found-footy (https://github.com/found-footy/found-footy)" // Wikimedia asks for a name to write to
	language = "en"
)

type searchAnswer struct {
	Search []struct {
		ID string `json:"id"`
	} `json:"search"`
	Error *apiError `json:"error"`
}

type entityAnswer struct {
	Entities map[string]item `json:"entities"`
	Error    *apiError       `json:"error"`
}

type apiError struct {
	Code string `json:"code"`
	Info string `json:"info"`
}

// search returns the ids filed under a text, in Wikidata's order.
func (r *Resolver) search(ctx context.Context, text string) ([]string, error) {
	var a searchAnswer
	err := r.get(ctx, url.Values{"action": {"wbsearchentities"}, "search": {text}, "language": {language}, "uselang": {language},
		"type": {"item"}, "limit": {hits}}, &a)
	if err != nil {
		return nil, err
	}
	if a.Error != nil {
		return nil, a.Error.translate()
	}
	ids := make([]string, 0, len(a.Search))
	for _, s := range a.Search {
		if s.ID != "" {
			ids = append(ids, s.ID)
		}
	}
	return ids, nil
}

// fetch returns the items in the order of their ids.
func (r *Resolver) fetch(ctx context.Context, ids []string) ([]item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var a entityAnswer
	err := r.get(ctx, url.Values{"action": {"wbgetentities"}, "ids": {strings.Join(ids, "|")}, "languages": {language},
		"props": {"labels|descriptions|aliases|claims"}}, &a)
	if err != nil {
		return nil, err
	}
	if a.Error != nil {
		return nil, a.Error.translate()
	}
	var out []item
	for _, id := range ids {
		if it, ok := a.Entities[id]; ok && it.Missing == nil {
			it.ID = id
			out = append(out, it)
		}
	}
	return out, nil
}

// places returns the names of the countries and cities that items point at.
func (r *Resolver) places(ctx context.Context, items []item, want team) (map[string]string, error) {
	var ids []string
	for _, it := range items {
		if want.kind(it) {
			ids = append(ids, it.ids(propCountry)...)
			ids = append(ids, it.ids(propSeat)...)
			ids = append(ids, it.ids(propPlace)...)
		}
	}
	ids = unique(ids)
	if len(ids) > 50 { // one call takes fifty
		ids = ids[:50]
	}
	names := map[string]string{}
	found, err := r.fetch(ctx, ids)
	for _, it := range found {
		names[it.ID] = it.label()
	}
	return names, err
}

func (r *Resolver) get(ctx context.Context, q url.Values, out any) error {
	q.Set("format", "json")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.o.BaseURL+"/w/api.php?"+q.Encode(), nil)
	if err != nil {
		return footy.Wrap(footy.CodeInvalid, "ask wikidata", err)
	}
	req.Header.Set("User-Agent", agent)
	resp, err := r.client.Do(req) //nolint:bodyclose // httpx.Drain closes it
	if err != nil {
		return httpx.Fault("ask wikidata", err)
	}
	defer httpx.Drain(resp)
	switch {
	case resp.StatusCode == http.StatusTooManyRequests:
		return &footy.Error{Code: footy.CodeRateLimited, Op: "ask wikidata", RetryAfter: httpx.RetryAfter(resp.Header, time.Now())}
	case resp.StatusCode != http.StatusOK:
		return footy.Errorf(footy.CodeUnavailable, "ask wikidata", "HTTP %d", resp.StatusCode)
	}
	body, err := httpx.ReadBody(resp, maxBody)
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, "ask wikidata", err)
	}
	return footy.Wrap(footy.CodeUnavailable, "read wikidata's answer", json.Unmarshal(body, out))
}

func (e apiError) translate() error {
	code := footy.CodeUnavailable
	if e.Code == "maxlag" || e.Code == "ratelimited" {
		code = footy.CodeRateLimited
	}
	return footy.Errorf(code, "ask wikidata", "%s: %s", e.Code, e.Info)
}
