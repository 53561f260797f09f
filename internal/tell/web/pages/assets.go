package pages

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

//go:embed assets
var assetFiles embed.FS

//go:embed worker/sw.js
var worker string

// types are fixed here, because the tables of systems differ.
var types = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png"}

// assetSet holds the embedded files, compressed once. All have one version in their path, so that modules can import each
// other by relative path and every file can be cached for ever.
type assetSet struct {
	version string
	files   map[string]*answer.Answer
}

func loadAssets() (*assetSet, error) {
	set := &assetSet{files: map[string]*answer.Answer{}}
	sum := sha256.New()
	err := fs.WalkDir(assetFiles, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := assetFiles.ReadFile(name)
		if err != nil {
			return err
		}
		sum.Write([]byte(name))
		sum.Write(body)
		set.files[path.Base(name)] = answer.New(http.StatusOK, types[path.Ext(name)], body)
		return nil
	})
	if err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "load assets", err)
	}
	set.version = hex.EncodeToString(sum.Sum(nil)[:5])
	return set, nil
}

func (a *assetSet) url(file string) string { return "/assets/" + a.version + "/" + file }

// Asset serves a file of the pages.
func (s *Server) Asset(w http.ResponseWriter, r *http.Request) error {
	a, ok := s.assets.files[r.PathValue("file")]
	if !ok {
		return footy.Errorf(footy.CodeNotFound, "asset", "There is no such file.")
	}
	if r.PathValue("version") == s.assets.version {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	a.Send(w, r) // an old page asks for an old version: it gets the present file, which must not be cached
	return nil
}

// Favicon leads to the icon.
func (s *Server) Favicon(w http.ResponseWriter, r *http.Request) error {
	http.Redirect(w, r, s.assets.url("icon.svg"), http.StatusFound)
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
	a, err := answer.NewJSON(http.StatusOK, map[string]any{
		"id": "/", "name": "Found Footy", "short_name": "Footy", "description": "Every goal of the day with its best clip, live.", "lang": "en", "dir": "ltr",
		"start_url": "/", "scope": "/", "display": "standalone", "background_color": "#0f1412", "theme_color": "#0f1412", "categories": []string{"sports"},
		"icons": []icon{
			{s.assets.url("icon.svg"), "any", types[".svg"], "any"}, {s.assets.url("icon-192.png"), "192x192", types[".png"], "any"},
			{s.assets.url("icon-512.png"), "512x512", types[".png"], "any"}, {s.assets.url("maskable-192.png"), "192x192", types[".png"], "maskable"},
			{s.assets.url("maskable-512.png"), "512x512", types[".png"], "maskable"},
		},
		"shortcuts": []map[string]any{
			{"name": "Today", "url": "/", "icons": []icon{{s.assets.url("icon-192.png"), "192x192", types[".png"], "any"}}},
			{"name": "Watch", "url": "/watch", "icons": []icon{{s.assets.url("icon-192.png"), "192x192", types[".png"], "any"}}},
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
	answer.New(http.StatusOK, types[".js"], []byte(strings.ReplaceAll(worker, "@version@", s.assets.version))).Send(w, r)
	return nil
}

// Offline is the page that the service worker keeps for when nothing can be reached. It is the same for everybody.
func (s *Server) Offline(w http.ResponseWriter, r *http.Request) error {
	a, err := s.page(http.StatusOK, "offline", nil)
	if err != nil {
		return err
	}
	a.Send(w, r)
	return nil
}
