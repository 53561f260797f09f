package proc_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/proc"
)

func TestAKilledProcessComesBackAndAStoppedOneDoesNot(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	var ours, own atomic.Int32
	p, err := proc.NewStarter().Start(t.Context(), proc.Program{Name: "sleeper", Path: "/bin/sh", Args: []string{"-c", "echo up; sleep 600 & wait"}, Dir: t.TempDir(),
		Env: os.Environ, Ready: func(line string) bool { return line == "up" }, Log: log, Exited: func(byUs bool, state *os.ProcessState) {
			if byUs {
				ours.Add(1)
			} else {
				own.Add(1)
			}
		}})
	require.NoError(t, err)
	require.Equal(t, 1, p.Starts())
	p.Kill(0)
	require.Eventually(t, func() bool { return said(log) == 2 }, time.Minute, 20*time.Millisecond)
	require.NoError(t, syscall.Kill(-p.PID(), syscall.SIGKILL), "as somebody else would")
	require.Eventually(t, func() bool { return said(log) == 3 }, time.Minute, 20*time.Millisecond)
	pid := p.PID()
	p.Stop()
	require.Eventually(t, func() bool { return syscall.Kill(-pid, 0) != nil }, time.Minute, 20*time.Millisecond, "what it had started is gone, too")
	require.Equal(t, int32(1), ours.Load())
	require.Equal(t, int32(1), own.Load())
	require.Equal(t, 3, p.Starts())
	p.Stop()
}

func TestAProcessThatIsNeverReadySaysItsLastWords(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	_, err := proc.NewStarter().Start(t.Context(), proc.Program{Name: "page", Path: "/bin/sh", Args: []string{"-c", "echo WEB_ADDR: the port is taken; exit 1"}, Dir: t.TempDir(),
		Env: os.Environ, Ready: func(line string) bool { return line == "up" }, Log: log, Within: 2 * time.Second})
	require.ErrorContains(t, err, "page is not ready after 2s")
	require.ErrorContains(t, err, "WEB_ADDR: the port is taken")
}

func said(log string) int {
	b, err := os.ReadFile(log)
	if err != nil {
		return 0
	}
	return strings.Count(string(b), "\nup\n")
}
