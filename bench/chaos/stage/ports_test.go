package stage_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/stage"
)

// A port of the range that the system hands out was taken from a process that was down, or not yet up, in one of sixty days.
func TestPortsAreNoneThatTheSystemHandsOut(t *testing.T) {
	t.Parallel()
	handsOut := 32768
	if b, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range"); err == nil {
		_, err := fmt.Sscan(string(b), &handsOut)
		require.NoError(t, err)
	}
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprint(i))
	}
	ports, err := stage.FreePorts(t.Context(), names...)
	require.NoError(t, err)
	seen := map[int]bool{}
	for _, port := range ports {
		require.Less(t, port, handsOut)
		seen[port] = true
	}
	require.Len(t, seen, len(names), "no two processes get the same")
}
