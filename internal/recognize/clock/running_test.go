package clock_test

import (
	"fmt"
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
	v, _ := clock.CheckRunning(from(67, 30, 8), clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3})
	football := []footy.Reading{{At: 1, Soccer: true}, {At: 3, Soccer: true}, {At: 5, Soccer: true}}
	require.Equal(t, footy.OutcomeVerified, clock.WithPicture(v, football, "m").Outcome)
	require.Equal(t, football, clock.WithPicture(v, football, "m").Readings)
	require.Equal(t, footy.ReasonNotSoccer, clock.WithPicture(v, []footy.Reading{{At: 1}, {At: 3}, {At: 5, Soccer: true}}, "m").Reason)
	require.Equal(t, footy.ReasonScreen, clock.WithPicture(v, []footy.Reading{{Soccer: true, Screen: true}, {Soccer: true, Screen: true}, {Soccer: true}}, "m").Reason)
}

func TestWithoutAModelThePostMustNameTheMatch(t *testing.T) {
	t.Parallel()
	q := clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3}
	still, _ := clock.CheckRunning(from(67, 30, 8), q)
	require.Equal(t, footy.OutcomeVerified, clock.WithoutModel(still, true).Outcome)
	require.Equal(t, footy.OutcomeUnverified, clock.WithoutModel(still, false).Outcome)
	other, _ := clock.CheckRunning(from(50, 30, 8), q)
	require.Equal(t, other, clock.WithoutModel(other, false), "what is refused stays so")
}

func TestTheScoreBesideAClockIsEvidenceAndRefusesNothing(t *testing.T) {
	t.Parallel()
	goal := clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3, Before: footy.ScoreOf(1, 1), After: footy.ScoreOf(2, 1)}
	card := goal
	card.After = card.Before
	unknown := goal
	unknown.After = footy.Score{}
	for name, c := range map[string]struct {
		q           clock.Question
		left, right int
		want        footy.ScoreFit
	}{
		"before":                      {goal, 1, 1, footy.ScoreFitsBefore},
		"after":                       {goal, 2, 1, footy.ScoreFitsAfter},
		"sides in another order":      {goal, 1, 2, footy.ScoreFitsNot},
		"another match":               {goal, 0, 4, footy.ScoreFitsNot},
		"a card changes nothing":      {card, 1, 1, footy.ScoreFitsThen},
		"the feed has no score of it": {unknown, 2, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := from(67, 30, 8)
			read.Score = &footy.ScoreBeside{Left: c.left, Right: c.right}
			v, ruling := clock.CheckRunning(read, c.q)
			require.Equal(t, c.want, v.ScoreFit)
			require.Equal(t, footy.OutcomeVerified, v.Outcome)
			require.Equal(t, clock.AskPicture, ruling)
		})
	}
	v, _ := clock.CheckRunning(from(67, 30, 8), goal)
	require.Empty(t, v.ScoreFit, "none was read")
}
