package program_test

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/tools/devtest"
)

var roomy = program.Limits{Memory: 8 << 30, CPUSeconds: 30, File: 1 << 20, Files: 64}

// TestDial is the program that the next test starts: it says what came of a call.
func TestDial(t *testing.T) {
	t.Parallel()
	at := slices.Index(os.Args, "--")
	if at < 0 {
		t.Skip("it is started by another test")
	}
	c, err := net.Dial(os.Args[at+1], os.Args[at+2])
	if err == nil {
		err = c.Close()
	}
	fmt.Printf("dialed: %v\n", err) //nolint:forbidigo // to that test
}

func dialedBy(t *testing.T, limits program.Limits, network, addr string) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd, said := program.Command(t.Context(), self, "-test.run=^TestDial$", "--", network, addr)
	var out strings.Builder
	cmd.Stdout = &out
	require.NoError(t, cmd.Start(limits))
	require.NoError(t, cmd.Wait(), said)
	_, result, ok := strings.Cut(out.String(), "dialed: ")
	require.True(t, ok, out.String())
	result, _, _ = strings.Cut(result, "\n")
	return result
}

func TestAProgramThatReadsHostileFilesReachesNoNetwork(t *testing.T) {
	t.Parallel()
	if err := program.Sealed(); err != nil {
		t.Skip("this system cannot take it away: ", err)
	}
	free := roomy
	free.Network = true
	socket, err := os.MkdirTemp("", "dial") //nolint:usetesting // a socket has a short path
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(socket) })
	var calls sync.WaitGroup
	for network, addr := range map[string]string{"tcp": "127.0.0.1:0", "unix": socket + "/s"} {
		l, err := net.Listen(network, addr)
		require.NoError(t, err)
		t.Cleanup(func() { _ = l.Close() })
		for range 3 {
			calls.Go(func() {
				got := dialedBy(t, roomy, network, l.Addr().String())
				require.Contains(t, got, "permission denied")
			})
		}
		require.Equal(t, "<nil>", dialedBy(t, free, network, l.Addr().String()), "one that may, can")
	}
	calls.Wait()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err, "this process has its own network still")
	require.NoError(t, l.Close())
}

func TestAProgramSeesNoSecret(t *testing.T) { // not parallel: the environment is this process's
	secrets := map[string]string{"POSTGRES_URL": "postgres://a:hidden@b/c", "S3_SECRET_KEY": "hidden", "API_FOOTBALL_KEY": "hidden", "PATHOLOGY": "hidden",
		"X_BEARER_TOKEN": "hidden", "HTTPS_PROXY": "http://a:hidden@b", "DISPLAY": ":7", "XDG_RUNTIME_DIR": "/run/me"}
	for name, value := range secrets {
		t.Setenv(name, value)
	}
	t.Setenv("LC_TIME", "C")
	cmd, _ := program.Command(t.Context(), devtest.Script(t, "program", "env"))
	var out strings.Builder
	cmd.Stdout = &out
	require.NoError(t, cmd.Start(ample))
	require.NoError(t, cmd.Wait())
	for name := range secrets {
		require.NotContains(t, out.String(), "\n"+name+"=")
	}
	require.NotContains(t, out.String(), "hidden")
	require.Contains(t, out.String(), "PATH="+os.Getenv("PATH")+"\n")
	require.Contains(t, out.String(), "LC_TIME=C\n")

	text, err := program.New(t.Context(), devtest.Script(t, "program", "env")).Output()
	require.NoError(t, err)
	require.NotContains(t, string(text), "hidden")
	some := program.Environ("DISPLAY", "XDG_*")
	require.Contains(t, some, "DISPLAY=:7")
	require.Contains(t, some, "XDG_RUNTIME_DIR=/run/me")
	require.NotContains(t, strings.Join(some, "\n"), "hidden")
}
