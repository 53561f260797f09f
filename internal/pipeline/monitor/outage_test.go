package monitor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/stretchr/testify/require"
)

func (b *bench) outage() monitor.Outage {
	b.t.Helper()
	var o monitor.Outage
	if err := b.store.State(b.t.Context(), monitor.OutageKey, &o); !footy.IsNotFound(err) {
		require.NoError(b.t, err)
	}
	return o
}

func TestOutageIsKeptFromItsFirstFailedCall(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.feed.list(match(1, 0))
	ask := func(n int) {
		t.Helper()
		for range n {
			b.now = b.now.Add(30 * time.Second)
			_, err := b.poll(fmt.Sprint(b.now), 1)
			require.Equal(t, b.feed.err != nil, err != nil)
		}
	}
	ask(2)
	b.feed.err = footy.Errorf(footy.CodeUnavailable, "ask", "HTTP 503")
	ask(2)
	b.feed.err = nil
	ask(1)
	require.Zero(t, b.outage(), "two failed calls are no outage")
	began := b.now.Add(30 * time.Second)
	b.feed.err = footy.Errorf(footy.CodeUnavailable, "ask", "HTTP 503")
	ask(50)
	o := b.outage()
	require.True(t, o.Since.Equal(began))
	require.Equal(t, "HTTP 503", o.Why)
	b.feed.err = nil
	ask(1)
	require.Zero(t, b.outage())
}
