package media

import (
	"fmt"
	"hash/fnv"
	"html"
	"net/http"
	"strconv"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

// Logo answers with our copy of a logo, else with a drawn one, so that a page never has a hole.
func (s *Server) Logo(w http.ResponseWriter, r *http.Request) error {
	kind := r.PathValue("kind")
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || (kind != "team" && kind != "league") {
		return footy.Errorf(footy.CodeNotFound, "logo", "There is no such logo.")
	}
	// A picture from outside must stay a picture, even when somebody opens it as a page.
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	if s.Logos != nil {
		if body, contentType, err := s.Logos.Logo(r.Context(), kind, id); err == nil {
			w.Header().Set("Cache-Control", "public, max-age=86400")
			answer.New(http.StatusOK, contentType, body).Send(w, r)
			return nil
		}
	}
	w.Header().Set("Cache-Control", "public, max-age=600")
	answer.New(http.StatusOK, "image/svg+xml", drawLogo(kind, id, r.URL.Query().Get("n"))).Send(w, r)
	return nil
}

// drawLogo writes initials on a colour of the team's own. Only the hue differs, so that the letters are always readable.
func drawLogo(kind string, id int64, letters string) []byte {
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
