package view

import (
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// Phase is a match's state in broad words, for grouping and colour.
type Phase string

// The phases.
const (
	PhaseAhead Phase = "ahead"
	PhaseLive  Phase = "live"
	PhaseOver  Phase = "over"
	PhaseOff   Phase = "off" // postponed, abandoned, ...: nothing is being played
)

// statuses are those whose label is no minute.
var statuses = map[string]struct {
	phase Phase
	label string
}{
	"TBD": {PhaseAhead, "Time to be set"}, "NS": {PhaseAhead, "Not started"},
	"HT": {PhaseLive, "HT"}, "BT": {PhaseLive, "Break"}, "P": {PhaseLive, "Penalties"},
	"SUSP": {PhaseOff, "Suspended"}, "INT": {PhaseLive, "Interrupted"},
	"FT": {PhaseOver, "FT"}, "AET": {PhaseOver, "After extra time"}, "PEN": {PhaseOver, "After penalties"},
	"PST": {PhaseOff, "Postponed"}, "CANC": {PhaseOff, "Cancelled"}, "ABD": {PhaseOff, "Abandoned"},
	"AWD": {PhaseOver, "Awarded"}, "WO": {PhaseOver, "Walkover"},
}

// StatusOf puts a match's status into words.
func StatusOf(st footy.Status) Status {
	v := Status{Code: st.Code, Elapsed: st.Elapsed, Extra: st.Extra, Phase: PhaseLive, Label: st.Code}
	if f, ok := statuses[st.Code]; ok {
		v.Phase, v.Label = f.phase, f.label
		return v
	}
	switch {
	case st.Code == "":
		v.Phase, v.Label = PhaseAhead, "Not started"
	case st.Elapsed != nil:
		m := footy.Minute{Elapsed: *st.Elapsed}
		if st.Extra != nil {
			m.Extra = *st.Extra
		}
		v.Label = footy.MinuteLabel(m)
	case st.Long != "":
		v.Label = st.Long
	}
	return v
}

// note says what kind of event it is where it is no plain goal.
func note(e *footy.Event) string {
	switch d := strings.ToLower(e.Detail); {
	case strings.Contains(d, "own"):
		return "own goal"
	case strings.Contains(d, "missed"):
		return "missed penalty"
	case strings.Contains(d, "penalty"):
		return "penalty"
	case e.Kind == footy.KindRedCard:
		return "🟥 " + d
	case e.Kind == footy.KindYellowCard:
		return "🟨 " + d
	case e.Kind == footy.KindVAR:
		return "VAR: " + d
	case e.Kind != footy.KindGoal && e.Detail != "":
		return d
	}
	return ""
}

// statusLabel says how far the work on an event is.
func statusLabel(st footy.EventStatus, clips int) string {
	switch st {
	case footy.StatusValidating:
		return "Confirming"
	case footy.StatusExtracting:
		return "Searching"
	case footy.StatusWatching:
		return "Watching for better"
	case footy.StatusComplete:
		if clips == 0 {
			return "No clip"
		}
		return "Complete"
	case footy.StatusRemoved:
		return "Cancelled"
	}
	return string(st)
}
