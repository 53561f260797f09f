package loopback_test

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/devstack/loopback"
)

func TestFreePortsAreDistinct(t *testing.T) {
	t.Parallel()
	ports, err := loopback.Free(20)
	require.NoError(t, err)
	seen := map[int]bool{}
	for _, port := range ports {
		require.False(t, seen[port])
		seen[port] = true
	}
	require.Len(t, seen, 20)
}

func TestClaimNamesPortAndFlag(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp4", loopback.Address(0))
	require.NoError(t, err)
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	_, err = loopback.Claim(port, "--ui-port")
	require.ErrorContains(t, err, "already in use")
	require.ErrorContains(t, err, "--ui-port")

	free, err := loopback.Claim(0, "--ui-port")
	require.NoError(t, err)
	require.NotZero(t, free)
}
