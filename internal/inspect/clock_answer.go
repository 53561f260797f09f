package inspect

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	clockrule "github.com/found-footy/found-footy/internal/rule/clock"
)

// ClockAnswer is the verdict on frames that somebody read.
type ClockAnswer struct {
	Outcome        footy.Outcome `json:"outcome"`
	ExpectedMinute *int          `json:"expected_minute"` // what a broadcast clock shows at the goal
	MatchedMinute  *int          `json:"matched_minute"`  // what the frames show, where it fits
	ReadMinute     *int          `json:"read_minute,omitempty"`
	Sibling        string        `json:"sibling,omitempty"` // API minute of the goal it belongs to instead
	Compiled       bool          `json:"compiled,omitempty"`
	Code           footy.Reason  `json:"code,omitempty"`
	Reason         string        `json:"reason"`
}

// ParseMinute reads an API minute: 67 or 45+2.
func ParseMinute(s string) (footy.Minute, error) {
	a, b, stoppage := strings.Cut(strings.TrimSuffix(strings.TrimSpace(s), "'"), "+")
	elapsed, err := strconv.Atoi(strings.TrimSpace(a))
	extra := 0
	if err == nil && stoppage {
		extra, err = strconv.Atoi(strings.TrimSpace(b))
	}
	if err != nil || elapsed < 0 || extra < 0 {
		return footy.Minute{}, footy.Errorf(footy.CodeInvalid, "read minute", "%q is no minute such as 67 or 45+2", s)
	}
	return footy.Minute{Elapsed: elapsed, Extra: extra}, nil
}

// Clock judges the frames read from in: {"frames": [{"soccer", "screen", "clock", "added", "stoppage_clock", "period", "at"}]}.
func Clock(in io.Reader, q clockrule.Question) (ClockAnswer, error) {
	frames, err := readFrames(in)
	if err != nil {
		return ClockAnswer{}, err
	}
	v := clockrule.Check(frames, q)
	out := ClockAnswer{Outcome: v.Outcome, Compiled: v.Compiled, Code: v.Reason, Reason: v.Detail, ReadMinute: v.Minute, Sibling: v.Sibling}
	if q.HasMinute() {
		out.ExpectedMinute = &v.Expected
	}
	if v.Outcome != footy.OutcomeRejected {
		out.MatchedMinute, out.ReadMinute = v.Minute, nil
	}
	return out, nil
}

// String explains the answer to people.
func (a ClockAnswer) String() string {
	s := fmt.Sprintf("%s: %s", a.Outcome, a.Reason)
	if a.ExpectedMinute != nil {
		s += fmt.Sprintf(" (the clock should show %d)", *a.ExpectedMinute)
	}
	return s + "\n"
}
