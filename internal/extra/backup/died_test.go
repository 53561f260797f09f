package backup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

const (
	dieAt     = "FOOTY_TEST_DIE_AT"
	dieFrom   = "FOOTY_TEST_DIE_FROM"
	dieTarget = "FOOTY_TEST_DIE_TARGET"
)

// forced replaces what is in a state directory.
func forced(t *testing.T, path string) backup.Target {
	t.Helper()
	to := target(t, path)
	to.Force = true
	return to
}

// TestARestoreThatIsKilledLeavesTheOldStateOrTheNewOne and says so, and can be done again without losing what was there.
func TestARestoreThatIsKilledLeavesTheOldStateOrTheNewOne(t *testing.T) {
	t.Parallel()
	if step := os.Getenv(dieAt); step != "" {
		to := forced(t, os.Getenv(dieTarget)).Dying(func(at string) {
			if at == step {
				p, err := os.FindProcess(os.Getpid())
				require.NoError(t, err)
				require.NoError(t, p.Kill())
				select {}
			}
		})
		_, err := backup.Restore(t.Context(), os.Getenv(dieFrom), to)
		require.NoError(t, err)
		return
	}
	source, from := newState(t).fill(), t.TempDir()
	restored := source.contents()
	source.backUp(options(from))
	for step, now := range map[string]string{"marked": "old", "prepared": "old", "objects added": "old", "set aside": "none", "documents replaced": "new", "objects deleted": "new"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			old := newState(t)
			old.put("clips/1/mine.mp4", "mine")
			require.NoError(t, store.New(old.docs).PutState(t.Context(), "mine", 1))
			mine := old.contents()
			require.NoError(t, old.docs.Close())
			cmd := exec.Command(os.Args[0], "-test.run=^TestARestoreThatIsKilledLeavesTheOldStateOrTheNewOne$") //nolint:gosec // this very test
			cmd.Env = append(os.Environ(), dieAt+"="+step, dieFrom+"="+from, dieTarget+"="+old.dir)
			require.ErrorContains(t, cmd.Run(), "killed")

			require.FileExists(t, filepath.Join(old.dir, "restore-unfinished"))
			aside := func() []string {
				all, err := filepath.Glob(filepath.Join(old.dir, "footy.db.before-restore-*Z"))
				require.NoError(t, err)
				return all
			}
			has := func(want map[string]string, database string) { // and perhaps more objects
				t.Helper()
				dir := t.TempDir()
				for _, end := range []string{"", "-wal"} {
					if b, err := os.ReadFile(database + end); err == nil {
						require.NoError(t, os.WriteFile(filepath.Join(dir, "footy.db"+end), b, 0o600))
					}
				}
				is := at(t, dir)
				is.blob = target(t, old.dir).Blob
				got := is.contents()
				for key, value := range want {
					require.Equal(t, value, got[key], key)
				}
			}
			db := filepath.Join(old.dir, "footy.db")
			switch now {
			case "old":
				has(mine, db)
				require.Empty(t, aside())
			case "none":
				require.NoFileExists(t, db)
				require.Len(t, aside(), 1)
				has(mine, aside()[0])
			case "new":
				has(restored, db)
				require.Len(t, aside(), 1)
			}

			_, err := backup.Restore(t.Context(), from, forced(t, old.dir))
			require.NoError(t, err)
			require.Equal(t, restored, at(t, old.dir).contents())
			require.NoFileExists(t, filepath.Join(old.dir, "restore-unfinished"))
			left, err := os.ReadDir(old.dir)
			require.NoError(t, err)
			found := false
			for _, e := range left {
				require.NotContains(t, e.Name(), "restoring")
				if !strings.Contains(e.Name(), "before-restore") || strings.Contains(e.Name(), "-wal") || strings.Contains(e.Name(), "-shm") {
					continue
				}
				b, err := sqlite.OpenUnshared(filepath.Join(old.dir, e.Name()))
				require.NoError(t, err)
				var n int
				found = found || store.New(b).State(t.Context(), "mine", &n) == nil
				require.NoError(t, b.Close())
			}
			require.True(t, found, "what was there is kept")
		})
	}
}
