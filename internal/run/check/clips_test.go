package check_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/s3"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/tools/devtest"
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

// TestWhyAnObjectStoreRefuses: start, doctor and Health say the same.
func TestWhyAnObjectStoreRefuses(t *testing.T) {
	t.Parallel()
	ready := devtest.Start(t, "s3", "--root", t.TempDir(), "--access-key", "access", "--secret-key", "a-secret-of-length", "--port", "0")
	c := parsed(t, map[string]string{"S3_ENDPOINT": "http://" + ready.Address + "/", "S3_ACCESS_KEY": "access", "S3_SECRET_KEY": "a-secret-of-length", "S3_REGION": "garage"})
	const reason, remedy = "is in the region us-east-1, and S3_REGION is garage", "et S3_REGION=us-east-1"
	_, err := state.OpenBlob(t.Context(), c)
	require.ErrorContains(t, err, reason)
	require.ErrorContains(t, err, remedy)
	f := examined(t, c, health.Clips)
	require.Equal(t, health.StateDown, f.State)
	require.Contains(t, f.Reason, reason)
	require.Contains(t, f.Remedy, "S"+remedy)

	here := parsed(t, nil)
	a := opened(t, here)
	wrong, err := s3.New(s3.Options{Endpoint: c.S3.Endpoint, AccessKey: "access", SecretKey: "a-secret-of-length", Bucket: "clips", Region: "garage"})
	require.NoError(t, err)
	p := part(check.New(check.Options{Config: c, Store: a.Store, Blob: wrong, Feed: a.Feed, Source: a.Source}).Look(t.Context()), health.Clips)
	require.Equal(t, health.StateDown, p.State)
	require.Contains(t, p.Reason, reason)
	require.Contains(t, p.Remedy, "S"+remedy)
}
