// Package devtest starts the devstack's servers for tests: a real S3 server and a MongoDB stand-in.
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
}

// Start runs a role of the devstack until the test ends and returns its ready line. It skips the test where the devstack
// was not built.
func Start(t testing.TB, role string, args ...string) Ready {
	t.Helper()
	// The process ends with its standard input, that is, also when the test binary is killed.
	cmd := exec.Command(binary(t), append([]string{role, "--exit-with-stdin"}, args...)...)
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
	require.True(t, lines.Scan(), "the devstack's %s role ended before it was ready", role)
	var ready Ready
	require.NoError(t, json.Unmarshal(lines.Bytes(), &ready), "ready line: %s", lines.Text())
	require.Equal(t, role, ready.Role)
	return ready
}

// binary finds the devstack: FOOTY_DEVSTACK, else bin/footy-devstack of the repository.
func binary(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("FOOTY_DEVSTACK"); path != "" {
		require.FileExists(t, path, "FOOTY_DEVSTACK")
		return path
	}
	dir, err := os.Getwd()
	require.NoError(t, err)
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	path := filepath.Join(dir, "bin", "footy-devstack")
	if _, err := os.Stat(path); err != nil {
		t.Skip("build it with make devstack: no ", path)
	}
	return path
}
