package state_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/backup"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/stretchr/testify/require"
)

func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c := parsed(t, map[string]string{"BACKUP_DIR": filepath.Join(t.TempDir(), "backups")})
	running := opened(t, c)
	require.NoError(t, running.Store.Add(ctx, footy.Fixture{ID: 5001, Stage: footy.StageActive}))
	require.NoError(t, running.Blob.Put(ctx, "clips/a.mp4", strings.NewReader("a clip"), 6, blob.Info{}))
	lock, err := engine.LockState(ctx, c.State.Dir) // as footy up does
	require.NoError(t, err)

	m, err := state.Backup(ctx, c, "test", "") // as another process
	require.NoError(t, err)
	require.Equal(t, 1, m.Objects)
	last, err := backup.LastOf(ctx, running.Store)
	require.NoError(t, err)
	require.Equal(t, m.Made, last.At)

	_, err = state.Restore(ctx, c, state.RestoreOptions{From: c.Backup.Dir, Force: true})
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err), "a running footy is not restored under its feet: %v", err)
	lock.Release()
	_, err = state.Restore(ctx, c, state.RestoreOptions{From: c.Backup.Dir, Force: true})
	require.ErrorContains(t, err, fmt.Sprintf("in use by state.test (process %d); stop it first", os.Getpid()), "as footy web has it, or a worker with an engine elsewhere")
	require.NoFileExists(t, filepath.Join(c.State.Dir, "restore-unfinished"))
	_, err = running.Store.Fixture(ctx, 5001)
	require.NoError(t, err)
	require.NoError(t, running.Close())
	_, err = state.Restore(ctx, c, state.RestoreOptions{From: c.Backup.Dir})
	require.ErrorContains(t, err, "is not empty")

	_, err = state.Backup(ctx, parsed(t, nil), "test", t.TempDir())
	require.ErrorContains(t, err, "set STATE_DIR", "nothing is no backup")

	into := filepath.Join(t.TempDir(), "new")
	_, err = state.Restore(ctx, parsed(t, map[string]string{"MONGODB_URI": "mongodb://127.0.0.1:9", "S3_ENDPOINT": "127.0.0.1:9", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "b"}),
		state.RestoreOptions{From: c.Backup.Dir, Into: into})
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
		wg.Go(func() { errs[i] = today(t, a, c) })
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

func TestBackupsAreNotKeptWhereFootyClears(t *testing.T) {
	t.Parallel()
	for _, own := range []string{"clips", "tmp/x"} {
		home := t.TempDir()
		require.ErrorContains(t, refused(t, map[string]string{"STATE_DIR": home, "BACKUP_DIR": filepath.Join(home, own)}), "BACKUP_DIR")
		link := filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(home, link))
		require.ErrorContains(t, refused(t, map[string]string{"STATE_DIR": home, "BACKUP_DIR": filepath.Join(link, own)}), "BACKUP_DIR")

		c := parsed(t, map[string]string{"STATE_DIR": home})
		require.NoError(t, opened(t, c).Close())
		_, err := state.Backup(t.Context(), c, "test", filepath.Join(link, own))
		require.ErrorContains(t, err, "DIR="+filepath.Join(link, own)+" is inside")
	}
}

// TestNothingStartsOnARestoreThatWasInterrupted: what is there looks sound, and is empty.
func TestNothingStartsOnARestoreThatWasInterrupted(t *testing.T) {
	t.Parallel()
	from, c := t.TempDir(), parsed(t, nil)
	a := opened(t, c)
	require.NoError(t, a.Blob.Put(t.Context(), "clips/a.mp4", strings.NewReader("a clip"), 6, blob.Info{}))
	require.NoError(t, a.Close())
	_, err := state.Backup(t.Context(), c, "test", from)
	require.NoError(t, err)

	half := parsed(t, nil)
	in := filepath.Join(half.State.Dir, "clips", "clips")
	require.NoError(t, os.MkdirAll(filepath.Dir(in), 0o750))
	require.NoError(t, os.WriteFile(in, nil, 0o600)) // no clip can be written there
	_, err = state.Restore(t.Context(), half, state.RestoreOptions{From: from, Force: true})
	require.Error(t, err)
	for name, start := range map[string]func() error{
		"up, worker, web": func() error { _, err := state.Open(t.Context(), half); return err },
		"audit":           func() error { _, err := state.OpenExisting(t.Context(), half, "audit"); return err },
		"waiting":         func() error { _, err := state.OpenExistingStore(t.Context(), half, "list posts"); return err },
		"backup":          func() error { _, err := state.Backup(t.Context(), half, "test", t.TempDir()); return err },
	} {
		err := start()
		require.ErrorContains(t, err, "footy restore DIR --force", name)
		require.NotContains(t, err.Error(), "\n")
	}
	require.NoError(t, os.Remove(in))
	_, err = state.Restore(t.Context(), half, state.RestoreOptions{From: from, Force: true})
	require.NoError(t, err)
	opened(t, half)
}

func TestNothingIsRestoredIntoItsOwnBackup(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	c := parsed(t, nil)
	require.NoError(t, opened(t, c).Close())
	_, err := state.Backup(t.Context(), c, "test", from)
	require.NoError(t, err)
	for _, into := range []string{from, filepath.Join(from, "new", "state")} {
		_, err := state.Restore(t.Context(), c, state.RestoreOptions{From: from, Into: into, Force: true})
		require.ErrorContains(t, err, "--into="+into)
	}
	require.NoDirExists(t, filepath.Join(from, "new"))
}

func parsed(t *testing.T, set map[string]string) config.Config {
	t.Helper()
	vars := map[string]string{"STATE_DIR": t.TempDir()}
	for k, v := range set {
		vars[k] = v
	}
	c, err := config.Parse(vars)
	require.NoError(t, err)
	return c
}

func opened(t *testing.T, c config.Config) state.State {
	t.Helper()
	s, err := state.Open(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// today is one look of the daily backup.
func today(t *testing.T, s state.State, c config.Config) error {
	t.Helper()
	_, err := s.Keeper(c, "test", nil).Make(t.Context(), true)
	return err
}

func refused(t *testing.T, vars map[string]string) error {
	t.Helper()
	_, err := config.Parse(vars)
	return err
}

func TestNothingIsOpenedWhereThereIsNoDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "typo")
	_, err := state.OpenExisting(t.Context(), parsed(t, map[string]string{"STATE_DIR": dir}), "audit")
	require.True(t, footy.IsNotFound(err), "an empty state is no sound one: %v", err)
	require.ErrorContains(t, err, "STATE_DIR")
	require.NoDirExists(t, dir)
}
