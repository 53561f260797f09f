package round_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/stretchr/testify/require"
)

var kickoff = time.Date(2026, 8, 15, 14, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return kickoff.Add(time.Duration(minutes) * time.Minute) }

func certain() *footy.Event {
	return &footy.Event{UID: "5000-1", FirstSeen: kickoff, CertainAt: at(1), Round: 1, RoundOpenedAt: at(1), SearchTakenUp: true}
}

func id(n int) string { return fmt.Sprintf("download%d", n) }

func search(e *footy.Event, try int) string {
	return round.OpenBatch(e, try, at(try), id).Key
}

func TestBatches(t *testing.T) {
	t.Parallel()

	t.Run("a repeated search gets the batch it was given before", func(t *testing.T) {
		t.Parallel()
		e := certain()
		first := search(e, 1)
		require.Equal(t, first, search(e, 1))
		require.Equal(t, first, round.BatchOf(e, 1))
		require.Equal(t, "download2", search(e, 2))
		require.Len(t, e.Batches, 2)
		e.Round = 2
		require.Empty(t, round.BatchOf(e, 1), "another round searches for itself")
		require.Equal(t, "download3", search(e, 1), "numbers are never given twice")
	})

	t.Run("only registered batches of this round count as searches", func(t *testing.T) {
		t.Parallel()
		e := certain()
		d := search(e, 1)
		require.Empty(t, e.RegisteredBatches)
		round.Register(e, d)
		round.Register(e, d)
		round.Register(e, "stranger")
		require.Equal(t, []string{d}, e.RegisteredBatches)
		e.Round, e.RegisteredBatches = 2, nil
		round.Register(e, d)
		require.Empty(t, e.RegisteredBatches)
	})

	t.Run("a settled batch is known for good", func(t *testing.T) {
		t.Parallel()
		e := certain()
		d := search(e, 1)
		round.CloseBatch(e, d)
		round.CloseBatch(e, d)
		require.True(t, round.BatchClosed(e, d))
		require.Empty(t, e.Batches)
		require.Equal(t, []string{d}, e.SettledBatches)
	})

	t.Run("posts tried again get a batch of their own, which counts as no search", func(t *testing.T) {
		t.Parallel()
		e := certain()
		d := search(e, 1)
		round.Register(e, d)
		round.CloseBatch(e, d)
		first, second := search(e, 0), search(e, 0)
		require.Equal(t, []string{"download2", "download3"}, []string{first, second})
		require.Empty(t, round.BatchOf(e, 0))
		round.Register(e, first)
		require.Equal(t, []string{d}, e.RegisteredBatches)
	})

	t.Run("a batch that died is begun again once, under the next generation's id", func(t *testing.T) {
		t.Parallel()
		e := certain()
		seen := round.OpenBatch(e, 1, at(1), id)
		require.Equal(t, "download1", seen.WorkflowID())
		next, ok := round.RestartBatch(e, seen, at(5))
		require.True(t, ok)
		require.Equal(t, "download1-g2", next.WorkflowID())
		require.Equal(t, "download1", next.Key, "it stays the same batch")
		require.Equal(t, at(5), next.At)
		_, ok = round.RestartBatch(e, seen, at(5))
		require.False(t, ok, "another cycle was quicker")
		third, ok := round.RestartBatch(e, next, at(6))
		require.True(t, ok)
		require.Equal(t, "download1-g3", third.WorkflowID())
		round.CloseBatch(e, third.Key)
		_, ok = round.RestartBatch(e, third, at(7))
		require.False(t, ok, "it was settled")
	})

	t.Run("posts get a batch where they are free and no batch is open", func(t *testing.T) {
		t.Parallel()
		e := certain()
		require.True(t, round.NeedsBatch(e, 1))
		require.False(t, round.NeedsBatch(e, 0))
		search(e, 0)
		require.False(t, round.NeedsBatch(e, 1), "exactly one")
	})
}

func TestComplete(t *testing.T) {
	t.Parallel()
	play := func(e *footy.Event, searches int) {
		for n := 1; n <= searches; n++ {
			d := search(e, n)
			round.Register(e, d)
			round.CloseBatch(e, d)
		}
	}

	t.Run("ten registered and settled searches complete an event", func(t *testing.T) {
		t.Parallel()
		e := certain()
		play(e, 10)
		require.True(t, round.Complete(e, 10, 0, at(12)))
		require.Equal(t, "ok", e.Outcome.String())
		require.False(t, round.Complete(e, 10, 0, at(13)), "once")
	})

	t.Run("nine do not, unless the round has ended", func(t *testing.T) {
		t.Parallel()
		e := certain()
		play(e, 9)
		require.False(t, round.Complete(e, 10, 0, at(12)))
		require.True(t, round.End(e, 1, footy.ReasonTriesUsed, at(46)))
		require.True(t, round.Complete(e, 10, 0, at(46)))
		require.Equal(t, "lost(tries_used)", e.Outcome.String())
	})

	t.Run("a batch on its way or an open post keeps the event open", func(t *testing.T) {
		t.Parallel()
		e := certain()
		play(e, 10)
		late := search(e, 11)
		require.False(t, round.Complete(e, 10, 0, at(12)))
		round.CloseBatch(e, late)
		require.False(t, round.Complete(e, 10, 1, at(12)))
		require.True(t, round.Complete(e, 10, 0, at(12)))
	})

	t.Run("an uncertain or removed event is never completed", func(t *testing.T) {
		t.Parallel()
		for _, e := range []*footy.Event{{UID: "1"}, {UID: "2", CertainAt: at(1), Removed: true}} {
			round.End(e, 0, "", at(2))
			require.False(t, round.Complete(e, 10, 0, at(3)))
		}
	})
}

// TestClosingRoundOneWhileRoundTwoOpensLeavesRoundTwoOpen is finding 7.
func TestClosingRoundOneWhileRoundTwoOpensLeavesRoundTwoOpen(t *testing.T) {
	t.Parallel()
	e := certain()
	e.Round, e.RoundOpenedAt = 2, at(10)
	round.Block(e, "login_required", at(11))
	require.False(t, round.End(e, 1, footy.ReasonTriesUsed, at(12)))
	require.Zero(t, e.SearchEndedAt)
	require.False(t, e.BlockedSince.IsZero(), "nor does it touch what round 2 waits for")
	require.True(t, round.End(e, 2, footy.ReasonWindowOver, at(60)))
	require.Equal(t, footy.ReasonWindowOver, e.SearchEnd)
	require.False(t, round.End(e, 2, footy.ReasonTriesUsed, at(61)), "once")
}

func TestWindow(t *testing.T) {
	t.Parallel()
	w := round.Window{Search: 45 * time.Minute, Blocked: 6 * time.Hour}

	t.Run("it counts from when the goal became certain", func(t *testing.T) {
		t.Parallel()
		e := certain()
		require.Equal(t, at(46), w.End(e, at(2)))
		e.SearchedAt = at(44)
		require.False(t, w.Over(e, at(45)))
		require.True(t, w.Over(e, at(46)))
	})

	t.Run("a later round has a window of its own", func(t *testing.T) {
		t.Parallel()
		e := certain()
		e.Round, e.RoundOpenedAt, e.SearchedAt = 2, at(40), at(83)
		require.False(t, w.Over(e, at(84)))
		require.True(t, w.Over(e, at(85)))
	})

	t.Run("time in which nobody could look does not count, also while it lasts", func(t *testing.T) {
		t.Parallel()
		e := certain()
		require.True(t, round.Block(e, "login_required", at(11)))
		require.False(t, round.Block(e, "login_required", at(12)), "one row tells it")
		require.True(t, round.Block(e, "unreachable", at(13)), "another trouble is told, too")
		require.Equal(t, at(11), e.BlockedSince, "but the wait goes on")
		require.False(t, w.Over(e, at(300)))
		e.SearchedAt = at(311)
		require.True(t, round.Unblock(e, at(311)))
		require.False(t, round.Unblock(e, at(312)))
		require.Equal(t, at(346), w.End(e, at(312)))
		round.Block(e, "unreachable", at(320))
		round.Unblock(e, at(330))
		require.Equal(t, at(356), w.End(e, at(331)), "several waits add up")
	})

	t.Run("after six hours it does", func(t *testing.T) {
		t.Parallel()
		e := certain()
		round.Block(e, "login_required", at(1))
		require.False(t, w.Over(e, at(1+6*60+44)))
		require.True(t, w.Over(e, at(1+6*60+45)))
	})
}

func TestPlanSearch(t *testing.T) {
	t.Parallel()
	w := round.Window{Search: 45 * time.Minute}
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
		"it died while nobody could look":       {func(e *footy.Event) { e.Blocked = time.Hour }, round.Dead, at(46), round.SearchEnd},
		"it returned without closing":           {nil, round.Done, at(5), round.SearchEnd},
		"it died with enough found":             {func(e *footy.Event) { e.RegisteredBatches = make([]string, 10) }, round.Dead, at(5), round.SearchEnd},
		"nobody took the round up":              {func(e *footy.Event) { e.SearchTakenUp = false }, round.Missing, at(5), round.SearchLeave},
		"the round was closed":                  {func(e *footy.Event) { e.SearchEndedAt = at(4) }, round.Done, at(5), round.SearchLeave},
		"the event is complete":                 {func(e *footy.Event) { e.DownloadComplete = true }, round.Done, at(5), round.SearchLeave},
	} {
		e := certain()
		if c.change != nil {
			c.change(e)
		}
		require.Equal(t, c.want, round.PlanSearch(e, c.status, 10, w, c.now), name)
	}
	e := certain()
	e.Blocked = time.Hour
	require.Equal(t, round.SearchRestart, round.PlanSearch(e, round.Dead, 10, round.Window{Search: 45 * time.Minute, Blocked: 6 * time.Hour}, at(46)))
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
	require.True(t, e.SearchTakenUp)
	require.Equal(t, "twitter-a", e.SearchedBy)
}

func TestTimeInWhichNobodyTriedDoesNotCount(t *testing.T) {
	t.Parallel()
	w := round.Window{Search: 45 * time.Minute, Blocked: 6 * time.Hour}
	certain := func() *footy.Event {
		return &footy.Event{FirstSeen: at(0), CertainAt: at(0), Round: 1, RoundOpenedAt: at(0)}
	}

	t.Run("a laptop that slept for two hours goes on where it was", func(t *testing.T) {
		t.Parallel()
		e := certain()
		w.Searched(e, at(1))
		require.False(t, w.Over(e, at(121)))
		w.Searched(e, at(121))
		require.Equal(t, 2*time.Hour, e.Blocked)
		require.False(t, w.Over(e, at(130)), "and the searches after it count as usual")
		for m := 122; m < 165; m++ {
			w.Searched(e, at(m))
		}
		require.True(t, w.Over(e, at(165)))
	})

	t.Run("the pauses between searches count", func(t *testing.T) {
		t.Parallel()
		e := certain()
		for m := 9; m <= 45; m += 9 {
			w.Searched(e, at(m))
		}
		require.Zero(t, e.Blocked)
		require.True(t, w.Over(e, at(45)))
	})

	t.Run("a day is too long", func(t *testing.T) {
		t.Parallel()
		require.True(t, w.Over(certain(), at(24*60)))
	})
}
