package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"

	"github.com/found-footy/found-footy/internal/footy"
)

//go:embed assets
var assetFiles embed.FS

// types are fixed here: what the system's MIME table says must not change a page.
var types = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".json": "application/json; charset=utf-8", ".png": "image/png",
}

// assetSet holds the embedded files, packed once. All live under one version, so that modules can import each other by
// relative path and every file can be cached for good.
type assetSet struct {
	version string
	files   map[string]*answer
}

func loadAssets() (*assetSet, error) {
	set := &assetSet{files: map[string]*answer{}}
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
		set.files[path.Base(name)] = newAnswer(http.StatusOK, types[path.Ext(name)], body)
		return nil
	})
	if err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "load assets", err)
	}
	set.version = hex.EncodeToString(sum.Sum(nil)[:5])
	return set, nil
}

func (a *assetSet) url(file string) string { return "/assets/" + a.version + "/" + file }

func (s *Server) handleAsset(w http.ResponseWriter, r *http.Request) {
	a, ok := s.assets.files[r.PathValue("file")]
	if !ok {
		s.fail(w, r, footy.Errorf(footy.CodeNotFound, "asset", "There is no such file."))
		return
	}
	if r.PathValue("version") == s.assets.version {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	a.send(w, r) // an old page asks for an old version: today's file is better than none, but must not be kept
}

func (s *Server) handleFavicon(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, s.assets.url("icon.svg"), http.StatusFound)
}

func (s *Server) handleRobots(w http.ResponseWriter, r *http.Request) {
	newAnswer(http.StatusOK, "text/plain; charset=utf-8", []byte("User-agent: *\nDisallow: /api/\nDisallow: /admin\nDisallow: /part/\n")).send(w, r)
}

func (s *Server) handleManifest(w http.ResponseWriter, r *http.Request) {
	a, err := jsonAnswer(http.StatusOK, map[string]any{
		"name": "Found Footy", "short_name": "Found Footy", "start_url": "/", "display": "standalone",
		"background_color": "#0f1412", "theme_color": "#0f1412",
		"icons": []map[string]string{{"src": s.assets.url("icon.svg"), "sizes": "any", "type": "image/svg+xml"}},
	})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	a.contentType = "application/manifest+json"
	a.send(w, r)
}
