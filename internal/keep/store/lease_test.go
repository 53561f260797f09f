package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

func TestOneOfSeveralProcessesHoldsALease(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	now := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	process := func(name string, skew time.Duration) *store.Leases {
		db, err := sqlite.Open(path)
		require.NoError(t, err)
		s := store.New(db)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		return store.NewLeases(s, func() time.Time { return now.Add(skew) }, name)
	}
	one, other := process("one", 0), process("other", -3*time.Hour) // clocks differ
	holds := func(l *store.Leases) bool {
		t.Helper()
		ok, err := l.Hold(t.Context(), "notifier")
		require.NoError(t, err)
		return ok
	}
	require.True(t, holds(one))
	for range 100 {
		now = now.Add(10 * time.Second)
		require.True(t, holds(one))
		require.False(t, holds(other))
	}
	now = now.Add(store.LeaseFor - time.Second) // the holder hangs
	require.False(t, holds(other))
	now = now.Add(time.Second)
	require.True(t, holds(other))
	require.False(t, holds(one), "it goes on after its hang and has lost the lease")
	ok, err := one.Hold(t.Context(), "another name")
	require.NoError(t, err)
	require.True(t, ok)

	other.Release(t.Context())
	require.True(t, holds(one), "who ends in order is not waited for")
	require.False(t, holds(other))
	require.True(t, holds(process("one", 0)), "who was killed and is started anew has it still")
	require.False(t, holds(other))

	db, err := sqlite.Open(path)
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.Upsert(t.Context(), store.ServiceState, []store.Doc{{ID: "lease/notifier", Body: []byte(`{"value":7}`)}}))
	now = now.Add(store.LeaseFor / 3)
	third := process("third", 0)
	require.False(t, holds(third), "whoever held it may still act")
	require.False(t, holds(third))
	now = now.Add(store.LeaseFor)
	require.True(t, holds(third))
}
