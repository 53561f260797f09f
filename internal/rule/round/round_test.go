package round_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/stretchr/testify/require"
)

var kickoff = time.Date(2026, 8, 15, 14, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return kickoff.Add(time.Duration(minutes) * time.Minute) }

func certain() *footy.Event {
	return &footy.Event{UID: "5000-1", FirstSeen: kickoff, CertainAt: at(1), Round: 1, RoundOpenedAt: at(1), MonitorComplete: true}
}

func id(n int) string { return fmt.Sprintf("download%d", n) }

func found(ids ...string) []footy.Candidate {
	var out []footy.Candidate
	for _, id := range ids {
		out = append(out, footy.Candidate{PostID: id})
	}
	return out
}

func search(e *footy.Event, try int, posts ...string) string {
	return round.Allocate(e, try, found(posts...), at(try), id).Key
}

func TestBatches(t *testing.T) {
	t.Parallel()

	t.Run("a repeated search gets the number it was given before", func(t *testing.T) {
		t.Parallel()
		e := certain()
		first := search(e, 1, "a", "b")
		again := round.Allocate(e, 1, found("c"), at(9), id)
		require.Equal(t, first, again.Key)
		require.Equal(t, []string{"a", "b"}, e.DiscoveredVideos)
		require.Equal(t, "download2", search(e, 2))
	})

	t.Run("only registered batches of this round count as attempts", func(t *testing.T) {
		t.Parallel()
		e := certain()
		d := search(e, 1, "a")
		require.Empty(t, e.DownloadWorkflows)
		round.Register(e, d)
		round.Register(e, d)
		round.Register(e, "stranger")
		require.Equal(t, []string{d}, e.DownloadWorkflows)
		e.Round = 2
		e.DownloadWorkflows = nil
		round.Register(e, d)
		require.Empty(t, e.DownloadWorkflows)
	})

	t.Run("a settled batch is known for good", func(t *testing.T) {
		t.Parallel()
		e := certain()
		d := search(e, 1, "a")
		require.Len(t, round.Open(e), 1)
		round.Settle(e, d)
		round.Settle(e, d)
		require.True(t, round.Settled(e, d))
		require.Empty(t, round.Open(e))
		require.Equal(t, []string{d}, e.SettledWorkflows)
	})

	t.Run("posts tried again get a batch of their own, which counts as no attempt", func(t *testing.T) {
		t.Parallel()
		e := certain()
		d := search(e, 1, "a")
		round.Register(e, d)
		round.Settle(e, d)
		e.Offered = found("b")
		first, second := round.Allocate(e, 0, nil, at(30), id), round.Allocate(e, 0, nil, at(31), id)
		require.Equal(t, "download2", first.Key)
		require.Equal(t, "download3", second.Key)
		require.NotEmpty(t, e.Offered, "what a sibling offered waits for a search")
		round.Register(e, first.Key)
		require.Equal(t, []string{d}, e.DownloadWorkflows)
		require.Len(t, round.Open(e), 2)
	})
}

func TestComplete(t *testing.T) {
	t.Parallel()
	play := func(e *footy.Event, attempts int) {
		for n := 1; n <= attempts; n++ {
			d := search(e, n)
			round.Register(e, d)
			round.Settle(e, d)
		}
	}

	t.Run("ten registered and settled attempts complete an event", func(t *testing.T) {
		t.Parallel()
		e := certain()
		play(e, 10)
		require.True(t, round.Complete(e, 10, at(12)))
		require.Equal(t, "ok", e.Outcome)
		require.False(t, round.Complete(e, 10, at(13)), "once")
	})

	t.Run("nine do not, unless the round has ended", func(t *testing.T) {
		t.Parallel()
		e := certain()
		play(e, 9)
		require.False(t, round.Complete(e, 10, at(12)))
		require.True(t, round.End(e, footy.ReasonTriesUsed, at(46)))
		require.True(t, round.Complete(e, 10, at(46)))
		require.Equal(t, "lost(tries_used)", e.Outcome)
	})

	t.Run("a batch on its way keeps the event open", func(t *testing.T) {
		t.Parallel()
		e := certain()
		play(e, 10)
		late := search(e, 11, "z")
		require.False(t, round.Complete(e, 10, at(12)))
		round.Settle(e, late)
		require.True(t, round.Complete(e, 10, at(12)))
	})

	t.Run("an uncertain or removed event is never completed", func(t *testing.T) {
		t.Parallel()
		for _, e := range []*footy.Event{{UID: "1"}, {UID: "2", CertainAt: at(1), Removed: true}} {
			round.End(e, "", at(2))
			require.False(t, round.Complete(e, 10, at(3)))
		}
	})
}

func TestWindowOver(t *testing.T) {
	t.Parallel()
	e := certain()
	require.False(t, round.WindowOver(e, 45*time.Minute, at(44)))
	require.True(t, round.WindowOver(e, 45*time.Minute, at(45)), "counted from first-seen")
	e.Round, e.RoundOpenedAt = 2, at(40)
	require.False(t, round.WindowOver(e, 45*time.Minute, at(84)), "a later round has a window of its own")
	require.True(t, round.WindowOver(e, 45*time.Minute, at(85)))
}

func TestChoose(t *testing.T) {
	t.Parallel()
	c := func(id string, ms int) footy.Candidate { return footy.Candidate{PostID: id, DurationMS: ms} }
	chosen, passed := round.Choose([]footy.Candidate{c("short", 9000), c("unknown", 0), c("long", 40000), c("known", 50000), c("long", 40000)}, []string{"known"}, 2)
	require.Equal(t, []footy.Candidate{c("long", 40000), c("unknown", 0)}, chosen, "an unknown duration counts as 15 s")
	require.Equal(t, []footy.Candidate{c("short", 9000)}, passed)
}

func TestBegin(t *testing.T) {
	t.Parallel()
	e := &footy.Event{}
	require.True(t, round.Begin(e, "twitter-a"))
	require.False(t, round.Begin(e, "twitter-a"))
	require.True(t, e.MonitorComplete)
	require.Equal(t, "twitter-a", e.SearchedBy)
}
