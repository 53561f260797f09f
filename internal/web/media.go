package web

import (
	"context"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

// event finds an event by any id it ever had, standing or not.
func (s *Server) event(ctx context.Context, id string) (*footy.Fixture, *footy.Event, error) {
	f, err := s.opt.Store.FixtureOfEvent(ctx, id)
	if err != nil {
		if footy.IsNotFound(err) {
			return nil, nil, footy.Errorf(footy.CodeNotFound, "find event", "There is no goal with this address.")
		}
		return nil, nil, err
	}
	e := f.Event(id)
	if e == nil {
		return nil, nil, footy.Errorf(footy.CodeNotFound, "find event", "There is no goal with this address.")
	}
	return &f, e, nil
}

// standing is event for readers: a removed goal is gone, and says why.
func (s *Server) standing(ctx context.Context, id string) (*footy.Fixture, *footy.Event, error) {
	f, e, err := s.event(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	if e.Removed {
		return f, e, gone(f, e)
	}
	return f, e, nil
}

func gone(f *footy.Fixture, e *footy.Event) *goneError {
	reason := e.RemovedReason
	if reason == "" {
		reason = footy.ReasonVAR
	}
	return &goneError{reason: reason, event: e, fixture: f, message: "This goal no longer stands: it was " + explain.Ending(reason) + "."}
}

// present follows a clip to the one that stands for it now. nil: there is none any more.
func present(e *footy.Event, id string) *footy.Clip {
	for range len(e.Redirects) + len(e.Clips) + 1 { // a chain cannot be longer; a circle ends here
		c := e.Clip(id)
		if c != nil && c.Visible() {
			return c
		}
		if c != nil && c.Hidden {
			return nil
		}
		next := e.Redirects[id]
		if c != nil && c.ReplacedBy != "" {
			next = c.ReplacedBy
		}
		if next == "" || next == id {
			return nil
		}
		id = next
	}
	return nil
}

// clip resolves an address below an event to a visible clip; redirect says that it has another address now.
func (s *Server) clip(ctx context.Context, eventID, clipID string) (f *footy.Fixture, e *footy.Event, c *footy.Clip, err error) {
	f, e, err = s.standing(ctx, eventID)
	if err != nil {
		return f, e, nil, err
	}
	known := e.Clip(clipID) != nil || e.Redirects[clipID] != ""
	if !known {
		return f, e, nil, footy.Errorf(footy.CodeNotFound, "find clip", "This goal has no clip with this address.")
	}
	if c = present(e, clipID); c == nil {
		g, err := s.absent(ctx, f, e, clipID)
		if err != nil {
			return f, e, nil, err
		}
		return f, e, nil, g
	}
	return f, e, c, nil
}

func (s *Server) handleClip(w http.ResponseWriter, r *http.Request) {
	id, ok := strings.CutSuffix(r.PathValue("clip"), ".mp4")
	if !ok {
		s.fail(w, r, footy.Errorf(footy.CodeNotFound, "clip", "Clips end in .mp4."))
		return
	}
	_, e, c, err := s.clip(r.Context(), r.PathValue("event"), id)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if path := footy.ClipPath(e.UID, c.ID); path != r.URL.Path {
		w.Header().Set("Cache-Control", "no-cache") // the winner may change again
		http.Redirect(w, r, keepQuery(path, r), http.StatusFound)
		return
	}
	if r.URL.Query().Has("download") {
		w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": e.ID + "-" + c.ID + ".mp4"}))
	}
	s.stream(w, r, c.Key, "video/mp4", c.Digest)
}

func keepQuery(path string, r *http.Request) string {
	if r.URL.RawQuery == "" {
		return path
	}
	return path + "?" + r.URL.RawQuery
}

func (s *Server) handlePoster(w http.ResponseWriter, r *http.Request) {
	id, ok := strings.CutSuffix(r.PathValue("clip"), ".jpg")
	if !ok {
		s.fail(w, r, footy.Errorf(footy.CodeNotFound, "poster", "Posters end in .jpg."))
		return
	}
	_, e, c, err := s.clip(r.Context(), r.PathValue("event"), id)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if path := footy.PosterPath(e.UID, c.ID); path != r.URL.Path {
		w.Header().Set("Cache-Control", "no-cache")
		http.Redirect(w, r, path, http.StatusFound)
		return
	}
	s.stream(w, r, c.PosterKey, "image/jpeg", c.Digest)
}

// handlePostPoster shows the small still we took of a downloaded candidate, as long as we keep it.
func (s *Server) handlePostPoster(w http.ResponseWriter, r *http.Request) {
	post, ok := strings.CutSuffix(r.PathValue("post"), ".jpg")
	f, e, err := s.standing(r.Context(), r.PathValue("event"))
	if err != nil || !ok {
		if err == nil {
			err = footy.Errorf(footy.CodeNotFound, "poster", "Posters end in .jpg.")
		}
		s.fail(w, r, err)
		return
	}
	rows, err := s.opt.Store.Entries(r.Context(), store.LogQuery{FixtureID: f.ID, EventUID: e.UID})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	for _, row := range rows {
		key := row.Data.PosterKey
		if row.PostID == post && strings.HasPrefix(key, blob.PosterPrefix) && !withdrawn(e, row.ClipID) {
			s.stream(w, r, key, "image/jpeg", key)
			return
		}
	}
	s.fail(w, r, footy.Errorf(footy.CodeNotFound, "poster", "There is no picture of this post."))
}

// stream serves an object with byte ranges. Content is addressed by digest, so it may be kept for good; but a goal may
// be removed, so it must be asked for again after a while.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, key, contentType, tag string) {
	if key == "" {
		s.fail(w, r, footy.Errorf(footy.CodeNotFound, "open object", "There is no picture for this clip."))
		return
	}
	o, err := s.opt.Blob.Open(r.Context(), key)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer func() { _ = o.Close() }()
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("ETag", `"`+tag+`"`)
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // cards and embedded players show them elsewhere
	serveObject(w, r, o)
}

func serveObject(w http.ResponseWriter, r *http.Request, o interface {
	io.ReadSeeker
	Attributes() blob.Attributes
}) {
	http.ServeContent(w, r, "", o.Attributes().ModTime.Truncate(time.Second), o)
}
