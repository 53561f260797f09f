package operator_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline/operator"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

type silent struct{}

func (silent) Publish(context.Context, string, ...string) {}

const uid = "5000-1"

var now = time.Date(2026, 11, 14, 16, 20, 0, 0, time.UTC)

// desk is an operator over one goal with three clips: b was merged into a, c is another film.
func desk(t *testing.T) *operator.Operator {
	t.Helper()
	back, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	o := &operator.Operator{Store: store.New(back), Page: silent{}, Now: func() time.Time { return now }}
	t.Cleanup(func() { _ = o.Store.Close() })
	o.Blob, err = dir.Open(t.TempDir())
	require.NoError(t, err)
	e := footy.Event{UID: uid, ID: "5000_1_2_Goal_1", Kind: footy.KindGoal, FirstSeen: now, CertainAt: now}
	for _, id := range []string{"a", "b", "c"} {
		d := digest(id)
		c := footy.Clip{ID: footy.ClipID(d), Digest: d, Key: blob.ClipPrefix + id + ".mp4", PosterKey: blob.PosterPrefix + id + ".jpg", Verified: true}
		if id == "b" {
			c.ReplacedBy = footy.ClipID(digest("a"))
		}
		e.Clips = append(e.Clips, c)
		for _, key := range []string{c.Key, c.PosterKey, blob.StillKey(uid, d), blob.FootageKey(uid, d)} {
			put(t, o, key)
		}
		post(t, o, id, c.ID, blob.StillKey(uid, d))
	}
	// A copy whose clip was swept long ago: only its redirect and the still of its post are left.
	e.Redirects = map[string]string{"00000000000000ee": footy.ClipID(digest("a"))}
	put(t, o, blob.StillKey(uid, digest("e")))
	put(t, o, blob.FootageKey(uid, digest("e")))
	post(t, o, "e", "00000000000000ee", blob.StillKey(uid, digest("e")))
	require.NoError(t, o.Store.Add(t.Context(), footy.Fixture{ID: 5000, Stage: footy.StageActive, Match: footy.Match{ID: 5000, Kickoff: now}, Events: []footy.Event{e}}))
	return o
}

func digest(id string) string { return strings.Repeat(id, 64) }

func put(t *testing.T, o *operator.Operator, key string) {
	t.Helper()
	require.NoError(t, o.Blob.Put(t.Context(), key, bytes.NewReader([]byte("x")), 1, blob.Info{}))
}

func post(t *testing.T, o *operator.Operator, id, clip, still string) {
	t.Helper()
	require.NoError(t, o.Store.Append(t.Context(), footy.Entry{Key: "post-" + id, FixtureID: 5000, EventUID: uid, At: now, Kind: footy.EntryVerdict, PostID: id,
		ClipID: clip, Data: footy.Evidence{Outcome: "verified", PosterKey: still}}))
}

func goal(t *testing.T, o *operator.Operator) *footy.Event {
	t.Helper()
	f, err := o.Store.FixtureOfEvent(t.Context(), uid)
	require.NoError(t, err)
	return f.Event(uid)
}

func acts(t *testing.T, o *operator.Operator) []footy.Entry {
	t.Helper()
	rows, err := o.Store.Entries(t.Context(), store.LogQuery{FixtureID: 5000, EventUID: uid, Kinds: []footy.EntryKind{footy.EntryOperator}})
	require.NoError(t, err)
	return rows
}

func TestTakeDownLeavesNoPictureOfTheContent(t *testing.T) {
	t.Parallel()
	o := desk(t)
	a := footy.ClipID(digest("a"))
	require.NoError(t, o.TakeDown(t.Context(), uid, a, " a claim "))
	kept := func(key string) bool {
		r, err := o.Blob.Open(t.Context(), key)
		if err == nil {
			_ = r.Close()
			return true
		}
		require.True(t, footy.IsNotFound(err), err)
		return false
	}
	for _, id := range []string{"a", "b"} {
		for _, key := range []string{blob.ClipPrefix + id + ".mp4", blob.PosterPrefix + id + ".jpg", blob.StillKey(uid, digest(id)), blob.FootageKey(uid, digest(id))} {
			require.False(t, kept(key), key)
		}
	}
	require.False(t, kept(blob.StillKey(uid, digest("e"))), "the still of a copy that was swept before")
	require.False(t, kept(blob.FootageKey(uid, digest("e"))), "and what it is recognised by")
	for _, key := range []string{blob.ClipPrefix + "c.mp4", blob.PosterPrefix + "c.jpg", blob.StillKey(uid, digest("c")), blob.FootageKey(uid, digest("c"))} {
		require.True(t, kept(key), key)
	}
	visible := goal(t, o).VisibleClips()
	require.Len(t, visible, 1, "the copy does not take the place of what was taken down")
	require.Equal(t, footy.ClipID(digest("c")), visible[0].ID)
	tombstones, err := o.Store.Tombstones(t.Context())
	require.NoError(t, err)
	require.Len(t, tombstones, 2)
	require.Equal(t, "a claim", tombstones[0].Reason)

	_, err = o.Restore(t.Context(), uid, "")
	require.NoError(t, err)
	require.Len(t, goal(t, o).VisibleClips(), 1, "restoring the goal does not restore it")
	require.True(t, goal(t, o).Clip(a).Hidden)
	require.True(t, footy.IsNotFound(o.TakeDown(t.Context(), uid, "nothing", "")))
}

func TestTheLogKeepsWhatAnOperatorDidAndWhy(t *testing.T) {
	t.Parallel()
	o := desk(t)
	a := footy.ClipID(digest("a"))
	require.NoError(t, o.Hide(t.Context(), uid, a))
	require.True(t, goal(t, o).Clip(a).Hidden)
	rows := acts(t, o)
	require.Len(t, rows, 1)
	require.Equal(t, "An operator hid a clip", explain.Row(rows[0], nil))
	require.Equal(t, "hide", rows[0].Data.Act)
	require.NoError(t, o.TakeDown(t.Context(), uid, a, "a claim"))
	rows = acts(t, o)
	require.Len(t, rows, 2)
	down := rows[0]
	if down.Data.Act == "hide" {
		down = rows[1]
	}
	require.Equal(t, "An operator took a clip down: a claim", explain.Row(down, nil))
	require.Equal(t, footy.Evidence{Act: "take down", Reason: "a claim"}, down.Data)
}
