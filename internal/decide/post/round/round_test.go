package round_test

import (
	"slices"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/stretchr/testify/require"
)

var kickoff = time.Date(2026, 8, 15, 14, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return kickoff.Add(time.Duration(minutes) * time.Minute) }

var limits = round.Limits{Searches: 10, Tries: 15, Window: 45 * time.Minute, Blocked: 6 * time.Hour}

func certain() *footy.Event {
	return &footy.Event{UID: "5000-1", FirstSeen: kickoff, CertainAt: at(1), Round: footy.Round{Number: 1, OpenedAt: at(1), Workflow: "twitter-a", TakenUpBy: "twitter-a"}}
}

func over(e *footy.Event, now time.Time) bool {
	_, over := limits.Over(e, now)
	return over
}

func TestARoundCountsEachSearchOnce(t *testing.T) {
	t.Parallel()
	e := certain()
	require.True(t, limits.Answered(e, 1, true, at(2)))
	require.False(t, limits.Answered(e, 1, true, at(2)), "its answer got lost and it came again")
	require.True(t, limits.Answered(e, 2, false, at(3)))
	require.Equal(t, 2, e.Round.Tries)
	require.Equal(t, 1, e.Round.Searches)
}

func TestWhenARoundIsOver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		round footy.Round
		now   time.Time
		why   footy.Reason
		over  bool
	}{
		"it goes on":                            {footy.Round{Tries: 14, Searches: 9, SearchedAt: at(16)}, at(16), "", false},
		"it has its searches":                   {footy.Round{Tries: 10, Searches: 10}, at(12), "", true},
		"its tries are used":                    {footy.Round{Tries: 15, Searches: 9}, at(16), footy.ReasonTriesUsed, true},
		"its time is up":                        {footy.Round{SearchedAt: at(45)}, at(46), footy.ReasonWindowOver, true},
		"it was ended":                          {footy.Round{EndedAt: at(4), End: footy.ReasonNoQuery}, at(5), footy.ReasonNoQuery, true},
		"it has its searches, however it ended": {footy.Round{Searches: 10, EndedAt: at(50), End: footy.ReasonWindowOver}, at(50), "", true},
	} {
		e := certain()
		e.Round = c.round
		e.Round.Number, e.Round.OpenedAt = 1, at(1)
		why, is := limits.Over(e, c.now)
		require.Equal(t, c.over, is, name)
		require.Equal(t, c.why, why, name)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	ended := []footy.Post{{State: footy.PostRefused}, {State: footy.PostMerged}, {State: footy.PostPassed}}

	t.Run("its searches made and its posts ended complete an event", func(t *testing.T) {
		t.Parallel()
		e := certain()
		e.Round.Searches = 10
		require.Zero(t, e.Outcome())
		require.True(t, limits.Complete(e, ended, at(12)))
		require.Equal(t, "ok", e.Outcome().String())
		require.False(t, limits.Complete(e, ended, at(13)), "once")
		round.Reopen(e)
		require.Zero(t, e.Outcome())
		require.True(t, limits.Complete(e, ended, at(14)))
	})

	t.Run("nine do not, unless the round has ended", func(t *testing.T) {
		t.Parallel()
		e := certain()
		e.Round.Searches = 9
		require.False(t, limits.Complete(e, nil, at(12)))
		require.True(t, round.End(e, 1, footy.ReasonTriesUsed, at(46)))
		require.True(t, limits.Complete(e, nil, at(46)))
		require.Equal(t, "lost(tries_used)", e.Outcome().String())
	})

	t.Run("an open post keeps the event open", func(t *testing.T) {
		t.Parallel()
		e := certain()
		e.Round.Searches = 10
		for _, s := range []footy.PostState{footy.PostOffered, footy.PostFetching, footy.PostFetched, footy.PostJudged, footy.PostWaiting} {
			require.False(t, limits.Complete(e, append(slices.Clone(ended), footy.Post{State: s}), at(12)), s)
		}
	})

	t.Run("an uncertain or removed event is never completed", func(t *testing.T) {
		t.Parallel()
		for _, e := range []*footy.Event{{UID: "1"}, {UID: "2", CertainAt: at(1), Removed: true}} {
			round.End(e, 0, "", at(2))
			require.False(t, limits.Complete(e, nil, at(3)))
		}
	})
}

func TestClosingRoundOneWhileRoundTwoOpensLeavesRoundTwoOpen(t *testing.T) {
	t.Parallel()
	e := certain()
	e.Round.Number, e.Round.OpenedAt = 2, at(10)
	round.Block(e, "login_required", at(11))
	require.False(t, round.End(e, 1, footy.ReasonTriesUsed, at(12)))
	require.Zero(t, e.Round.EndedAt)
	require.False(t, e.Round.Blocked.Since.IsZero(), "nor does it touch what round 2 waits for")
	require.True(t, round.End(e, 2, footy.ReasonWindowOver, at(60)))
	require.Equal(t, footy.ReasonWindowOver, e.Round.End)
	require.False(t, round.End(e, 2, footy.ReasonTriesUsed, at(61)), "once")
}

func TestWindow(t *testing.T) {
	t.Parallel()

	t.Run("it counts from when the goal became certain", func(t *testing.T) {
		t.Parallel()
		e := certain()
		require.Equal(t, at(46), limits.WindowEnd(e, at(2)))
		e.Round.SearchedAt = at(44)
		require.False(t, over(e, at(45)))
		require.True(t, over(e, at(46)))
	})

	t.Run("a later round has a window of its own", func(t *testing.T) {
		t.Parallel()
		e := certain()
		e.Round.Number, e.Round.OpenedAt, e.Round.SearchedAt = 2, at(40), at(83)
		require.False(t, over(e, at(84)))
		require.True(t, over(e, at(85)))
	})

	t.Run("time in which nobody could look does not count, also while it lasts", func(t *testing.T) {
		t.Parallel()
		e := certain()
		require.True(t, round.Block(e, "login_required", at(11)))
		require.False(t, round.Block(e, "login_required", at(12)), "one row tells it")
		require.True(t, round.Block(e, "unreachable", at(13)), "another trouble is told, too")
		require.Equal(t, at(11), e.Round.Blocked.Since, "but the wait goes on")
		require.False(t, over(e, at(300)))
		e.Round.SearchedAt = at(311)
		limits.Answered(e, 1, true, at(311))
		limits.Answered(e, 1, true, at(312))
		require.Equal(t, at(346), limits.WindowEnd(e, at(312)))
		round.Block(e, "unreachable", at(320))
		limits.Answered(e, 2, true, at(330))
		require.Equal(t, at(356), limits.WindowEnd(e, at(331)), "several waits add up")
	})

	t.Run("after six hours it does", func(t *testing.T) {
		t.Parallel()
		e := certain()
		round.Block(e, "login_required", at(1))
		require.False(t, over(e, at(1+6*60+44)))
		require.True(t, over(e, at(1+6*60+45)))
	})
}

func TestPlanSearch(t *testing.T) {
	t.Parallel()
	l := limits
	l.Blocked = 0
	for name, c := range map[string]struct {
		change func(*footy.Event)
		status round.WorkflowStatus
		now    time.Time
		want   round.SearchPlan
	}{
		"it runs":                               {nil, round.Running, at(5), round.SearchLeave},
		"it runs too long, which is its matter": {nil, round.Running, at(90), round.SearchLeave},
		"it died":                               {nil, round.Dead, at(5), round.SearchRestart},
		"it was forgotten":                      {nil, round.Missing, at(5), round.SearchRestart},
		"it died and its time is up":            {nil, round.Dead, at(46), round.SearchEnd},
		"it died while nobody could look":       {func(e *footy.Event) { e.Round.Blocked.Total = time.Hour }, round.Dead, at(46), round.SearchEnd},
		"it returned without closing":           {nil, round.Done, at(5), round.SearchRestart},
		"it returned, and the time is up":       {nil, round.Done, at(46), round.SearchEnd},
		"it returned without taking it up":      {func(e *footy.Event) { e.Round.TakenUpBy = "" }, round.Done, at(5), round.SearchRestart},
		"it died before it took the round up":   {func(e *footy.Event) { e.Round.TakenUpBy = "" }, round.Dead, at(5), round.SearchLeave},
		"it died with enough found":             {func(e *footy.Event) { e.Round.Searches = 10 }, round.Dead, at(5), round.SearchEnd},
		"nobody took the round up":              {func(e *footy.Event) { e.Round.TakenUpBy = "" }, round.Missing, at(5), round.SearchLeave},
		"the round was closed":                  {func(e *footy.Event) { e.Round.EndedAt = at(4) }, round.Done, at(5), round.SearchLeave},
		"the event is complete":                 {func(e *footy.Event) { e.DownloadComplete = true }, round.Done, at(5), round.SearchLeave},
	} {
		e := certain()
		if c.change != nil {
			c.change(e)
		}
		require.Equal(t, c.want, l.PlanSearch(e, c.status, c.now), name)
	}
	e := certain()
	e.Round.Blocked.Total = time.Hour
	require.Equal(t, round.SearchRestart, limits.PlanSearch(e, round.Dead, at(46)))
}

func TestChoose(t *testing.T) {
	t.Parallel()
	c := func(id string, ms int) footy.Candidate { return footy.Candidate{PostID: id, DurationMS: ms} }
	known := func(id string) bool { return id == "known" }
	chosen, passed := round.ChooseLongest([]footy.Candidate{c("short", 9000), c("unknown", 0), c("long", 40000), c("known", 50000), c("long", 40000)}, known, 2)
	require.Equal(t, []footy.Candidate{c("long", 40000), c("unknown", 0)}, chosen, "an unknown duration counts as 15 s")
	require.Equal(t, []footy.Candidate{c("short", 9000)}, passed)
}

func TestBegin(t *testing.T) {
	t.Parallel()
	e := &footy.Event{}
	require.True(t, round.TakeUp(e, "twitter-a"))
	require.False(t, round.TakeUp(e, "twitter-a"))
	require.True(t, e.Round.TakenUp())
	require.Equal(t, "twitter-a", e.Round.TakenUpBy)
}

func TestTimeInWhichNobodyTriedDoesNotCount(t *testing.T) {
	t.Parallel()
	certain := func() *footy.Event {
		return &footy.Event{FirstSeen: at(0), CertainAt: at(0), Round: footy.Round{Number: 1, OpenedAt: at(0)}}
	}

	t.Run("a laptop that slept for two hours goes on where it was", func(t *testing.T) {
		t.Parallel()
		e := certain()
		limits.Answered(e, 0, true, at(1))
		require.False(t, over(e, at(121)))
		limits.Answered(e, 0, true, at(121))
		require.Equal(t, 2*time.Hour, e.Round.Blocked.Total)
		require.False(t, over(e, at(130)), "and the searches after it count as usual")
		for m := 122; m < 165; m++ {
			limits.Answered(e, 0, true, at(m))
		}
		require.True(t, over(e, at(165)))
	})

	t.Run("the pauses between searches count", func(t *testing.T) {
		t.Parallel()
		e := certain()
		for m := 9; m <= 45; m += 9 {
			limits.Answered(e, 0, true, at(m))
		}
		require.Zero(t, e.Round.Blocked.Total)
		require.True(t, over(e, at(45)))
	})

	t.Run("a day is too long", func(t *testing.T) {
		t.Parallel()
		require.True(t, over(certain(), at(24*60)))
	})
}
