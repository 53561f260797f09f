package scratch_test

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

	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
)

const scratchState = "FOOTY_TEST_SCRATCH_STATE"

// TestHoldScratch is no test: run by one in a process of its own, it opens a directory for downloads, tells its name
// and lives until it is killed.
func TestHoldScratch(t *testing.T) {
	state := os.Getenv(scratchState)
	if state == "" {
		t.Skip("a helper of other tests")
	}
	d, err := scratch.Open(state)
	require.NoError(t, err)
	defer d.Remove() // never reached; it keeps the lock from the garbage collector, as a worker does
	require.NoError(t, os.WriteFile(filepath.Join(d.Path, "clip.mp4"), []byte("half a clip"), 0o600))
	_, _ = fmt.Fprintln(os.Stdout, "scratch "+d.Path)
	_, _ = io.Copy(io.Discard, os.Stdin) // which never ends by itself
}

// holdScratch starts such a process; kill ends it as kill -9 does.
func holdScratch(t *testing.T, state string) (dir string, kill func()) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^TestHoldScratch$", "-test.v")
	cmd.Env = append(os.Environ(), scratchState+"="+state)
	_, err = cmd.StdinPipe() // held open: the helper waits for its end
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
		if _, name, ok := strings.Cut(lines.Text(), "scratch "); ok {
			return name, kill
		}
	}
	t.Fatal("the helper opened nothing")
	return "", nil
}

func TestDownloadsOfKilledProcessesAreSwept(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	killed, kill := holdScratch(t, state)
	living, _ := holdScratch(t, state)
	require.NotEqual(t, killed, living)
	kill()
	require.FileExists(t, filepath.Join(killed, "clip.mp4"), "kill -9 leaves it behind")

	mine, err := scratch.Open(state)
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(killed, "clip.mp4"))
	require.FileExists(t, filepath.Join(living, "clip.mp4"), "a living process keeps what is its own")
	require.DirExists(t, mine.Path)
	mine.Remove()
	require.NoDirExists(t, mine.Path)
	require.FileExists(t, filepath.Join(living, "clip.mp4"))
}

func TestProcessesThatStartTogetherSweepNothingOfEachOther(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	var wg sync.WaitGroup
	dirs := make([]*scratch.Dir, 40) // which hold the locks
	errs := make([]error, len(dirs))
	for i := range dirs {
		wg.Go(func() { dirs[i], errs[i] = scratch.Open(state) })
	}
	wg.Wait()
	for i, dir := range dirs {
		require.NoError(t, errs[i])
		require.DirExists(t, dir.Path)
	}
	seen := map[string]bool{}
	for _, dir := range dirs {
		require.False(t, seen[dir.Path], "each has its own")
		seen[dir.Path] = true
		dir.Remove()
		require.NoDirExists(t, dir.Path)
	}
}
