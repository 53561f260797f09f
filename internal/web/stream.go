package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

const (
	heartbeat    = 15 * time.Second
	writePatient = 10 * time.Second // a peer that takes nothing for this long is gone
)

// handleStream is the live stream: connected, invalidate, heartbeat.
func (s *Server) handleStream(w http.ResponseWriter, r *http.Request) {
	rc := http.NewResponseController(w)
	reader := s.hub.Subscribe()
	defer reader.Close()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	send := func(event string, data any) bool {
		body, err := json.Marshal(data)
		if err != nil {
			return false
		}
		_ = rc.SetWriteDeadline(time.Now().Add(writePatient)) // not supported by recorders in tests
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, body); err != nil {
			return false
		}
		return rc.Flush() == nil
	}
	if _, err := fmt.Fprint(w, "retry: 3000\n\n"); err != nil {
		return
	}
	if !send("connected", map[string]any{"at": s.now().UTC(), "version": s.assets.version, "generation": s.hub.Generation()}) {
		return
	}
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case n, ok := <-reader.C:
			if !ok {
				return
			}
			for _, n := range Merge(append([]Note{n}, reader.waiting()...)...) {
				if !send("invalidate", n) {
					return
				}
			}
		case <-tick.C:
			if !send("heartbeat", map[string]any{"at": s.now().UTC()}) {
				return
			}
		}
	}
}

// handleNotify lets worker processes announce changes to a web process of its own.
func (s *Server) handleNotify(w http.ResponseWriter, r *http.Request) {
	if s.opt.NotifyToken == "" || !sameToken(bearer(r), s.opt.NotifyToken) {
		s.fail(w, r, footy.Errorf(footy.CodeAuthRequired, "notify", "a notify token is needed"))
		return
	}
	var n Note
	if err := readBody(w, r, 64<<10, false, &n); err != nil {
		s.fail(w, r, err)
		return
	}
	switch n.Entity {
	case EntityFixture, EntityEvent, EntityHealth, EntityAll:
	default:
		s.fail(w, r, footy.Errorf(footy.CodeInvalid, "notify", "unknown entity %q", n.Entity))
		return
	}
	s.hub.Publish(n.Entity, n.IDs...)
	w.WriteHeader(http.StatusNoContent)
}
