package state_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestStateInPostgres backs up a database that a process uses, moves it into a file and back, and names what is wrong without the password.
func TestStateInPostgres(t *testing.T) {
	t.Parallel()
	ctx, server := t.Context(), devtest.StartPostgres(t)
	set := map[string]string{"POSTGRES_URL": server.URL, "BACKUP_DIR": filepath.Join(t.TempDir(), "backups")}
	c := parsed(t, set)
	running := opened(t, c)
	require.NoError(t, running.Store.Add(ctx, footy.Fixture{ID: 5001, Stage: footy.StageActive}))
	require.NoError(t, running.Blob.Put(ctx, "clips/a.mp4", strings.NewReader("a clip"), 6, blob.Info{}))
	m, err := state.Backup(ctx, c, "test", "") // as another process
	require.NoError(t, err)
	require.Equal(t, "dump", m.Form)
	_, err = state.Restore(ctx, c, state.RestoreOptions{From: c.Backup.Dir})
	require.ErrorContains(t, err, "is not empty")

	var users map[string]struct{ Beat int64 }
	require.NoError(t, running.Store.State(ctx, "users", &users))
	require.Len(t, users, 1, "those that ended have left")
	idle := state.RestoreOptions{From: c.Backup.Dir, Force: true, Watch: func(context.Context) error {
		_, err := store.ChangeState(ctx, running.Store, "users", func(all *map[string]map[string]any) error {
			for id := range users { // as running does every ten seconds
				(*all)[id]["beat"] = 1000
			}
			return nil
		})
		return err
	}}
	_, err = state.Restore(ctx, c, idle)
	require.ErrorContains(t, err, fmt.Sprintf("in use by state.test (process %d on ", os.Getpid()))
	_, err = running.Store.Fixture(ctx, 5001)
	require.NoError(t, err)

	file := filepath.Join(t.TempDir(), "file")
	_, err = state.Restore(ctx, c, state.RestoreOptions{From: c.Backup.Dir, Into: file})
	require.NoError(t, err, "--into is an embedded state, whatever the settings use")
	embedded := opened(t, parsed(t, map[string]string{"STATE_DIR": file}))
	_, err = embedded.Store.Fixture(ctx, 5001)
	require.NoError(t, err)

	set["POSTGRES_SCHEMA"] = "another"
	other := parsed(t, set)
	_, err = state.Restore(ctx, other, state.RestoreOptions{From: c.Backup.Dir})
	require.NoError(t, err)
	s, err := state.OpenExistingStore(ctx, other, "list posts")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	_, err = s.Fixture(ctx, 5001)
	require.NoError(t, err)

	server.Stop()
	_, err = state.Open(ctx, c)
	require.ErrorContains(t, err, "connection refused; start it, correct POSTGRES_URL, or unset it")
	require.NotContains(t, err.Error(), server.Password)
	server.Start()
	set["POSTGRES_URL"] = strings.Replace(server.URL, server.Password, "hunter2", 1)
	_, err = state.Open(ctx, parsed(t, set))
	require.ErrorContains(t, err, "PostgreSQL refuses us: check user and password in its address")
	require.NotContains(t, err.Error(), "hunter2")
	require.NotContains(t, err.Error(), "\n")
}
