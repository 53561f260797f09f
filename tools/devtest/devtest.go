// Package devtest starts servers for tests: the engine (footy-devstack), a real S3 server and a MongoDB stand-in (footy-teststack).
package devtest

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ready is the line a role prints when it answers.
type Ready struct {
	Role    string `json:"role"`
	Address string `json:"address"`
	URI     string `json:"uri"`
	PID     int    `json:"-"`
}

// Start runs temporal, s3 or mongo until the test ends and returns its ready line. It skips the test where the program of
// that role was not built.
func Start(t testing.TB, role string, args ...string) Ready {
	t.Helper()
	// The process ends with its standard input, that is, also when the test binary is killed.
	cmd := exec.Command(binary(t, role), append([]string{role, "--exit-with-stdin"}, args...)...)
	cmd.Stderr = t.Output()
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = stdin.Close() // asks it to stop; Wait has its answer
		_ = cmd.Wait()    // how a stand-in ends after the test proves nothing
	})
	lines := bufio.NewScanner(stdout)
	require.True(t, lines.Scan(), "the role %s ended before it was ready", role)
	var ready Ready
	require.NoError(t, json.Unmarshal(lines.Bytes(), &ready), "ready line: %s", lines.Text())
	require.Equal(t, role, ready.Role)
	ready.PID = cmd.Process.Pid
	return ready
}

// binary finds the program of a role: the engine is FOOTY_DEVSTACK, else bin/footy-devstack of the repository, and
// footy-teststack lies beside it.
func binary(t testing.TB, role string) string {
	t.Helper()
	path := os.Getenv("FOOTY_DEVSTACK")
	named := path != ""
	if !named {
		path = filepath.Join(module(t), "bin", "footy-devstack")
	}
	remedy := "make devstack"
	if role != "temporal" {
		path, remedy = filepath.Join(filepath.Dir(path), "footy-teststack"), "make teststack"
	}
	if _, err := os.Stat(path); err != nil {
		require.False(t, named, "no %s; build it with: %s", path, remedy)
		t.Skipf("no %s; build it with: %s", path, remedy)
	}
	return path
}
