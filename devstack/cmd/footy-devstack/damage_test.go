package main_test

import (
	"bytes"
	"crypto/rand"
	"database/sql"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	_ "modernc.org/sqlite"
)

// used is the database of a server that has worked and was stopped.
func used(t *testing.T) []byte {
	t.Helper()
	db := filepath.Join(t.TempDir(), "t.db")
	p := start(t, "temporal", "--db", db, "--ui-port", "-1")
	_, err := dial(t, p.Address).ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "kept", TaskQueue: "nobody"}, "any")
	require.NoError(t, err)
	require.Zero(t, p.stop(t))
	b, err := os.ReadFile(db)
	require.NoError(t, err)
	return b
}

func noise(t *testing.T, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	_, err := rand.Read(b)
	require.NoError(t, err)
	return b
}

// TestADamagedDatabaseHasACodeOfItsOwn: only noise in the file's first bytes was found at the start.
func TestADamagedDatabaseHasACodeOfItsOwn(t *testing.T) {
	t.Parallel()
	whole := used(t)
	put := func(b []byte) func(*testing.T, string) {
		return func(t *testing.T, db string) { require.NoError(t, os.WriteFile(db, b, 0o600)) }
	}
	middle := bytes.Clone(whole)
	copy(middle[4096:], noise(t, 64<<10))
	for name, damage := range map[string]func(t *testing.T, db string){
		"noise all over":      put(noise(t, 1<<20)),
		"noise in the middle": put(middle),
		"cut to half":         put(whole[:len(whole)/2]),
		"cut within its head": put(whole[:50]),
		"a text":              put([]byte("Arsenal 2-1 Chelsea\n")),
		"a directory":         func(t *testing.T, db string) { require.NoError(t, os.Mkdir(db, 0o700)) },
		"a pipe":              func(t *testing.T, db string) { require.NoError(t, syscall.Mkfifo(db, 0o600)) },
		"another Temporal's": func(t *testing.T, db string) {
			put(whole)(t, db)
			d, err := sql.Open("sqlite", db)
			require.NoError(t, err)
			defer d.Close()
			_, err = d.Exec("ALTER TABLE executions ADD COLUMN of_a_later_release INT NOT NULL DEFAULT 0")
			require.NoError(t, err)
		},
		"another's write-ahead log": func(t *testing.T, db string) {
			other := filepath.Join(t.TempDir(), "other.db")
			d, err := sql.Open("sqlite", other+"?_pragma=journal_mode(wal)")
			require.NoError(t, err)
			defer d.Close()
			_, err = d.Exec("CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000))")
			require.NoError(t, err)
			wal, err := os.ReadFile(other + "-wal")
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(db, whole, 0o600))
			require.NoError(t, os.WriteFile(db+"-wal", wal, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := filepath.Join(t.TempDir(), "t.db")
			damage(t, db)
			code, stderr := refused(t, "temporal", "--db", db, "--ui-port", "-1")
			require.Equal(t, 4, code)
			requireOneLine(t, stderr, db, "another --db")
		})
	}
	t.Run("a file that this user may not read is not damaged", func(t *testing.T) {
		t.Parallel()
		if os.Geteuid() == 0 {
			t.Skip("root may read everything")
		}
		db := filepath.Join(t.TempDir(), "t.db")
		require.NoError(t, os.WriteFile(db, whole, 0o000))
		code, stderr := refused(t, "temporal", "--db", db, "--ui-port", "-1")
		require.Equal(t, 1, code)
		requireOneLine(t, stderr, db, "cannot be written by this user")
	})
	t.Run("the same while it runs", func(t *testing.T) {
		t.Parallel()
		db := filepath.Join(t.TempDir(), "t.db")
		put(whole)(t, db)
		p := start(t, "temporal", "--db", db, "--ui-port", "-1")
		c := dial(t, p.Address)
		f, err := os.OpenFile(db, os.O_WRONLY, 0)
		require.NoError(t, err)
		defer f.Close()
		_, err = f.WriteAt(noise(t, len(whole)), 0)
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			_, _ = c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: "nobody"}, "any")
			select {
			case <-p.exited:
				return true
			default:
				return false
			}
		}, soon, tick)
		require.Equal(t, 4, p.wait(t))
		require.Contains(t, p.stderr.String(), "is damaged")
	})
}
