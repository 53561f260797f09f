package pipeline_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

func (b *bench) put(key string) {
	b.t.Helper()
	require.NoError(b.t, b.blob.Store.Put(b.t.Context(), key, bytes.NewReader([]byte("x")), 1, blob.Info{}))
}

func (b *bench) sweep() {
	b.t.Helper()
	must[any](b, cleanup.Sweep, timing())
}

func TestStagingThatAnOpenPostRefersToIsNeverSwept(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.model.set(nil, trouble(footy.ReasonModelUnreachable))
	in := b.open("1")
	b.batch(in.Download, in)
	b.put(blob.StagingPrefix + "stranger/clip.mp4")
	staged := len(b.blob.keys(t.Context(), blob.StagingPrefix+digest("1")+"/"))
	require.Positive(t, staged)
	b.at = time.Now().UTC() // objects carry the machine's time
	b.sweep()
	require.Len(t, b.blob.keys(t.Context(), blob.StagingPrefix), staged+1, "a worker may be about to write down that it has them")
	b.pass(26 * time.Hour)
	b.sweep()
	require.Len(t, b.blob.keys(t.Context(), blob.StagingPrefix), staged, "only what nothing refers to")
	b.model.set(nil, nil)
	b.over(oneGoal)
	b.settle(time.Hour)
	require.Len(t, b.event(oneGoal).Clips, 1)
	b.sweep()
	require.Empty(t, b.blob.keys(t.Context(), blob.StagingPrefix), "its bytes lie with the clip")
	require.NotEmpty(t, b.blob.keys(t.Context(), blob.ClipPrefix))
}

func TestARemovedGoalKeepsItsBytesForADay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1")
	b.batch(in.Download, in)
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Removed, e.RemovedAt = true, b.now() })
	b.pass(24*time.Hour - time.Minute)
	b.sweep()
	require.Len(t, b.event(oneGoal).Clips, 1)
	require.NotEmpty(t, b.blob.keys(t.Context(), blob.ClipPrefix+oneGoal+"/"))
	b.pass(time.Minute)
	b.blob.set(4, false, nil) // killed while it deletes: the mark is there, the clips still name their bytes
	_, err := do[any](b, cleanup.Sweep, timing())
	require.ErrorContains(t, err, killed)
	b.blob.set(0, false, nil)
	b.sweep()
	e := b.event(oneGoal)
	require.True(t, e.Swept)
	require.Empty(t, e.Clips)
	require.Empty(t, b.blob.keys(t.Context(), blob.ClipPrefix))
	require.Empty(t, b.blob.keys(t.Context(), blob.PosterPrefix))
}

func TestPostsOfARemovedGoalEndWhenItsTimeIsOver(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.model.set(nil, trouble(footy.ReasonModelUnreachable))
	in := b.open("1")
	b.batch(in.Download, in)
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Removed, e.RemovedAt = true, b.now() })
	b.pass(24 * time.Hour)
	b.sweep()
	b.reconcile()
	require.Equal(t, map[string]string{"1": "refused event_gone"}, b.states(oneGoal))
}

// TestRetiredCopiesGoOnceTheGoalIsComplete: also where Upload died before it could.
func TestRetiredCopiesGoOnceTheGoalIsComplete(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.film = map[string]string{"1": "film/a", "2": "film/b"} // two cuts of the same footage
	in := b.open("1", "2")
	b.batch(in.Download, in)
	e := b.event(oneGoal)
	require.Len(t, e.Clips, 2)
	b.sweep()
	require.Len(t, b.blob.keys(t.Context(), blob.ClipPrefix), 2, "the goal is not complete")
	b.changeEvent(oneGoal, func(e *footy.Event) { e.DownloadComplete = true })
	b.sweep()
	left := b.blob.keys(t.Context(), blob.ClipPrefix)
	require.Len(t, left, 1)
	for _, c := range b.event(oneGoal).Clips {
		require.Equal(t, c.ReplacedBy != "", c.Swept)
		if !c.Swept {
			require.Equal(t, c.Key, left[0])
		}
	}
	require.ElementsMatch(t, []string{"published", "merged"}, []string{b.states(oneGoal)["1"], b.states(oneGoal)["2"]})
}

// TestCopiesWhoseSweeperDiedGoWithTheNextSweep: it died after it had marked them, before it deleted their bytes.
func TestCopiesWhoseSweeperDiedGoWithTheNextSweep(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.film = map[string]string{"1": "film/a", "2": "film/b"}
	in := b.open("1", "2")
	b.batch(in.Download, in)
	b.changeEvent(oneGoal, func(e *footy.Event) {
		e.DownloadComplete = true
		for i := range e.Clips {
			e.Clips[i].Swept = e.Clips[i].ReplacedBy != ""
		}
	})
	b.sweep()
	require.Len(t, b.blob.keys(t.Context(), blob.ClipPrefix), 1)
}

func TestRetentionTakesEverythingOfAFixture(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1", "2")
	b.over(oneGoal)
	b.batch(in.Download, in)
	other := footy.Fixture{ID: 5001, Stage: footy.StageCompleted, Match: footy.Match{ID: 5001, Kickoff: kickoff.AddDate(0, 0, 1)}, Events: []footy.Event{{UID: "5001-1", ID: "5001-1"}}}
	require.NoError(t, b.store.Add(t.Context(), other, footy.Entry{Key: "5001-1/new", FixtureID: 5001, EventUID: "5001-1", At: b.now(), Kind: footy.EntryNew}))
	p, _ := ledger.Offered(5001, other.Events[0], footy.Candidate{PostID: "1"}, b.now())
	require.NoError(t, b.store.AddPosts(t.Context(), []footy.Post{p}))
	require.NoError(t, b.store.PutFingerprint(t.Context(), footy.StoredFingerprint{ClipID: "c", EventUID: "5001-1", FixtureID: 5001}))
	b.put(blob.ClipPrefix + "5001-1/c.mp4")
	b.at = kickoff.Add(14*24*time.Hour + time.Hour)
	b.blob.set(3, false, nil)
	_, err := do[int](b, cleanup.Cleanup, nil)
	require.ErrorContains(t, err, killed)
	b.blob.set(0, false, nil)
	require.Equal(t, 1, must[int](b, cleanup.Cleanup, nil), "a try that died is made good")
	_, err = b.store.Fixture(t.Context(), matchID)
	require.True(t, footy.IsNotFound(err))
	require.Empty(t, b.posts(oneGoal))
	require.Empty(t, b.blob.keys(t.Context(), blob.ClipPrefix+oneGoal+"/"))
	require.Empty(t, b.blob.keys(t.Context(), blob.PosterPrefix+oneGoal+"/"))
	rows, err := b.store.Entries(t.Context(), store.LogQuery{FixtureID: matchID})
	require.NoError(t, err)
	require.Empty(t, rows)
	prints, err := b.store.Fingerprints(t.Context(), oneGoal)
	require.NoError(t, err)
	require.Empty(t, prints)

	rows, err = b.store.Entries(t.Context(), store.LogQuery{FixtureID: 5001})
	require.NoError(t, err)
	require.Len(t, rows, 1, "the next day's match stays")
	require.Len(t, b.posts("5001-1"), 1)
	prints, err = b.store.Fingerprints(t.Context(), "5001-1")
	require.NoError(t, err)
	require.Len(t, prints, 1)
	require.Len(t, b.blob.keys(t.Context(), blob.ClipPrefix), 1)
}

// TestWorkOfAFixtureThatRetentionTookEndsQuietly: a workflow may still be under way.
func TestWorkOfAFixtureThatRetentionTookEndsQuietly(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1")
	e := b.event(oneGoal)
	b.at = kickoff.Add(15 * 24 * time.Hour)
	must[int](b, cleanup.Cleanup, nil)
	require.NoError(t, b.run(in.Download, download.Workflow, in, nil))
	b.upload()
	require.Equal(t, round.Done, b.engine.status[in.Download])
	require.NotEqual(t, round.Dead, b.engine.status[e.UploadWorkflow])
	require.Empty(t, b.posts(oneGoal))
}

func TestBytesOfNoGoalThatIsStoredAreDeleted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1")
	b.over(oneGoal)
	b.batch(in.Download, in)
	b.put(blob.ClipPrefix + "4711-1/left.mp4")
	b.put(blob.PosterPrefix + "4711-1/left.jpg")
	for n := range 60 { // what is deleted is few of many
		b.put(fmt.Sprintf("%s%s/%d.mp4", blob.ClipPrefix, oneGoal, n))
	}
	kept := len(b.blob.keys(t.Context(), blob.ClipPrefix+oneGoal+"/"))
	b.at = time.Now().UTC() // objects carry the machine's time
	b.change(func(f *footy.Fixture) { f.Match.Kickoff = b.at })
	must[int](b, cleanup.Cleanup, nil)
	require.Len(t, b.blob.keys(t.Context(), blob.ClipPrefix), kept+1, "somebody may be about to write down what it belongs to")
	b.pass(25 * time.Hour)
	must[int](b, cleanup.Cleanup, nil)
	require.Len(t, b.blob.keys(t.Context(), blob.ClipPrefix), kept)
	require.Empty(t, b.blob.keys(t.Context(), blob.PosterPrefix+"4711-1/"))
	require.Len(t, b.blob.keys(t.Context(), blob.ClipPrefix+oneGoal+"/"), kept)
}

// TestRetentionDoesNotBelieveAClockThatJumped: 15 days ahead everything was old, and deleted.
func TestRetentionDoesNotBelieveAClockThatJumped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	deleted := func() int { return must[int](b, cleanup.Cleanup, nil) }
	b.sweep()
	right := b.at
	b.pass(15 * 24 * time.Hour)
	for range 2 { // to stay wrong is no proof
		b.sweep()
		require.Zero(t, deleted())
		b.pass(24 * time.Hour)
	}
	b.event(oneGoal)

	b.at = right.Add(time.Hour) // put right
	require.True(t, b.old.SweepDue(t.Context(), b.at), "the last sweep lies in the future")
	b.sweep()
	var clock cleanup.Clock
	require.NoError(t, b.store.State(t.Context(), cleanup.ClockKey, &clock))
	require.True(t, clock.Doubted.IsZero())

	b.pass(15 * 24 * time.Hour) // this time the program was off
	require.Zero(t, deleted())
	played := footy.Fixture{ID: 5001, Stage: footy.StageCompleted, Match: footy.Match{ID: 5001, Kickoff: b.at.Add(-3 * time.Hour), Status: footy.Status{Code: "NS"}}}
	require.NoError(t, b.store.Add(t.Context(), played))
	require.Zero(t, deleted(), "a plan for the day is no proof")
	_, err := b.store.Update(t.Context(), 5001, func(f *footy.Fixture) ([]footy.Entry, error) { f.Match.Status.Code = "FT"; return nil, nil })
	require.NoError(t, err)
	require.Equal(t, 1, deleted(), "a match that was played is")
}
