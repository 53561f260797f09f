package api

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

type oEmbed struct {
	Version      string `json:"version"`
	Type         string `json:"type"`
	Title        string `json:"title"`
	ProviderName string `json:"provider_name"`
	ProviderURL  string `json:"provider_url"`
	HTML         string `json:"html,omitempty"`
	Width        int    `json:"width,omitempty"`
	Height       int    `json:"height,omitempty"`
	Thumbnail    string `json:"thumbnail_url,omitempty"`
	ThumbWidth   int    `json:"thumbnail_width,omitempty"`
	ThumbHeight  int    `json:"thumbnail_height,omitempty"`
}

// OEmbed says how to show a goal's page in another one.
func (s *Server) OEmbed(w http.ResponseWriter, r *http.Request) error {
	if f := r.URL.Query().Get("format"); f != "" && f != "json" {
		return &answer.Error{Status: http.StatusNotImplemented, Code: footy.CodeInvalid, Message: fmt.Sprintf("format %q is not spoken here; leave it out or say json", f)}
	}
	u, err := url.Parse(r.URL.Query().Get("url"))
	id, ok := "", false
	if err == nil {
		id, ok = strings.CutPrefix(u.Scheme+"://"+u.Host+u.Path, s.Site.Origin(r)+"/g/")
	}
	if !ok || id == "" {
		return footy.Errorf(footy.CodeInvalid, "oembed", "url must be the address of a goal page of this site")
	}
	f, e, err := s.Reader.StandingEvent(r.Context(), id)
	if err != nil {
		return err
	}
	v := view.EventOf(f, e)
	out := oEmbed{Version: "1.0", Type: "link", Title: v.Headline(), ProviderName: "Found Footy", ProviderURL: s.Site.Origin(r)}
	if c, _ := v.Choose(e, u.Query().Get("v")); c != nil && c.Width > 0 && c.Height > 0 {
		out.Type, out.Width, out.Height = "video", 640, 640*c.Height/c.Width
		if n, err := strconv.Atoi(r.URL.Query().Get("maxwidth")); err == nil && n > 0 && n < out.Width {
			out.Width, out.Height = n, n*c.Height/c.Width
		}
		out.HTML = fmt.Sprintf(`<iframe src="%s" width="%d" height="%d" title="%s" allow="fullscreen" loading="lazy"></iframe>`,
			html.EscapeString(s.Site.Origin(r)+"/embed/"+e.ID+"?v="+c.ID), out.Width, out.Height, html.EscapeString(out.Title))
		if c.PosterURL != "" {
			out.Thumbnail, out.ThumbWidth, out.ThumbHeight = s.Site.Origin(r)+c.PosterURL, c.Width, c.Height
		}
	}
	return answer.JSON(w, r, http.StatusOK, out)
}
