package sqlite_test

import (
	"bufio"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/filelock"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

func TestAFileIsReplacedWhereNoProcessHasItOpen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "footy.db")
	free, err := sqlite.Alone(path)
	require.NoError(t, err, "a file that is yet to come")
	free()
	one, other := open(t, path), open(t, path)
	require.NoError(t, one.Close())
	_, err = sqlite.Alone(path)
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, fmt.Sprintf("%s is in use by sqlite.test (process %d); stop it first", path, os.Getpid()))
	require.NotContains(t, err.Error(), "\n")
	require.NoError(t, other.Close())

	free, err = sqlite.Alone(path)
	require.NoError(t, err)
	opened := make(chan error)
	go func() {
		b, err := sqlite.Open(path)
		if err == nil {
			err = b.Close()
		}
		opened <- err
	}()
	select {
	case err := <-opened:
		t.Fatalf("opened a file that is being replaced: %v", err)
	default:
	}
	free()
	require.NoError(t, <-opened, "one that starts meanwhile waits")
}

const foreignFile = "FOOTY_TEST_FOREIGN_DB"

// TestOpenAsAnotherProgram is no test: run by one in a process of its own, it opens a file and locks nothing of ours.
func TestOpenAsAnotherProgram(t *testing.T) {
	path := os.Getenv(foreignFile)
	if path == "" {
		t.Skip("a helper of other tests")
	}
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	var n int
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM sqlite_schema").Scan(&n))
	_, _ = fmt.Fprintln(os.Stdout, "opened")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// openedElsewhere starts such a process; end ends it.
func openedElsewhere(t *testing.T, path string) (pid int, end func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestOpenAsAnotherProgram$", "-test.v") //nolint:gosec // this very test
	cmd.Env = append(os.Environ(), foreignFile+"="+path)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.Contains(lines.Text(), "opened"); {
	}
	return cmd.Process.Pid, func() {
		require.NoError(t, in.Close())
		_, err = io.Copy(io.Discard, out)
		require.NoError(t, err)
		require.NoError(t, cmd.Wait())
	}
}

// Programs of earlier versions and SQLite's own shell know no lock file.
func TestAProcessThatLocksNothingOfOursIsSeen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	require.NoError(t, open(t, path).Close())
	pid, end := openedElsewhere(t, path)
	_, err := sqlite.Alone(path)
	require.ErrorContains(t, err, fmt.Sprintf("(process %d)", pid))
	end()
	free, err := sqlite.Alone(path)
	require.NoError(t, err)
	free()
}

func TestNoFileIsMigratedUnderAnotherProcess(t *testing.T) {
	t.Parallel()
	path := older(t)
	pid, end := openedElsewhere(t, path)
	_, err := sqlite.Migrate(path, 0)
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, fmt.Sprintf("(process %d); stop it first", pid))
	require.Empty(t, copies(t, path))
	require.Equal(t, []string{"1"}, texts(t, path, "SELECT user_version FROM pragma_user_version"))
	end()

	u, err := filelock.Share(path)
	require.NoError(t, err)
	_, err = sqlite.Migrate(path, 0)
	require.ErrorContains(t, err, fmt.Sprintf("sqlite.test (process %d); stop it first", os.Getpid()))
	u.Free()
	b := open(t, path)
	_, err = sqlite.Migrate(path, 0)
	require.NoError(t, err, "another process has done it, and has it open")
	require.NoError(t, b.Close())
	require.Len(t, copies(t, path), 1)
}
