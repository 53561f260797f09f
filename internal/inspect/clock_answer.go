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

	Ignored []string `json:"-"` // for people: fields beside the frames, which nothing reads
}

// mostTolerance is the most that CLOCK_TOLERANCE may be.
const mostTolerance = 15

// checkQuestion refuses what no goal can have. No minute at all is one: the feed gave none.
func checkQuestion(q clockrule.Question) error {
	const op = "read question"
	switch m := q.Minute; {
	case m.Elapsed < -1 || m.Elapsed > clockrule.LastMinute:
		return footy.Errorf(footy.CodeInvalid, op, "--elapsed=%d is no minute of a match; give 1 to %d, or leave it out where the feed gave none", m.Elapsed, clockrule.LastMinute)
	case m.Extra < 0 || m.Extra > clockrule.LastExtra:
		return footy.Errorf(footy.CodeInvalid, op, "--extra=%d is no minute of stoppage time; give 1 to %d, or leave it out", m.Extra, clockrule.LastExtra)
	case q.Tolerance < 0 || q.Tolerance > mostTolerance:
		return footy.Errorf(footy.CodeInvalid, op, "--tolerance=%d is no number of minutes that a clock may differ; give 0 to %d", q.Tolerance, mostTolerance)
	}
	return nil
}

// ParseMinute reads an API minute: 67 or 45+2.
func ParseMinute(s string) (footy.Minute, error) {
	a, b, stoppage := strings.Cut(strings.TrimSuffix(strings.TrimSpace(s), "'"), "+")
	elapsed, err := strconv.Atoi(strings.TrimSpace(a))
	extra := 0
	if err == nil && stoppage {
		extra, err = strconv.Atoi(strings.TrimSpace(b))
	}
	if err != nil || elapsed < 0 || extra < 0 || elapsed > clockrule.LastMinute || extra > clockrule.LastExtra {
		return footy.Minute{}, footy.Errorf(footy.CodeInvalid, "read minute", "%q is no minute such as 67 or 45+2", s)
	}
	return footy.Minute{Elapsed: elapsed, Extra: extra}, nil
}

// Clock judges the frames read from in: {"frames": [{"soccer", "screen", "clock", "added", "stoppage_clock", "period", "at"}]}.
func Clock(in io.Reader, q clockrule.Question) (ClockAnswer, error) {
	if err := checkQuestion(q); err != nil {
		return ClockAnswer{}, err
	}
	q.Minute.Elapsed = max(0, q.Minute.Elapsed)
	frames, ignored, err := readFrames(in)
	if err != nil {
		return ClockAnswer{}, err
	}
	v := clockrule.Check(frames, q)
	out := ClockAnswer{Outcome: v.Outcome, Compiled: v.Compiled, Code: v.Reason, Reason: v.Detail, ReadMinute: v.Minute, Sibling: v.Sibling, Ignored: ignored}
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
