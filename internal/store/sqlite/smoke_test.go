package sqlite_test

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/store/sqlite"
	"github.com/stretchr/testify/require"
)

func TestManyWritersLoseNothing(t *testing.T) {
	t.Parallel()
	b, err := sqlite.Open(filepath.Join(t.TempDir(), "a b%20.db"), sqlite.Options{})
	require.NoError(t, err)
	defer b.Close()
	s := store.New(b, store.Options{})
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 7, Stage: footy.StageActive}))
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for range 5 {
				_, err := s.Update(t.Context(), 7, func(f *footy.Fixture) error {
					f.Events = append(f.Events, footy.Event{UID: "x"})
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	f, err := s.Fixture(t.Context(), 7)
	require.NoError(t, err)
	require.Len(t, f.Events, 100)
}
