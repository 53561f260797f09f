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

// Robots keeps search engines out of what is for programs and operators.
func (s *Server) Robots(w http.ResponseWriter, r *http.Request) error {
	answer.New(http.StatusOK, "text/plain; charset=utf-8", []byte("User-agent: *\nDisallow: /api/\nDisallow: /admin\nDisallow: /part/\n")).Send(w, r)
	return nil
}

//go:embed worker/manifest.webmanifest
var manifest string

// Manifest lets a phone or a desktop install the page.
func (s *Server) Manifest(w http.ResponseWriter, r *http.Request) error {
	return s.versioned(w, r, "application/manifest+json", manifest)
}

// Worker is the service worker. Its address is of the root, which is what it serves, and never changes; its text does with the assets.
func (s *Server) Worker(w http.ResponseWriter, r *http.Request) error {
	return s.versioned(w, r, frame.TypeOf("sw.js"), worker+s.AddedWorker)
}

// versioned sends a file that names others by their version.
func (s *Server) versioned(w http.ResponseWriter, r *http.Request, contentType, text string) error {
	answer.New(http.StatusOK, contentType, []byte(strings.NewReplacer("@version@", s.Frame.Version(), "@base@", s.Site.Base()).Replace(text))).Send(w, r)
	return nil
}

// Offline is the page that the service worker keeps for when nothing can be reached. It is the same for everybody.
func (s *Server) Offline(w http.ResponseWriter, r *http.Request) error {
	return s.pages.Send(w, r, http.StatusOK, "offline", nil)
}
