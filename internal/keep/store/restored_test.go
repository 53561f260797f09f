package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

// When a backup came back decides what people are not told twice.
func TestARestoreWhoseTimeCannotBeReadCountsAsNow(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	at, err := store.Restored(t.Context(), s)
	require.NoError(t, err)
	require.Zero(t, at)
	require.NoError(t, s.PutState(t.Context(), "restored", 7))
	before := time.Now().Add(-time.Second)
	first, err := store.Restored(t.Context(), s)
	require.NoError(t, err)
	require.True(t, first.After(before))
	again, err := store.Restored(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, first, again, "it was written down")
	require.True(t, store.HasDamage(s, store.ServiceState, "restored"))
}
