package clockface

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/footy"
)

// Running is the answer in the words of the product: the texts that were read, or why none was.
func (a Answer) Running() *footy.RunningClock {
	out := &footy.RunningClock{Abstained: string(a.Abstained)}
	if len(a.Readings) == 0 {
		return out
	}
	out.Seconds, out.Speed, out.Phase, out.Confidence, out.Half = a.Seconds, a.Speed, a.Phase, a.Confidence, a.Half
	if a.Score != nil {
		out.Score = &footy.ScoreBeside{Left: a.Score.Left, Right: a.Score.Right}
	}
	out.Codes = a.Codes
	for _, r := range a.Readings {
		out.Readings = append(out.Readings, footy.ClockAt{At: r.At, Clock: fmt.Sprintf("%02d:%02d", r.Clock/60, r.Clock%60)})
	}
	return out
}

// Words say a reason to people.
func (r Reason) Words() string {
	switch r {
	case NoBeat:
		return "nothing changes once a second within surroundings that stand still"
	case TooShort:
		return "too few whole seconds"
	case Ambiguous:
		return "something may be a clock, but a digit of it is not sure"
	case Standing:
		return "what runs is a small timer beside a clock that stands"
	case Several:
		return "two clocks say different things"
	case Backward:
		return "it counts down"
	case TimeOfDay:
		return "it shows hours, minutes and seconds"
	case InPart:
		return "its clock could be read in a part only, and runs on in the rest"
	case Moves:
		return "its clock does not stand as graphics do: a screen, filmed from a hand"
	}
	return string(r)
}
