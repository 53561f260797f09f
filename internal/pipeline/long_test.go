package pipeline_test

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// What docs/troubleshooting.md promises of a goal whose trouble lasts as long as its match is kept.
const (
	searchRunsOfAGoal     = 4    // of at most two hours, in a window of 6 h 45 min
	searchRowsOfAGoal     = 10   // one of each cause, and one of each run
	downloadsOfAGoal      = 400  // and as many Uploads
	waitingRowsOfAPost    = 3    // one of each cause
	bytesOfAGoalInTrouble = 1500 // of its match's document
)

const fortnight = 14 * 24 * time.Hour

// refuses answers each search with another cause: no login, no budget, no service.
func refuses() func(source.Query) (source.Result, error) {
	n := 0
	return func(source.Query) (source.Result, error) {
		n++
		return source.Result{State: []source.State{source.StateRateLimited, source.StateLoginRequired, footy.SearchUnreachable}[n%3]}, nil
	}
}

// TestSearchesThatAreRefusedLeaveFewRows: X refuses for a reason, then for another, until the round's time is up.
func TestSearchesThatAreRefusedLeaveFewRows(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.find = refuses()
	require.NoError(t, b.store.PutAliases(t.Context(), footy.TeamAliases{TeamID: 40, Team: "Liverpool"}))
	began, runs := b.at, 0
	for next := []monitor.Search{{WorkflowID: b.event(oneGoal).Round.Workflow}}; len(next) > 0; next = b.reconcile().Searches {
		runs++
		_ = b.run(next[0].WorkflowID, search.Workflow, search.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, nil)
	}
	e := b.event(oneGoal)
	require.Equal(t, footy.ReasonWindowOver, e.Round.End)
	require.Less(t, b.at.Sub(began), 7*time.Hour)
	require.Greater(t, len(b.x.queries), 300)
	require.LessOrEqual(t, runs, searchRunsOfAGoal)
	rows, err := b.store.Entries(t.Context(), store.LogQuery{FixtureID: matchID})
	require.NoError(t, err)
	require.LessOrEqual(t, len(rows), searchRowsOfAGoal)
	require.Len(t, b.rows(oneGoal, footy.EntryQuery), 3, "each cause is told")
}

// TestAFortnightInWhichNothingCanBeFetched: the posts of many goals wait. What that costs is bounded for each goal, and nothing is left
// once their match is.
func TestAFortnightInWhichNothingCanBeFetched(t *testing.T) {
	t.Parallel()
	if !testing.Short() { // a day makes the same goroutines meet
		waits(t, 1, fortnight)
	}
	alone, many := waits(t, 1, fortnight/14), waits(t, 2, fortnight/14)
	require.InDelta(t, alone.downloads, many.downloads, 15, "of each goal")
	require.InDelta(t, alone.rows, many.rows, 15)
}

// cost is what a goal cost.
type cost struct{ downloads, rows int }

func waits(t *testing.T, goals int, long time.Duration) cost {
	t.Helper()
	b := newBench(t)
	var n atomic.Int64 // posts of two goals are fetched at once
	b.x.set(func(footy.Candidate) error {
		return []error{trouble(footy.ReasonFetchFailed), &footy.Error{Code: footy.CodeRejected, Op: "test", Reason: footy.ReasonDeleted}}[n.Add(1)/7%2]
	}, trouble(footy.ReasonFetchFailed))
	began := b.at
	const posts = 2
	for g := range goals {
		if uid := fmt.Sprintf("5000-%d", g+1); g > 0 {
			b.goal(uid, 10*g)
		}
	}
	for i := range posts { // a search finds some each minute
		for _, e := range b.match().Events {
			b.found(e, "", fmt.Sprintf("%s-%d", e.UID, i))
		}
		if i%2 == 1 {
			b.pass(time.Minute)
		}
	}
	for _, e := range b.match().Events {
		b.over(e.UID)
	}
	for b.at.Before(began.Add(long)) {
		b.cycle()
		open, err := b.store.Posts(t.Context(), store.PostQuery{Open: true})
		require.NoError(t, err)
		require.Len(t, open, goals*posts, "nothing is given up")
		next := open[0].NextTry
		for _, p := range open {
			require.LessOrEqual(t, p.NextTry.Sub(b.at), time.Hour, "it is tried again")
			if p.NextTry.Before(next) {
				next = p.NextTry
			}
		}
		b.at = b.at.Add(30 * time.Second)
		if b.at.Before(next) {
			b.at = next
		}
	}
	f := b.match()
	body, err := json.Marshal(f)
	require.NoError(t, err)
	require.Less(t, len(body), goals*bytesOfAGoalInTrouble)
	rows, err := b.store.Entries(t.Context(), store.LogQuery{FixtureID: matchID})
	require.NoError(t, err)
	require.LessOrEqual(t, len(rows), goals*posts*(1+waitingRowsOfAPost))
	out := cost{rows: len(rows) / goals}
	for _, e := range f.Events {
		require.LessOrEqual(t, e.Retries, downloadsOfAGoal)
		out.downloads += e.Retries
	}
	require.Len(t, b.engine.options, out.downloads, "an Upload for each Download")
	out.downloads /= goals

	b.pass(fortnight - long)
	require.Equal(t, 1, must[int](b, cleanup.Cleanup, nil))
	rows, err = b.store.Entries(t.Context(), store.LogQuery{})
	require.NoError(t, err)
	require.Empty(t, rows, "nothing outlives the match")
	left, err := b.store.Posts(t.Context(), store.PostQuery{All: true})
	require.NoError(t, err)
	require.Empty(t, left)
	return out
}
