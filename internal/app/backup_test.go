package app_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/backup"
	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/web"
	"github.com/stretchr/testify/require"
)

func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c := parsed(t, map[string]string{"BACKUP_DIR": filepath.Join(t.TempDir(), "backups")})
	running := opened(t, c)
	require.NoError(t, running.Store.Add(ctx, footy.Fixture{ID: 5001, Stage: footy.StageActive}))
	require.NoError(t, running.Blob.Put(ctx, "clips/a.mp4", strings.NewReader("a clip"), 6, blob.Info{}))
	release, err := app.HoldState(ctx, c.State.Dir) // as footy up does
	require.NoError(t, err)

	m, err := app.BackupOnce(ctx, c, slog.New(slog.DiscardHandler), "test", "") // as another process
	require.NoError(t, err)
	require.Equal(t, 1, m.Objects)
	h := running.BackupHealth(ctx)
	require.Equal(t, web.StateOK, h.State)
	require.Equal(t, m.Made, h.Facts["last_backup"])

	_, err = app.Restore(ctx, c, app.Restoration{From: c.Backup.Dir, Force: true})
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err), "a running footy is not restored under its feet: %v", err)
	release()
	_, err = app.Restore(ctx, c, app.Restoration{From: c.Backup.Dir})
	require.ErrorContains(t, err, "is not empty")

	_, err = app.BackupOnce(ctx, parsed(t, nil), slog.New(slog.DiscardHandler), "test", t.TempDir())
	require.ErrorContains(t, err, "set STATE_DIR", "nothing is no backup")

	into := filepath.Join(t.TempDir(), "new")
	_, err = app.Restore(ctx, parsed(t, map[string]string{"MONGODB_URI": "mongodb://127.0.0.1:9", "S3_ENDPOINT": "127.0.0.1:9", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "b"}),
		app.Restoration{From: c.Backup.Dir, Into: into})
	require.NoError(t, err, "--into is an embedded state, whatever the settings use")
	restored := opened(t, parsed(t, map[string]string{"STATE_DIR": into}))
	_, err = restored.Store.Fixture(ctx, 5001)
	require.NoError(t, err)
	_, err = restored.Blob.Stat(ctx, "clips/a.mp4")
	require.NoError(t, err)
}

func TestOneOfManyProcessesMakesTheDailyBackup(t *testing.T) {
	t.Parallel()
	c := parsed(t, map[string]string{"BACKUP_DIR": t.TempDir()})
	var wg sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		a := opened(t, c)
		wg.Go(func() { errs[i] = a.BackUpToday(t.Context()) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			require.Equal(t, footy.CodeConflict, footy.CodeOf(err), "%v", err)
		}
	}
	all, err := backup.List(c.Backup.Dir)
	require.NoError(t, err)
	require.Len(t, all, 1)
}

func TestAFailedBackupIsRedUntilOneSucceeds(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "disk")
	a := opened(t, parsed(t, map[string]string{"BACKUP_DIR": filepath.Join(place, "backups")}))
	require.Equal(t, web.StateOK, a.BackupHealth(t.Context()).State, "none was tried yet")
	require.NoError(t, os.WriteFile(place, nil, 0o600)) // a file where the disk should be
	require.Error(t, a.BackUpToday(t.Context()))
	h := a.BackupHealth(t.Context())
	require.Equal(t, web.StateDown, h.State)
	require.Contains(t, h.Reason, place)
	require.NoError(t, os.Remove(place))
	require.NoError(t, a.BackUpToday(t.Context()), "the next look, an hour later")
	require.Equal(t, web.StateOK, a.BackupHealth(t.Context()).State)
}

func TestBackupsAreNotKeptWhereFootyClears(t *testing.T) {
	t.Parallel()
	for _, own := range []string{"clips", "tmp/x"} {
		state := t.TempDir()
		require.ErrorContains(t, refused(t, map[string]string{"STATE_DIR": state, "BACKUP_DIR": filepath.Join(state, own)}), "BACKUP_DIR")
		link := filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(state, link))
		require.ErrorContains(t, refused(t, map[string]string{"STATE_DIR": state, "BACKUP_DIR": filepath.Join(link, own)}), "BACKUP_DIR")

		c := parsed(t, map[string]string{"STATE_DIR": state})
		require.NoError(t, opened(t, c).Close())
		_, err := app.BackupOnce(t.Context(), c, slog.New(slog.DiscardHandler), "test", filepath.Join(link, own))
		require.ErrorContains(t, err, "DIR="+filepath.Join(link, own)+" is inside")
	}
}

// TestNothingStartsOnARestoreThatWasInterrupted: what was there looked sound, and was empty.
func TestNothingStartsOnARestoreThatWasInterrupted(t *testing.T) {
	t.Parallel()
	quiet := slog.New(slog.DiscardHandler)
	from, c := t.TempDir(), parsed(t, nil)
	a := opened(t, c)
	require.NoError(t, a.Blob.Put(t.Context(), "clips/a.mp4", strings.NewReader("a clip"), 6, blob.Info{}))
	require.NoError(t, a.Close())
	_, err := app.BackupOnce(t.Context(), c, quiet, "test", from)
	require.NoError(t, err)

	half := parsed(t, nil)
	in := filepath.Join(half.State.Dir, "clips", "clips")
	require.NoError(t, os.MkdirAll(filepath.Dir(in), 0o750))
	require.NoError(t, os.WriteFile(in, nil, 0o600)) // no clip can be written there
	_, err = app.Restore(t.Context(), half, app.Restoration{From: from, Force: true})
	require.Error(t, err)
	for name, start := range map[string]func() error{
		"up, worker, web, audit": func() error { _, err := app.New(t.Context(), half, quiet, "test"); return err },
		"waiting":                func() error { _, err := app.Waiting(t.Context(), half); return err },
		"backup":                 func() error { _, err := app.BackupOnce(t.Context(), half, quiet, "test", t.TempDir()); return err },
	} {
		err := start()
		require.ErrorContains(t, err, "footy restore DIR --force", name)
		require.NotContains(t, err.Error(), "\n")
	}
	require.NoError(t, os.Remove(in))
	_, err = app.Restore(t.Context(), half, app.Restoration{From: from, Force: true})
	require.NoError(t, err)
	opened(t, half)
}

func TestNothingIsRestoredIntoItsOwnBackup(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	c := parsed(t, nil)
	require.NoError(t, opened(t, c).Close())
	_, err := app.BackupOnce(t.Context(), c, slog.New(slog.DiscardHandler), "test", from)
	require.NoError(t, err)
	for _, into := range []string{from, filepath.Join(from, "new", "state")} {
		_, err := app.Restore(t.Context(), c, app.Restoration{From: from, Into: into, Force: true})
		require.ErrorContains(t, err, "--into="+into)
	}
	require.NoDirExists(t, filepath.Join(from, "new"))
}

func refused(t *testing.T, vars map[string]string) error {
	t.Helper()
	_, err := config.Parse(vars)
	return err
}
