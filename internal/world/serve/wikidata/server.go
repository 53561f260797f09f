// Package wikidata is the simulated Wikidata: the script's clubs, among items that only share their names.
package wikidata

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/world/script"
)

// Server answers wbsearchentities, wbgetentities and Special:EntityData.
type Server struct{ items []entity }

// New knows the clubs of one script.
func New(s *script.Script) *Server { return &Server{items: build(s)} }

// ServeHTTP routes the API's two actions and the entity page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if id, ok := strings.CutPrefix(r.URL.Path, "/wiki/Special:EntityData/"); ok {
		s.entities(w, []string{strings.TrimSuffix(id, ".json")}, "")
		return
	}
	if r.URL.Path != "/w/api.php" {
		http.NotFound(w, r)
		return
	}
	switch q.Get("action") {
	case "wbsearchentities":
		limit, err := strconv.Atoi(q.Get("limit"))
		if err != nil || limit < 1 {
			limit = 7
		}
		s.search(w, q.Get("search"), limit)
	case "wbgetentities":
		s.entities(w, strings.Split(q.Get("ids"), "|"), q.Get("props"))
	default:
		write(w, map[string]any{"error": map[string]string{"code": "badvalue", "info": "Unrecognized value for parameter \"action\": " + q.Get("action") + "."}, "servedby": "world"})
	}
}

func (s *Server) search(w http.ResponseWriter, text string, limit int) {
	found := []any{}
	for _, e := range s.items {
		kind, match, ok := e.matches(text)
		if !ok || len(found) >= limit {
			continue
		}
		one := map[string]any{"id": e.id, "title": e.id, "pageid": 1000 + len(found), "repository": "wikidata", "url": "//www.wikidata.org/wiki/" + e.id,
			"concepturi": "http://www.wikidata.org/entity/" + e.id, "label": e.label, "description": e.description,
			"match": map[string]string{"type": kind, "language": "en", "text": match}}
		if kind != "label" {
			one["aliases"] = []string{match}
		}
		found = append(found, one)
	}
	write(w, map[string]any{"searchinfo": map[string]string{"search": text}, "search": found, "success": 1})
}

func (s *Server) entities(w http.ResponseWriter, ids []string, props string) {
	out := map[string]any{}
	for _, id := range ids {
		out[id] = map[string]any{"id": id, "missing": ""}
		for _, e := range s.items {
			if e.id == id {
				out[id] = e.json(props)
			}
		}
		if place, ok := places()[id]; ok {
			out[id] = place.json(props)
		}
	}
	write(w, map[string]any{"entities": out, "success": 1})
}

// places are the countries claims point at.
func places() map[string]entity {
	out := map[string]entity{}
	for name, id := range countries {
		out[id] = entity{id: id, label: name, description: "country", types: []string{"Q6256"}}
	}
	out["Q145"] = entity{id: "Q145", label: "United Kingdom", description: "country in north-west Europe", types: []string{"Q6256"}}
	return out
}

func (e entity) json(props string) map[string]any {
	want := func(p string) bool { return props == "" || strings.Contains("|"+props+"|", "|"+p+"|") }
	out := map[string]any{"type": "item", "id": e.id}
	word := func(v string) map[string]string { return map[string]string{"language": "en", "value": v} }
	if want("labels") {
		out["labels"] = map[string]any{"en": word(e.label)}
	}
	if want("descriptions") {
		out["descriptions"] = map[string]any{"en": word(e.description)}
	}
	if want("aliases") {
		list := []any{}
		for _, a := range e.aliases {
			list = append(list, word(a))
		}
		out["aliases"] = map[string]any{"en": list}
	}
	if want("claims") {
		out["claims"] = e.claims()
	}
	return out
}

func (e entity) claims() map[string]any {
	out := map[string]any{}
	item := func(property string, ids ...string) {
		var list []any
		for _, id := range ids {
			if id == "" {
				continue
			}
			n, _ := strconv.Atoi(strings.TrimPrefix(id, "Q"))
			list = append(list, statement(property, "wikibase-item", map[string]any{"type": "wikibase-entityid",
				"value": map[string]any{"entity-type": "item", "numeric-id": n, "id": id}}))
		}
		if list != nil {
			out[property] = list
		}
	}
	item("P31", e.types...)
	item("P17", countries[e.country])
	item("P641", e.sport)
	item("P2094", e.competition)
	if e.city != "" {
		item("P159", made("city-item", e.city))
	}
	if e.code != "" {
		out["P1813"] = []any{statement("P1813", "monolingualtext", map[string]any{"type": "monolingualtext", "value": map[string]string{"text": e.code, "language": "en"}})}
	}
	return out
}

func statement(property, kind string, value map[string]any) map[string]any {
	return map[string]any{"mainsnak": map[string]any{"snaktype": "value", "property": property, "datavalue": value, "datatype": kind},
		"type": "statement", "rank": "normal", "id": property + "$world"}
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(v) // the client went away: nobody to tell
}
