package backup_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	runstate "github.com/found-footy/found-footy/internal/run/state"
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

	m, err := backup.BackUp(ctx, process(c), "") // as another process
	require.NoError(t, err)
	require.Equal(t, 1, m.Objects)
	last, err := backup.LastOf(ctx, running.Store)
	require.NoError(t, err)
	require.Equal(t, m.Made, last.At)

	_, err = backup.BringBack(ctx, c, backup.RestoreOptions{From: config.Own[backup.Settings](c).Dir, Force: true})
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err), "a running footy is not restored under its feet: %v", err)
	lock.Release()
	_, err = backup.BringBack(ctx, c, backup.RestoreOptions{From: config.Own[backup.Settings](c).Dir, Force: true})
	require.ErrorContains(t, err, fmt.Sprintf("in use by backup.test (process %d); stop it first", os.Getpid()), "as footy web has it, or a worker with an engine elsewhere")
	require.NoFileExists(t, filepath.Join(c.State.Dir, "restore-unfinished"))
	_, err = running.Store.Fixture(ctx, 5001)
	require.NoError(t, err)
	require.NoError(t, running.Close())
	_, err = backup.BringBack(ctx, c, backup.RestoreOptions{From: config.Own[backup.Settings](c).Dir})
	require.ErrorContains(t, err, "is not empty")

	_, err = backup.BackUp(ctx, process(parsed(t, nil)), t.TempDir())
	require.ErrorContains(t, err, "set STATE_DIR", "nothing is no backup")

	into := filepath.Join(t.TempDir(), "new")
	_, err = backup.BringBack(ctx, parsed(t, map[string]string{"MONGODB_URI": "mongodb://127.0.0.1:9", "S3_ENDPOINT": "127.0.0.1:9", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "b"}),
		backup.RestoreOptions{From: config.Own[backup.Settings](c).Dir, Into: into})
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
	all, err := backup.List(config.Own[backup.Settings](c).Dir)
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
		_, err := backup.BackUp(t.Context(), process(c), filepath.Join(link, own))
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
	_, err := backup.BackUp(t.Context(), process(c), from)
	require.NoError(t, err)

	half := parsed(t, nil)
	in := filepath.Join(half.State.Dir, "clips", "clips")
	require.NoError(t, os.MkdirAll(filepath.Dir(in), 0o750))
	require.NoError(t, os.WriteFile(in, nil, 0o600)) // no clip can be written there
	_, err = backup.BringBack(t.Context(), half, backup.RestoreOptions{From: from, Force: true})
	require.Error(t, err)
	for name, start := range map[string]func() error{
		"up, worker, web": func() error { _, err := runstate.Open(t.Context(), half); return err },
		"audit":           func() error { _, err := runstate.OpenExisting(t.Context(), half, "audit"); return err },
		"waiting":         func() error { _, err := runstate.OpenExistingStore(t.Context(), half, "list posts"); return err },
		"backup":          func() error { _, err := backup.BackUp(t.Context(), process(half), t.TempDir()); return err },
	} {
		err := start()
		require.ErrorContains(t, err, "footy restore DIR --force", name)
		require.NotContains(t, err.Error(), "\n")
	}
	require.NoError(t, os.Remove(in))
	_, err = backup.BringBack(t.Context(), half, backup.RestoreOptions{From: from, Force: true})
	require.NoError(t, err)
	opened(t, half)
}

func TestNothingIsRestoredIntoItsOwnBackup(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	c := parsed(t, nil)
	require.NoError(t, opened(t, c).Close())
	_, err := backup.BackUp(t.Context(), process(c), from)
	require.NoError(t, err)
	for _, into := range []string{from, filepath.Join(from, "new", "state")} {
		_, err := backup.BringBack(t.Context(), c, backup.RestoreOptions{From: from, Into: into, Force: true})
		require.ErrorContains(t, err, "--into="+into)
	}
	require.NoDirExists(t, filepath.Join(from, "new"))
}
