package check_test

import (
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// hung is a storage on a dead NFS: a call comes back when the server does, whatever its context says.
type hung struct {
	blob.Store
	back  chan struct{}
	asked atomic.Int32
}

func (h *hung) Ping(context.Context) error {
	h.asked.Add(1)
	<-h.back
	return nil
}

// TestAPartThatHangsIsDown: one look that never came back kept the last report, which said that all is well.
func TestAPartThatHangsIsDown(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	a := opened(t, c)
	clips := &hung{Store: a.Blob, back: make(chan struct{})}
	look := check.New(check.Options{Config: c, Store: a.Store, Blob: clips, Feed: a.Feed, Source: a.Source, Within: 100 * time.Millisecond})
	state := func(r health.Report) health.Part {
		i := slices.IndexFunc(r.Parts, func(p health.Part) bool { return p.Name == health.Clips })
		require.GreaterOrEqual(t, i, 0)
		return r.Parts[i]
	}
	p := state(look.Look(t.Context()))
	require.Equal(t, health.StateDown, p.State)
	require.Contains(t, p.Reason, "no answer")
	require.Equal(t, health.StateDown, state(look.Health(t.Context())).State)
	look.Look(t.Context())
	require.EqualValues(t, 1, clips.asked.Load(), "what hangs is not asked once more each time")
	close(clips.back)
	require.Eventually(t, func() bool { return state(look.Look(t.Context())).State == health.StateOK }, time.Minute, time.Millisecond)
}

// TestOneLateLookIsNotDown: on a starved machine a look that was late once made a page of red and told people.
func TestOneLateLookIsNotDown(t *testing.T) {
	t.Parallel()
	for name, heeds := range map[string]bool{"a call that heeds its context": true, "a call that does not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := parsed(t, nil)
			a := opened(t, c)
			clips := &slow{Store: a.Blob, heeds: heeds}
			clips.stop()
			clips.goOn()
			look := check.New(check.Options{Config: c, Store: a.Store, Blob: clips, Feed: a.Feed, Source: a.Source,
				Within: 100 * time.Millisecond, Log: slog.New(slog.DiscardHandler)})
			finds := func() health.State { return part(look.Look(t.Context()), health.Clips).State }
			require.Eventually(t, func() bool { return finds() == health.StateOK }, time.Minute, time.Millisecond)
			for range 2 {
				clips.stop()
				require.Equal(t, health.StateOK, finds(), "late once")
				require.Equal(t, health.StateDown, finds(), "and again")
				clips.goOn()
				require.Eventually(t, func() bool { return finds() == health.StateOK }, time.Minute, time.Millisecond)
			}
		})
	}
}

// slow is a storage that does not answer while it is stopped.
type slow struct {
	blob.Store
	heeds bool
	open  atomic.Pointer[chan struct{}]
}

func (s *slow) stop() { s.open.Store(new(make(chan struct{}))) }
func (s *slow) goOn() { close(*s.open.Load()) }

func (s *slow) Ping(ctx context.Context) error {
	if !s.heeds {
		ctx = context.WithoutCancel(ctx)
	}
	select {
	case <-*s.open.Load():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestAReaderWhoLeavesSaysNothingAboutTheParts: before the first look was over, each reader's own was kept, and a reader who left had all
// parts shown as down.
func TestAReaderWhoLeavesSaysNothingAboutTheParts(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	a := opened(t, c)
	look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source})
	gone, leave := context.WithCancel(t.Context())
	leave()
	look.Health(gone)
	require.Equal(t, health.StateOK, part(look.Health(t.Context()), health.Database).State)
}
