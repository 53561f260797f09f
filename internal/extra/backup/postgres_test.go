package backup_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	runstate "github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestStateInPostgres backs it up and brings it back with the database's own tools, and names what is wrong
// without the password.
func TestStateInPostgres(t *testing.T) {
	t.Parallel()
	ctx, server := t.Context(), devtest.StartPostgres(t)
	set := map[string]string{"POSTGRES_URL": server.URL, "BACKUP_DIR": filepath.Join(t.TempDir(), "backups")}
	c := parsed(t, set)
	running := opened(t, c)
	require.NoError(t, running.Store.Add(ctx, footy.Fixture{ID: 5001, Stage: footy.StageActive}))
	_, err := backup.BackUp(ctx, process(c), "")
	require.ErrorContains(t, err, "pg_dump")
	dump := server.Run(nil, "pg_dump", "-Fc", "-n", "found_footy", server.URL)
	require.NoError(t, backup.Noted(ctx, c, backup.Note, ""))
	last, err := backup.LastOf(ctx, running.Store)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), last.At, time.Minute)

	require.NoError(t, running.Store.Delete(ctx, 5001))
	server.Run(dump, "pg_restore", "--clean", "--if-exists", "--single-transaction", "-d", server.URL)
	_, err = running.Store.Fixture(ctx, 5001)
	require.NoError(t, err)
	require.NoError(t, backup.Noted(ctx, c, store.NoteRestored, ""))
	at, err := store.Restored(ctx, running.Store)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), at, time.Minute)

	file := parsed(t, nil)
	s := opened(t, file)
	require.NoError(t, s.Store.Add(ctx, footy.Fixture{ID: 5002, Stage: footy.StageActive}))
	from := t.TempDir()
	_, err = backup.BackUp(ctx, process(file), from)
	require.NoError(t, err)
	_, err = backup.BringBack(ctx, c, backup.RestoreOptions{From: from, Force: true})
	require.ErrorContains(t, err, "restored by its own tools")

	server.Stop()
	_, err = runstate.Open(ctx, c)
	require.ErrorContains(t, err, "connection refused; start it, correct POSTGRES_URL, or unset it")
	require.NotContains(t, err.Error(), server.Password)
	server.Start()
	set["POSTGRES_URL"] = strings.Replace(server.URL, server.Password, "hunter2", 1)
	_, err = runstate.Open(ctx, parsed(t, set))
	require.ErrorContains(t, err, "PostgreSQL refuses us: check user and password in its address")
	require.NotContains(t, err.Error(), "hunter2")
	require.NotContains(t, err.Error(), "\n")
}
