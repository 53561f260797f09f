package web

import (
	"fmt"
	"hash/fnv"
	"html"
	"net/http"
	"strconv"

	"github.com/found-footy/found-footy/internal/footy"
)

// handleLogo answers with the cached badge, else with a drawn one: a page never waits for a logo and never shows a hole.
func (s *Server) handleLogo(w http.ResponseWriter, r *http.Request) {
	kind := r.PathValue("kind")
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || (kind != "team" && kind != "league") {
		s.fail(w, r, footy.Errorf(footy.CodeNotFound, "logo", "There is no such logo."))
		return
	}
	// A picture from outside must stay a picture, even when somebody opens it as a page.
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	if s.opt.Logos != nil {
		if body, contentType, err := s.opt.Logos.Logo(r.Context(), kind, id); err == nil {
			w.Header().Set("Cache-Control", "public, max-age=86400")
			newAnswer(http.StatusOK, contentType, body).send(w, r)
			return
		}
	}
	w.Header().Set("Cache-Control", "public, max-age=600")
	newAnswer(http.StatusOK, "image/svg+xml", badge(kind, id, r.URL.Query().Get("n"))).send(w, r)
}

// badge draws initials on a colour of the team's own; hue only, so that the contrast of the letters holds.
func badge(kind string, id int64, letters string) []byte {
	if n := []rune(letters); len(n) > 2 {
		letters = string(n[:2])
	}
	h := fnv.New32a()
	_, _ = fmt.Fprint(h, kind, id)
	hue := h.Sum32() % 360
	shape := `<path d="M4 3h24v14c0 7-6 11-12 13C10 28 4 24 4 17z" `
	if kind == "league" {
		shape = `<rect x="2" y="2" width="28" height="28" rx="9" `
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">%sfill="hsl(%d 45%% 32%%)"/>`+
		`<text x="16" y="20" text-anchor="middle" font-family="system-ui,sans-serif" font-size="11" font-weight="700" fill="#fff">%s</text></svg>`,
		shape, hue, html.EscapeString(letters))
}

// learn tells the badge cache where the pictures of these fixtures lie.
func (s *Server) learn(list []footy.Fixture) {
	if s.opt.Logos == nil {
		return
	}
	for i := range list {
		f := &list[i]
		s.opt.Logos.Learn("team", f.Teams.Home.ID, f.Teams.Home.Logo)
		s.opt.Logos.Learn("team", f.Teams.Away.ID, f.Teams.Away.Logo)
		s.opt.Logos.Learn("league", f.League.ID, f.League.Logo)
	}
}
