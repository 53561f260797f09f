package stage_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/proc"
	"github.com/found-footy/found-footy/bench/chaos/stage"
)

func TestAKillOfWhatIsDownComesOnceItRuns(t *testing.T) {
	t.Parallel()
	p, err := proc.NewStarter().Start(t.Context(), proc.Program{Name: "sleeper", Path: "/bin/sh", Args: []string{"-c", "echo up; sleep 600"}, Dir: t.TempDir(),
		Env: os.Environ, Ready: func(line string) bool { return line == "up" }, Log: filepath.Join(t.TempDir(), "log")})
	require.NoError(t, err)
	defer p.Stop()
	p.Kill(2 * time.Second)
	require.Eventually(t, func() bool { return p.PID() == 0 }, time.Minute, time.Millisecond)
	require.NoError(t, stage.With(plan.Worker, p).Make(t.Context(), plan.Fault{Kind: plan.Kill, Target: plan.Worker}))
	require.Eventually(t, func() bool { return p.Starts() == 3 }, 20*time.Second, 10*time.Millisecond, "it was down, came back and was killed")
}
