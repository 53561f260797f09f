package stream

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

const (
	heartbeat    = 15 * time.Second
	writePatient = 10 * time.Second // a peer that takes nothing for this long is gone
)

// Follow is the live stream, with the events connected, invalidate and heartbeat. version is that of the assets.
func (h *Hub) Follow(version string, now func() time.Time) answer.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		rc := http.NewResponseController(w)
		reader := h.Subscribe()
		defer reader.Close()
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Accel-Buffering", "no")
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
			return nil // the reader has left
		}
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		hello := map[string]any{"at": now().UTC(), "version": version, "generation": h.Generation()}
		if quiet, known := h.Quiet(); known { // a page that was drawn longer ago has missed something
			hello["quiet_ms"] = quiet.Milliseconds()
		}
		open := send("connected", hello)
		for open {
			select {
			case <-r.Context().Done():
				return nil
			case n, more := <-reader.C:
				if !more {
					return nil
				}
				for _, n := range Merge(append([]Note{n}, reader.pending()...)...) {
					open = open && send("invalidate", n)
				}
			case <-tick.C:
				open = send("heartbeat", map[string]any{"at": now().UTC()})
			}
		}
		return nil
	}
}
