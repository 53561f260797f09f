package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestListDue(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 3, 7, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		listed string
		tried  time.Duration // after midnight; 0 = never
		now    time.Duration
		due    bool
	}{
		"it is there":                                {"2026-03-07", 0, 20 * time.Hour, false},
		"the schedule has the first hour":            {"2026-03-06", 0, 59 * time.Minute, false},
		"nobody asked in it":                         {"2026-03-06", 0, time.Hour, true},
		"never listed anything":                      {"", 0, time.Hour, true},
		"tried less than an hour ago":                {"2026-03-06", 10 * time.Hour, 10*time.Hour + 59*time.Minute, false},
		"tried an hour ago":                          {"2026-03-06", 10 * time.Hour, 11 * time.Hour, true},
		"another worker's clock is ahead a little":   {"2026-03-06", 10*time.Hour + time.Minute, 10 * time.Hour, false},
		"a clock that was ahead had tried":           {"2026-03-06", 16 * time.Hour, 10 * time.Hour, true},
		"yesterday's try says nothing of today":      {"2026-03-06", -time.Minute, 30 * time.Minute, false},
		"a list of tomorrow's date is not today's":   {"2026-03-08", 0, 2 * time.Hour, true},
		"just after midnight, yesterday's was there": {"2026-03-06", 0, time.Second, false},
	} {
		tries := lifecycle.ListTries{Listed: c.listed}
		if c.tried != 0 {
			tries.Since, tries.Tried = midnight.Add(c.tried), midnight.Add(c.tried)
		}
		require.Equal(t, c.due, lifecycle.ListDue(tries, midnight.Add(c.now), w), name)
	}
	fast := w.Scaled(30)
	require.True(t, lifecycle.ListDue(lifecycle.ListTries{Tried: midnight.Add(time.Hour)}, midnight.Add(time.Hour+2*time.Minute), fast), "TIME_SCALE divides it")
}

// TestAFeedThatCannotBeReachedIsTriedSoon: a laptop that woke before its Wi-Fi had no matches for an hour.
func TestAFeedThatCannotBeReachedIsTriedSoon(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 7, 10, 0, 0, 0, time.UTC)
	tries, pauses := lifecycle.ListTries{Since: start, Tried: start, Unreached: true}, []time.Duration{}
	for range 7 {
		next := lifecycle.NextList(tries, tries.Tried, w)
		require.False(t, lifecycle.ListDue(tries, next.Add(-time.Second), w))
		require.True(t, lifecycle.ListDue(tries, next, w))
		pauses, tries.Tried = append(pauses, next.Sub(tries.Tried)), next
	}
	const s, m = time.Second, time.Minute
	require.Equal(t, []time.Duration{15 * s, 15 * s, 30 * s, m, 2 * m, 4 * m, 5 * m}, pauses)
}

func TestANamedMatchThatIsOverIsFollowed(t *testing.T) {
	t.Parallel()
	over := footy.Snapshot{Match: at("FT"), Score: footy.ScoreOf(2, 1)}
	now := kickoff.Add(5 * time.Hour)
	require.Equal(t, footy.StageCompleted, lifecycle.Admit(over, now, w))
	require.Equal(t, footy.StageActive, lifecycle.AdmitNamed(over, now, w))
	require.Equal(t, footy.StageStaging, lifecycle.AdmitNamed(footy.Snapshot{Match: at("NS")}, kickoff.Add(-48*time.Hour), w))

	f := fixture(footy.StageCompleted, "FT")
	require.Equal(t, footy.StageActive, lifecycle.Reopens(f, w).To, "nobody ever asked about its goals")
	f.LastMonitor = now
	require.Empty(t, lifecycle.Reopens(f, w).To)
	f.Score = footy.ScoreOf(1, 0)
	require.Equal(t, footy.StageActive, lifecycle.Reopens(f, w).To, "a goal is missing")
	f.Stage = footy.StageActive
	require.Empty(t, lifecycle.Reopens(f, w).To)
}
