package reels_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
)

// sweep runs the sweep as of some time from now: objects carry the machine's time.
func (b *bench) sweep(t *testing.T, later time.Duration) (left []string) {
	t.Helper()
	env := enginetest.Activity()
	sweep := func(ctx context.Context) error { return b.Sweep(ctx, time.Now().Add(later)) }
	env.RegisterActivity(sweep)
	_, err := env.ExecuteActivity(sweep)
	require.NoError(t, err)
	require.NoError(t, b.Blob.List(t.Context(), reels.Prefix, func(at blob.Attributes) error { left = append(left, at.Key); return nil }))
	return left
}

func TestReelsGoWithWhatTheyShow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.make(t)
	require.NoError(t, err)
	require.Len(t, b.sweep(t, 25*time.Hour), 3, "film, picture and record")
	b.change(t, func(f *footy.Fixture) { f.Events[0].Player.Name = "Another" })
	require.Len(t, b.sweep(t, 0), 3, "outdated, but somebody may be watching it")
	b.change(t, func(f *footy.Fixture) { f.Events[1].Removed = true })
	require.Empty(t, b.sweep(t, 0), "a goal that was taken back is seen no more")
}

func TestWhatADeadMakerLeftGoes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, key := range []string{reels.Key("half", reels.FilmFile), reels.Prefix + "pieces/0123/4567.nut"} { // releases before 1.2 kept pieces
		require.NoError(t, b.Blob.Put(t.Context(), key, bytes.NewReader([]byte("x")), 1, blob.Info{}))
	}
	require.Len(t, b.sweep(t, 0), 2, "its record may follow")
	require.Empty(t, b.sweep(t, 2*time.Hour))
}

// stored keeps the reel of a scope as it would be made now, made that long ago.
func (b *bench) stored(t *testing.T, kind rule.Kind, id int64, before time.Duration) string {
	t.Helper()
	s, err := rule.ScopeOf(kind, id, "2026-11-14", time.UTC)
	require.NoError(t, err)
	f, err := b.store.Fixture(t.Context(), 7)
	require.NoError(t, err)
	p := rule.Make(s, 0, []footy.Fixture{f})
	record, err := json.Marshal(rule.Record{Plan: p})
	require.NoError(t, err)
	for name, data := range map[string][]byte{reels.FilmFile: nil, reels.RecordFile: record} {
		key := reels.Key(p.Key, name)
		require.NoError(t, b.Blob.Put(t.Context(), key, bytes.NewReader(data), int64(len(data)), blob.Info{}))
		b.dated[key] = time.Now().Add(-before)
	}
	return reels.Key(p.Key, reels.FilmFile)
}
