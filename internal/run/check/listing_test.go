package check_test

import (
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/stretchr/testify/require"
)

// TestNoListForTodayIsRedUntilItIsThere: a feed that answers polls is not green while today's matches are unknown.
func TestNoListForTodayIsRedUntilItIsThere(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC()
	today, url := now.Format(time.DateOnly), vendor(t, 7500, 1)
	feed := func(l ingest.LastIngest) health.Part {
		return findings(t, url, func(s store.Store) { require.NoError(t, s.PutState(t.Context(), ingest.StateKey, l)) })["feed"]
	}
	since := now.Add(-90 * time.Minute)
	missing := ingest.LastIngest{Date: "2026-01-01", Since: since, Tried: now, Code: footy.CodeUnavailable, Why: "list fixtures of " + today + ": HTTP 500"}
	red := feed(missing)
	require.Equal(t, health.StateDown, red.State)
	require.Equal(t, "today's list of matches is not there: list fixtures of "+today+": HTTP 500", red.Reason)
	require.Contains(t, red.Remedy, "by "+now.Add(time.Hour).Format("15:04 UTC")+", then every hour")
	require.True(t, red.Since.Equal(since))

	missing.Code = footy.CodeAuthRequired
	require.Contains(t, feed(missing).Remedy, "API_FOOTBALL_KEY")
	require.Equal(t, health.StateOK, feed(ingest.LastIngest{Date: today, At: now, Until: today}).State)
	if now.Hour() > 0 { // in the first hour of a day the schedule is still to come
		never := feed(ingest.LastIngest{Date: "2026-01-01"})
		require.Equal(t, health.StateDegraded, never.State)
		require.Contains(t, never.Remedy, "footy up")
	}
	require.Equal(t, health.StateOK, findings(t, url, nil)["feed"].State, "before the first start")
}

func TestDoctorSaysInWordsWhatIsFollowed(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Options{ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	followed := func(set map[string]string) health.Part {
		set["API_FOOTBALL_URL"] = w.URL() + "/football"
		return examined(t, parsed(t, set), "followed")
	}
	const key = "0123456789abcdef0123456789abcdef"
	f := followed(map[string]string{"API_FOOTBALL_KEY": key, "TRACK_LEAGUES": "none", "TRACK_TEAMS": "Arsenal,40"})
	require.Equal(t, health.StateOK, f.State, f.Reason)
	require.Equal(t, "only the matches of Arsenal (England, 42) and Liverpool (England, 40), in any competition", f.Reason)
	f = followed(map[string]string{})
	require.Contains(t, f.Reason, "the matches of Premier League (England, 39)")
	f = followed(map[string]string{"API_FOOTBALL_KEY": key, "TRACK_LEAGUES": "Premier League"})
	require.Equal(t, health.StateDown, f.State)
	require.True(t, f.Required, "footy up refuses it")
	require.Contains(t, f.Reason, "England/Premier League (39)")
	f = followed(map[string]string{"TRACK_TEAMS": "Arsenal"})
	require.Equal(t, health.StateMissing, f.State)
	require.Contains(t, f.Remedy, "API_FOOTBALL_KEY")
}
