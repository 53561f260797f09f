package operator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

func TestAnOperatorTriesPostsAgainOrGivesThemUp(t *testing.T) {
	t.Parallel()
	o := desk(t)
	add := func(id string, state footy.PostState, cause footy.Reason) {
		p := footy.Post{EventUID: uid, PostID: id, FixtureID: 5000, State: state, Reason: cause, Tries: 7, FirstSeen: now, ChangedAt: now,
			WaitingSince: now.Add(-time.Hour), NextTry: now.Add(time.Hour), Detail: "503"}
		require.NoError(t, o.Store.AddPosts(t.Context(), []footy.Post{p}))
	}
	add("1", footy.PostWaiting, footy.ReasonStorage)
	add("2", footy.PostWaiting, footy.ReasonStorage)
	add("3", footy.PostWaiting, footy.ReasonModelJunk)
	add("4", footy.PostFetching, footy.ReasonStorage)
	post := func(id string) footy.Post {
		p, err := o.Store.Post(t.Context(), uid, id)
		require.NoError(t, err)
		return p
	}

	n, err := o.Retry(t.Context(), ledger.Selection{Cause: footy.ReasonStorage})
	require.NoError(t, err)
	require.Equal(t, 2, n, "one is being tried already, one waits for something else")
	require.Equal(t, now, post("1").NextTry.UTC())
	require.Zero(t, post("1").Tries)
	require.Equal(t, footy.PostWaiting, post("1").State)
	require.Equal(t, now.Add(time.Hour), post("3").NextTry.UTC())

	n, err = o.GiveUp(t.Context(), ledger.Selection{EventUID: uid, PostID: "3"})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, footy.PostRefused, post("3").State)
	require.Equal(t, footy.ReasonGaveUp, post("3").Reason)
	rows, err := o.Store.Entries(t.Context(), store.LogQuery{FixtureID: 5000, EventUID: uid, Kinds: []footy.EntryKind{footy.EntryRejected}})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, footy.ReasonGaveUp, rows[0].Reason)
	require.Equal(t, footy.ReasonModelJunk, rows[0].Data.WaitedFor)

	_, err = o.GiveUp(t.Context(), ledger.Selection{EventUID: uid, PostID: "3"})
	require.True(t, footy.IsNotFound(err), "it has ended")
	for _, wrong := range []ledger.Selection{{}, {EventUID: uid}, {PostID: "1"}, {Cause: "weather"}} {
		_, err = o.GiveUp(t.Context(), wrong)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	}
	require.Equal(t, footy.PostWaiting, post("1").State)
}

// TestAnOperatorEndsTheRestOfTheFetch: posts that are tried again because nothing was fetched must be let through.
func TestAnOperatorEndsTheRestOfTheFetch(t *testing.T) {
	t.Parallel()
	o := desk(t)
	rests := source.FetchHealth{Reason: footy.ReasonDeleted, Failed: []string{"1"}, RestingSince: now, Known: &footy.Candidate{PostID: "7"}}
	resting := func() (out []bool) {
		for _, at := range source.Places {
			var h source.FetchHealth
			if err := o.Store.State(t.Context(), at.FetchHealthKey(), &h); !footy.IsNotFound(err) {
				require.NoError(t, err)
			}
			out = append(out, fetchhealth.Resting(h))
		}
		return out
	}
	require.NoError(t, o.Store.PutState(t.Context(), source.OnX.FetchHealthKey(), rests))
	_, err := o.Retry(t.Context(), ledger.Selection{Cause: footy.ReasonStorage})
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, resting(), "that has nothing to do with it")
	_, err = o.GiveUp(t.Context(), ledger.Selection{Cause: footy.ReasonFetchResting})
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, resting())
	_, err = o.Retry(t.Context(), ledger.Selection{Cause: footy.ReasonFetchResting})
	require.NoError(t, err)
	require.Equal(t, []bool{false, false}, resting())
}

func TestRestoreSaysWhetherItBroughtTheGoalBack(t *testing.T) {
	t.Parallel()
	o := desk(t)
	_, err := o.Store.Update(t.Context(), 5000, func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Events[0].Removed, f.Events[0].RemovedReason, f.Events[0].RemovedAt = true, footy.ReasonVAR, now
		return nil, nil
	})
	require.NoError(t, err)
	back, err := o.Restore(t.Context(), uid, "")
	require.NoError(t, err)
	require.True(t, back)
	require.False(t, goal(t, o).Removed)
	require.True(t, goal(t, o).Kept)
	back, err = o.Restore(t.Context(), uid, "")
	require.NoError(t, err)
	require.False(t, back, "it stands already: only its clips are in sight")
}
