// Package host is the simulated hosts that posts on Reddit link to, each with the manner of the real one, below /{host}/{path}.
package host

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
)

// stub is a film that plays in place of one that was taken down.
const stub = "https://cloudflare-terms-of-service-abuse.com/stub.mp4"

// encoding is how long dropr and streamable encode a clip, in product time.
const encoding = 30 * time.Second

// Server answers for all hosts.
type Server struct {
	posts  *post.Catalog
	videos http.Handler
	panel  *fault.Panel
	scale  float64
}

// New returns the hosts of a day whose files videos serves; panel has the faults.
func New(c *post.Catalog, videos http.Handler, panel *fault.Panel, scale float64) *Server {
	return &Server{posts: c, videos: videos, panel: panel, scale: scale}
}

// pages are where people link to, by host.
var pages = map[string]string{"streamain": "https://streama.in/%s", "streamin": "https://streamin.link/v/%s", "streamff": "https://streamff.pro/v/%s",
	"dubz": "https://dubz.link/c/%s", "dubz-guest": "https://dubz.live/v/%s", "dropr": "https://dropr.co/v/%s", "streamable": "https://streamable.com/%s",
	"clipnest": "https://clipnest.example/v/%s"}

// Page is the address of a post's clip; "" if it lies with Reddit itself.
func Page(p post.Post) string {
	if page := pages[p.Host]; page != "" {
		return fmt.Sprintf(page, p.ID)
	}
	return ""
}

// ServeHTTP finds the clip that a page, an answer or a file is about, and lets its host answer.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	p, known := s.find(path)
	switch {
	case s.on(script.HostRefused, p): // as data centres are
		http.Error(w, "<html>Attention Required! | Cloudflare</html>", http.StatusForbidden)
		return
	case s.on(script.HostGone, p) || p.Kind == script.Deleted:
		known = false
	}
	switch name {
	case "streama.in":
		http.Redirect(w, r, "https://streamain.com/"+path, http.StatusMovedPermanently)
	case "ffedge.streamff.com":
		share(w, p, known)
	case "streamff.pro", "streamff.com", "streamff.link": // a script makes the page, for clips that are gone, too
		page(w, `<meta property="og:video" content="https://undefined"><div id="root"></div><script src="/app.js"></script>`)
	case "cloudflare-terms-of-service-abuse.com":
		s.file(w, r, s.posts.All()[0])
	default:
		switch {
		case !known && strings.HasPrefix(name, "streamin."): // it says so in words, with 200
			page(w, `<h1>This video is no longer available</h1><video src="/deleted.mp4" autoplay muted loop></video>`)
			return
		case !known:
			http.NotFound(w, r)
			return
		}
		s.clip(w, r, name, path, p)
	}
}

// clip answers what is about a clip that is there.
func (s *Server) clip(w http.ResponseWriter, r *http.Request, name, path string, p post.Post) {
	switch name {
	case "streamain.com":
		streamain(w, path, p)
	case "streamin.link", "streamin.me", "streamin.one", "streamin.fun", "streamin.top":
		// Where a guess of w-cdn or c-cdn finds nothing.
		page(w, `<meta content="https://d-cdn.streamin.top/uploads/`+p.ID+`.mp4?2daysago" property="og:video">`)
	case "dubz.link", "dubz.co", "dubz.live":
		page(w, `<div id="app"></div>`)
	case "clipnest.example":
		page(w, `<meta property="og:video" content="https://files.clipnest.example/`+p.ID+`.mp4">`)
	case "dropr.co":
		s.dropr(w, p)
	case "api.streamable.com":
		s.streamable(w, p)
	case "streamable.com":
		page(w, `<video id="player"></video>`)
	case "media.sportits.com", "d-cdn.streamin.top", "cdn.hostedhost.top", "cdn.makevos.com", "cdn.squeelab.com", "cdn.dropr.co", "cdn-cf-east.streamable.com", "files.clipnest.example":
		s.serve(w, r, name, p)
	default:
		http.NotFound(w, r)
	}
}

// serve sends a file as its host does.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, name string, p post.Post) {
	wrong := name == "cdn.makevos.com" && p.Host != "dubz" || name == "cdn.squeelab.com" && p.Host != "dubz-guest"
	switch {
	case wrong:
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	case s.on(script.HostStub, p):
		http.Redirect(w, r, stub, http.StatusFound)
		return
	case name == "cdn.squeelab.com": // it knows no ranges
		r.Header.Del("Range")
	}
	s.file(w, r, p)
}

func (s *Server) file(w http.ResponseWriter, r *http.Request, p post.Post) {
	r.URL.Path = fmt.Sprintf("/%s/pu/vid/%dx%d/clip.mp4", p.ID, p.Clip.Width, p.Clip.Height)
	s.videos.ServeHTTP(w, r)
}

// streamain names the file in the page for embedding alone; all its pages have files of other clips before it.
func streamain(w http.ResponseWriter, path string, p post.Post) {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "<div class=\"more\" data-preview-src=\"https://media.sportits.com/guests/wrong%02d_1790110783.mp4\"></div>\n", i)
	}
	if strings.HasPrefix(path, "embed/") {
		fmt.Fprintf(&b, "<video playsinline controls muted id=\"playbob-video\"\n    data-link=\"https://media.sportits.com/guests/%s\">\n</video>", secret(p))
	}
	page(w, b.String())
}

// secret is the name of streamain's file, which has nothing to do with the clip's id.
func secret(p post.Post) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(p.ID))
	return fmt.Sprintf("%x_%d.mp4", h.Sum64(), p.PostedAt.Unix())
}

// share is streamff's answer: an empty list where there is nothing.
func share(w http.ResponseWriter, p post.Post, known bool) {
	list := []any{}
	if known {
		list = append(list, map[string]any{"path": p.ID, "external_url": "https://cdn.hostedhost.top/" + p.ID + ".mp4"})
	}
	answer(w, list)
}

func (s *Server) dropr(w http.ResponseWriter, p post.Post) {
	if s.encodes(p) {
		page(w, `<p>Your video is being processed</p>`)
		return
	}
	page(w, `<meta content="`+html.EscapeString("https://cdn.dropr.co/"+p.ID+".mov?a=1&b=2")+`" property="og:video"/>`)
}

func (s *Server) streamable(w http.ResponseWriter, p post.Post) {
	if s.encodes(p) {
		answer(w, map[string]any{"status": 1, "percent": 42, "files": map[string]any{}})
		return
	}
	file := map[string]any{"status": 2, "width": p.Clip.Width, "height": p.Clip.Height, "duration": p.Clip.Seconds,
		"url": fmt.Sprintf("//cdn-cf-east.streamable.com/video/mp4/%s.mp4?Expires=%d&Signature=x", p.ID, time.Now().Add(time.Hour).Unix())}
	answer(w, map[string]any{"status": 2, "percent": 100, "url": "streamable.com/" + p.ID, "files": map[string]any{"mp4": file,
		"original": map[string]any{"width": p.Clip.Width, "height": p.Clip.Height}}})
}

func (s *Server) encodes(p post.Post) bool {
	return time.Since(p.PostedAt) < time.Duration(float64(encoding)/s.scale) || s.on(script.HostEncoding, p)
}

func (s *Server) on(fault string, p post.Post) bool {
	_, on := s.panel.For(fault, p.Is)
	return on
}

// find is the post that a path names: by its id, or by the name of its file.
func (s *Server) find(path string) (post.Post, bool) {
	for _, part := range strings.Split(path, "/") {
		for _, p := range s.posts.All() {
			id, _, _ := strings.Cut(part, ".")
			if p.Host != "" && (p.ID == id || secret(p) == part) {
				return p, !p.PostedAt.After(time.Now())
			}
		}
	}
	return post.Post{}, false
}

func page(w http.ResponseWriter, inside string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprintf(w, "<!DOCTYPE html>\n<html><head><title>Clip</title></head><body>%s</body></html>\n", inside) // the client went away: nobody to tell
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client went away: nobody to tell
}
