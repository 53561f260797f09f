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
		network.OfflineWords:                         &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}, Err: syscall.ENETUNREACH},
		"it broke the connection off":                fmt.Errorf("Post %q: %w", "http://gpu", io.EOF),
		"it took too long":                           fmt.Errorf("Get %q: %w", "http://gpu", context.DeadlineExceeded),
		"x509: certificate signed by unknown issuer": errors.New("x509: certificate signed by unknown issuer"),
	} {
		got := network.InWords(err)
		require.EqualError(t, got, says)
		require.ErrorIs(t, got, err, "what it was can still be asked")
	}
	require.NoError(t, network.InWords(nil))
	once := network.InWords(fmt.Errorf("Get %q: %w", "http://gpu", io.EOF))
	require.Equal(t, once, network.InWords(once))
	more := fmt.Errorf("the feed: %w", once)
	require.Equal(t, more, network.InWords(more), "what was added stays")
}

func TestOfflineIsSaidOfThisMachineAlone(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"no server looks up names": &net.DNSError{Name: "site.api.espn.com", Err: "server misbehaving", IsTemporary: true},
		"no route":                 fmt.Errorf("Get %q: %w", "https://1.2.3.4", &net.OpError{Addr: &net.TCPAddr{IP: net.IPv4(1, 2, 3, 4)}, Err: syscall.ENETUNREACH}),
	} {
		require.True(t, network.Offline(err), name)
		require.True(t, network.NoAnswer(err), name)
	}
	for name, err := range map[string]error{
		"all is well":         nil,
		"no such name":        &net.DNSError{Name: "espn.invalid", IsNotFound: true},
		"a name of the house": &net.DNSError{Name: "gpu", Err: "server misbehaving"},
		"no IPv6":             &net.OpError{Addr: &net.TCPAddr{IP: net.ParseIP("2001:db8::1")}, Err: syscall.ENETUNREACH},
		"refused":             &net.OpError{Addr: &net.TCPAddr{IP: net.IPv4(1, 2, 3, 4)}, Err: syscall.ECONNREFUSED},
	} {
		require.False(t, network.Offline(err), name)
	}
	require.True(t, network.Online(t.Context(), "http://127.0.0.1:1/nothing/listens"), "nobody needs to answer")
}
