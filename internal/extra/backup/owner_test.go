package backup_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/keep/blob/blobtest"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
	"github.com/found-footy/found-footy/internal/run/config"
	runstate "github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/tools/devtest"
)

// full is a state in which a match has clips, staged bytes and a reel.
func full(t *testing.T, c config.Config) runstate.State {
	t.Helper()
	s := opened(t, c)
	storetest.AddMatchWithClips(t, s.Store, s.Blob)
	return s
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
	before := blobtest.Keys(t, was.Blob)
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
		blobtest.Lay(t, others.Blob, "clips/7-1/z.mp4")
		_, err := backup.BringBack(t.Context(), parsed(t, set), backup.RestoreOptions{From: from, Force: true})
		require.ErrorContains(t, err, "another installation")
		require.Contains(t, blobtest.Keys(t, others.Blob), "clips/7-1/z.mp4")
		require.NoError(t, opened(t, c).Owner.Adopt(t.Context()))
	})
	require.Equal(t, before[:6], blobtest.Keys(t, was.Blob)[:6])
}
