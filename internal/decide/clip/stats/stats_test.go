package stats_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestMeasure(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	goal := func(after time.Duration, verified, removed bool) footy.Event {
		e := footy.Event{Kind: footy.KindGoal, FirstSeen: at, Removed: removed, DownloadComplete: true}
		if after > 0 {
			e.Clips = []footy.Clip{{ID: "a", AddedAt: at.Add(after), Verified: verified}}
		}
		return e
	}
	late := goal(9*time.Minute, true, false)
	late.Clips = append(late.Clips, footy.Clip{ID: "b", AddedAt: at.Add(time.Minute), ReplacedBy: "a"}) // people saw this one first
	f := footy.Fixture{Events: []footy.Event{goal(0, false, false), goal(2*time.Minute, false, false), late, goal(time.Minute, true, true), {Kind: footy.KindMissedPenalty}}}
	m := stats.Of([]footy.Fixture{f})
	require.Equal(t, 3, m.Goals)
	require.Equal(t, 2, m.WithClip)
	require.Equal(t, 1, m.Verified)
	require.Equal(t, 90*time.Second, m.Median)
	require.InDelta(t, 1.0/3, m.Share(), 1e-9)
	require.Zero(t, stats.Of(nil).Share())
	twice := m.Plus(stats.Of([]footy.Fixture{{Events: []footy.Event{goal(20*time.Minute, true, false)}}}))
	require.Equal(t, 4, twice.Goals)
	require.Equal(t, 2*time.Minute, twice.Median, "the median of all goals, not the mean of medians")
	require.Len(t, m.Durations, 2, "what was joined stays as it was")
}
