package debounce_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestWhenAGoalWasScoredThatIsSeenNow(t *testing.T) {
	t.Parallel()
	n := func(i int) *int { return &i }
	at := func(minutes int) time.Time { return kickoff.Add(time.Duration(minutes) * time.Minute) }
	for name, c := range map[string]struct {
		status footy.Status
		goal   footy.Minute
		seen   time.Time
		want   time.Time
	}{
		"seen in its own minute":                                          {footy.Status{Code: "1H", Elapsed: n(23)}, footy.Minute{Elapsed: 23}, at(26), at(26)},
		"seen later in its half: the feed's clock tells":                  {footy.Status{Code: "1H", Elapsed: n(40)}, footy.Minute{Elapsed: 23}, at(45), at(28)},
		"stoppage time seen in stoppage time":                             {footy.Status{Code: "1H", Elapsed: n(45), Extra: n(4)}, footy.Minute{Elapsed: 45, Extra: 1}, at(52), at(49)},
		"the 85th minute seen in stoppage time":                           {footy.Status{Code: "2H", Elapsed: n(90), Extra: n(5)}, footy.Minute{Elapsed: 85}, at(115), at(105)},
		"the clock stands at 90 and nobody knows how long: kickoff tells": {footy.Status{Code: "2H", Elapsed: n(90)}, footy.Minute{Elapsed: 50}, at(110), at(55)},
		"a goal of the second half seen 38 minutes later":                 {footy.Status{Code: "2H", Elapsed: n(88)}, footy.Minute{Elapsed: 50}, at(108), at(70)},
		"a goal of the 20th minute seen in the 60th: kickoff tells":       {footy.Status{Code: "2H", Elapsed: n(60)}, footy.Minute{Elapsed: 20}, at(80), at(20)},
		"45+3 seen in the second half":                                    {footy.Status{Code: "2H", Elapsed: n(47)}, footy.Minute{Elapsed: 45, Extra: 3}, at(66), at(48)},
		"a goal of the first half seen at half-time":                      {footy.Status{Code: "HT", Elapsed: n(45)}, footy.Minute{Elapsed: 30}, at(55), at(30)},
		"a goal of the second half seen after the end":                    {footy.Status{Code: "FT", Elapsed: n(90)}, footy.Minute{Elapsed: 70}, at(150), at(75)},
		"the 80th minute seen in extra time":                              {footy.Status{Code: "ET", Elapsed: n(95)}, footy.Minute{Elapsed: 80}, at(125), at(85)},
		"extra time seen in its own period":                               {footy.Status{Code: "ET", Elapsed: n(104)}, footy.Minute{Elapsed: 100}, at(130), at(126)},
		"the first of extra time seen in its second":                      {footy.Status{Code: "ET", Elapsed: n(110)}, footy.Minute{Elapsed: 100}, at(140), at(108)},
		"the last minutes of extra time seen at the end":                  {footy.Status{Code: "AET", Elapsed: n(120)}, footy.Minute{Elapsed: 118}, at(160), at(126)},
		"a clock behind the goal: never after it was seen":                {footy.Status{Code: "1H", Elapsed: n(22)}, footy.Minute{Elapsed: 25}, at(24), at(24)},
		"a kickoff that was late: never after it was seen":                {footy.Status{Code: "HT", Elapsed: n(45)}, footy.Minute{Elapsed: 44}, at(40), at(40)},
		"an unknown minute":                                               {footy.Status{Code: "2H", Elapsed: n(60)}, footy.Minute{}, at(80), at(80)},
		"no clock":                                                        {footy.Status{Code: "1H"}, footy.Minute{Elapsed: 10}, at(30), at(10)},
	} {
		got := debounce.HappenedAt(kickoff, c.status, c.goal, c.seen, time.Minute)
		require.Equal(t, c.want, got, "%s: %s", name, got.Sub(kickoff))
	}
	require.Equal(t, at(80), debounce.HappenedAt(time.Time{}, footy.Status{Code: "2H", Elapsed: n(60)}, footy.Minute{Elapsed: 20}, at(80), time.Minute), "without a kickoff")
	require.Equal(t, kickoff.Add(5*time.Minute), debounce.HappenedAt(kickoff, footy.Status{Code: "1H", Elapsed: n(40)}, footy.Minute{Elapsed: 20}, at(7), 6*time.Second),
		"of a day that is ten times as fast")
	require.Equal(t, kickoff.Add(2*time.Minute), debounce.HappenedAt(kickoff, footy.Status{Code: "2H", Elapsed: n(60)}, footy.Minute{Elapsed: 20}, at(8), 6*time.Second))
}

func TestAGoalFirstSeenInTheSixtiethMinuteKeepsTheTimeItWasScored(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.poll = 159 // the next answer comes 80 minutes after kickoff
	s := answer(list(goal(home, 1, "Salah", 20)))
	n := 60
	s.Match.Status = footy.Status{Code: "2H", Elapsed: &n}
	m.polls(s, false)
	e := only(t, m)
	require.Equal(t, kickoff.Add(80*time.Minute), e.FirstSeen)
	require.Equal(t, kickoff.Add(20*time.Minute), e.HappenedAt)
	require.False(t, e.MomentKnown, "kickoff tells about when")
	require.True(t, e.CaughtUp)
	require.True(t, e.FirstLook)
	require.Equal(t, e.HappenedAt, e.ScoredAt(), "it waits for those that fall now")
}

func TestAGoalIsCaughtUpIfNobodyLookedForMinutes(t *testing.T) {
	t.Parallel()
	for gap, want := range map[time.Duration]bool{30 * time.Second: false, 4 * time.Minute: false, 5 * time.Minute: true, time.Hour: true} {
		m := newMatch(t)
		m.poll = 159
		s := answer(list(goal(home, 1, "Salah", 20)))
		n := 60
		s.Match.Status, s.Before = footy.Status{Code: "2H", Elapsed: &n}, kickoff.Add(80*time.Minute-gap)
		m.polls(s, false)
		e := only(t, m)
		require.Equal(t, want, e.CaughtUp, gap)
		require.False(t, e.FirstLook, "the match was looked at before")
		require.Equal(t, kickoff.Add(20*time.Minute), e.HappenedAt, "posts may be as old as it in any case")
		if !want {
			require.Equal(t, e.FirstSeen, e.ScoredAt(), "the feed was late, not we")
		}
	}
}

// TestAGoalAnOperatorKeepsIsNotRemovedUntilTheFeedListedItAgain: an operator knows more than a feed that omits it.
func TestAGoalAnOperatorKeepsIsNotRemovedUntilTheFeedListedItAgain(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	salah := goal(home, 1, "Salah", 23)
	m.certain(salah)
	for range 3 {
		m.sees()
	}
	e := only(t, m)
	require.True(t, e.Removed)
	e.Removed, e.RemovedAt, e.RemovedReason, e.AbsentPolls, e.Kept = false, time.Time{}, "", nil, true // as Restore does
	for range 10 {
		m.sees()
	}
	require.True(t, only(t, m).Standing(), "its absence is no news")
	require.Equal(t, footy.ReasonKept, only(t, m).Withheld)
	m.sees(salah)
	require.False(t, only(t, m).Kept)
	require.Empty(t, only(t, m).Withheld)
	m.sees()
	m.sees()
	require.True(t, only(t, m).Standing())
	m.sees()
	require.True(t, only(t, m).Removed, "the feed took it back")
}

// TestADecisionThatComesLongAfterItsPollKeepsTheTime: the worker died between the two, and the feed's clock is of the poll.
func TestADecisionThatComesLongAfterItsPollKeepsTheTime(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.poll = 79 // decided on 40 minutes after kickoff
	s := answer(list(goal(home, 1, "Salah", 23)))
	n := 25
	s.Match.Status, s.Answered = footy.Status{Code: "1H", Elapsed: &n}, kickoff.Add(26*time.Minute)
	m.polls(s, false)
	require.Equal(t, kickoff.Add(24*time.Minute), only(t, m).HappenedAt)
	require.True(t, only(t, m).MomentKnown, "its own half is played: the feed's clock tells")
}
