package calls

import (
	"maps"
	"strings"
	"time"
)

// Plan is what is known of the vendor's plan: what answers told, never what a price list says.
type Plan struct {
	Name     string           `json:"name,omitempty"` // the vendor's own word; "" if it told none
	Kinds    map[Kind]Ability `json:"calls,omitempty"`
	DayLimit int              `json:"day_limit,omitempty"` // calls; 0 = not told
	Account  time.Time        `json:"account,omitzero"`    // when the vendor told name and limit
}

// Ability is whether the plan allows a kind of call.
type Ability struct {
	Allowed bool      `json:"allowed"`
	At      time.Time `json:"at"`             // when an answer told so
	Said    string    `json:"said,omitempty"` // the words of a refusal
}

// Can is which kinds of calls may be made now. By its id a match may always be asked for: there is nothing left to fall back on.
type Can struct{ IDs, Live bool }

// Can is what to try now. What was refused is tried once more each day (UTC), because plans change; what is not known is tried.
func (p Plan) Can(now time.Time) Can { return Can{IDs: p.may(IDs, now), Live: p.may(Live, now)} }

func (p Plan) may(k Kind, now time.Time) bool {
	a, known := p.Kinds[k]
	return !known || a.Allowed || !sameDay(a.At, now)
}

// Refused reports whether the last answer to this kind of call was the plan's refusal.
func (p Plan) Refused(k Kind) bool {
	a, known := p.Kinds[k]
	return known && !a.Allowed
}

// Known reports whether an answer ever told whether the plan allows this kind of call.
func (p Plan) Known(k Kind) bool {
	_, known := p.Kinds[k]
	return known
}

// Learn notes what an answer told, and reports whether that is news worth keeping.
func (p Plan) Learn(k Kind, a Ability) (Plan, bool) {
	was, known := p.Kinds[k]
	if known && was.Allowed == a.Allowed && (a.Allowed || sameDay(was.At, a.At)) {
		return p, false
	}
	kinds := maps.Clone(p.Kinds)
	if kinds == nil {
		kinds = map[Kind]Ability{}
	}
	kinds[k] = a
	p.Kinds = kinds
	return p, true
}

// freeMinute is how many calls a minute a plan has that refuses to answer for several matches: the vendor's smallest.
const freeMinute = 10

// MinuteLimit is the limit of calls a minute; told is what the vendor's headers said, -1 or 0 if nothing. 0 = unknown.
func (p Plan) MinuteLimit(told int) int {
	if told <= 0 && p.Refused(IDs) && (p.Name == "" || strings.EqualFold(strings.TrimSpace(p.Name), "free")) {
		return freeMinute
	}
	return max(0, told)
}

func sameDay(a, b time.Time) bool {
	return a.UTC().Format(time.DateOnly) == b.UTC().Format(time.DateOnly)
}
