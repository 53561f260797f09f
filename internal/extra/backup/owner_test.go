package backup_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/run/config"
	runstate "github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/tools/devtest"
)

// full is a state in which a match has clips, staged bytes and a reel.
func full(t *testing.T, c config.Config) runstate.State {
	t.Helper()
	s := opened(t, c)
	f := footy.Fixture{ID: 900, Stage: footy.StageCompleted, Match: footy.Match{ID: 900, Kickoff: time.Now()}}
	for n := range 3 {
		uid := fmt.Sprintf("900-%d", n)
		key, poster := blob.ClipPrefix+uid+"/a.mp4", blob.PosterPrefix+uid+"/a.jpg"
		f.Events = append(f.Events, footy.Event{UID: uid, ID: uid, Clips: []footy.Clip{{ID: "a", Key: key, PosterKey: poster}}})
		lay(t, s.Blob, key, poster)
	}
	require.NoError(t, s.Store.Add(t.Context(), f))
	lay(t, s.Blob, blob.StagedFilm("abc"), "reels/made/r/reel.mp4", "logos/team/1")
	return s
}

func lay(t *testing.T, b blob.Store, keys ...string) {
	t.Helper()
	for _, k := range keys {
		require.NoError(t, b.Put(t.Context(), k, strings.NewReader("x"), 1, blob.Info{}))
	}
}

func lies(t *testing.T, b blob.Store) (keys []string) {
	t.Helper()
	require.NoError(t, b.List(t.Context(), "", func(a blob.Attributes) error { keys = append(keys, a.Key); return nil }))
	return keys
}

// inS3 are settings that keep clips in one bucket, whatever else is set.
func inS3(t *testing.T) map[string]string {
	t.Helper()
	at := devtest.Start(t, "s3", "--root", t.TempDir(), "--access-key", "test-access", "--secret-key", "test-secret-of-some-length", "--port", "0")
	return map[string]string{"S3_ENDPOINT": "http://" + at.Address, "S3_ACCESS_KEY": "test-access", "S3_SECRET_KEY": "test-secret-of-some-length"}
}

func TestNoBackupIsMadeOfAnotherInstallationsClips(t *testing.T) {
	t.Parallel()
	s3 := inS3(t)
	s3["BACKUP_DIR"] = t.TempDir()
	s3["BACKUP_KEEP"] = "1"
	c := parsed(t, s3)
	full(t, c)
	require.NoError(t, today(t, opened(t, c), c))
	s3["BACKUP_DIR"] = t.TempDir() // that of the other is refused as such
	fresh := parsed(t, s3)
	_, err := keeper(opened(t, fresh), fresh).Make(t.Context(), false)
	require.NotNil(t, owner.Refused(err), "else the good ones would be removed by and by")
}

func TestARestoreEndsWellForTheClipStore(t *testing.T) {
	t.Parallel()
	s3 := inS3(t)
	from := t.TempDir()
	c := parsed(t, s3)
	was := full(t, c)
	before := lies(t, was.Blob)
	_, err := backup.BackUp(t.Context(), process(c), from)
	require.NoError(t, err)

	t.Run("over the database that was started instead of the lost one", func(t *testing.T) {
		fresh := parsed(t, s3)
		s := opened(t, fresh)
		require.NotNil(t, owner.Refused(s.Blob.Ping(t.Context())))
		require.NoError(t, s.Close())
		_, err := backup.BringBack(t.Context(), fresh, backup.RestoreOptions{From: from, Force: true})
		require.NoError(t, err)
		s = opened(t, fresh)
		require.NoError(t, s.Blob.Ping(t.Context()))
		require.NoError(t, s.Owner.Renew(t.Context()), "a restore is no other copy")
		require.NoError(t, s.Owner.Renew(t.Context()))
		require.NoError(t, was.Blob.Ping(t.Context()))
		require.NotNil(t, owner.Refused(was.Owner.Renew(t.Context())), "what was replaced is one")
	})
	t.Run("into an empty bucket, and with another of a machine that was started", func(t *testing.T) {
		set := maps.Clone(s3)
		set["S3_BUCKET"] = "another"
		fresh := parsed(t, set)
		s := opened(t, fresh)
		require.NoError(t, s.Blob.Ping(t.Context()))
		require.NoError(t, s.Close())
		_, err := backup.BringBack(t.Context(), fresh, backup.RestoreOptions{From: from, Force: true})
		require.NoError(t, err)
		require.NoError(t, opened(t, fresh).Blob.Ping(t.Context()))
	})
	t.Run("not over the clips of another installation", func(t *testing.T) {
		set := maps.Clone(s3)
		set["S3_BUCKET"] = "others"
		others := full(t, parsed(t, set))
		lay(t, others.Blob, "clips/7-1/z.mp4")
		_, err := backup.BringBack(t.Context(), parsed(t, set), backup.RestoreOptions{From: from, Force: true})
		require.ErrorContains(t, err, "another installation")
		require.Contains(t, lies(t, others.Blob), "clips/7-1/z.mp4")
		require.NoError(t, opened(t, c).Owner.Adopt(t.Context()))
	})
	require.Equal(t, before[:6], lies(t, was.Blob)[:6])
}
