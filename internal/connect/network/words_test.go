package network_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network"
)

func TestAFailureOfTheNetworkInWords(t *testing.T) {
	t.Parallel()
	for says, err := range map[string]error{
		"there is no machine named gpu":              &net.DNSError{Name: "gpu", IsNotFound: true, Err: "no such host"},
		"the name gpu cannot be looked up now":       &net.DNSError{Name: "gpu", Err: "server misbehaving"},
		"nothing listens at that address":            &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED},
		"no way leads to that machine":               &net.OpError{Op: "dial", Net: "tcp", Err: syscall.EHOSTUNREACH},
		"it broke the connection off":                fmt.Errorf("Post %q: %w", "http://gpu", io.EOF),
		"it took too long":                           fmt.Errorf("Get %q: %w", "http://gpu", context.DeadlineExceeded),
		"x509: certificate signed by unknown issuer": errors.New("x509: certificate signed by unknown issuer"),
	} {
		got := network.InWords(err)
		require.EqualError(t, got, says)
		require.ErrorIs(t, got, err, "what it was can still be asked")
	}
	require.NoError(t, network.InWords(nil))
}
