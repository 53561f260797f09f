package pipeline_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/archive"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

const (
	olderMatch = int64(4000)
	olderGoal  = "4000-1"
)

// older stores a match of half a year ago that is over, with one clip of a film.
func (b *bench) older(film string, change func(*footy.Fixture)) {
	b.t.Helper()
	began := time.Date(2026, 5, 3, 15, 0, 0, 0, time.UTC)
	id := footy.ClipID(digest(film))
	f := footy.Fixture{ID: olderMatch, Stage: footy.StageCompleted, Match: footy.Match{ID: olderMatch, Kickoff: began},
		Teams: footy.Teams{Home: footy.Team{ID: 42, Name: "Arsenal"}, Away: footy.Team{ID: 49, Name: "Chelsea"}},
		Events: []footy.Event{{UID: olderGoal, ID: olderGoal, Kind: footy.KindGoal, Minute: footy.Minute{Elapsed: 12}, Player: footy.Person{ID: 7, Name: "Bukayo Saka"}, DownloadComplete: true,
			Clips: []footy.Clip{{ID: id, Digest: digest(film), Verified: true, AddedAt: began.Add(time.Hour)}}}}}
	if change != nil {
		change(&f)
	}
	require.NoError(b.t, b.store.Add(b.t.Context(), f))
	require.NoError(b.t, b.store.PutFingerprint(b.t.Context(), footy.StoredFingerprint{ClipID: id, EventUID: olderGoal, FixtureID: olderMatch, Digest: digest(film), Fingerprint: printOf(film)}))
}

// archive has the worker look whether a post is old footage.
func (b *bench) archive() *archive.Archive {
	b.t.Helper()
	a := archive.Open(filepath.Join(b.t.TempDir(), "archive"), b.store, b.now)
	b.t.Cleanup(func() { _ = a.Close() })
	b.down.Archive = a
	return a
}

// TestOldFootageIsRefused: the model would read the goal's minute in it, and nobody is asked.
func TestOldFootageIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := newCinema(b)
	b.older("old", nil)
	require.NoError(t, b.archive().Sync(t.Context()))
	b.x.film = map[string]string{"1": "old", "2": "old/another file", "3": "old/part", "4": "goal/1"}
	in := b.open("1", "2", "3", "4")
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"1": "refused old_footage", "2": "refused old_footage", "3": "refused old_footage", "4": "published"}, b.states(oneGoal))
	require.Equal(t, map[string]int{"goal/1": 1}, c.asked)
	for _, r := range b.rows(oneGoal, footy.EntryRejected) {
		require.Equal(t, footy.ReasonOldFootage, r.Reason)
		require.Equal(t, olderMatch, r.Data.Old.FixtureID)
		require.Equal(t, olderGoal, r.Data.Old.EventUID)
		require.True(t, r.Data.Old.Match.Same)
		require.Equal(t, "Old footage: this is Arsenal - Chelsea of 3 May 2026 (Bukayo Saka 12'). We had it before this match began", explain.Row(r, nil))
		require.NotEmpty(t, r.Data.PosterKey)
	}
	p := b.post(oneGoal, "1")
	require.Equal(t, "Old footage: this is Arsenal - Chelsea of 3 May 2026 (Bukayo Saka 12'). We had it before this match began", explain.Post(p, nil))
}

// TestOldFootageIsKnownWhenItsMatchIsForgotten: what was verified stays for a while, as a fingerprint and the match's names.
func TestOldFootageIsKnownWhenItsMatchIsForgotten(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	newCinema(b)
	b.older("old", nil)
	f, err := b.store.Fixture(t.Context(), olderMatch)
	require.NoError(t, err)
	b.old.Keep.Archive = 365 * 24 * time.Hour
	require.NoError(t, b.old.Erase(t.Context(), f))
	_, err = b.store.Fixture(t.Context(), olderMatch)
	require.True(t, footy.IsNotFound(err))
	require.NoError(t, b.archive().Sync(t.Context()))
	b.x.film = map[string]string{"1": "old/another file"}
	in := b.open("1")
	b.batch(in.Download, in)
	require.Equal(t, "refused old_footage", b.states(oneGoal)["1"])
	require.Equal(t, "Chelsea", b.post(oneGoal, "1").Old.Away)
}

// TestWhatProvesNothingRefusesNothing: a look-alike, and what may have been filmed at this match.
func TestWhatProvesNothingRefusesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		film   string
		change func(*footy.Fixture)
	}{
		"other footage":                      {"goal", nil},
		"more than the old clip shows":       {"old/and/more", nil},
		"a clip whose moment is not proven":  {"old", func(f *footy.Fixture) { f.Events[0].Clips[0].Verified = false }},
		"a clip that was kept since kickoff": {"old", func(f *footy.Fixture) { f.Events[0].Clips[0].AddedAt = kickoff.Add(time.Minute) }},
		"a match that is under way":          {"old", func(f *footy.Fixture) { f.Stage = footy.StageActive }},
		"a goal that was removed":            {"old", func(f *footy.Fixture) { f.Events[0].Removed = true }},
	} {
		b := newBench(t)
		newCinema(b)
		b.older("old", c.change)
		require.NoError(t, b.archive().Sync(t.Context()))
		b.x.film = map[string]string{"1": c.film}
		in := b.open("1")
		b.batch(in.Download, in)
		require.Equal(t, map[string]string{"1": "published"}, b.states(oneGoal), name)
	}
}

// TestAnArchiveThatCannotLookRefusesNothing: it is made anew, or its store fails.
func TestAnArchiveThatCannotLookRefusesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	newCinema(b)
	b.older("old", nil)
	b.archive() // nobody has held it against the store
	b.x.film = map[string]string{"1": "old"}
	in := b.open("1")
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"1": "published"}, b.states(oneGoal))
}

// TestOldFootageAmongMany: where clips are looked up, and not compared one by one.
func TestOldFootageAmongMany(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	newCinema(b)
	b.older("old", nil)
	for i := range 160 {
		film := fmt.Sprintf("film%d", i)
		require.NoError(t, b.store.PutFingerprint(t.Context(), footy.StoredFingerprint{ClipID: film, EventUID: "3000-1", FixtureID: 3000, Fingerprint: printOf(film)}))
	}
	require.NoError(t, b.archive().Sync(t.Context()))
	b.x.film = map[string]string{"1": "old/another file", "2": "goal/1"}
	in := b.open("1", "2")
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"1": "refused old_footage", "2": "published"}, b.states(oneGoal))
}
