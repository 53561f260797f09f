package check_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/tell/health"
)

var aRedditApp = map[string]string{"REDDIT_CLIENT_ID": "an-app", "REDDIT_CLIENT_SECRET": "its-secret"}

func TestDoctorAndHealthTellWhichHostOfClipsNoLongerWorks(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 23, 16, 0, 0, 0, time.UTC)
	var clips [hosts.Enough]string
	c := parsed(t, aRedditApp)
	a := opened(t, c)
	require.NoError(t, a.Store.PutState(t.Context(), hosts.StateKey, map[string]hosts.Record{
		"streamain": {LastOK: at.Add(-time.Hour), LastFailed: at, How: "status 403", Failed: clips[:]},
		"dropr":     {LastOK: at.Add(-time.Hour), LastFailed: at, How: "status 403", Failed: clips[1:]},
	}))
	require.NoError(t, a.Close())
	for name, want := range map[string]struct {
		state health.State
		says  []string
	}{
		"host_streamain":  {health.StateDegraded, []string{"Last worked 2026-11-23 15:00 UTC; last failed 2026-11-23 16:00 UTC: status 403, alike for 10 clips"}},
		"host_dropr":      {health.StateOK, []string{"last worked 2026-11-23 15:00 UTC; last failed 2026-11-23 16:00 UTC: status 403"}},
		"host_streamable": {health.StateOK, []string{"nothing was fetched from it yet"}},
		"fetch":           {health.StateDegraded, []string{"streamain failed alike for 10 clips (status 403), last worked 2026-11-23 15:00 UTC"}},
	} {
		f := examined(t, c, name)
		require.Equal(t, want.state, f.State, name)
		for _, says := range want.says {
			require.Contains(t, f.Reason, says, name)
		}
		require.Equal(t, want.state == health.StateDegraded, f.Remedy != "", name)
	}
	require.NotContains(t, examined(t, c, "fetch").Reason, "dropr")
	require.Contains(t, examined(t, c, "fetch").Remedy, "hosts.json")
}

func TestABadTableOfHostsIsAnErrorAtTheStart(t *testing.T) {
	t.Parallel()
	c := parsed(t, aRedditApp)
	path := filepath.Join(c.State.Dir, hosts.File)
	require.NoError(t, os.MkdirAll(c.State.Dir, 0o700))
	require.NoError(t, os.WriteFile(path, []byte(`{"hosts":[{"name":"nova","hosts":["nova.example"],"paths":["("],"files":["nova.example"]}]}`), 0o600))
	f := examined(t, c, "hosts")
	require.Equal(t, health.StateDown, f.State)
	for _, says := range []string{path, `row 1 ("nova")`, "missing closing )"} {
		require.Contains(t, f.Reason, says)
	}
	_, err := app.New(t.Context(), c, slog.New(slog.DiscardHandler), "test")
	require.ErrorContains(t, err, `row 1 ("nova"): error parsing regexp: `)
}
