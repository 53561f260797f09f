package program_test

import (
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/tools/devtest"
)

var ample = program.Limits{Memory: 256 << 20, CPUSeconds: 30, File: 1 << 20, Files: 64}

// run runs a program to its end and gives what it wrote.
func run(t *testing.T, limits program.Limits, body string) (out string, said *program.Tail, err error) {
	t.Helper()
	cmd, said := program.Command(t.Context(), devtest.Script(t, "program", body))
	var b strings.Builder
	cmd.Stdout = &b
	require.NoError(t, cmd.Start(limits))
	err = cmd.Wait()
	return b.String(), said, err
}

func alive(t *testing.T, pid string) bool {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	require.NoError(t, err)
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(n) + "/stat")
	return syscall.Kill(n, 0) == nil && (err != nil || !strings.Contains(string(stat), ") Z "))
}

func TestWhatAProgramLeavesBehindEndsWithIt(t *testing.T) {
	t.Parallel()
	out, _, err := run(t, ample, "sleep 1000 >/dev/null 2>&1 & echo $!")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return !alive(t, out) }, time.Minute, 5*time.Millisecond)
}

func TestAProgramEndsWithAllItStarted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cmd, _ := program.Command(ctx, devtest.Script(t, "program", "sleep 1000 & echo $!; sleep 1000"))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start(ample))
	pid := make([]byte, 32)
	n, err := out.Read(pid)
	require.NoError(t, err)
	cancel()
	_, _ = io.Copy(io.Discard, out)
	require.Error(t, cmd.Wait())
	require.Eventually(t, func() bool { return !alive(t, string(pid[:n])) }, time.Minute, 5*time.Millisecond)
}

func TestAProgramThatIsNotThere(t *testing.T) {
	t.Parallel()
	cmd, _ := program.Command(t.Context(), "/no/such/program")
	require.EqualError(t, cmd.Start(ample), "/no/such/program cannot be started: no such file or directory")
}

func TestOfComplaintsTheEndIsKept(t *testing.T) {
	t.Parallel()
	_, said, err := run(t, ample, "i=0; while [ $i -lt 3000 ]; do echo 'the same complaint again and again'; i=$((i+1)); done >&2; echo last >&2; exit 1")
	require.Error(t, err)
	require.Equal(t, "last", said.Line())
	require.True(t, said.Has("again and again"))
	require.LessOrEqual(t, len(said.String()), 32<<10)
	require.Equal(t, "no explanation", (&program.Tail{}).Line())
}
