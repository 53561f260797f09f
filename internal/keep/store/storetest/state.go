package storetest

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// stateChecks: small facts that several processes change.
var stateChecks = []check{
	{name: "state is changed from what is stored", run: changedState},
	{name: "a change of state starts over when another gets in between", run: stateStartsOver},
	{name: "a failed change of state writes nothing", run: failedState},
	{name: "20 concurrent writers of one state lose nothing", run: concurrentState},
}

func raise(n *int) error { *n++; return nil }

func changedState(t *testing.T, b store.Backend) {
	s := over(b)
	for want := range 3 {
		n, err := store.ChangeState(t.Context(), s, "made by a change", raise)
		require.NoError(t, err)
		require.Equal(t, want+1, n)
	}
	require.NoError(t, s.PutState(t.Context(), "put", 40))
	n, err := store.ChangeState(t.Context(), s, "put", raise)
	require.NoError(t, err)
	require.Equal(t, 41, n)
	require.NoError(t, s.PutState(t.Context(), "put", 50))
	_, err = store.ChangeState(t.Context(), s, "put", raise)
	require.NoError(t, err)
	require.NoError(t, s.State(t.Context(), "put", &n))
	require.Equal(t, 51, n)
}

func stateStartsOver(t *testing.T, b store.Backend) {
	s := over(b)
	for _, key := range []string{"there", "new"} {
		if key == "there" {
			require.NoError(t, s.PutState(t.Context(), key, 10))
		}
		other := func() {
			_, err := store.ChangeState(t.Context(), s, key, raise)
			require.NoError(t, err)
		}
		var before int
		if key == "there" {
			before = 10
		}
		slow := over(&faulty{Backend: b, before: 2, act: other}) // between its read and its write
		n, err := store.ChangeState(t.Context(), slow, key, raise)
		require.NoError(t, err)
		require.Equal(t, before+2, n, key)
	}
}

func failedState(t *testing.T, b store.Backend) {
	s := over(b)
	own := errors.New("own")
	_, err := store.ChangeState(t.Context(), s, "n", func(n *int) error { *n = 7; return own })
	require.Equal(t, own, err)
	_, err = store.ChangeState(t.Context(), s, "n", func(*int) error { return store.ErrUnchanged })
	require.NoError(t, err)
	var n int
	requireCode(t, footy.CodeNotFound, s.State(t.Context(), "n", &n))

	require.NoError(t, s.PutState(t.Context(), "text", "no number"))
	_, err = store.ChangeState(t.Context(), s, "text", raise)
	requireCode(t, footy.CodeInvalid, err)
	requireCode(t, footy.CodeInvalid, s.UpdateState(t.Context(), "bad", func(json.RawMessage) (any, error) { return func() {}, nil }))
}

func concurrentState(t *testing.T, b store.Backend) {
	s := over(b)
	var g errgroup.Group
	for range 20 {
		g.Go(func() error {
			_, err := store.ChangeState(t.Context(), s, "count", raise)
			return err
		})
	}
	require.NoError(t, g.Wait())
	var n int
	require.NoError(t, s.State(t.Context(), "count", &n))
	require.Equal(t, 20, n)
}
