// Package api serves programs: the JSON API with its OpenAPI document, oEmbed and RSS.
package api

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strconv"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/actions"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/session"
)

//go:embed openapi.json
var openAPI []byte

// Server answers the API.
type Server struct {
	Reader    *lookup.Reader
	Actions   *actions.Actions
	Operators *session.Operators
	Site      session.Site

	doc *answer.Answer
}

// document is the OpenAPI document, or what a part adds to it.
type document struct {
	OpenAPI    string                     `json:"openapi"`
	Info       json.RawMessage            `json:"info"`
	Paths      map[string]json.RawMessage `json:"paths"`
	Components struct {
		Schemas         map[string]json.RawMessage `json:"schemas"`
		SecuritySchemes json.RawMessage            `json:"securitySchemes"`
	} `json:"components"`
}

// Describe puts the document together: that of the API with the paths and schemas of parts.
func (s *Server) Describe(parts ...[]byte) error {
	var doc document
	err := json.Unmarshal(openAPI, &doc)
	for _, part := range parts {
		var added document
		err = errors.Join(err, json.Unmarshal(part, &added))
		maps.Copy(doc.Paths, added.Paths)
		maps.Copy(doc.Components.Schemas, added.Components.Schemas)
	}
	if err == nil {
		s.doc, err = answer.NewJSON(http.StatusOK, doc)
	}
	return footy.Wrap(footy.CodeInvalid, "describe the API", err)
}

// OpenAPI describes the API.
func (s *Server) OpenAPI(w http.ResponseWriter, r *http.Request) error {
	s.doc.Send(w, r)
	return nil
}

// Health reports the state of each part; why, and what to do, to operators.
func (s *Server) Health(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	h, err := s.Reader.RecentHealth(r.Context())
	if err != nil {
		return err
	}
	answer.Vary(w.Header(), "Cookie")
	answer.Vary(w.Header(), "Authorization")
	if !s.Operators.Sees(r) {
		h = h.Public()
	}
	return answer.JSON(w, r, http.StatusOK, h)
}

// Coverage returns how many goals of each day have a clip, and where the time to the first clips of the last days went.
func (s *Server) Coverage(w http.ResponseWriter, r *http.Request) error {
	days := lookup.CoverageDays
	if v := r.URL.Query().Get("days"); v != "" {
		days, _ = strconv.Atoi(v) // checkParams has refused bad values
	}
	out, err := s.Reader.Coverage(r.Context(), lookup.Zone(r), days)
	if err != nil {
		return err
	}
	figures, _, err := s.Reader.FirstClips(r.Context())
	if err != nil {
		return err
	}
	answer.Vary(w.Header(), "Cookie")
	return answer.JSON(w, r, http.StatusOK, map[string]any{"days": out, "first_clip": append([]delay.Figure{}, figures...)})
}

// Dates lists the days with matches.
func (s *Server) Dates(w http.ResponseWriter, r *http.Request) error {
	zone := s.Reader.ZoneOfKept(lookup.Zone(r))
	return s.Reader.SendCached(w, r, "dates "+zone.String(), func(ctx context.Context) (*answer.Answer, error) {
		list, err := s.Reader.KeptFixtures(ctx)
		if err != nil {
			return nil, err
		}
		return answer.NewJSON(http.StatusOK, map[string]any{"dates": lookup.DaysOf(list, zone)})
	})
}
