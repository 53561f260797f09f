package clock

import (
	"fmt"
	"math"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
)

// Ruling is what a clock that was read from its beat says before any model is asked.
type Ruling int

// The rulings.
const (
	AskAll     Ruling = iota // it decides nothing: a model has to read the frames
	AskPicture               // it shows the goal's minute: a model has to say only whether this is football, and no filmed screen
	Decided                  // it shows another minute, surely: no model is needed
)

// A clock below timerMinutes may be the small timer of stoppage time, of one with three digits one may be what stands beside it, and a narrow
// 1 before two digits may not have been read: none of them refuses a clip by itself.
const (
	timerMinutes = 15
	threeDigits  = 100
)

// mostOff is how far conversions take the speed of footage from a broadcast's: 24 pictures a second shown as 25, copies slowed by 6 %.
const mostOff = 0.105

// CheckRunning judges a clip by its running clock alone, as if the picture were football.
func CheckRunning(c *footy.RunningClock, q Question) (footy.Verdict, Ruling) {
	if !c.Sure() || !q.HasMinute() {
		return footy.Verdict{}, AskAll
	}
	q.beside = c.Score
	v := newClip(Frames(c), q).judge(footy.Verdict{Expected: q.Minute.Clock()}, q)
	v.Proof, v.Running, v.ScoreFit = footy.ProofClock, c, scoreFit(c.Score, q)
	v = WithScore(v, v)
	match, said := q.matchBeside(c.Codes)
	if match != unsaid {
		v.Detail += ": " + said
	}
	v.Teams = match == own
	off := c.Speed > 0 && math.Abs(c.Speed-1) > mostOff
	switch {
	case match == foreign:
		v.Outcome, v.Reason, v.Sibling = footy.OutcomeRejected, footy.ReasonOtherMatch, ""
		return v, Decided
	case v.Outcome == footy.OutcomeVerified && match == doubted:
		v.Outcome = footy.OutcomeUnverified
		return v, AskPicture // another look at the clock would not tell whose it is
	case v.Outcome == footy.OutcomeVerified && off:
		v.Outcome, v.Detail = footy.OutcomeUnverified, fmt.Sprintf("%s: its clock runs at %.2f times the speed of a match, as in a game or a replay", v.Detail, c.Speed)
	case v.Outcome == footy.OutcomeVerified:
		return v, AskPicture
	case v.Outcome == footy.OutcomeRejected && !off && !doubtful(c, q):
		return v, Decided
	}
	return v, AskAll
}

// WithPicture completes what a clock proved by what a model says of the pictures.
func WithPicture(q Question, v footy.Verdict, pictures []footy.Reading, model string) footy.Verdict {
	v.Readings, v.Model = pictures, model
	return q.bySight(refusedByPicture(v, pictures), pictures)
}

// WithoutModel is what a clock proves where no model is set up. No model has seen that it is a broadcast of this match: graphics that
// stand still, for else nothing was read, and the teams' codes beside the clock, or a post that names the match, speak for it. Nothing does for what
// is not a goal.
func WithoutModel(q Question, v footy.Verdict, named bool) footy.Verdict {
	if v.Outcome == footy.OutcomeVerified && !named && !v.Teams {
		v.Outcome, v.Detail = footy.OutcomeUnverified, v.Detail+": the post does not name the match"
	}
	return q.bySight(v, nil)
}

// Frames are a running clock as if a model had read it in frames of football.
func Frames(c *footy.RunningClock) []footy.Reading {
	var out []footy.Reading
	period := ""
	if c.Half > 0 {
		period = fmt.Sprintf("%dH", c.Half)
	}
	for _, r := range c.Readings {
		text := r.Clock
		if len(text) > 4 { // below 10:00 a digit may lie outside of the picture
			text = strings.TrimPrefix(text, "0")
		}
		out = append(out, footy.Reading{At: r.At, Soccer: true, Clock: text, Period: period})
	}
	return out
}

// Unread refuses a clip of which nothing is proven, where a clock is all that proves.
func Unread(c *footy.RunningClock) footy.Verdict {
	v := footy.Verdict{Outcome: footy.OutcomeRejected, Reason: footy.ReasonNoClock, Proof: footy.ProofClock, Running: c}
	if c != nil {
		v.Detail = clockface.Reason(c.Abstained).Words()
	}
	return v
}

func doubtful(c *footy.RunningClock, q Question) bool {
	t, ok := Parse(c.Readings[0].Clock)
	return !ok || t.Minute() < timerMinutes || t.Minute() >= threeDigits || t.Minute() <= LastMinute-threeDigits && q.inExtraTime()
}

// WithScore holds a verdict back where the score beside a running clock, which own is the verdict of, was neither before nor after the goal.
// It refuses nothing: a graphic may name the sides in another order.
func WithScore(v, own footy.Verdict) footy.Verdict {
	if v.Outcome == footy.OutcomeVerified && own.ScoreFit == footy.ScoreFitsNot {
		v.Outcome, v.Running, v.ScoreFit = footy.OutcomeUnverified, own.Running, own.ScoreFit
		v.Detail += fmt.Sprintf(": score %d-%d beside it, which was not the score then", own.Running.Score.Left, own.Running.Score.Right)
	}
	return v
}

// scoreFit compares the score beside a clock with the goal's: a graphic may show it late, and it counted goals that were cancelled afterwards.
func scoreFit(s *footy.ScoreBeside, q Question) footy.ScoreFit {
	if s == nil || !q.Before.Known() || !q.After.Known() {
		return ""
	}
	before, after := false, false
	for home := range q.Cancelled[0] + 1 {
		for away := range q.Cancelled[1] + 1 {
			then := footy.ScoreOf(s.Left-home, s.Right-away)
			before, after = before || then.Equal(q.Before), after || then.Equal(q.After)
		}
	}
	switch {
	case before && after:
		return footy.ScoreFitsThen
	case before:
		return footy.ScoreFitsBefore
	case after:
		return footy.ScoreFitsAfter
	}
	return footy.ScoreFitsNot
}
