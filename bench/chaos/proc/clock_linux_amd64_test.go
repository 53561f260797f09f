package proc_test

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/proc"
)

// A program counts as started before the kernel gave it the page with the clock: without waiting for it, one in 25 starts failed here.
func TestTheClockOfAProcessIsSetRightAfterItsStart(t *testing.T) {
	t.Parallel()
	for range 300 {
		cmd := exec.CommandContext(t.Context(), "/bin/sleep", "600")
		require.NoError(t, cmd.Start())
		err := proc.SetClock(cmd.Process.Pid, time.Hour)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
		require.NoError(t, err)
	}
}

func TestAProcessThatEndedHasNoClockToSet(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "/bin/true")
	require.NoError(t, cmd.Run())
	require.Error(t, proc.SetClock(cmd.Process.Pid, time.Hour))
}
