package api

import (
	"net/http"
	"strconv"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
)

// Coverage tells how many goals of each day have a clip, and where the time to the first clips of the last days went.
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
