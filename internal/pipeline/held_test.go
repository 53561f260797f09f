package pipeline_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// known lays clips of the goal that is stored.
func (b *bench) known(n int) {
	for i := range n {
		b.put(fmt.Sprintf("%s%s/known-%d.mp4", blob.ClipPrefix, oneGoal, i))
	}
}

// soon is the machine's time: objects carry it. The match is of today.
func (b *bench) soon() {
	b.at = time.Now().UTC()
	b.change(func(f *footy.Fixture) { f.Match.Kickoff = b.at })
}

func (b *bench) clean() {
	b.t.Helper()
	must[int](b, cleanup.Cleanup, nil)
	b.sweep()
}

func (b *bench) sweeps() cleanup.Sweeps {
	b.t.Helper()
	all, err := cleanup.LastSweeps(b.t.Context(), b.store)
	require.NoError(b.t, err)
	return all
}

// began says when the database did.
func (b *bench) began(at time.Time) {
	b.t.Helper()
	require.NoError(b.t, b.store.PutState(b.t.Context(), owner.StateKey, owner.Installation{ID: "a", Began: at}))
	require.NoError(b.t, b.store.PutState(b.t.Context(), cleanup.ClockKey, cleanup.Clock{At: b.at}))
}

func TestClipsThatNoRecordNamesAreAskedAboutWhereTheyAreMany(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.known(20)
	b.put(blob.ClipPrefix + "4711-1/a.mp4")
	b.put(blob.PosterPrefix + "4711-1/a.jpg")
	b.soon()
	b.clean()
	b.pass(25 * time.Hour)
	b.clean()
	require.Len(t, b.blob.keys(t.Context(), ""), 22)
	r := b.sweeps().Last[cleanup.Orphans]
	require.Equal(t, keeping.HeldShare, r.Held)
	require.Equal(t, keeping.Amount{Objects: 2, Bytes: 2}, r.Unknown)
	require.Equal(t, 22, r.Lies.Objects)
	require.Equal(t, []cleanup.Kind{cleanup.Orphans}, b.sweeps().Held())

	kinds, err := cleanup.Allow(t.Context(), b.store, b.at)
	require.NoError(t, err)
	require.Equal(t, []cleanup.Kind{cleanup.Orphans}, kinds)
	require.Empty(t, b.sweeps().Held())
	b.put(blob.ClipPrefix + "4712-1/a.mp4")
	b.sweep()
	require.Len(t, b.blob.keys(t.Context(), ""), 23, "more than was allowed")
	_, err = cleanup.Allow(t.Context(), b.store, b.at)
	require.NoError(t, err)
	b.sweep() // within a quarter of an hour, not once a day
	require.Len(t, b.blob.keys(t.Context(), ""), 20)
	r = b.sweeps().Last[cleanup.Orphans]
	require.Equal(t, keeping.Amount{Objects: 3, Bytes: 3}, r.Deleted)
	require.Empty(t, r.Held)
	b.put(blob.ClipPrefix + "4713-1/a.mp4")
	b.put(blob.ClipPrefix + "4713-1/b.mp4")
	b.clean()
	require.Len(t, b.blob.keys(t.Context(), ""), 22, "once")
}

func TestWhatIsOlderThanTheDatabaseIsAskedAbout(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.known(60)
	b.put(blob.ClipPrefix + "4711-1/a.mp4")
	b.put(blob.StagedFilm("stranger", ".mp4"))
	b.soon()
	b.pass(time.Minute)
	b.began(b.at)
	b.clean()
	b.pass(49 * time.Hour)
	b.clean()
	require.Len(t, b.blob.keys(t.Context(), ""), 62)
	for _, k := range []cleanup.Kind{cleanup.Orphans, cleanup.Staging} {
		require.Equal(t, keeping.HeldOlder, b.sweeps().Last[k].Held, k)
	}
	_, err := cleanup.Allow(t.Context(), b.store, b.at)
	require.NoError(t, err)
	b.clean()
	require.Len(t, b.blob.keys(t.Context(), ""), 60)
	require.Empty(t, b.sweeps().Held())
}

// TestACopyOfTheDatabaseOfHoursAgoDeletesNothingOfTheHoursThatItLacks: however few they are.
func TestACopyOfTheDatabaseOfHoursAgoDeletesNothingOfTheHoursThatItLacks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.known(60)
	b.put(blob.ClipPrefix + "4711-1/a.mp4") // now; the database was in use until three hours ago
	b.soon()
	b.began(b.at.AddDate(0, -1, 0))
	require.NoError(t, b.store.PutState(t.Context(), cleanup.SweepsKey, cleanup.Sweeps{Seen: b.at.Add(-3 * time.Hour)}))
	b.sweep()
	b.pass(25 * time.Hour)
	b.clean()
	require.Len(t, b.blob.keys(t.Context(), ""), 61)
	require.Equal(t, keeping.HeldMissed, b.sweeps().Last[cleanup.Orphans].Held)
}

func TestASmallInstallationIsNeverAsked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.model.set(nil, trouble(footy.ReasonModelUnreachable))
	in := b.open("1", "2")
	b.batch(in.Download, in) // two wait for the model, staged
	require.NotEmpty(t, b.blob.keys(t.Context(), blob.StagingPrefix))
	p, _ := ledger.Offered(matchID, footy.Event{UID: "5000-9"}, footy.Candidate{PostID: "9"}, b.now())
	require.NoError(t, b.store.AddPosts(t.Context(), []footy.Post{p}))
	b.put(blob.StillKey("5000-9", "x")) // of a goal that the feed took back at once
	b.put(blob.StagingPrefix + "write-test-x")
	b.put(blob.StagedFilm("of-a-worker-that-died", ".mp4"))
	b.soon()
	b.began(b.at.AddDate(0, -1, 0))
	b.clean()
	for range 3 { // it is off for a night
		b.pass(15 * time.Hour)
		b.clean()
		require.Empty(t, b.sweeps().Held())
	}
	require.Empty(t, b.blob.keys(t.Context(), blob.PosterPrefix+"5000-9/"))
	require.NotEmpty(t, b.blob.keys(t.Context(), blob.StagingPrefix), "open posts need it")
	b.change(func(f *footy.Fixture) { f.Match.Kickoff = b.at.AddDate(0, 0, -15) })
	b.clean()
	require.Empty(t, b.blob.keys(t.Context(), ""), "the only match is past its time, with what waited")
	require.Empty(t, b.sweeps().Held())
	require.Positive(t, b.sweeps().Last[cleanup.Expired].Deleted.Objects)
}

// TestPostsWaitForAClipStoreThatIsNotOurs: nothing is mixed with the clips of another, and nothing is lost.
func TestPostsWaitForAClipStoreThatIsNotOurs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	files := b.blob.Store
	require.NoError(t, owner.Mark(t.Context(), files, "another", "", time.Now()))
	b.began(kickoff)
	ours := owner.New(files, b.store, time.Now)
	b.blob.Store = ours
	in := b.open("1")
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"1": "waiting " + string(footy.ReasonStorage)}, b.states(oneGoal))
	b.clean()
	require.Equal(t, []string{blob.MarkKey}, (&bucket{Store: files}).keys(t.Context(), ""))
	require.NoError(t, ours.Adopt(t.Context()))
	b.settle(time.Hour)
	require.Len(t, b.event(oneGoal).Clips, 1)
}

// TestTheFirstLookOfADatabaseBelievesNoClock: what the clock said before may be lost.
func TestTheFirstLookOfADatabaseBelievesNoClock(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		began   time.Time
		deleted int
	}{
		"one of a month":       {kickoff.AddDate(0, -1, 0), 0},
		"nobody knows of when": {time.Time{}, 0},
		"a new one":            {kickoff.AddDate(0, 0, 14), 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.began(c.began)
			require.NoError(t, b.db.Delete(t.Context(), store.ServiceState, store.Filter{IDs: []string{cleanup.ClockKey}}))
			b.pass(15 * 24 * time.Hour)
			require.Equal(t, c.deleted, must[int](b, cleanup.Cleanup, nil))
			require.Equal(t, c.deleted, must[int](b, cleanup.Cleanup, nil)+c.deleted, "a second look is no proof")
		})
	}
}
