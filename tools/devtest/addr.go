package devtest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// FreeAddr is an address on this machine that nothing listens at. Its port is none that the system gives out by itself (from 32768 on
// Linux, 49152 on macOS): between this look and its use another test's connection could get it.
func FreeAddr(t testing.TB) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(12000))) //nolint:gosec // any free port will do
		if err == nil {
			require.NoError(t, l.Close())
			return l.Addr().String()
		}
	}
	t.Fatal("no free port among a hundred")
	return ""
}
