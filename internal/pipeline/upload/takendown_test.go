package upload_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/blobtest"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

type silent struct{}

func (silent) Publish(context.Context, string, ...string) {}

// TestContentThatIsTakenDownWhileItIsUploadedLeavesNoBytes: bytes move before the clip is saved; a takedown meanwhile refuses
// the clip, and nobody ever deleted what had been moved.
func TestContentThatIsTakenDownWhileItIsUploadedLeavesNoBytes(t *testing.T) {
	t.Parallel()
	s, b, m, upload := accepted(t)
	require.NoError(t, s.PutTombstone(t.Context(), footy.Tombstone{Digest: m.Digest, EventUID: "2-1", FixtureID: 2, Reason: "asked", At: time.Unix(0, 0)}))
	upload()

	p, err := s.Post(t.Context(), "1-1", "100")
	require.NoError(t, err)
	require.Equal(t, footy.PostRefused, p.State)
	require.Equal(t, footy.ReasonTombstone, p.Reason)
	for _, prefix := range []string{blob.ClipPrefix, blob.PosterPrefix} {
		require.NoError(t, b.List(t.Context(), prefix, func(at blob.Attributes) error { require.Fail(t, "left: "+at.Key); return nil }))
	}
}

func TestWhoFindsTheBytesOutsideOfTheProductIsToldWhatTheyShow(t *testing.T) {
	t.Parallel()
	_, b, m, upload := accepted(t)
	upload()
	for _, key := range []string{blob.ClipPrefix + "1-1/" + m.Digest + ".mp4", blob.PosterPrefix + "1-1/" + m.Digest + ".jpg"} {
		at, err := b.Stat(t.Context(), key)
		require.NoError(t, err)
		require.Equal(t, map[string]string{"event": "1-1", "event_id": "1_40_7_Goal_1", "fixture_id": "1", "player": "Rasmus Højlund",
			"team": "Łódź", "post": "100"}, at.Info.Metadata, key)
	}
}

// accepted is a store with a goal whose one post was accepted and waits to be published.
func accepted(t *testing.T) (store.Store, blob.Store, footy.Media, func()) {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	files, err := dir.Open(t.TempDir())
	require.NoError(t, err)
	b := blobtest.Worded(files)
	now := time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)
	e := footy.Event{UID: "1-1", ID: "1_40_7_Goal_1", Kind: footy.KindGoal, Player: footy.Person{ID: 7, Name: "Rasmus Højlund"},
		Team: footy.Team{ID: 40, Name: "Łódź"}, FirstSeen: now, CertainAt: now, Round: footy.Round{Number: 1}}
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, Events: []footy.Event{e}}))
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte("film")))
	m := footy.Media{Digest: digest, StageKey: "staging/" + digest + "/clip.mp4", FingerprintKey: "staging/" + digest + "/fingerprint.json",
		PosterKey: "staging/" + digest + "/poster.jpg", StillKey: blob.StillKey(e.UID, digest)}
	for key, body := range map[string]string{m.StageKey: "film", m.FingerprintKey: `{"version":"ff2"}`, m.PosterKey: "picture", m.StillKey: "picture"} {
		require.NoError(t, b.Put(t.Context(), key, strings.NewReader(body), int64(len(body)), blob.Info{}))
	}
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{{EventUID: e.UID, PostID: "100", FixtureID: 1, State: footy.PostJudged, Download: "download1",
		Media: &m, Verdict: &footy.Verdict{Outcome: footy.OutcomeVerified}, NextTry: now}}))

	acts := &upload.Activities{Store: s, Blob: b, Page: silent{}, Delays: ledger.DefaultDelays(), Now: func() time.Time { return now }}
	env := enginetest.Activity()
	env.RegisterActivity(acts)
	return s, b, m, func() {
		t.Helper()
		_, err := env.ExecuteActivity(acts.Upload, upload.SaveInput{Input: upload.Input{FixtureID: 1, EventUID: e.UID, Timing: policy.Defaults()}, Download: "download1"})
		require.NoError(t, err)
	}
}
