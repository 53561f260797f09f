package fault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/world/script"
)

// Panel holds the faults that last a while: those ordered by hand, in seconds of the wall, and the script's modes, in
// product minutes. A nil panel has none. Orders live in memory: a world that is started anew is well.
type Panel struct {
	// Clips reports whether there is a clip of a name; nil: orders may name any. It is set before the first order.
	Clips func(name string) bool

	modes   []script.Mode
	minutes func() float64
	scale   float64

	mu     sync.Mutex
	orders []order
	kept   map[string]bool // modes that outlast their minutes
}

// Order asks for a fault for so many seconds; 0 ends it.
type Order struct {
	Fault string   `json:"fault"`
	ForS  *float64 `json:"for_s"`
	Clip  string   `json:"clip,omitempty"` // only this clip: "1300101/first/master", a post's id, or a file's name
	// Seconds that a slow model takes for one answer; 0 = it answers nothing while it is slow.
	Seconds float64 `json:"seconds,omitempty"`
	Day     *int    `json:"day,omitempty"` // of list_down: only this date, in days after today
}

// lastDay is the last day, after today, whose list may be switched off.
const lastDay = 14

type order struct {
	Order
	until time.Time
}

// NewPanel makes the panel of a day.
func NewPanel(modes []script.Mode, minutes func() float64, scale float64) *Panel {
	return &Panel{modes: modes, minutes: minutes, scale: scale, kept: map[string]bool{}}
}

// Keep lets a mode outlast its minutes, or no longer.
func (p *Panel) Keep(mode string, on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept[mode] = on
}

// State is one fault that is on.
type State struct {
	Fault   string  `json:"fault"`
	Clip    string  `json:"clip,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	Day     *int    `json:"day,omitempty"`
	LeftS   float64 `json:"left_s,omitempty"` // of an order
	Script  bool    `json:"script,omitempty"` // the script's doing
}

// Order switches a fault on, for another time, or off.
func (p *Panel) Order(o Order) error {
	switch {
	case !slices.Contains(script.Faults, o.Fault):
		return fmt.Errorf("no fault %q; there are %v", o.Fault, script.Faults)
	case o.ForS == nil:
		return errors.New("for_s is missing: how many seconds; 0 ends the fault")
	case *o.ForS < 0 || *o.ForS > 7*24*3600 || o.Seconds < 0:
		return errors.New("for_s and seconds must be 0 or more, and less than a week")
	case o.Clip != "" && p.Clips != nil && !p.Clips(o.Clip):
		return fmt.Errorf("no clip %q in this day; name it like 1300101/first/master, by its post's id or by its file", o.Clip)
	case o.Day != nil && o.Fault != script.ListDown:
		return fmt.Errorf("day is of %s alone", script.ListDown)
	case o.Day != nil && (*o.Day < -1 || *o.Day > lastDay):
		return fmt.Errorf("no list of day %d is ever asked for; give -1 (yesterday) to %d", *o.Day, lastDay)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.orders = slices.DeleteFunc(p.orders, func(old order) bool { return old.Fault == o.Fault && old.Clip == o.Clip && sameDay(old.Day, o.Day) })
	if *o.ForS > 0 {
		p.orders = append(p.orders, order{o, time.Now().Add(time.Duration(*o.ForS * float64(time.Second)))})
	}
	return nil
}

// List tells what is on now.
func (p *Panel) List() []State {
	out := []State{}
	if p == nil {
		return out
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.orders = slices.DeleteFunc(p.orders, func(o order) bool { return !now.Before(o.until) })
	for _, o := range p.orders {
		out = append(out, State{Fault: o.Fault, Clip: o.Clip, Seconds: o.Seconds, Day: o.Day, LeftS: o.until.Sub(now).Seconds()})
	}
	for _, m := range p.modes {
		if p.kept[m.Mode] {
			m.Minutes = 0
		}
		if f := m.Fault(); f != "" && m.On(p.minutes()) {
			out = append(out, State{Fault: f, Clip: m.Clip, Seconds: m.Seconds / p.scale, Day: m.Day, Script: true})
		}
	}
	return out
}

// On reports whether a fault is on for everything.
func (p *Panel) On(fault string) bool {
	_, on := p.For(fault, nil)
	return on
}

// NoList reports whether the list of a date is not to be had.
func (p *Panel) NoList(date string) bool {
	today := time.Now().UTC()
	return slices.ContainsFunc(p.List(), func(s State) bool {
		return s.Fault == script.ListDown && (s.Day == nil || today.AddDate(0, 0, *s.Day).Format(time.DateOnly) == date)
	})
}

func sameDay(a, b *int) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// For reports whether a fault is on for something that is answers to by name; nil answers to no name.
func (p *Panel) For(fault string, is func(clip string) bool) (State, bool) {
	for _, s := range p.List() {
		if s.Fault == fault && (s.Clip == "" || is != nil && is(s.Clip)) {
			return s, true
		}
	}
	return State{}, false
}

// tick is how soon a request that a fault holds notices that it is over.
const tick = 20 * time.Millisecond

// Hold waits as long as a slow service would: the state's seconds, or while the fault is on. An error is the caller's end.
func (p *Panel) Hold(ctx context.Context, fault string, is func(clip string) bool) error {
	s, on := p.For(fault, is)
	end := time.Now().Add(time.Duration(s.Seconds * float64(time.Second)))
	t := time.NewTicker(tick)
	defer t.Stop()
	for on && (s.Seconds == 0 || time.Now().Before(end)) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
		_, on = p.For(fault, is)
	}
	return ctx.Err()
}

// ServeHTTP takes orders by POST, 204, and lists what is on by GET.
func (p *Panel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"faults": p.List()}) // the client went away: nobody to tell
	case http.MethodPost:
		var o Order
		dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16))
		dec.DisallowUnknownFields()
		err := dec.Decode(&o)
		if err == nil {
			err = p.Order(o)
		}
		if err != nil {
			http.Error(w, "fault: "+err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "GET or POST", http.StatusMethodNotAllowed)
	}
}

// Break ends a connection without an answer, as a killed process does: the client sees a reset.
func Break(w http.ResponseWriter) {
	if h, ok := w.(http.Hijacker); ok {
		if conn, _, err := h.Hijack(); err == nil {
			if tcp, ok := conn.(interface{ SetLinger(sec int) error }); ok {
				_ = tcp.SetLinger(0)
			}
			_ = conn.Close()
			return
		}
	}
	panic(http.ErrAbortHandler)
}
