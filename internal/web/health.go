package web

import (
	"context"
	"net/http"
	"time"
)

// State of a component.
type State string

// The states, best first.
const (
	StateOK       State = "ok"
	StateMissing  State = "missing" // not set up; the rest works without it
	StateDegraded State = "degraded"
	StateDown     State = "down"
)

// Health is the answer to "is everything all right, and if not, what do I do".
type Health struct {
	State      State       `json:"state"` // the worst of the components
	At         time.Time   `json:"at"`
	Components []Component `json:"components"`
}

// Component is one thing the product depends on.
type Component struct {
	Name   string         `json:"name"`
	State  State          `json:"state"`
	Reason string         `json:"reason,omitempty"`
	Since  time.Time      `json:"since,omitzero"`   // of the present state
	Remedy string         `json:"remedy,omitempty"` // what to do about it
	Facts  map[string]any `json:"facts,omitempty"`  // numbers worth showing: quota left, queue depth, ...
}

var severity = map[State]int{StateOK: 0, StateMissing: 1, StateDegraded: 2, StateDown: 3}

// Worst is the state of the whole: the most severe of its components.
func Worst(components []Component) State {
	worst := StateOK
	for _, c := range components {
		if severity[c.State] > severity[worst] {
			worst = c.State
		}
	}
	return worst
}

func (s *Server) health(ctx context.Context) Health {
	h := Health{State: StateOK, At: s.now()}
	if s.opt.Health != nil {
		h = s.opt.Health.Health(ctx)
	}
	if h.At.IsZero() {
		h.At = s.now()
	}
	// What this process can see for itself is never taken from a report.
	if err := s.opt.Store.Ping(ctx); err != nil {
		h.put(Component{Name: "database", State: StateDown, Reason: err.Error(), Remedy: "Start the database, or check its address; the page shows nothing without it."})
	}
	h.State = Worst(h.Components)
	return h
}

// put replaces the component of that name or adds it.
func (h *Health) put(c Component) {
	for i := range h.Components {
		if h.Components[i].Name == c.Name {
			h.Components[i] = c
			return
		}
	}
	h.Components = append(h.Components, c)
}

// handleLive says that the process runs; it must not depend on anything outside.
func (s *Server) handleLive(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

// handleReady says that pages can be served.
func (s *Server) handleReady(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if err := s.opt.Store.Ping(ctx); err != nil {
		s.log.WarnContext(ctx, "not ready", "action", "readyz", "error", err)
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte("database unavailable\n"))
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}
