package cycle_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
)

const wrong = 2 * time.Hour // by which the clock was ahead

// TestAGoalThatWasSeenWhileTheClockWasAhead: its search asked for posts of a time that had not come, and no later poll voted.
func TestAGoalThatWasSeenWhileTheClockWasAhead(t *testing.T) {
	t.Parallel()
	ahead := func(n int) debounce.Poll {
		p := poll(n, false)
		p.Now = p.Now.Add(wrong)
		return p
	}
	f := footy.Fixture{ID: 1, Stage: footy.StageActive}
	for n := range 3 {
		rules.Decide(&f, answer("1H", 1), ahead(n), false) // certain
	}
	rules.Decide(&f, answer("1H", 2), ahead(3), false) // one vote
	f.Events[0].DownloadComplete = true                // all of its searches found nothing
	now := poll(4, false).Now
	told, changed := rules.Right(&f, now)
	require.True(t, changed)
	require.Len(t, told, 2, "a row each")

	certain, seen := &f.Events[0], &f.Events[1]
	for _, e := range []*footy.Event{certain, seen} {
		require.Equal(t, now, e.FirstSeen)
		require.Equal(t, kickoff.Add(time.Duration(e.Minute.Elapsed)*time.Minute), e.HappenedAt, "kickoff and minute tell")
		require.True(t, e.CaughtUp)
	}
	require.Equal(t, 2, certain.Round.Number, "searches that asked for posts of the future could not look")
	require.Equal(t, now, certain.Round.OpenedAt)
	require.False(t, certain.DownloadComplete)
	require.Equal(t, 0, seen.Round.Number)
	_, changed = rules.Right(&f, now)
	require.False(t, changed, "once")
	for n := range 2 {
		p := poll(5+n, false)
		rules.Decide(&f, answer("1H", 2), p, false)
	}
	require.True(t, f.Events[1].Certain(), "polls vote again")
}

// TestARoundThatEndedWhileTheClockWasAheadIsOpenedAnew: its time was over by a clock that was wrong, and copies come late.
func TestARoundThatEndedWhileTheClockWasAheadIsOpenedAnew(t *testing.T) {
	t.Parallel()
	f := footy.Fixture{ID: 1, Stage: footy.StageActive}
	for n := range 3 {
		rules.Decide(&f, answer("1H", 1), poll(n, false), false)
	}
	now := poll(4, false).Now
	for name, c := range map[string]struct {
		change func(*footy.Event)
		again  bool
	}{
		"ended": {func(e *footy.Event) {
			require.True(t, round.End(e, 1, footy.ReasonWindowOver, now.Add(wrong)))
		}, true},
		"ended and complete": {func(e *footy.Event) {
			round.End(e, 1, footy.ReasonWindowOver, now.Add(wrong))
			e.DownloadComplete, e.CompletedAt = true, now.Add(wrong)
		}, true},
		"ended with all its searches": {func(e *footy.Event) {
			round.End(e, 1, "", now.Add(wrong))
			e.DownloadComplete, e.CompletedAt = true, now.Add(wrong)
		}, false},
		"complete long after its end": {func(e *footy.Event) {
			round.End(e, 1, footy.ReasonWindowOver, now)
			e.DownloadComplete, e.CompletedAt = true, now.Add(wrong)
		}, false},
		"ended by a clock that is right": {func(e *footy.Event) { round.End(e, 1, footy.ReasonWindowOver, now) }, false},
		"ended by another worker's clock": {func(e *footy.Event) {
			round.End(e, 1, footy.ReasonWindowOver, now.Add(cycle.ClocksDiffer))
		}, false},
		"removed": {func(e *footy.Event) {
			round.End(e, 1, footy.ReasonWindowOver, now.Add(wrong))
			e.Removed = true
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := f
			f.Events = slices.Clone(f.Events)
			e := &f.Events[0]
			c.change(e)
			was := *e
			told, changed := rules.Right(&f, now)
			if !c.again {
				require.Empty(t, told)
				require.Equal(t, was.Round.Number, e.Round.Number)
				require.Equal(t, was.DownloadComplete, e.DownloadComplete)
				require.False(t, e.Round.EndedAt.After(now.Add(cycle.ClocksDiffer)))
				require.False(t, e.CompletedAt.After(now.Add(cycle.ClocksDiffer)))
				return
			}
			require.True(t, changed)
			require.Len(t, told, 1, "a row")
			require.Equal(t, debounce.ReasonClockAhead, told[0].Reason)
			require.Equal(t, 2, told[0].Data.Round)
			require.Equal(t, 2, e.Round.Number)
			require.Equal(t, now, e.Round.OpenedAt)
			require.True(t, e.Round.EndedAt.IsZero())
			require.False(t, e.DownloadComplete)
			require.Equal(t, was.FirstSeen, e.FirstSeen, "it was seen before")
			told, changed = rules.Right(&f, now)
			require.False(t, changed, "once")
			require.Empty(t, told)
		})
	}
}

// TestWhatWasWrittenWhileTheClockWasAheadHoldsNothingUp: each time of a fixture and its events that something waits for.
func TestWhatWasWrittenWhileTheClockWasAheadHoldsNothingUp(t *testing.T) {
	t.Parallel()
	now := poll(0, false).Now
	future := now.Add(wrong)
	searched := footy.Round{Number: 1, OpenedAt: future, SearchedAt: future, Blocked: footy.Blocked{Since: future}}
	f := footy.Fixture{ID: 1, Stage: footy.StageActive, Match: footy.Match{Kickoff: kickoff}, UpdatedAt: future,
		LastMonitor: future, LastPollAt: future, TerminalSince: future, PostponedAt: future, Trouble: &footy.Trouble{Since: future},
		Events: []footy.Event{{UID: "u", FirstSeen: kickoff, CertainAt: future, UpdatedAt: future, Round: searched}}}
	told, changed := rules.Right(&f, now)
	require.True(t, changed)
	require.Empty(t, told, "nothing is decided about a goal")
	b, err := json.Marshal(f)
	require.NoError(t, err)
	require.NotContains(t, string(b), future.Format("2006-01-02T15"), "a time that has not come")
	require.Equal(t, kickoff, f.Events[0].FirstSeen, "it was seen before")
	require.Equal(t, 1, f.Events[0].Round.Number)
	require.False(t, lifecycle.StagingDue(f, now, time.Minute))
	require.True(t, lifecycle.StagingDue(f, now.Add(time.Minute), time.Minute))
}

// TestTheClocksOfTwoWorkersDifferALittle: what the other one wrote a moment ago stays.
func TestTheClocksOfTwoWorkersDifferALittle(t *testing.T) {
	t.Parallel()
	f := footy.Fixture{ID: 1, Stage: footy.StageActive}
	for n := range 3 {
		rules.Decide(&f, answer("1H", 1), poll(n, false), false)
	}
	was := f.Events[0]
	_, changed := rules.Right(&f, f.LastPollAt.Add(-5*time.Second))
	require.False(t, changed)
	require.Equal(t, was, f.Events[0])
}
