package pages

import (
	"net/http"
	"net/url"

	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

// goalCard is what other sites show of a goal; with a clip it has a real picture and a player.
func goalCard(origin string, e view.Event, c *view.Clip) *frame.Card {
	out := &frame.Card{Title: e.Headline(), URL: origin + e.Path, Description: e.League.Name + ", " + e.Kickoff.Format("2 January 2006"),
		OEmbed: origin + "/oembed?url=" + url.QueryEscape(origin+e.Path)}
	if c == nil {
		return out
	}
	if c.PosterURL != "" {
		out.Image = origin + c.PosterURL
	}
	out.Video, out.Width, out.Height = origin+c.URL, c.Width, c.Height
	return out
}

type embedPage struct {
	Title  string
	Origin string
	Event  view.Event
	Clip   *view.Clip
	Gone   string
}

// Embed is the player that other sites may show in a frame.
func (s *Server) Embed(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	f, e, err := s.Reader.StandingEvent(r.Context(), r.PathValue("event"))
	if err != nil {
		no, _ := answer.ErrorOf(err)
		return s.pages.Send(w, r, no.Status, "embed", embedPage{Title: "Found Footy", Origin: s.Site.Origin(r), Gone: no.Message})
	}
	p := embedPage{Origin: s.Site.Origin(r), Event: view.EventOf(f, e)}
	p.Title = p.Event.Headline()
	p.Clip, _ = p.Event.Choose(e, r.URL.Query().Get("v"))
	return s.pages.Send(w, r, http.StatusOK, "embed", p)
}
