package app_test

import (
	"bytes"
	"encoding/binary"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/app"
)

// TestAStartSaysWhereTheFormerDatabaseIs: it is what goes back to the release before, and takes room.
func TestAStartSaysWhereTheFormerDatabaseIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	starts := func() string {
		var said bytes.Buffer
		a, err := app.New(t.Context(), parsed(t, map[string]string{"STATE_DIR": dir}), slog.New(slog.NewTextHandler(&said, nil)), "test")
		require.NoError(t, err)
		require.NoError(t, a.Close())
		return said.String()
	}
	require.NotContains(t, starts(), "migrated", "it is new")
	f, err := os.OpenFile(filepath.Join(dir, "footy.db"), os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = f.WriteAt(binary.BigEndian.AppendUint32(nil, 1), 60) // user_version
	require.NoError(t, err)
	require.NoError(t, f.Close())
	said := starts()
	copies, err := filepath.Glob(filepath.Join(dir, "footy.db.schema-1-*"))
	require.NoError(t, err)
	require.Len(t, copies, 1)
	require.Contains(t, said, "as it was it is kept as "+copies[0])
	require.NotContains(t, starts(), "migrated")
}
