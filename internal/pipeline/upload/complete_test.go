package upload_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// late writes a post and touches the fixture right after the ledger was first read, as another worker may.
type late struct {
	store.Store
	post footy.Post
	done bool
}

func (l *late) Posts(ctx context.Context, q store.PostQuery) ([]footy.Post, error) {
	found, err := l.Store.Posts(ctx, q)
	if err != nil || l.done {
		return found, err
	}
	l.done = true
	if err := l.AddPosts(ctx, []footy.Post{l.post}); err != nil {
		return nil, err
	}
	_, err = l.Store.Update(ctx, l.post.FixtureID, func(f *footy.Fixture) ([]footy.Entry, error) { f.UpdatedAt = l.post.FirstSeen; return nil, nil })
	return found, err
}

// TestAPostThatComesWhileItsGoalIsCompletedKeepsItOpen: completion counted posts first and wrote afterwards.
func TestAPostThatComesWhileItsGoalIsCompletedKeepsItOpen(t *testing.T) {
	t.Parallel()
	s, _, _, publish := accepted(t)
	publish()
	now := time.Date(2026, 11, 14, 15, 40, 0, 0, time.UTC)
	f, err := s.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Events[0].Round.Searches = 10
		return nil, nil
	})
	require.NoError(t, err)
	post, _ := ledger.Offered(1, f.Events[0], footy.Candidate{PostID: "200"}, now)
	l := &late{Store: s, post: post}
	complete, err := upload.Complete(t.Context(), l, upload.Input{FixtureID: 1, EventUID: "1-1", Timing: policy.Defaults()}, now)
	require.NoError(t, err)
	require.True(t, l.done)
	require.False(t, complete)
	f, err = s.Fixture(t.Context(), 1)
	require.NoError(t, err)
	require.False(t, f.Events[0].DownloadComplete)
}
