// Package fault makes the simulated services fail on demand, for tests that need a fault at a certain moment.
package fault

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// Board holds the faults waiting to happen, per service.
type Board struct {
	mu      sync.Mutex
	pending map[string]*Fault
}

// Fault is an order: the next Count requests to Service fail in Mode (500, 429, timeout or down).
type Fault struct {
	Service string `json:"service"`
	Mode    string `json:"mode"`
	Count   int    `json:"count"`
}

// NewBoard knows the services faults can be ordered for.
func NewBoard(services ...string) *Board {
	b := &Board{pending: map[string]*Fault{}}
	for _, s := range services {
		b.pending[s] = nil
	}
	return b
}

// Order schedules a fault; a count of 0 ends the one that is on.
func (b *Board) Order(f Fault) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.pending[f.Service]; !ok {
		return fmt.Errorf("no service %q", f.Service)
	}
	switch f.Mode {
	case "500", "429", "timeout", "down":
	default:
		return fmt.Errorf("no mode %q", f.Mode)
	}
	b.pending[f.Service] = &f
	return nil
}

func (b *Board) next(service string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.pending[service]
	if f == nil || f.Count <= 0 {
		return ""
	}
	f.Count--
	return f.Mode
}

// Wrap puts a service behind the board.
func (b *Board) Wrap(service string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch b.next(service) {
		case "500":
			http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		case "429":
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		case "timeout":
			<-r.Context().Done() // until the client gives up or the world closes
		case "down":
			panic(http.ErrAbortHandler)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// ServeHTTP takes orders as JSON.
func (b *Board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var f Fault
	if err := json.NewDecoder(r.Body).Decode(&f); err != nil {
		http.Error(w, "fault: "+err.Error(), http.StatusBadRequest)
		return
	}
	if err := b.Order(f); err != nil {
		http.Error(w, "fault: "+err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
