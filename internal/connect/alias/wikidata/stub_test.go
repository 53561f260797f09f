package wikidata_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/connect/alias/wikidata"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
)

// entry is one item of the stub.
type entry struct {
	id, label, description string
	aliases                []string
	claims                 map[string][]string // property -> items
	short                  string
}

// stub answers like the two actions of the API that are used.
type stub struct {
	mu       sync.Mutex
	entries  []entry
	searched []string
	status   int
	body     string
}

func start(t *testing.T, s *stub, o wikidata.Options, p alias.Picker) *wikidata.Resolver {
	t.Helper()
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	o.BaseURL = srv.URL
	return wikidata.New(o, httpx.New(httpx.Options{UserAgent: httpx.Agent("test")}), p)
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status != 0 {
		w.WriteHeader(s.status)
		return
	}
	if s.body != "" {
		_, _ = w.Write([]byte(s.body))
		return
	}
	q := r.URL.Query()
	if r.URL.Path != "/w/api.php" || !strings.Contains(r.UserAgent(), "found-footy") {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	if q.Get("action") == "wbsearchentities" {
		s.searched = append(s.searched, q.Get("search"))
		found := []map[string]any{}
		for _, e := range s.entries {
			for _, name := range append([]string{e.label}, e.aliases...) {
				if strings.HasPrefix(strings.ToLower(name), strings.ToLower(q.Get("search"))) {
					found = append(found, map[string]any{"id": e.id, "label": e.label, "description": e.description})
					break
				}
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"search": found, "success": 1})
		return
	}
	out := map[string]any{}
	for _, id := range strings.Split(q.Get("ids"), "|") {
		out[id] = map[string]any{"id": id, "missing": ""}
		for _, e := range s.entries {
			if e.id == id {
				out[id] = e.spell()
			}
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"entities": out, "success": 1})
}

func (e entry) spell() map[string]any {
	word := func(v string) map[string]string { return map[string]string{"language": "en", "value": v} }
	aliases := []any{}
	for _, a := range e.aliases {
		aliases = append(aliases, word(a))
	}
	claims := map[string]any{}
	claim := func(v any) map[string]any {
		return map[string]any{"rank": "normal", "mainsnak": map[string]any{"datavalue": map[string]any{"value": v}}}
	}
	for p, ids := range e.claims {
		var list []any
		for _, id := range ids {
			list = append(list, claim(map[string]any{"id": id}))
		}
		claims[p] = list
	}
	if e.short != "" {
		claims["P1813"] = []any{claim(map[string]any{"text": e.short, "language": "en"})}
	}
	item := map[string]any{"id": e.id, "labels": map[string]any{"en": word(e.label)}, "descriptions": map[string]any{"en": word(e.description)},
		"aliases": any([]any{}), "claims": any([]any{})} // empty maps arrive as lists
	if len(aliases) > 0 {
		item["aliases"] = map[string]any{"en": aliases}
	}
	if len(claims) > 0 {
		item["claims"] = claims
	}
	return item
}

func club(id, label, country, city string, aliases ...string) entry {
	return entry{id: id, label: label, description: "association football club", aliases: aliases,
		claims: map[string][]string{"P31": {"Q476028"}, "P641": {"Q2736"}, "P17": {country}, "P159": {city}}}
}

func place(id, label string) entry { return entry{id: id, label: label} }

// world holds the look-alikes that fool a naive resolver.
func world() *stub {
	women := club("Q3", "Arsenal W.F.C.", "Q145", "Q84", "Arsenal Women", "Arsenal Ladies")
	women.claims["P31"] = []string{"Q28140340"}
	women.description = "women's association football club in London"
	youth := club("Q4", "Arsenal F.C. Under-23s and Academy", "Q145", "Q84", "Arsenal U23")
	basket := club("Q5", "Barcelona Basketball", "Q29", "Q1492", "FC Barcelona")
	basket.claims["P641"] = []string{"Q5372"}
	castilla := club("Q6", "Real Madrid Castilla", "Q29", "Q2807", "Real Madrid B")
	gone := club("Q7", "Toronto City", "Q16", "Q172", "Toronto")
	gone.claims["P576"] = []string{"Q1"}
	spain := entry{id: "Q8", label: "Spain men's national association football team", description: "men's national association football team representing Spain",
		aliases: []string{"Spain national football team", "La Roja", "Spain"}, claims: map[string][]string{"P31": {"Q6979593"}, "P17": {"Q29"}}}
	spainU21 := entry{id: "Q9", label: "Spain national under-21 football team", aliases: []string{"Spain national football team U-21"},
		claims: map[string][]string{"P31": {"Q6979593"}, "P17": {"Q29"}}}
	arsenal := club("Q9617", "Arsenal F.C.", "Q145", "Q84", "Arsenal", "The Gunners", "AFC", "Woolwich Arsenal", "Royal Arsenal", "Reds")
	arsenal.short = "ARS"
	return &stub{entries: []entry{
		{id: "Q81669", label: "arsenal", description: "place for arms and ammunition", aliases: []string{"armoury", "knifey"}},
		club("Q44295", "FC Arsenal Kyiv", "Q212", "Q1899", "Arsenal", "Arsenal Kyiv"), women, youth, arsenal,
		club("Q7156", "FC Barcelona", "Q29", "Q1492", "Barcelona", "Barça", "Blaugrana", "Barcelona LLC"), basket,
		{id: "Q1492", label: "Barcelona", description: "city in Spain"},
		castilla, club("Q8682", "Real Madrid CF", "Q29", "Q2807", "Real Madrid", "Los Merengues", "Madridistas"),
		gone, club("Q216", "Toronto FC", "Q16", "Q172", "Toronto", "TFC", "York United rivals", "The Reds"),
		spainU21, spain,
		place("Q145", "United Kingdom"), place("Q212", "Ukraine"), place("Q29", "Spain"), place("Q16", "Canada"),
		place("Q84", "London"), place("Q1899", "Kyiv"), place("Q2807", "Madrid"), place("Q172", "Toronto"),
	}}
}
