package proc_test

import (
	"os"
	"path/filepath"
	"runtime"
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

func TestAHeldProcessStartsOnceItIsReleased(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	p, err := proc.NewStarter().Start(t.Context(), proc.Program{Name: "sleeper", Path: "/bin/sh", Args: []string{"-c", "echo up; sleep 600"}, Dir: t.TempDir(),
		Env: os.Environ, Ready: func(line string) bool { return line == "up" }, Log: log})
	require.NoError(t, err)
	defer p.Stop()
	require.NoError(t, p.Hold(t.Context()))
	tries := func() int {
		b, err := os.ReadFile(log)
		require.NoError(t, err)
		return strings.Count(string(b), "start\n")
	}
	require.Eventually(t, func() bool { return tries() > 2 }, time.Minute, 20*time.Millisecond, "the pauses of a kill end")
	require.Equal(t, 1, p.Starts())
	p.Release()
	require.Eventually(t, func() bool { return said(log) == 2 }, time.Minute, 20*time.Millisecond)
}

func TestTheClockOfAProcessIsWrongAlsoAfterItsNextStart(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("needs the page through which Linux tells processes the time")
	}
	log := filepath.Join(t.TempDir(), "log")
	p, err := proc.NewStarter().Start(t.Context(), proc.Program{Name: "teller", Path: os.Args[0], Dir: t.TempDir(), Env: func() []string { return []string{tellTime + "=1"} },
		Ready: func(string) bool { return true }, Log: log})
	require.NoError(t, err)
	defer p.Stop()
	tells := func(ahead time.Duration) {
		t.Helper()
		require.Eventually(t, func() bool {
			b, err := os.ReadFile(log)
			require.NoError(t, err)
			said := strings.Split(strings.TrimSpace(string(b)), "\n")
			at, err := time.Parse(time.RFC3339Nano, said[len(said)-1])
			return err == nil && time.Until(at).Round(time.Minute) == ahead
		}, time.Minute, 20*time.Millisecond, ahead)
	}
	tells(0)
	require.NoError(t, p.SetClock(2*time.Hour))
	tells(2 * time.Hour)
	p.Kill(0)
	require.Eventually(t, func() bool { return p.Starts() == 2 }, time.Minute, 20*time.Millisecond)
	tells(2 * time.Hour)
	require.NoError(t, p.SetClock(-10*time.Minute))
	tells(-10 * time.Minute)
	require.NoError(t, p.SetClock(0))
	tells(0)
}

// tellTime makes this program tell the time, ten times a second.
const tellTime = "FOOTY_TEST_TELL_TIME"

func TestMain(m *testing.M) {
	if os.Getenv(tellTime) == "" {
		os.Exit(m.Run())
	}
	for range time.Tick(100 * time.Millisecond) {
		os.Stdout.WriteString(time.Now().Format(time.RFC3339Nano) + "\n")
	}
}

func said(log string) int {
	b, err := os.ReadFile(log)
	if err != nil {
		return 0
	}
	return strings.Count(string(b), "\nup\n")
}
