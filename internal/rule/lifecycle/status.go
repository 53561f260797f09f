// Package lifecycle decides which stage a fixture is in, when it is polled and when it moves on. Pure: values in, values
// out; the time is an argument.
package lifecycle

import "github.com/found-footy/found-footy/internal/footy"

// phase is where a status code stands in the course of a match.
type phase int

const (
	phasePre phase = iota
	phaseLive
	phasePostponed
	phaseTerminal
)

// The vendor's 19 codes. An unknown code changes nothing.
var phases = map[string]phase{
	"TBD": phasePre, "NS": phasePre,
	"1H": phaseLive, "HT": phaseLive, "2H": phaseLive, "ET": phaseLive, "BT": phaseLive, "P": phaseLive,
	"SUSP": phaseLive, "INT": phaseLive, "LIVE": phaseLive,
	"PST": phasePostponed,
	"FT":  phaseTerminal, "AET": phaseTerminal, "PEN": phaseTerminal, "CANC": phaseTerminal, "ABD": phaseTerminal,
	"AWD": phaseTerminal, "WO": phaseTerminal,
}

// Route tells the stage of a status code; known is false for codes nobody has seen, which keep the stage they are in.
// A postponed match counts as active: short delays are common.
func Route(code string) (stage footy.Stage, known bool) {
	p, known := phases[code]
	switch {
	case !known:
		return "", false
	case p == phasePre:
		return footy.StageStaging, true
	case p == phaseTerminal:
		return footy.StageCompleted, true
	}
	return footy.StageActive, true
}

// Codes lists every known status code's count, so that tests notice a lost one.
func Codes() []string {
	out := make([]string, 0, len(phases))
	for _, code := range []string{"TBD", "NS", "1H", "HT", "2H", "ET", "BT", "P", "SUSP", "INT", "LIVE", "PST",
		"FT", "AET", "PEN", "CANC", "ABD", "AWD", "WO"} {
		if _, ok := phases[code]; ok {
			out = append(out, code)
		}
	}
	return out
}

// Terminal reports whether the match is over by this code.
func Terminal(code string) bool { p, ok := phases[code]; return ok && p == phaseTerminal }

// InPlay reports whether the ball may be rolling; a postponed match is not live.
func InPlay(code string) bool { p, ok := phases[code]; return ok && p == phaseLive }

// Pre reports whether the match has not begun.
func Pre(code string) bool { p, ok := phases[code]; return ok && p == phasePre }

// Postponed reports whether the match waits for another time.
func Postponed(code string) bool { p, ok := phases[code]; return ok && p == phasePostponed }
