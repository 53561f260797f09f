package main_test

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// requireOneLine is the promise to people: what, where, remedy, and no stack trace.
func requireOneLine(t *testing.T, stderr string, parts ...string) {
	t.Helper()
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	for _, part := range parts {
		require.Contains(t, stderr, part)
	}
}

func TestTemporalRefusesInOneLine(t *testing.T) {
	t.Parallel()

	t.Run("a file that is not a database stays as it is", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "notes.txt")
		content := []byte("Arsenal 2-1 Chelsea\n")
		require.NoError(t, os.WriteFile(file, content, 0o600))
		code, stderr := refused(t, "temporal", "--db", file, "--ui-port", "-1")
		require.Equal(t, 4, code)
		requireOneLine(t, stderr, file, "not a SQLite database", "another --db")
		after, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, content, after)
	})

	t.Run("a place below a file cannot hold a database", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		code, stderr := refused(t, "temporal", "--db", filepath.Join(file, "t.db"), "--ui-port", "-1")
		require.Equal(t, 1, code)
		requireOneLine(t, stderr, file, "another --db")
	})

	t.Run("a directory without write permission", func(t *testing.T) {
		t.Parallel()
		if os.Geteuid() == 0 {
			t.Skip("root may write everywhere")
		}
		dir := t.TempDir()
		require.NoError(t, os.Chmod(dir, 0o500))
		code, stderr := refused(t, "temporal", "--db", filepath.Join(dir, "t.db"), "--ui-port", "-1")
		require.Equal(t, 1, code)
		requireOneLine(t, stderr, dir, "cannot be written", "another --db")
	})

	t.Run("taken ports, unless the interface may move", func(t *testing.T) {
		t.Parallel()
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
		db := filepath.Join(t.TempDir(), "t.db")
		for _, flag := range []string{"--port", "--ui-port"} {
			code, stderr := refused(t, "temporal", "--db", db, "--ui-port=-1", flag, port)
			require.Equal(t, 1, code)
			requireOneLine(t, stderr, "port "+port, "already in use", "choose another with "+flag)
		}
		require.NoFileExists(t, db)
		p := start(t, "temporal", "--db", db, "--ui-port", port, "--ui-port-fallback")
		require.NotEmpty(t, p.UI)
		require.NotContains(t, p.UI, port)
	})

	t.Run("a second server on the same database", func(t *testing.T) {
		t.Parallel()
		db := filepath.Join(t.TempDir(), "t.db")
		p := start(t, "temporal", "--db", db, "--ui-port", "-1")
		code, stderr := refused(t, "temporal", "--db", db, "--ui-port", "-1")
		require.Equal(t, 3, code)
		requireOneLine(t, stderr, db, "in use", "process "+strconv.Itoa(p.PID))
	})

	t.Run("a retention that would forget last Saturday", func(t *testing.T) {
		t.Parallel()
		code, stderr := refused(t, "temporal", "--db", filepath.Join(t.TempDir(), "t.db"), "--retention", "24h")
		require.Equal(t, 2, code)
		requireOneLine(t, stderr, "--retention", "168h")
	})
}
