package port_test

import (
	"fmt"
	"net/netip"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/port"
)

// A port of the range that the system hands out was taken from a process that was down, or not yet up, in one of sixty days.
func TestPortsAreNoneThatTheSystemHandsOut(t *testing.T) {
	t.Parallel()
	handsOut := 32768
	if b, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range"); err == nil {
		_, err := fmt.Sscan(string(b), &handsOut)
		require.NoError(t, err)
	}
	seen := map[string]bool{}
	for range 50 {
		at, err := port.Free(t.Context())
		require.NoError(t, err)
		require.Less(t, int(netip.MustParseAddrPort(at).Port()), handsOut)
		seen[at] = true
	}
	require.Len(t, seen, 50, "none is given twice")
}
