package stats_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestWhichGoalsMeetTheObjective(t *testing.T) {
	t.Parallel()
	seen := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	o := stats.Objective{Share: 0.9, Within: 5 * time.Minute}
	clip := func(after time.Duration) footy.Clip {
		return footy.Clip{ID: "a", Verified: true, AddedAt: seen.Add(after)}
	}
	goal := footy.Event{Kind: footy.KindGoal, FirstSeen: seen}
	with := func(change func(*footy.Event)) footy.Event {
		e := goal
		change(&e)
		return e
	}
	for name, c := range map[string]struct {
		event footy.Event
		want  stats.Kept
	}{
		"in time": {with(func(e *footy.Event) { e.Clips = []footy.Clip{clip(5 * time.Minute)} }), stats.Kept{Met: 1}},
		"late":    {with(func(e *footy.Event) { e.Clips = []footy.Clip{clip(5*time.Minute + 1)} }), stats.Kept{Missed: 1}},
		"none":    {goal, stats.Kept{Missed: 1}},
		"a better one came": {with(func(e *footy.Event) {
			e.Clips = []footy.Clip{clip(time.Minute), clip(time.Hour)}
			e.Clips[0].ReplacedBy = "b"
		}), stats.Kept{Met: 1}},
		"nothing proves it": {with(func(e *footy.Event) { e.Clips = []footy.Clip{{AddedAt: seen}} }), stats.Kept{Missed: 1}},
		"hidden":            {with(func(e *footy.Event) { e.Clips = []footy.Clip{clip(0)}; e.Clips[0].Hidden = true }), stats.Kept{Missed: 1}},
		"taken back":        {with(func(e *footy.Event) { e.Removed = true }), stats.Kept{}},
		"no goal":           {with(func(e *footy.Event) { e.Kind = footy.KindRedCard }), stats.Kept{}},
		"seen late, because nobody looked": {with(func(e *footy.Event) {
			e.CaughtUp, e.HappenedAt, e.Clips = true, seen.Add(-20*time.Minute), []footy.Clip{clip(time.Minute)}
		}), stats.Kept{Missed: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fixtures := []footy.Fixture{{Events: []footy.Event{c.event}}}
			require.Equal(t, c.want, o.Over(fixtures, seen.Add(-time.Hour), seen.Add(time.Hour)))
		})
	}
}

func TestAGoalCountsOnceItsTimeIsOver(t *testing.T) {
	t.Parallel()
	seen := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	due, o := seen.Add(5*time.Minute), stats.Objective{Within: 5 * time.Minute}
	fixtures := []footy.Fixture{{Events: []footy.Event{{Kind: footy.KindGoal, FirstSeen: seen}}}}
	require.Zero(t, o.Over(fixtures, seen, due.Add(-1)))
	require.Equal(t, 1, o.Over(fixtures, seen, due).Missed)
	require.Zero(t, o.Over(fixtures, due, due.Add(time.Hour)), "it belongs to the window before")
}

func TestAShareIsRoundedDown(t *testing.T) {
	t.Parallel()
	require.Equal(t, 89, stats.Kept{Met: 899, Missed: 101}.Percent())
	require.Equal(t, 90, stats.Kept{Met: 9, Missed: 1}.Percent())
	require.Zero(t, stats.Kept{}.Percent())
}
