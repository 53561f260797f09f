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

// StatusOf puts a match's status into words.
func StatusOf(st footy.Status) Status {
	in := st.Info()
	v := Status{Code: st.Code, Elapsed: st.Elapsed, Extra: st.Extra, Phase: PhaseLive, Label: in.Short}
	switch {
	case st.Code == "":
		v.Phase, v.Label = PhaseAhead, "Not started"
	case in.Off:
		v.Phase = PhaseOff
	case in.Phase == footy.PhasePre:
		v.Phase = PhaseAhead
	case in.Phase == footy.PhaseTerminal:
		v.Phase = PhaseOver
	case in.Short == "" && st.Elapsed != nil:
		v.Label = footy.MinuteLabel(st.Minute())
	case in.Short == "" && st.Long != "":
		v.Label = st.Long
	case in.Short == "":
		v.Label = st.Code
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
	case !e.Kind.Scores():
		return strings.TrimSpace(e.Kind.Info().Sign + " " + d)
	}
	return ""
}
