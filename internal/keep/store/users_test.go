package store_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

// TestARestoreIntoAServerNamesThoseThatHaveItOpen on a backend that stands for any: rows are all it uses.
func TestARestoreIntoAServerNamesThoseThatHaveItOpen(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	s := store.New(b)
	beats := func() (sum int64) {
		var all map[string]struct{ Beat int64 }
		require.NoError(t, s.State(ctx, "users", &all))
		for _, u := range all {
			sum += u.Beat
		}
		return sum
	}
	moves := func(context.Context) error { // until a beat of those that live has moved
		was := beats()
		require.Eventually(t, func() bool { return beats() > was }, time.Minute, time.Millisecond)
		return nil
	}
	still := func(context.Context) error { return nil }
	reserve := func(watch func(context.Context) error) (store.Reservation, error) {
		return store.Reserve(ctx, b, "footy restore (process 9 on c)", watch)
	}

	leave, err := store.Join(ctx, s, "footy web (process 7 on a)", time.Millisecond)
	require.NoError(t, err)
	_, err = store.Join(ctx, s, "footy worker (process 8 on b)", time.Hour) // as one that was killed
	require.NoError(t, err)
	_, err = reserve(moves)
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "in use by footy web (process 7 on a); stop it first")
	require.NotContains(t, err.Error(), "process 8", "its beat stands still")
	again, err := store.Join(ctx, s, "footy up (process 1 on d)", time.Hour)
	require.NoError(t, err, "a restore that was refused keeps none away")
	again()
	leave()

	join := func() error {
		leave, err := store.Join(ctx, s, "footy up (process 1 on d)", time.Hour)
		if err == nil {
			leave()
		}
		return err
	}
	_, err = reserve(still)
	require.NoError(t, err)
	require.ErrorContains(t, join(), "a restore by footy restore (process 9 on c) is under way or was interrupted")
	r, err := reserve(still) // the one before died
	require.NoError(t, err)
	require.NoError(t, r.Undo(ctx))
	require.Error(t, join(), "what the one before left is half")
	r, err = reserve(still)
	require.NoError(t, err)
	require.NoError(t, r.Done(ctx))
	require.NoError(t, join())
	r, err = reserve(still)
	require.NoError(t, err)
	require.NoError(t, r.Undo(ctx))
	require.NoError(t, join(), "it changed nothing")
}
