package inspect

import (
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/decide/scale"
	"github.com/found-footy/found-footy/internal/footy"
)

// ScaleAnswer is how many workers and browsers there should be.
type ScaleAnswer struct {
	Workers  ScaleTarget `json:"workers"`
	Browsers ScaleTarget `json:"browsers"`
}

// ScaleTarget is how many copies there should be, and why.
type ScaleTarget struct {
	Running int    `json:"running"`
	Copies  int    `json:"copies"`
	Why     string `json:"why"`
}

// Scale decides about what the scaler would see.
func Scale(s scale.Seen, o scale.Options) (ScaleAnswer, error) {
	for name, n := range map[string]int{"workers": s.Workers.Running, "browsers": s.Browsers.Running, "waiting": s.Waiting, "goals": s.Goals} {
		if n < 0 {
			return ScaleAnswer{}, footy.Errorf(footy.CodeInvalid, "", "--%s=%d is no number of things; give 0 or more", name, n)
		}
	}
	if s.Oldest < 0 {
		return ScaleAnswer{}, footy.Errorf(footy.CodeInvalid, "", "--oldest=%s is no time that a task can have waited; give a duration like 40s", s.Oldest)
	}
	p := scale.Decide(s, o)
	return ScaleAnswer{ScaleTarget{s.Workers.Running, p.Workers.Copies, p.Workers.Why}, ScaleTarget{s.Browsers.Running, p.Browsers.Copies, p.Browsers.Why}}, nil
}

// String tells people.
func (a ScaleAnswer) String() string {
	var b strings.Builder
	for _, t := range []struct {
		name string
		ScaleTarget
	}{{"workers", a.Workers}, {"browsers", a.Browsers}} {
		fmt.Fprintf(&b, "%-8s  %d now, %d wanted: %s\n", t.name, t.Running, t.Copies, t.Why)
	}
	return b.String()
}
