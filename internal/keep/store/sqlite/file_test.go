package sqlite_test

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

// requireRefused checks that opening gives one clear line that names the file and a remedy, and touches nothing.
func requireRefused(t *testing.T, path, remedy string) {
	t.Helper()
	before, readErr := os.ReadFile(path)
	_, err := sqlite.Open(path)
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, remedy)
	require.NotContains(t, err.Error(), "\n")
	if readErr == nil {
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, before, after, "the file must be left as it was")
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		require.NoFileExists(t, path+suffix)
	}
}

func TestOpenRefusesWhatIsNotOurDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"short text": "hello", "long text": strings.Repeat("not a database\n", 500),
		"cut header": "SQLite format 3\x00", "zeros": strings.Repeat("\x00", 8192),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(dir, name)
			require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
			requireRefused(t, path, "choose another path")
		})
	}
	t.Run("a directory", func(t *testing.T) {
		t.Parallel()
		requireRefused(t, t.TempDir(), "choose another path")
	})
	t.Run("a path below a file", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		requireRefused(t, filepath.Join(file, "footy.db"), "choose another path")
	})
	t.Run("another program's database", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "other.db")
		execute(t, path, "CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
		requireRefused(t, path, "another program")
	})
	t.Run("a newer version's database", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "footy.db")
		require.NoError(t, open(t, path).Close())
		execute(t, path, "PRAGMA user_version = 99")
		requireRefused(t, path, "upgrade")
	})
	t.Run("a read-only directory", func(t *testing.T) {
		t.Parallel()
		if os.Getuid() == 0 {
			t.Skip("root may write everywhere")
		}
		dir := t.TempDir()
		require.NoError(t, os.Chmod(dir, 0o500)) //nolint:gosec // a directory needs x
		requireRefused(t, filepath.Join(dir, "footy.db"), "permission")
	})
}

func execute(t *testing.T, path, script string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), script)
	require.NoError(t, err)
	require.NoError(t, db.Close())
}

func TestOpenCreatesDirectoriesAndKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "state", "footy.db")
	b := open(t, path)
	require.NoError(t, store.New(b).Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive}))
	require.NoError(t, b.Close())
	b = open(t, path)
	_, err := store.New(b).Fixture(t.Context(), 1)
	require.NoError(t, err)
	require.NoError(t, b.Close())
}

func TestAnEmptyFileIsANewDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, open(t, path).Close())
}

func TestADamagedPageIsReportedNotReadAsNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	require.NoError(t, open(t, path).Close())
	size := 4096
	body, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := size; i < len(body); i++ {
		body[i] = 0xff
	}
	require.NoError(t, os.WriteFile(path, body, 0o600))
	_, err = sqlite.Open(path) // the header alone is fine
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "backup")
	require.NotContains(t, err.Error(), "\n")
}

func TestSeveralHandlesOnOneFileLoseNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	const handles, rounds = 4, 25
	stores := make([]store.Store, handles)
	var g errgroup.Group
	for i := range stores { // also the creation is a race
		g.Go(func() error {
			b, err := sqlite.Open(path)
			if err == nil {
				stores[i] = store.New(b)
			}
			return err
		})
	}
	require.NoError(t, g.Wait())
	require.NoError(t, stores[0].Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, Events: []footy.Event{{UID: "u"}}}))
	for i, s := range stores {
		g.Go(func() error {
			for n := range rounds {
				_, err := s.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
					f.Events[0].Votes = append(f.Events[0].Votes, fmt.Sprintf("%d-%d", i, n))
					return nil, nil
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
	for _, s := range stores {
		f, err := s.Fixture(t.Context(), 1)
		require.NoError(t, err)
		require.Len(t, f.Events[0].Votes, handles*rounds)
		require.NoError(t, s.Close())
	}
}

// TestANewFileOpenedByManyAtOnce: SQLite refuses some switches to WAL at once, however long a caller would wait.
func TestANewFileOpenedByManyAtOnce(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.db", n))
		var g errgroup.Group
		for range 8 {
			g.Go(func() error {
				b, err := sqlite.Open(path)
				if err != nil {
					return err
				}
				return b.Close()
			})
		}
		require.NoError(t, g.Wait())
	}
}

// TestKilledProcess checks that what was written is there after kill -9, and that the header says whose file it is
// although the journal was never folded in.
func TestKilledProcess(t *testing.T) {
	t.Parallel()
	if path := os.Getenv("FOOTY_TEST_KILLED_DB"); path != "" {
		b := open(t, path)
		require.NoError(t, store.New(b).Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive}))
		p, err := os.FindProcess(os.Getpid())
		require.NoError(t, err)
		require.NoError(t, p.Kill())
		select {}
	}
	path := filepath.Join(t.TempDir(), "footy.db")
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledProcess$") //nolint:gosec // this very test
	cmd.Env = append(os.Environ(), "FOOTY_TEST_KILLED_DB="+path)
	require.ErrorContains(t, cmd.Run(), "killed")
	b := open(t, path)
	_, err := store.New(b).Fixture(t.Context(), 1)
	require.NoError(t, err)
	require.NoError(t, b.Close())
}
