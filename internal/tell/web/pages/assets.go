package pages

import (
	_ "embed"
	"net/http"
	"strings"

	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

//go:embed worker/sw.js
var worker string

// Favicon leads to the icon.
func (s *Server) Favicon(w http.ResponseWriter, r *http.Request) error {
	http.Redirect(w, r, s.Frame.URL("icon.svg"), http.StatusFound)
	return nil
}

// Robots tells search engines what is for programs and operators.
func (s *Server) Robots(w http.ResponseWriter, r *http.Request) error {
	answer.New(http.StatusOK, "text/plain; charset=utf-8", []byte("User-agent: *\nDisallow: /api/\nDisallow: /admin\nDisallow: /part/\n")).Send(w, r)
	return nil
}

// Manifest lets a phone or a desktop install the page.
func (s *Server) Manifest(w http.ResponseWriter, r *http.Request) error {
	type icon struct {
		Src     string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose"`
	}
	png := frame.TypeOf("icon.png")
	a, err := answer.NewJSON(http.StatusOK, map[string]any{
		"id": "/", "name": "Found Footy", "short_name": "Footy", "description": "Every goal of the day with its best clip, live.", "lang": "en", "dir": "ltr",
		"start_url": "/", "scope": "/", "display": "standalone", "background_color": "#0f1412", "theme_color": "#0f1412", "categories": []string{"sports"},
		"icons": []icon{
			{s.Frame.URL("icon.svg"), "any", frame.TypeOf("icon.svg"), "any"}, {s.Frame.URL("icon-192.png"), "192x192", png, "any"},
			{s.Frame.URL("icon-512.png"), "512x512", png, "any"}, {s.Frame.URL("maskable-192.png"), "192x192", png, "maskable"},
			{s.Frame.URL("maskable-512.png"), "512x512", png, "maskable"},
		},
		"shortcuts": []map[string]any{
			{"name": "Today", "url": "/", "icons": []icon{{s.Frame.URL("icon-192.png"), "192x192", png, "any"}}},
			{"name": "Watch", "url": "/watch", "icons": []icon{{s.Frame.URL("icon-192.png"), "192x192", png, "any"}}},
		},
	})
	if err != nil {
		return err
	}
	a.ContentType = "application/manifest+json"
	a.Send(w, r)
	return nil
}

// Worker is the service worker. Its address is of the root, which is what it serves, and never changes; its text does with the assets.
func (s *Server) Worker(w http.ResponseWriter, r *http.Request) error {
	answer.New(http.StatusOK, frame.TypeOf("sw.js"), []byte(strings.ReplaceAll(worker+s.AddedWorker, "@version@", s.Frame.Version()))).Send(w, r)
	return nil
}

// Offline is the page that the service worker keeps for when nothing can be reached. It is the same for everybody.
func (s *Server) Offline(w http.ResponseWriter, r *http.Request) error {
	a, err := s.pages.Answer(http.StatusOK, "offline", nil)
	if err != nil {
		return err
	}
	a.Send(w, r)
	return nil
}
