package operator_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/operator"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// engine remembers what it was asked to start.
type engine struct {
	client.Client
	mu    sync.Mutex
	asked []client.StartWorkflowOptions
	fails error
}

func (e *engine) ExecuteWorkflow(_ context.Context, o client.StartWorkflowOptions, _ any, _ ...any) (client.WorkflowRun, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = append(e.asked, o)
	return nil, e.fails
}

func change(t *testing.T, o *operator.Operator, do func(*footy.Event)) {
	t.Helper()
	_, err := o.Store.Update(t.Context(), 5000, func(f *footy.Fixture) ([]footy.Entry, error) { do(f.Event(uid)); return nil, nil })
	require.NoError(t, err)
}

func TestSearchAgain(t *testing.T) {
	t.Parallel()
	again := func(t *testing.T, fails error) (*operator.Operator, *engine) {
		t.Helper()
		o, e := desk(t), &engine{fails: fails}
		o.Temporal, o.Timing = e, policy.Defaults()
		change(t, o, func(e *footy.Event) {
			e.DownloadComplete, e.CompletedAt = true, now
			e.Round = footy.Round{Number: 1, TakenUpBy: "twitter", Tries: 15, Searches: 1, EndedAt: now, End: footy.ReasonWindowOver}
			e.Team, e.Player, e.Minute = footy.Team{Name: "Liverpool"}, footy.Person{Name: "Salah"}, footy.Minute{Elapsed: 67}
		})
		return o, e
	}

	t.Run("it opens a round and starts its search with a run time-out", func(t *testing.T) {
		t.Parallel()
		o, e := again(t, nil)
		require.NoError(t, o.SearchAgain(t.Context(), uid))
		g := goal(t, o)
		require.Equal(t, 2, g.Round.Number)
		require.Zero(t, g.Round.Tries)
		require.Zero(t, g.Round.Searches)
		require.False(t, g.DownloadComplete)
		require.False(t, g.Round.TakenUp())
		require.True(t, g.Round.EndedAt.IsZero())
		require.Len(t, g.Clips, 3, "what was found stays")
		require.Len(t, e.asked, 1)
		require.Equal(t, g.Round.Workflow, e.asked[0].ID)
		require.Equal(t, 2*time.Hour, e.asked[0].WorkflowRunTimeout)
		require.Len(t, acts(t, o), 1)
	})

	t.Run("a start that fails leaves an open round, which Monitor starts", func(t *testing.T) {
		t.Parallel()
		o, _ := again(t, errors.New("connection refused"))
		require.Error(t, o.SearchAgain(t.Context(), uid))
		open, err := o.Store.List(t.Context(), store.FixtureQuery{Open: true})
		require.NoError(t, err)
		require.Len(t, open, 1)
		require.False(t, goal(t, o).Round.TakenUp())
		require.Equal(t, footy.CodeConflict, footy.CodeOf(o.SearchAgain(t.Context(), uid)), "and it is not opened twice")
		require.Equal(t, 2, goal(t, o).Round.Number)
	})

	t.Run("only for a goal that stands, by a process that reaches the engine", func(t *testing.T) {
		t.Parallel()
		o, _ := again(t, nil)
		change(t, o, func(e *footy.Event) { e.Removed = true })
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(o.SearchAgain(t.Context(), uid)))
		o.Temporal = nil
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(o.SearchAgain(t.Context(), uid)))
	})
}

// TestRestoreBringsARemovedGoalBack: that absences do not remove it again until the feed listed it is tested in
// decide/match/debounce.
func TestRestoreBringsARemovedGoalBack(t *testing.T) {
	t.Parallel()
	removed := func(t *testing.T, complete bool) *operator.Operator {
		t.Helper()
		o := desk(t)
		change(t, o, func(e *footy.Event) {
			e.Round.Number, e.DownloadComplete = 1, complete
			e.Removed, e.RemovedAt, e.RemovedReason, e.AbsentPolls = true, now, footy.ReasonVAR, []string{"a", "b", "c"}
			e.Clips[2].Hidden = true
		})
		return o
	}

	t.Run("with everything that was found, and it goes on searching", func(t *testing.T) {
		t.Parallel()
		o := removed(t, false)
		back, err := o.Restore(t.Context(), uid, "")
		require.NoError(t, err)
		require.True(t, back)
		g := goal(t, o)
		require.True(t, g.Standing())
		require.True(t, g.Kept)
		require.Empty(t, g.AbsentPolls)
		require.Empty(t, g.RemovedReason)
		require.True(t, g.RemovedAt.IsZero())
		require.Equal(t, 2, g.Round.Number)
		require.False(t, g.Round.TakenUp(), "Monitor starts its search")
		require.Len(t, g.VisibleClips(), 2, "hidden clips, too")
		require.Contains(t, explain.Row(acts(t, o)[0], nil), "brought it back")
	})

	t.Run("a complete one is not searched again", func(t *testing.T) {
		t.Parallel()
		o := removed(t, true)
		_, err := o.Restore(t.Context(), uid, "")
		require.NoError(t, err)
		require.Equal(t, 1, goal(t, o).Round.Number)
		require.True(t, goal(t, o).DownloadComplete)
	})

	t.Run("not by restoring one clip", func(t *testing.T) {
		t.Parallel()
		o := removed(t, false)
		back, err := o.Restore(t.Context(), uid, footy.ClipID(digest("c")))
		require.NoError(t, err)
		require.False(t, back)
		require.True(t, goal(t, o).Removed)
		require.False(t, goal(t, o).Clip(footy.ClipID(digest("c"))).Hidden)
	})

	t.Run("not when its bytes are gone: it says so", func(t *testing.T) {
		t.Parallel()
		o := removed(t, false)
		change(t, o, func(e *footy.Event) { e.Swept = true })
		_, err := o.Restore(t.Context(), uid, "")
		require.Equal(t, footy.CodeConflict, footy.CodeOf(err))
		require.True(t, goal(t, o).Removed)
		require.Empty(t, acts(t, o), "and nothing claims that it did")
	})
}

// other is a second match, one of whose goals has the same file as a.
func other(t *testing.T, o *operator.Operator) { elsewhere(t, o, "a") }

func elsewhere(t *testing.T, o *operator.Operator, id string) {
	t.Helper()
	d := digest(id)
	c := footy.Clip{ID: footy.ClipID(d), Digest: d, Key: blob.ClipPrefix + "other.mp4", PosterKey: blob.PosterPrefix + "other.jpg"}
	put(t, o, c.Key)
	put(t, o, c.PosterKey)
	require.NoError(t, o.Store.Add(t.Context(), footy.Fixture{ID: 5001, Stage: footy.StageCompleted, Match: footy.Match{ID: 5001, Kickoff: now},
		Events: []footy.Event{{UID: "5001-1", ID: "5001_1_2_Goal_1", Kind: footy.KindGoal, CertainAt: now, Clips: []footy.Clip{c}}, {UID: "5001-2", ID: "5001-2"}}}))
}

func TestATakedownReachesTheSameFileInAnotherFixture(t *testing.T) {
	t.Parallel()
	o := desk(t)
	other(t, o)
	ticks := now
	o.Now = func() time.Time { ticks = ticks.Add(time.Second); return ticks }
	require.NoError(t, o.TakeDown(t.Context(), "5000_1_2_Goal_1", footy.ClipID(digest("a")), "a claim")) // by its public name
	f, err := o.Store.Fixture(t.Context(), 5001)
	require.NoError(t, err)
	require.Empty(t, f.Events[0].VisibleClips())
	for _, key := range []string{blob.ClipPrefix + "other.mp4", blob.PosterPrefix + "other.jpg"} {
		_, err := o.Blob.Stat(t.Context(), key)
		require.True(t, footy.IsNotFound(err), key)
	}
	rows, err := o.Store.Entries(t.Context(), store.LogQuery{FixtureID: 5001, Kinds: []footy.EntryKind{footy.EntryOperator}})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Len(t, acts(t, o), 1, "once for each goal")
}

// TestATakedownReachesACopyInAnotherFixture: b was merged into a.
func TestATakedownReachesACopyInAnotherFixture(t *testing.T) {
	t.Parallel()
	o := desk(t)
	elsewhere(t, o, "b")
	require.NoError(t, o.TakeDown(t.Context(), uid, footy.ClipID(digest("a")), ""))
	f, err := o.Store.Fixture(t.Context(), 5001)
	require.NoError(t, err)
	require.Empty(t, f.Events[0].VisibleClips())
}

func TestTwoTakedownsOfTheSameBytesKeepBothTombstones(t *testing.T) {
	t.Parallel()
	o := desk(t)
	other(t, o)
	require.NoError(t, o.TakeDown(t.Context(), uid, footy.ClipID(digest("a")), "the first claim"))
	o.Now = func() time.Time { return now.Add(time.Hour) }
	require.NoError(t, o.TakeDown(t.Context(), "5001-1", footy.ClipID(digest("a")), "the second claim"))
	tombstones, err := o.Store.Tombstones(t.Context())
	require.NoError(t, err)
	byEvent := map[string]footy.Tombstone{}
	for _, s := range tombstones {
		if s.Digest == digest("a") {
			byEvent[s.EventUID] = s
		}
	}
	require.Len(t, byEvent, 2)
	require.Equal(t, "the first claim", byEvent[uid].Reason)
	require.Equal(t, now, byEvent[uid].At.UTC())
}

// TestATakedownThatWasKilledIsMadeGoodByTheNext: content that is out of sight, never content that returns.
func TestATakedownThatWasKilledIsMadeGoodByTheNext(t *testing.T) {
	t.Parallel()
	o := desk(t)
	other(t, o)
	files := o.Blob
	o.Blob = broken{files}
	a := footy.ClipID(digest("a"))
	require.Error(t, o.TakeDown(t.Context(), uid, a, "a claim"))
	require.True(t, goal(t, o).Clip(a).Hidden)
	tombstones, err := o.Store.Tombstones(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, tombstones, "it cannot come back meanwhile")
	o.Blob = files
	require.NoError(t, o.TakeDown(t.Context(), uid, a, "a claim"))
	for _, key := range []string{blob.ClipPrefix + "a.mp4", blob.ClipPrefix + "b.mp4", blob.ClipPrefix + "other.mp4"} {
		_, err := o.Blob.Stat(t.Context(), key)
		require.True(t, footy.IsNotFound(err), key)
	}
}

// broken is an object store that deletes nothing.
type broken struct{ blob.Store }

func (broken) Delete(context.Context, string) error {
	return footy.Errorf(footy.CodeUnavailable, "delete", "connection refused")
}
