package clock_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
)

// from is a clock that ran for some seconds.
func from(minute, second, seconds int) *footy.RunningClock {
	c := &footy.RunningClock{Speed: 1, Confidence: 0.9}
	for i := range seconds {
		at := minute*60 + second + i
		c.Readings = append(c.Readings, footy.ClockAt{At: float64(i), Clock: fmt.Sprintf("%02d:%02d", at/60, at%60)})
	}
	return c
}

func TestARunningClockDecidesWhatItCan(t *testing.T) {
	t.Parallel()
	q := clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3, Siblings: []clock.Sibling{{UID: "other", Minute: footy.Minute{Elapsed: 31}}}}
	abstained := from(67, 30, 8)
	abstained.Abstained = "no beat"
	at := func(speed float64, c *footy.RunningClock) *footy.RunningClock { c.Speed = speed; return c }
	for name, c := range map[string]struct {
		clock   *footy.RunningClock
		q       clock.Question
		ruling  clock.Ruling
		outcome footy.Outcome
		reason  footy.Reason
	}{
		"the goal's minute: only the picture is open":               {from(67, 30, 8), q, clock.AskPicture, footy.OutcomeVerified, ""},
		"another minute is refused without a question":              {from(52, 10, 8), q, clock.Decided, footy.OutcomeRejected, footy.ReasonWrongMinute},
		"another goal's minute is refused and names it":             {from(30, 10, 8), q, clock.Decided, footy.OutcomeRejected, footy.ReasonSiblingGoal},
		"a small number may be the timer of stoppage time":          {from(2, 10, 8), q, clock.AskAll, footy.OutcomeRejected, footy.ReasonWrongMinute},
		"a third digit may be what stands beside the clock":         {from(126, 16, 8), q, clock.AskAll, footy.OutcomeRejected, footy.ReasonWrongMinute},
		"a clock that may start anew with each half proves nothing": {from(22, 30, 8), q, clock.AskAll, footy.OutcomeUnverified, ""},
		"a copy slowed by 6 % is as sure as another":                {at(0.94, from(67, 30, 8)), q, clock.AskPicture, footy.OutcomeVerified, ""},
		"a game that runs faster than a match is not verified":      {at(1.5, from(67, 30, 8)), q, clock.AskAll, footy.OutcomeUnverified, ""},
		"nor is anything refused by slow motion":                    {at(0.75, from(52, 10, 8)), q, clock.AskAll, footy.OutcomeRejected, footy.ReasonWrongMinute},
		"none was read":                                             {nil, q, clock.AskAll, "", ""},
		"it was read, but not surely":                               {abstained, q, clock.AskAll, "", ""},
		"the feed gives no minute":                                  {from(67, 30, 8), clock.Question{Tolerance: 3}, clock.AskAll, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, ruling := clock.CheckRunning(c.clock, c.q)
			require.Equal(t, c.ruling, ruling, v.Detail)
			require.Equal(t, c.outcome, v.Outcome, v.Detail)
			require.Equal(t, c.reason, v.Reason)
			if v.Outcome != "" {
				require.Equal(t, footy.ProofClock, v.Proof)
				require.Equal(t, c.clock, v.Running)
			}
		})
	}
}

func TestAPictureThatIsNoFootballIsRefusedWhateverItsClock(t *testing.T) {
	t.Parallel()
	q := clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3}
	v, _ := clock.CheckRunning(from(67, 30, 8), q)
	football := []footy.Reading{{At: 1, Soccer: true}, {At: 3, Soccer: true}, {At: 5, Soccer: true}}
	require.Equal(t, footy.OutcomeVerified, clock.WithPicture(q, v, football, "m").Outcome)
	require.Equal(t, football, clock.WithPicture(q, v, football, "m").Readings)
	require.Equal(t, footy.ReasonNotSoccer, clock.WithPicture(q, v, []footy.Reading{{At: 1}, {At: 3}, {At: 5, Soccer: true}}, "m").Reason)
	require.Equal(t, footy.ReasonScreen, clock.WithPicture(q, v, []footy.Reading{{Soccer: true, Screen: true}, {Soccer: true, Screen: true}, {Soccer: true}}, "m").Reason)
}

func TestWithoutAModelThePostMustNameTheMatch(t *testing.T) {
	t.Parallel()
	q := clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3}
	still, _ := clock.CheckRunning(from(67, 30, 8), q)
	require.Equal(t, footy.OutcomeVerified, clock.WithoutModel(q, still, true).Outcome)
	require.Equal(t, footy.OutcomeUnverified, clock.WithoutModel(q, still, false).Outcome)
	other, _ := clock.CheckRunning(from(50, 30, 8), q)
	require.Equal(t, other, clock.WithoutModel(q, other, false), "what is refused stays so")
}

func TestAScoreOfNeitherSideOfTheGoalHoldsItsVerdictBack(t *testing.T) {
	t.Parallel()
	goal := clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3, Before: footy.ScoreOf(1, 1), After: footy.ScoreOf(2, 1)}
	card := goal
	card.After = card.Before
	unknown := goal
	unknown.After = footy.Score{}
	cancelled := goal
	cancelled.Cancelled = [2]int{0, 1}
	for name, c := range map[string]struct {
		q           clock.Question
		left, right int
		want        footy.ScoreFit
	}{
		"before":                      {goal, 1, 1, footy.ScoreFitsBefore},
		"after":                       {goal, 2, 1, footy.ScoreFitsAfter},
		"another goal's":              {goal, 1, 2, footy.ScoreFitsNot},
		"another match":               {goal, 0, 4, footy.ScoreFitsNot},
		"a card changes nothing":      {card, 1, 1, footy.ScoreFitsThen},
		"a card, another match":       {card, 2, 1, footy.ScoreFitsNot},
		"the feed has no score of it": {unknown, 2, 1, ""},
		"with a goal cancelled later": {cancelled, 2, 2, footy.ScoreFitsAfter},
		"more than was cancelled":     {cancelled, 3, 2, footy.ScoreFitsNot},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := from(67, 30, 8)
			read.Score = &footy.ScoreBeside{Left: c.left, Right: c.right}
			v, ruling := clock.CheckRunning(read, c.q)
			require.Equal(t, c.want, v.ScoreFit)
			model := clock.WithScore(footy.Verdict{Outcome: footy.OutcomeVerified, Proof: footy.ProofModel}, v)
			if c.want == footy.ScoreFitsNot {
				require.Equal(t, footy.OutcomeUnverified, v.Outcome)
				require.Equal(t, clock.AskAll, ruling)
				require.Equal(t, footy.OutcomeUnverified, model.Outcome, "a model reads the same minute, and not the score")
				require.Equal(t, read, model.Running, "the page shows which score")
				return
			}
			require.Equal(t, footy.OutcomeVerified, v.Outcome)
			require.Equal(t, clock.AskPicture, ruling)
			require.Equal(t, footy.Verdict{Outcome: footy.OutcomeVerified, Proof: footy.ProofModel}, model)
		})
	}
	v, _ := clock.CheckRunning(from(67, 30, 8), goal)
	require.Empty(t, v.ScoreFit, "none was read")
}

// matchDay are the minutes of a match in which a goal may fall.
func matchDay() (out []footy.Minute) {
	for elapsed := 1; elapsed <= 120; elapsed++ {
		out = append(out, footy.Minute{Elapsed: elapsed})
		for _, extra := range map[int][]int{45: {1, 3, 8}, 90: {1, 3, 8}, 105: {2}, 120: {2}}[elapsed] {
			out = append(out, footy.Minute{Elapsed: elapsed, Extra: extra})
		}
	}
	return out
}

// misreadings are what a clip of a moment may be read as: its own clock, one that starts anew with each period, and one of which the picture
// is cut, or a narrow 1 not seen.
func misreadings(m footy.Minute) map[string]int {
	shown := m.Clock()
	out := map[string]int{"whole": shown, "without its tens": shown % 10}
	if shown >= 100 {
		out["without its hundred"] = shown % 100
	}
	switch {
	case m.Elapsed > 105:
		out["its half's own"], out["extra time's own"] = shown-105, shown-90
	case m.Elapsed > 90:
		out["extra time's own"] = shown - 90
	case m.Elapsed > 45:
		out["its half's own"] = shown - 45
	}
	return out
}

// TestNoGoalIsProvenByAClipOfAnother of the same match, nor is one refused its own clip, however its clock is read.
func TestNoGoalIsProvenByAClipOfAnother(t *testing.T) {
	t.Parallel()
	for _, shows := range matchDay() {
		for _, goal := range matchDay() {
			if goal == shows || goal.Clock() == shows.Clock() && clock.PeriodOf(goal.Elapsed) == clock.PeriodOf(shows.Elapsed) {
				continue
			}
			near := footy.Minute{Elapsed: min(goal.Elapsed+2, 120)} // a third goal hides none
			for way, minute := range misreadings(shows) {
				read := from(minute, 3+37*(goal.Elapsed%2), 1)
				v, _ := clock.CheckRunning(read, clock.Question{Minute: goal, Tolerance: 3, Siblings: []clock.Sibling{{UID: "b", Minute: shows}, {UID: "c", Minute: near}}})
				require.NotEqual(t, footy.OutcomeVerified, v.Outcome, "a clip of %s, read %s, for %s: %s", footy.MinuteLabel(shows), way, footy.MinuteLabel(goal), v.Detail)
				if way == "whole" {
					continue
				}
				v, ruling := clock.CheckRunning(read, clock.Question{Minute: shows, Tolerance: 3, Siblings: []clock.Sibling{{UID: "a", Minute: goal}}})
				require.NotEqual(t, clock.Decided, ruling, "a clip of %s, read %s, beside %s: %s", footy.MinuteLabel(shows), way, footy.MinuteLabel(goal), v.Detail)
			}
		}
	}
}

// TestALabelledHalfSaysWhichMinuteAClockMeans: 1T and 2T beside clocks that start anew after the interval.
func TestALabelledHalfSaysWhichMinuteAClockMeans(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		half           int
		goal, sibling  int
		outcome        footy.Outcome
		ruling         clock.Ruling
		minute, second int
	}{
		"the second half's own goal":      {2, 82, 37, footy.OutcomeVerified, clock.AskPicture, 36, 12},
		"the first half's":                {1, 37, 82, footy.OutcomeVerified, clock.AskPicture, 36, 12},
		"the other half's":                {2, 37, 82, footy.OutcomeRejected, clock.Decided, 36, 12},
		"without a label it is uncertain": {0, 37, 82, footy.OutcomeUnverified, clock.AskAll, 36, 12},
		"for either":                      {0, 82, 37, footy.OutcomeUnverified, clock.AskAll, 36, 12},
		"only one of them is known":       {0, 37, 70, footy.OutcomeVerified, clock.AskPicture, 36, 12},
		"one that runs on":                {2, 68, 23, footy.OutcomeVerified, clock.AskPicture, 67, 30},
		"a label that contradicts":        {1, 68, 23, footy.OutcomeUnverified, clock.AskAll, 67, 30},
	} {
		read := from(c.minute, c.second, 8)
		read.Half = c.half
		v, ruling := clock.CheckRunning(read, clock.Question{Minute: footy.Minute{Elapsed: c.goal}, Tolerance: 3, Siblings: []clock.Sibling{{UID: "b", Minute: footy.Minute{Elapsed: c.sibling}}}})
		require.Equal(t, c.outcome, v.Outcome, "%s: %s", name, v.Detail)
		require.Equal(t, c.ruling, ruling, name)
	}
}

// A goal of the 18th minute and one of the 63rd have the same clock where clocks start anew with each half.
func TestTheScoreBesideAClockExcludesAnotherGoal(t *testing.T) {
	t.Parallel()
	q := clock.Question{Minute: footy.Minute{Elapsed: 18}, Kind: footy.KindGoal, Tolerance: 3, Before: footy.ScoreOf(0, 0), After: footy.ScoreOf(0, 1),
		Siblings: []clock.Sibling{{UID: "later", Minute: footy.Minute{Elapsed: 63}, Kind: footy.KindGoal, Before: footy.ScoreOf(1, 1), After: footy.ScoreOf(2, 1)}}}
	for name, c := range map[string]struct {
		score   *footy.ScoreBeside
		change  func(*clock.Question)
		outcome footy.Outcome
	}{
		"it was the score of this one alone": {&footy.ScoreBeside{Left: 0, Right: 1}, nil, footy.OutcomeVerified},
		"none was read":                      {nil, nil, footy.OutcomeUnverified},
		"it was the other's":                 {&footy.ScoreBeside{Left: 2, Right: 1}, nil, footy.OutcomeUnverified},
		"it was the score of both":           {&footy.ScoreBeside{Left: 0, Right: 1}, func(q *clock.Question) { q.Siblings[0].Before = footy.ScoreOf(0, 1) }, footy.OutcomeUnverified},
		"the feed does not say the other's":  {&footy.ScoreBeside{Left: 0, Right: 1}, func(q *clock.Question) { q.Siblings[0].After = footy.Score{} }, footy.OutcomeUnverified},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := q
			q.Siblings = slices.Clone(q.Siblings)
			if c.change != nil {
				c.change(&q)
			}
			read := from(17, 10, 6)
			read.Score = c.score
			v, _ := clock.CheckRunning(read, q)
			require.Equal(t, c.outcome, v.Outcome, v.Detail)
		})
	}
}
