package check_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// objects is an object store that counts how often it is written to.
type objects struct {
	blob.Store
	asked atomic.Int64
	fails atomic.Bool
}

func (o *objects) Ping(context.Context) error {
	if o.asked.Add(1); o.fails.Load() {
		return errors.New("no space")
	}
	return nil
}

func TestOneProcessAsksTheObjectStoreOnceAMinuteForAll(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	a := opened(t, c)
	c.S3.Endpoint = "s3.example"
	o := &objects{Store: a.Blob}
	var processes []*check.Checker
	for range 3 {
		processes = append(processes, check.New(check.Options{Config: c, Store: a.Store, Blob: o, Feed: a.Feed, Source: a.Source}))
	}
	look := func() (states []health.State) {
		for range 5 {
			states = nil
			for _, p := range processes {
				states = append(states, p.Clips(t.Context()).State)
			}
		}
		return states
	}
	minuteLater := func() {
		var is map[string]any
		require.NoError(t, a.Store.State(t.Context(), "clip_store_health", &is))
		is["tried"] = time.Now().Add(-time.Minute)
		require.NoError(t, a.Store.PutState(t.Context(), "clip_store_health", is))
	}
	require.Equal(t, []health.State{health.StateOK, health.StateOK, health.StateOK}, look())
	require.EqualValues(t, 1, o.asked.Load())
	o.fails.Store(true)
	minuteLater()
	require.Equal(t, []health.State{health.StateDown, health.StateDown, health.StateDown}, look(), "what one found all know")
	require.EqualValues(t, 2, o.asked.Load())
	require.Contains(t, processes[2].Clips(t.Context()).Reason, "the object store at s3.example takes no file")
	o.fails.Store(false)
	minuteLater()
	look()
	require.EqualValues(t, 3, o.asked.Load())
	require.Equal(t, health.StateOK, processes[1].Clips(t.Context()).State)

	require.NoError(t, a.Store.PutState(t.Context(), "clip_store_health", 7))
	look()
	require.EqualValues(t, 4, o.asked.Load(), "a note that cannot be read is none")
	require.NoError(t, a.Store.Close()) // the database is away: each asks for itself, and as rarely
	look()
	require.LessOrEqual(t, o.asked.Load(), int64(7))
}
