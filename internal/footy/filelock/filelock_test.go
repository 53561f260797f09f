package filelock_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy/filelock"
)

// On a file system without locks a caller that took each failure for "another has it" would wait for ever.
func TestAFileThatCannotBeLockedIsNotHeld(t *testing.T) {
	t.Parallel()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	locked, err := filelock.Try(f)
	require.NoError(t, err)
	require.True(t, locked)
	again, err := os.Open(f.Name())
	require.NoError(t, err)
	locked, err = filelock.Try(again)
	require.NoError(t, err, "another has it, which is no trouble")
	require.False(t, locked)
	require.NoError(t, f.Close())
	require.NoError(t, again.Close())
	_, err = filelock.Try(f)
	require.ErrorContains(t, err, "lock "+f.Name())
}

const sharedFile = "FOOTY_TEST_SHARED_FILE"

// TestShareAFile is no test: run by one in a process of its own, it shares a file until it is killed.
func TestShareAFile(t *testing.T) {
	path := os.Getenv(sharedFile)
	if path == "" {
		t.Skip("a helper of other tests")
	}
	u, err := filelock.Share(path)
	require.NoError(t, err)
	defer u.Free()
	_, _ = fmt.Fprintln(os.Stdout, "shared")
	_, _ = io.Copy(io.Discard, os.Stdin) // which never ends by itself
}

// sharing starts such a process; kill ends it as kill -9 does.
func sharing(t *testing.T, path string) (pid int, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestShareAFile$", "-test.v") //nolint:gosec // this very test
	cmd.Env = append(os.Environ(), sharedFile+"="+path)
	_, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	kill = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	t.Cleanup(kill)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(lines.Text(), "shared") {
			return cmd.Process.Pid, kill
		}
	}
	t.Fatal("the helper shares nothing")
	return 0, nil
}

func TestAFileIsSharedOrHadAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	one, err := filelock.Share(path)
	require.NoError(t, err)
	pid, kill := sharing(t, path)
	require.NoError(t, filelock.Alone(path))
	one.Free()

	_, err = filelock.Take(path)
	var held *filelock.HeldError
	require.ErrorAs(t, err, &held)
	require.Len(t, held.By, 1, "who has gone is not named")
	require.Equal(t, pid, held.By[0].PID)
	require.ErrorContains(t, err, fmt.Sprintf("filelock.test (process %d)", pid))

	kill()
	alone, err := filelock.Take(path)
	require.NoError(t, err, "the kernel frees what a killed process had")
	require.ErrorAs(t, filelock.Alone(path), &held)
	require.Equal(t, os.Getpid(), held.By[0].PID)
	_, err = filelock.Share(path)
	require.ErrorAs(t, err, &held)
	_, err = filelock.Take(path)
	require.ErrorAs(t, err, &held)
	alone.Free()
	one, err = filelock.Share(path)
	require.NoError(t, err)
	one.Free()
	require.Empty(t, filelock.Users(path))
	notes, err := os.ReadDir(path + filelock.UsersSuffix)
	require.NoError(t, err)
	require.LessOrEqual(t, len(notes), 2, "a note is used again")
}

func TestProcessesOfAnotherMachineAreNamedWithIt(t *testing.T) {
	t.Parallel()
	require.Equal(t, "footy web (process 7 on page-1)", filelock.Holder{PID: 7, Host: "page-1", Role: "footy web"}.String())
	require.Equal(t, "a process (process 7)", filelock.Holder{PID: 7}.String())
}
