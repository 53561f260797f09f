// Package media serves bytes: clips with ranges, their pictures, and the logos of teams and competitions.
package media

import (
	"context"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

// Server serves clips and pictures.
type Server struct {
	Reader    *lookup.Reader
	Logos     *Logos     // nil: drawn badges only
	Elsewhere *Elsewhere // nil: this page passes all bytes on
}

// Elsewhere is where viewers get clips without this page.
type Elsewhere struct {
	Origin string // scheme and host of its addresses
	// Address of an object, which a browser saves as that name if it is not empty; "" = this page must do it.
	Address func(ctx context.Context, key, as string) (string, error)
}

// Clip serves a clip's video. A clip that was replaced redirects to its winner.
func (s *Server) Clip(w http.ResponseWriter, r *http.Request) error {
	f, e, c, moved, err := s.named(w, r, footy.VideoKind(r.PathValue("clip")), "Clips end in .mp4 or .webm.", func(e string, c *footy.Clip) string { return footy.ClipPath(e, c.ID, c.Key) })
	if err != nil || moved {
		return err
	}
	as := ""
	if r.URL.Query().Has("download") {
		as = view.FileName(f, e, c, lookup.Zone(r))
	}
	if s.Elsewhere != nil && r.Method != http.MethodHead { // an address signed for GET refuses HEAD
		address, err := s.Elsewhere.Address(r.Context(), c.Key, as)
		if err != nil {
			return err
		}
		if address != "" {
			w.Header().Set("Cache-Control", "no-cache") // each viewing asks whether the clip still stands
			http.Redirect(w, r, address, http.StatusFound)
			return nil
		}
	}
	if as != "" {
		w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": as}))
	}
	return s.serve(w, r, c.Key, footy.VideoType(c.Key), c.Digest)
}

// Poster serves a clip's picture.
func (s *Server) Poster(w http.ResponseWriter, r *http.Request) error {
	_, _, c, moved, err := s.named(w, r, ".jpg", "Posters end in .jpg.", func(e string, c *footy.Clip) string { return footy.PosterPath(e, c.ID) })
	if err != nil || moved {
		return err
	}
	return s.serve(w, r, c.PosterKey, "image/jpeg", c.Digest)
}

// named finds the clip of a path. moved: it has another path now, and the client was redirected.
func (s *Server) named(w http.ResponseWriter, r *http.Request, suffix, otherwise string, address func(event string, c *footy.Clip) string) (f *footy.Fixture, e *footy.Event, c *footy.Clip, moved bool, err error) {
	id, ok := strings.CutSuffix(r.PathValue("clip"), suffix)
	if !ok {
		return nil, nil, nil, false, footy.Errorf(footy.CodeNotFound, "find clip", "%s", otherwise)
	}
	if f, e, c, err = s.Reader.Clip(r.Context(), r.PathValue("event"), id); err != nil {
		return nil, nil, nil, false, err
	}
	path := address(e.UID, c)
	if path == r.URL.Path {
		return f, e, c, false, nil
	}
	w.Header().Set("Cache-Control", "no-cache") // the winner may change again
	answer.Redirect(w, r, path, http.StatusFound)
	return f, e, c, true, nil
}

// PostPicture serves the small picture that was taken of a downloaded post, or what was read of its running clock, while it is kept.
func (s *Server) PostPicture(w http.ResponseWriter, r *http.Request) error {
	f, e, err := s.Reader.StandingEvent(r.Context(), r.PathValue("event"))
	if err != nil {
		return err
	}
	post, ok := strings.CutSuffix(r.PathValue("post"), ".jpg")
	if !ok {
		return footy.Errorf(footy.CodeNotFound, "find picture", "Posters end in .jpg.")
	}
	post, ofClock := strings.CutSuffix(post, "-clock")
	all, err := s.Reader.Pictures(r.Context(), f.ID, e.UID)
	if err != nil {
		return err
	}
	for _, p := range all {
		key := p.Still
		if ofClock {
			key = p.Clock
		}
		if p.Post == post && strings.HasPrefix(key, blob.PosterPrefix) && explain.HiddenClip(e, p.Clip) == nil {
			return s.serve(w, r, key, "image/jpeg", key)
		}
	}
	return footy.Errorf(footy.CodeNotFound, "find picture", "There is no picture of this post.")
}

// serve sends an object with byte ranges. Its content never changes, but the goal may be removed, so caches must ask again
// after some minutes.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, key, contentType, tag string) error {
	return s.ServeFor(w, r, key, contentType, tag, "public, max-age=300")
}

// ServeFor is serve of an object that caches keep as caching says.
func (s *Server) ServeFor(w http.ResponseWriter, r *http.Request, key, contentType, tag, caching string) error {
	if key == "" {
		return footy.Errorf(footy.CodeNotFound, "open object", "There is no picture for this clip.")
	}
	o, err := s.Reader.Blob.Open(r.Context(), key)
	if err != nil {
		return err
	}
	defer func() { _ = o.Close() }()
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("ETag", `"`+tag+`"`)
	h.Set("Cache-Control", caching)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // cards and embedded players show them elsewhere
	http.ServeContent(w, r, "", o.Attributes().ModTime.Truncate(time.Second), o)
	return nil
}
