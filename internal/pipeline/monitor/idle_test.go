package monitor_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
)

// TestCyclesAreRarerOnlyWhileNothingIsLiveOrNear changes one thing at a time of a day on which nothing is to be done.
func TestCyclesAreRarerOnlyWhileNothingIsLiveOrNear(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(b *bench)
		idle   bool
	}{
		"nothing is on":               {func(*bench) {}, true},
		"a match begins in two hours": {func(b *bench) { b.begins(footy.StageStaging, "NS", 2*time.Hour) }, true},
		"a match begins in an hour":   {func(b *bench) { b.begins(footy.StageStaging, "NS", 59*time.Minute) }, false},
		"a match should have begun":   {func(b *bench) { b.begins(footy.StageStaging, "NS", -time.Hour) }, false},
		"a match is about to begin":   {func(b *bench) { b.begins(footy.StageActive, "NS", 20*time.Minute) }, false},
		"a match is on":               {func(b *bench) { b.begins(footy.StageActive, "1H", -20*time.Minute) }, false},
		"a match is postponed":        {func(b *bench) { b.begins(footy.StageActive, "PST", -4*time.Hour) }, true},
		"a match is over":             {func(b *bench) { b.begins(footy.StageCompleted, "FT", -4*time.Hour) }, true},
		"today's list is missing":     {func(b *bench) { b.listed(b.now.AddDate(0, 0, -1)) }, false},
		"a goal is not complete": {func(b *bench) {
			require.NoError(b.t, b.store.Add(b.t.Context(), footy.Fixture{ID: 9, Stage: footy.StageCompleted, Match: footy.Match{ID: 9, Kickoff: b.now.Add(-4 * time.Hour)},
				Events: []footy.Event{{UID: "9-1", ID: "9-1", Kind: footy.KindGoal, CertainAt: b.now}}}))
		}, false},
		"a post is due soon":  {func(b *bench) { b.waits(4 * time.Minute) }, false},
		"a post is due later": {func(b *bench) { b.waits(time.Hour) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.listed(b.now)
			c.change(b)
			idle, err := monitor.Idle(t.Context(), b.store, lifecycle.Defaults(), b.now)
			require.NoError(t, err)
			require.Equal(t, c.idle, idle)
			near, err := monitor.Near(t.Context(), b.store, lifecycle.Defaults(), b.now)
			require.NoError(t, err)
			require.Equal(t, !c.idle && name != "today's list is missing", near, "a list that is missing needs no browser")
		})
	}
}

func (b *bench) listed(at time.Time) {
	require.NoError(b.t, b.store.PutState(b.t.Context(), ingest.StateKey, ingest.LastIngest{Date: at.UTC().Format(time.DateOnly), At: at}))
}

func (b *bench) begins(stage footy.Stage, status string, in time.Duration) {
	require.NoError(b.t, b.store.Add(b.t.Context(), footy.Fixture{ID: 7, Stage: stage, LastMonitor: b.now, TerminalSince: b.now,
		Match: footy.Match{ID: 7, Kickoff: b.now.Add(in), Status: footy.Status{Code: status}}}))
}

func (b *bench) waits(until time.Duration) {
	require.NoError(b.t, b.store.AddPosts(b.t.Context(), []footy.Post{{FixtureID: 9, EventUID: "9-1", PostID: "1", State: footy.PostWaiting, NextTry: b.now.Add(until)}}))
}
