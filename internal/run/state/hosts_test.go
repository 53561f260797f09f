package state_test

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/run/state"
)

func TestNoFetchFromAHostIsLostWhereSeveralProcessesCount(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	var all sync.WaitGroup
	for i := range 4 {
		one := state.Hosts{Store: openedStore(t, path), Log: slog.New(slog.DiscardHandler)}
		all.Go(func() {
			one.Note(t.Context(), "streamain", hosts.Outcome{Page: fmt.Sprint(i), Failure: "status 403"})
			one.Note(t.Context(), fmt.Sprint(i), hosts.Outcome{Page: "https://a.example/1"})
		})
	}
	all.Wait()
	h := state.Hosts{Store: openedStore(t, path), Log: slog.New(slog.DiscardHandler)}
	r, err := h.Record(t.Context(), "streamain")
	require.NoError(t, err)
	require.Len(t, r.Failed, 4)
	r, err = h.Record(t.Context(), "3")
	require.NoError(t, err)
	require.Equal(t, []string{"https://a.example/1"}, r.Known)
	r, err = h.Record(t.Context(), "nobody")
	require.NoError(t, err)
	require.Equal(t, hosts.Record{}, r)
}
