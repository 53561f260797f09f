package monitor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// faulty is a store that counts how often a fact is written, and fails to move one post.
type faulty struct {
	store.Store
	stuck string
	put   int
}

func (f *faulty) PutState(ctx context.Context, key string, value any) error {
	f.put++
	return f.Store.PutState(ctx, key, value)
}

func (f *faulty) Advance(ctx context.Context, uid, postID string, move func(footy.Post) (footy.Post, []footy.Entry, error)) (footy.Post, error) {
	if postID == f.stuck {
		return footy.Post{}, footy.Errorf(footy.CodeUnavailable, "write", "the database is away")
	}
	return f.Store.Advance(ctx, uid, postID, move)
}

// oneStuck is what a reconcile step answers over two due posts of a goal, and others, one of which cannot be written.
func oneStuck(t *testing.T, stuck string, others ...footy.Post) (*bench, monitor.Todo) {
	t.Helper()
	b := newBench(t)
	b.acts.Status = unknown{}.Status
	b.add(footy.StageActive, match(1, 1))
	_, err := b.store.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := footy.Event{UID: "1-1", ID: "1_1_1_Goal_1", CertainAt: b.now}
		round.Begin(&e, b.now)
		round.End(&e, 1, footy.ReasonWindowOver, b.now)
		f.Events = []footy.Event{e}
		return nil, nil
	})
	require.NoError(t, err)
	require.NoError(t, b.store.AddPosts(t.Context(), append(others,
		footy.Post{EventUID: "1-1", PostID: "7", FixtureID: 1, State: footy.PostOffered},
		footy.Post{EventUID: "1-1", PostID: "8", FixtureID: 1, State: footy.PostOffered})))
	b.acts.Store = &faulty{Store: b.store, stuck: stuck}
	out, err := b.env.ExecuteActivity(b.acts.Reconcile, monitor.ReconcileInput{Poll: "p", Timing: policy.Defaults()})
	require.NoError(t, err)
	var todo monitor.Todo
	require.NoError(t, out.Get(&todo))
	return b, todo
}

func TestAPostThatCannotBeClaimedKeepsNoOtherFromItsDownload(t *testing.T) {
	t.Parallel()
	for claimed, stuck := range map[string]string{"7": "8", "8": "7"} {
		b, todo := oneStuck(t, stuck)
		require.Equal(t, 1, todo.Failed)
		p, err := b.store.Post(t.Context(), "1-1", claimed)
		require.NoError(t, err)
		if p.Download == "" {
			require.Empty(t, todo.Downloads, "it is free for the next cycle")
			continue
		}
		require.Len(t, todo.Downloads, 1, "no other may have %s before its lease is over", claimed)
		require.Equal(t, p.Download, todo.Downloads[0].WorkflowID)
	}
}

func TestALostPostThatCannotBeEndedStopsNoDownload(t *testing.T) {
	t.Parallel()
	lost := func(id string) footy.Post {
		return footy.Post{EventUID: "2-1", PostID: id, FixtureID: 2, State: footy.PostOffered}
	}
	b, todo := oneStuck(t, "9", lost("9"), lost("91"))
	require.Len(t, todo.Downloads, 1)
	require.Equal(t, 1, todo.Failed)
	p, err := b.store.Post(t.Context(), "2-1", "91")
	require.NoError(t, err)
	require.Equal(t, footy.PostRefused, p.State, "the others are ended")
}
