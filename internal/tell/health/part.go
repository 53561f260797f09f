// Package health is what can be said of each part that the product depends on: its state, why, and what to do. The health
// page, footy doctor and the alerts all show these; package check finds them out.
package health

import (
	"github.com/found-footy/found-footy/internal/connect/network"
	"slices"
	"time"
)

// State of a part.
type State string

// The states, best first.
const (
	StateOK       State = "ok"
	StateMissing  State = "missing" // not set up; the rest works without it
	StateDegraded State = "degraded"
	StateDown     State = "down"
)

// States are all of them.
func States() []State { return []State{StateOK, StateMissing, StateDegraded, StateDown} }

// Report is the answer to "is everything all right, and if not, what do I do".
type Report struct {
	State State     `json:"state"` // the worst of the parts
	At    time.Time `json:"at"`
	Parts []Part    `json:"components"`
}

// Part is one thing the product depends on.
type Part struct {
	Name   string         `json:"name"`
	State  State          `json:"state"`
	Reason string         `json:"reason,omitempty"`
	Since  time.Time      `json:"since,omitzero"`   // of the present state
	Remedy string         `json:"remedy,omitempty"` // what to do about it
	Facts  map[string]any `json:"facts,omitempty"`  // numbers worth showing: quota left, queue depth, ...
	// Figures are for /metrics alone.
	Figures []Figure `json:"-"`
	// Unasked: nothing is known to be wrong, and it was not used yet.
	Unasked  bool `json:"unasked,omitempty"`
	Required bool `json:"required,omitempty"` // doctor's: broken, it makes the program useless; any other only leaves a part of it waiting
	// Heading and Called are its words where words.go has none for its name: a heading, and what a sentence calls it.
	Heading string `json:"-"`
	Called  string `json:"-"`
}

// Figure is one value of a metric.
type Figure struct {
	Metric string
	Labels []string
	Value  float64
}

// Names of the parts, as programs know them; words.go has those for people.
const (
	Engine   = "engine"
	Database = "state"
	Clips    = "clips"
	Feed     = "feed"
	Followed = "followed"
	Search   = "search"
	Fetch    = "fetch"
	Model    = "model"
	Proof    = "proof"
	Ledger   = "ledger"
	Programs = "ffmpeg"
	// Page is what the page's process finds of its own database.
	Page = "database"
)

func (s State) severity() int { return max(0, slices.Index(States(), s)) }

// Worst is the state of the whole: the most severe of its parts.
func Worst(parts []Part) State {
	worst := StateOK
	for _, p := range parts {
		if p.State.severity() > worst.severity() {
			worst = p.State
		}
	}
	return worst
}

// Put replaces the part of that name or adds it.
func (r *Report) Put(p Part) {
	if i := slices.IndexFunc(r.Parts, func(q Part) bool { return q.Name == p.Name }); i >= 0 {
		r.Parts[i] = p
		return
	}
	r.Parts = append(r.Parts, p)
}

// Offline reports that the part is down for want of a network.
func (p Part) Offline() bool { return p.Reason == network.OfflineWords }

// Public is the report for readers: which part is in which state, since when, and whether this machine is offline. Why else, what to do and
// the figures name accounts, spending, addresses and files, and are the operator's.
func (r Report) Public() Report {
	out := Report{State: r.State, At: r.At}
	for _, p := range r.Parts {
		public := Part{Name: p.Name, State: p.State, Since: p.Since, Unasked: p.Unasked, Heading: p.Heading, Called: p.Called}
		if p.Offline() {
			public.Reason = p.Reason
		}
		out.Parts = append(out.Parts, public)
	}
	return out
}
