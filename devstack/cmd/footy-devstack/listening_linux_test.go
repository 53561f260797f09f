package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// listening are the addresses at which a process listens.
func listening(t *testing.T, pid int) []string {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	require.NoError(t, err)
	sockets := map[string]bool{}
	for _, f := range files {
		if to, err := os.Readlink(f); err == nil {
			sockets[to] = true
		}
	}
	var out []string
	for _, table := range []string{"tcp", "tcp6"} {
		b, err := os.ReadFile("/proc/net/" + table)
		require.NoError(t, err)
		for _, line := range strings.Split(string(b), "\n")[1:] {
			const stateListen = "0A"
			f := strings.Fields(line)
			if len(f) < 10 || f[3] != stateListen || !sockets["socket:["+f[9]+"]"] {
				continue
			}
			_, hex, _ := strings.Cut(f[1], ":")
			port, err := strconv.ParseUint(hex, 16, 16)
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(f[1], "0100007F:"), "it listens on loopback only: %s", f[1])
			out = append(out, fmt.Sprintf("127.0.0.1:%d", port))
		}
	}
	return out
}
