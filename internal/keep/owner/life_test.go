package owner_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

// copied is a second database with all that the first holds.
func copied(t *testing.T, docs store.Store) store.Store {
	t.Helper()
	to := filepath.Join(t.TempDir(), "footy.db")
	b, err := sqlite.Open(to)
	require.NoError(t, err)
	s := store.New(b)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	is, err := owner.InstallationOf(t.Context(), docs)
	require.NoError(t, err)
	require.NoError(t, s.PutState(t.Context(), owner.StateKey, is))
	return s
}

func sole(t *testing.T, g *owner.Guard) bool {
	t.Helper()
	look := g.Look(t.Context())
	err := g.Renew(t.Context())
	r := owner.Refused(err)
	require.Equal(t, r == nil, err == nil, "%v", err)
	require.Equal(t, r, owner.Refused(look), "a look finds what a sweep finds")
	require.Equal(t, r, owner.Refused(g.Contested(t.Context())), "and each process of the installation knows it")
	if r != nil {
		require.Equal(t, keeping.Copied, r.Whose)
		require.Contains(t, r.Reason(), "another copy of this database")
		require.Contains(t, r.Remedy(), "footy clips adopt")
	}
	return r == nil
}

func TestTwoCopiesOfADatabaseFindEachOther(t *testing.T) {
	t.Parallel()
	for _, swept := range []int{0, 1, 3} { // before the copy was made
		b, docs := objects(t), database(t)
		first := guard(b, docs)
		put(t, first, clipKey)
		for range swept {
			require.True(t, sole(t, first))
		}
		second := guard(b, copied(t, docs))
		require.True(t, sole(t, second), "the first may be no more")
		require.False(t, sole(t, first))
		require.False(t, sole(t, second), "it learns from the first")
		require.False(t, sole(t, first))
		put(t, first, clipKey)
		put(t, second, clipKey)

		require.NoError(t, first.Adopt(t.Context()))
		require.True(t, sole(t, first), "the second was stopped")
		require.True(t, sole(t, first))
		require.False(t, sole(t, second), "it runs again")
		require.False(t, sole(t, first))
		require.NoError(t, second.Adopt(t.Context()))
		require.True(t, sole(t, second), "the first was stopped")
		require.False(t, sole(t, first))
	}
}

// severed is a clip store that cannot be written while it is cut.
type severed struct {
	blob.Store
	cut bool
}

func (s *severed) Put(ctx context.Context, key string, r io.Reader, size int64, info blob.Info) error {
	if s.cut {
		return errors.New("the machine died")
	}
	return s.Store.Put(ctx, key, r, size, info)
}

func TestADeathBetweenDatabaseAndMarkIsNoOtherCopy(t *testing.T) {
	t.Parallel()
	b, docs := &severed{Store: objects(t)}, database(t)
	require.True(t, sole(t, guard(b, docs)))
	for range 3 {
		b.cut = true
		require.ErrorContains(t, guard(b, docs).Renew(t.Context()), "died")
		b.cut = false
		require.True(t, sole(t, guard(b, docs)))
	}
	b.cut = true
	require.Error(t, guard(b, docs).Adopt(t.Context()))
	b.cut = false
	require.True(t, sole(t, guard(b, docs)))
}

func TestProcessesOfOneInstallationAreNoOtherCopies(t *testing.T) {
	t.Parallel()
	b, docs := objects(t), database(t)
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		g := guard(b, docs)
		wg.Go(func() {
			for range 5 {
				errs[i] = errors.Join(errs[i], g.Renew(t.Context()), g.Look(t.Context()))
			}
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
}

func TestAMarkWithoutALifeGetsOne(t *testing.T) {
	t.Parallel()
	b, docs := objects(t), database(t)
	g := guard(b, docs)
	put(t, g, clipKey)
	require.NoError(t, owner.Mark(t.Context(), b, id(t, docs), "", time.Now()))
	other := guard(b, copied(t, docs))
	require.True(t, sole(t, g))
	require.False(t, sole(t, other))
	for range 50 {
		require.NoError(t, g.Adopt(t.Context()))
	}
	is, err := owner.InstallationOf(t.Context(), docs)
	require.NoError(t, err)
	require.Len(t, is.Lives, 20, "what is remembered has a bound")
}
