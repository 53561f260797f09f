package crashpoint_test

import (
	"bytes"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy/crashpoint"
)

// TestMain lets the test's own program be the process that dies.
func TestMain(m *testing.M) {
	if spec := os.Getenv("FOOTY_TEST_CRASH"); spec != "" {
		if err := crashpoint.Arm(spec); err != nil {
			panic(err)
		}
		defer os.Stdout.WriteString("deferred")
		for range 2 {
			crashpoint.Here(crashpoint.Staged)
			crashpoint.Here(crashpoint.Saved)
			os.Stdout.WriteString(".")
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestTheProcessDiesAtTheNamedPassing(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]string{"saved": "", "saved:2": ".", "staged:2": ".", "fetched,saved:2,staged:3": "."} {
		var out, said bytes.Buffer
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "FOOTY_TEST_CRASH="+spec)
		cmd.Stdout, cmd.Stderr = &out, &said
		var end *exec.ExitError
		require.ErrorAs(t, cmd.Run(), &end, spec)
		status, ok := end.Sys().(syscall.WaitStatus)
		require.True(t, ok)
		require.Equal(t, syscall.SIGKILL, status.Signal(), spec)
		require.Equal(t, want, out.String(), spec)
		require.Contains(t, said.String(), crashpoint.Said)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "FOOTY_TEST_CRASH=saved:3")
	require.NoError(t, cmd.Run(), "not passed so often")
}

func TestABadNameIsRefused(t *testing.T) {
	t.Parallel()
	for _, spec := range []string{"nowhere", "saved:0", "saved:x", ":1", "saved,", "saved,nowhere"} {
		require.ErrorContains(t, crashpoint.Arm(spec), "FOOTY_CRASH_AT="+spec)
	}
	crashpoint.Here(crashpoint.Saved) // nothing is armed
}

func BenchmarkUnarmed(b *testing.B) {
	for b.Loop() {
		crashpoint.Here(crashpoint.Saved)
	}
}
