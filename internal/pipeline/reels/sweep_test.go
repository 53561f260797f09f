package reels_test

import (
	"bytes"
	"context"
	"encoding/json"
	"path"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/reels"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// sweep runs the sweep as of some time from now: objects carry the machine's time.
func (b *bench) sweep(t *testing.T, later time.Duration) (left []string) {
	t.Helper()
	env := enginetest.Activity()
	old := &cleanup.Activities{Store: b.store, Blob: b.Blob, Keep: cleanup.Defaults(), Now: func() time.Time { return time.Now().Add(later) },
		Anew: func(_ context.Context, s reel.Scope, asked time.Duration) error {
			b.anew = append(b.anew, reel.Job(s, asked))
			return b.refuse
		}}
	env.RegisterActivity(old.Sweep)
	_, err := env.ExecuteActivity(old.Sweep, policy.Timing{})
	require.NoError(t, err)
	require.NoError(t, b.Blob.List(t.Context(), blob.ReelPrefix, func(at blob.Attributes) error { left = append(left, at.Key); return nil }))
	return left
}

func TestReelsGoWithWhatTheyShow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.make(t)
	require.NoError(t, err)
	require.Len(t, b.sweep(t, 0), 5, "two pieces, film, picture and record")
	require.Len(t, b.sweep(t, reels.Workflow.Limit()-time.Minute), 5, "another reel may be being made of the pieces")
	require.Len(t, b.sweep(t, 25*time.Hour), 3, "pieces are for reels that are being made")

	b.change(t, func(f *footy.Fixture) { f.Events[0].Player.Name = "Another" })
	require.Len(t, b.sweep(t, 0), 3, "outdated, but somebody may be watching it")
	require.Empty(t, b.sweep(t, 2*time.Hour))

	require.NoError(t, b.Blob.Put(t.Context(), blob.ReelKey("half", blob.ReelFilm), bytes.NewReader([]byte("x")), 1, blob.Info{}))
	require.Len(t, b.sweep(t, 0), 1, "it is being made")
	require.Empty(t, b.sweep(t, 2*time.Hour))

	r, err := b.make(t)
	require.NoError(t, err)
	b.change(t, func(f *footy.Fixture) { f.Events[1].Removed = true })
	b.sweep(t, 0)
	_, err = b.Blob.Stat(t.Context(), blob.ReelKey(r.Plan.Key, blob.ReelFilm))
	require.True(t, footy.IsNotFound(err), "a goal that was taken back is seen no more")
}

func TestAnOutdatedReelStaysWhileItIsWatched(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r, err := b.make(t)
	require.NoError(t, err)
	b.sweep(t, 25*time.Hour) // its pieces
	b.change(t, func(f *footy.Fixture) { f.Events[0].Player.Name = "Another" })
	mark := blob.ReelKey(r.Plan.Key, blob.ReelWatched)
	require.NoError(t, b.Blob.Put(t.Context(), mark, bytes.NewReader(nil), 0, blob.Info{}))
	b.dated = map[string]time.Time{mark: time.Now().Add(90 * time.Minute)}
	require.Len(t, b.sweep(t, 2*time.Hour), 4, "film, picture, record, and that it was watched half an hour ago")
	require.Empty(t, b.sweep(t, 3*time.Hour))
}

// stored keeps the reel of a scope as it would be made now, made that long ago.
func (b *bench) stored(t *testing.T, kind reel.Kind, id int64, before time.Duration) string {
	t.Helper()
	s, err := reel.ScopeOf(kind, id, "2026-11-14", time.UTC)
	require.NoError(t, err)
	f, err := b.store.Fixture(t.Context(), 7)
	require.NoError(t, err)
	p := reel.Make(s, 0, []footy.Fixture{f})
	record, err := json.Marshal(reel.Record{Plan: p})
	require.NoError(t, err)
	for name, data := range map[string][]byte{blob.ReelFilm: nil, blob.ReelRecord: record} {
		key := blob.ReelKey(p.Key, name)
		require.NoError(t, b.Blob.Put(t.Context(), key, bytes.NewReader(data), int64(len(data)), blob.Info{}))
		b.dated[key] = time.Now().Add(-before)
	}
	return blob.ReelKey(p.Key, blob.ReelFilm)
}

func TestReelsThatAreTooManyGo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.dated = map[string]time.Time{}
	day, team := b.stored(t, reel.OfDay, 0, 20*time.Minute), b.stored(t, reel.OfTeam, 1, 6*time.Hour)
	match, league := b.stored(t, reel.OfMatch, 7, time.Minute), b.stored(t, reel.OfLeague, 78, 9*time.Hour)
	left := func() (films []string) {
		for _, key := range b.sweep(t, 0) {
			if path.Base(key) == blob.ReelFilm {
				films = append(films, key)
			}
		}
		return films
	}
	require.ElementsMatch(t, []string{day, team, match, league}, left())
	b.heavy = reel.Budget / 4 // a quarter is for what is made until the next sweep
	require.ElementsMatch(t, []string{day, match}, left(), "four with their records are more than three quarters, and so are three")
	b.heavy = reel.Budget
	require.Equal(t, []string{match}, left(), "it is watched")
}

func TestAmongReelsThatAreTooManyOutdatedOnesGoFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.dated = map[string]time.Time{}
	unseen, seen := b.stored(t, reel.OfDay, 0, time.Minute), b.stored(t, reel.OfTeam, 1, 2*time.Minute)
	mark := path.Join(path.Dir(seen), blob.ReelWatched)
	require.NoError(t, b.Blob.Put(t.Context(), mark, bytes.NewReader(nil), 0, blob.Info{}))
	b.change(t, func(f *footy.Fixture) { f.Events[0].Player.Name = "Another" })
	current := b.stored(t, reel.OfMatch, 7, 5*time.Hour)
	begun := blob.ReelKey("half", blob.ReelFilm)
	require.NoError(t, b.Blob.Put(t.Context(), begun, bytes.NewReader(nil), 0, blob.Info{}))
	require.Subset(t, b.sweep(t, 0), []string{unseen, seen, current, begun})
	b.heavy = reel.Budget/4 - 1<<20 // of the four there is room for three
	left := b.sweep(t, 0)
	require.NotContains(t, left, unseen)
	require.Subset(t, left, []string{seen, current, begun}, "one is watched, one is as it would be made, one is being made")
	b.heavy = reel.Budget
	left = b.sweep(t, 0)
	require.NotContains(t, left, current)
	require.Subset(t, left, []string{seen, begun})
}

func TestAReelIsMadeAnewOnceItsGoalsHaveSettled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(t, func(f *footy.Fixture) { f.Match.Kickoff = time.Now().Add(-2 * time.Hour) })
	_, err := b.make(t)
	require.NoError(t, err)
	b.sweep(t, 0)
	require.Empty(t, b.anew, "it is as it would be made")

	b.change(t, func(f *footy.Fixture) { f.Events[0].Player.Name = "Another" })
	b.sweep(t, 0)
	require.Equal(t, []string{"reel-match-7"}, b.anew)
	b.change(t, func(f *footy.Fixture) { f.Events[0].Removed = true })
	b.refuse = footy.Errorf(footy.CodeRateLimited, "start reel", "enough others are")
	require.Len(t, b.sweep(t, 0), 2, "it is not kept for that: the pieces are left")
	require.Len(t, b.anew, 2)
	b.sweep(t, 0)
	require.Len(t, b.anew, 2)
}

func TestAReelThatIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		later  time.Duration
		change func(*footy.Fixture)
	}{
		"of long ago: clips expire": {3 * 24 * time.Hour, func(f *footy.Fixture) { f.Events[0].Clips[0].Swept = true }},
		"of nothing":                {0, func(f *footy.Fixture) { f.Events = nil }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.change(t, func(f *footy.Fixture) { f.Match.Kickoff = time.Now().Add(-2 * time.Hour) })
			_, err := b.make(t)
			require.NoError(t, err)
			b.change(t, c.change)
			b.sweep(t, c.later)
			require.Empty(t, b.anew)
		})
	}
}
