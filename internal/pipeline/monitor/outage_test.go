package monitor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
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

// TestEveryProcessCountsTheSameOutage: polls go to whichever worker is free, so what one of them saw must count for all.
func TestEveryProcessCountsTheSameOutage(t *testing.T) {
	t.Parallel()
	one := newBench(t)
	two := one.otherProcess()
	one.feed.list(match(1, 0))
	at := one.now
	ask := func(b *bench, failure error) {
		t.Helper()
		at = at.Add(30 * time.Second)
		one.now, two.now, b.feed.err = at, at, failure
		_, err := b.poll(fmt.Sprint(at), 1)
		require.Equal(t, failure != nil, err != nil)
	}
	away := footy.Errorf(footy.CodeUnavailable, "ask", "HTTP 503")
	ask(one, nil)
	ask(one, away)
	began := at
	ask(two, away)
	require.Zero(t, one.outage().Since)
	ask(one, away)
	require.True(t, one.outage().Since.Equal(began), "the third failure in a row, whoever saw it")
	ask(two, nil)
	require.Zero(t, one.outage(), "the other process saw it answer again")
	ask(one, away)
	ask(one, away)
	ask(two, nil)
	ask(one, away)
	require.Zero(t, one.outage().Since)
	ask(one, away)
	ask(one, away)
	require.NotZero(t, two.outage().Since, "the process that told of the first outage tells of the next")
}
