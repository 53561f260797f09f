package blobtest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

func created(t *testing.T, s blob.Store) {
	var first atomic.Int64
	var all sync.WaitGroup
	for n := range int64(8) {
		all.Go(func() {
			switch err := s.Create(t.Context(), "one.json", fmt.Append(nil, n)); {
			case err == nil:
				first.Add(1 + 100*n)
			default:
				if footy.CodeOf(err) != footy.CodeConflict {
					t.Errorf("create: %v", err)
				}
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 1, first.Load()%100, "one of them created it")
	body, _ := read(t, s, "one.json")
	require.Equal(t, fmt.Sprint(first.Load()/100), body)
	require.Equal(t, footy.CodeConflict, footy.CodeOf(s.Create(t.Context(), "one.json", []byte("late"))))
	require.NoError(t, s.Delete(t.Context(), "one.json"))
	require.NoError(t, s.Create(t.Context(), "one.json", []byte("again")))
	body, _ = read(t, s, "one.json")
	require.Equal(t, "again", body)
}
