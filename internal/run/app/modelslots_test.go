package app_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/worker"
)

type released struct {
	worker.SlotReleaseInfo
	permit *worker.SlotPermit
}

func (r released) Permit() *worker.SlotPermit { return r.permit }

// TestAModelWorksOnNoMoreThanItsSlotsForAllWorkers: three workers with LLAMA_SLOTS=2 asked six questions at once, which waited in the
// model's server and ran out of time there.
func TestAModelWorksOnNoMoreThanItsSlotsForAllWorkers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	process := func(name string) *app.ModelSlots {
		db, err := sqlite.Open(path)
		require.NoError(t, err)
		s := store.New(db)
		m, err := app.NewModelSlots(store.NewLeases(s, time.Now, name), 2)
		require.NoError(t, err)
		t.Cleanup(func() {
			m.Close()
			require.NoError(t, s.Close())
		})
		return m
	}
	one, other := process("one"), process("other")
	permit, err := one.ReserveSlot(t.Context(), nil)
	require.NoError(t, err)
	_, err = one.ReserveSlot(t.Context(), nil)
	require.NoError(t, err)
	full, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = one.ReserveSlot(full, nil)
	require.ErrorIs(t, err, context.Canceled, "two are all")
	require.False(t, one.Waits(), "it has the model")

	got := make(chan error, 1)
	go func() {
		_, err := other.ReserveSlot(t.Context(), nil)
		got <- err
	}()
	require.Eventually(t, other.Waits, time.Minute, time.Millisecond)
	one.ReleaseSlot(released{permit: permit})
	_, err = one.ReserveSlot(t.Context(), nil)
	require.NoError(t, err, "who has the model goes on with it")
	require.Empty(t, got)

	one.Close()
	require.NoError(t, <-got, "who ends leaves it to another")
	require.False(t, other.Waits())
}
