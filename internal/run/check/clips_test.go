package check_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

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

func TestAnObjectStoreThatWorksIsAskedRarely(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	a := opened(t, c)
	c.S3.Endpoint = "s3.example"
	o := &objects{Store: a.Blob}
	look := check.New(check.Options{Config: c, Store: a.Store, Blob: o, Feed: a.Feed, Source: a.Source})
	finds := func() health.Part { return part(look.Look(t.Context()), health.Clips) }
	for range 5 {
		require.Equal(t, health.StateOK, finds().State)
	}
	require.EqualValues(t, 1, o.asked.Load())

	o.fails.Store(true)
	look = check.New(check.Options{Config: c, Store: a.Store, Blob: o, Feed: a.Feed, Source: a.Source})
	require.Equal(t, health.StateDown, finds().State)
	require.Contains(t, finds().Reason, "the object store at s3.example takes no file")
	o.fails.Store(false)
	require.Equal(t, health.StateOK, finds().State, "one that fails is asked each time")
}
