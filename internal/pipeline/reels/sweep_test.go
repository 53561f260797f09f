package reels_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// sweep runs the sweep as of some time from now: objects carry the machine's time.
func (b *bench) sweep(t *testing.T, later time.Duration) (left []string) {
	t.Helper()
	env := enginetest.New().NewTestActivityEnvironment()
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
