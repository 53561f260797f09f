package monitor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/stretchr/testify/require"
)

// What belongs to a document that cannot be read is not abandoned: the document may come back from a backup.
func TestWhatADamagedDocumentMayNeedStays(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	clips, err := dir.Open(t.TempDir())
	require.NoError(t, err)
	b.acts.Cleanup.Blob, b.acts.Cleanup.Keep.Staging = clips, 0
	b.now = time.Now().UTC().Add(time.Hour)
	b.add(footy.StageActive, match(1, 0))
	require.NoError(t, b.store.AddPosts(t.Context(), []footy.Post{
		{EventUID: "1-1", PostID: "7", FixtureID: 1, State: footy.PostOffered},
		{EventUID: "1-1", PostID: "8", FixtureID: 1, State: footy.PostFetched, Media: &footy.Media{Digest: "d"}},
		{EventUID: "2-1", PostID: "9", FixtureID: 2, State: footy.PostOffered},
	}))
	key := blob.StagingPrefix + "d/clip.mp4"
	require.NoError(t, clips.Put(t.Context(), key, strings.NewReader("x"), 1, blob.Info{}))
	b.ruin(store.FixturesColl, "1")
	b.ruin(store.PostsColl, "1-1/8")

	_, err = b.env.ExecuteActivity(b.acts.Reconcile, monitor.ReconcileInput{})
	require.NoError(t, err)
	p, err := b.store.Post(t.Context(), "1-1", "7")
	require.NoError(t, err)
	require.Equal(t, footy.PostOffered, p.State, "its match is there")
	p, err = b.store.Post(t.Context(), "2-1", "9")
	require.NoError(t, err)
	require.Equal(t, footy.PostRefused, p.State, "its match is gone")

	_, err = b.env.ExecuteActivity(b.acts.Cleanup.Sweep, policy.Timing{})
	require.NoError(t, err)
	_, err = clips.Stat(t.Context(), key)
	require.NoError(t, err)
}

// One unreadable snapshot stood between every match of a call and its poll.
func TestADamagedSnapshotFailsNoPoll(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, id := range []int64{1, 2} {
		b.add(footy.StageActive, match(id, 0))
	}
	b.feed.list(match(1, 0), match(2, 0))
	b.cycle(0, false, 1, 2)
	b.ruin(store.FixturesLive, "1")
	b.feed.list(match(1, 1), match(2, 1))
	p, err := b.poll("p1", 1, 2)
	require.NoError(t, err)
	require.ElementsMatch(t, []int64{1, 2}, p.Changed)
	require.Empty(t, p.Failed)
}

// ruin makes a document unreadable.
func (b *bench) ruin(c store.Collection, id string) {
	b.t.Helper()
	d, err := b.back.Find(b.t.Context(), c, id)
	require.NoError(b.t, err)
	d.Body = []byte("{bad json")
	require.NoError(b.t, b.back.Upsert(b.t.Context(), c, []store.Doc{d}))
}
