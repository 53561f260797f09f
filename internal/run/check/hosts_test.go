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
		"dropr":     {LastOK: at.Add(-time.Hour), LastFailed: at, How: "status 403", Failed: clips[1:], Way: "meta element og:video"},
		"bangr.im":  {LastFailed: at, How: "bangr.im answers 410; no other clip of it was fetched yet", Failed: clips[:]},
		"news.test": {LastFailed: at, How: hosts.NoVideo + "news.test has no pointer to a video", Failed: clips[:]},
		"nova.test": {LastOK: at, Known: []string{"https://nova.test/v/a1"}, Way: "pointer to a video"},
	}))
	require.NoError(t, a.Close())
	for name, want := range map[string]struct {
		state health.State
		says  []string
	}{
		"hosts": {health.StateDegraded, []string{"streamain last worked 2026-11-23 15:00 UTC, last failed 2026-11-23 16:00 UTC: status 403, alike for 10 clips",
			"dropr last worked 2026-11-23 15:00 UTC by meta element og:video, last failed 2026-11-23 16:00 UTC: status 403;",
			"nova.test: no row of the table knows it, last worked 2026-11-23 16:00 UTC; its row for hosts.json: ", `"name":"nova.test"`,
			"nothing was fetched yet from v.redd.it, "}},
		"fetch": {health.StateDegraded, []string{"streamain failed alike for 10 clips (status 403), last worked 2026-11-23 15:00 UTC",
			"bangr.im failed alike for 10 clips (bangr.im answers 410; no other clip of it was fetched yet), nothing was fetched from it yet",
			"nova.test gave clips, last worked 2026-11-23 16:00 UTC, and no row knows it"}},
	} {
		f := examined(t, c, name)
		require.Equal(t, want.state, f.State, name)
		for _, says := range want.says {
			require.Contains(t, f.Reason, says, name)
		}
		require.Equal(t, want.state == health.StateDegraded, f.Remedy != "", name)
	}
	require.NotContains(t, examined(t, c, "fetch").Reason, "dropr")
	require.NotContains(t, examined(t, c, "fetch").Reason, "news.test", "it may be no host of clips")
	require.Contains(t, examined(t, c, "fetch").Remedy, `hosts.json in STATE_DIR: {"hosts":[{"find":{"any":true},"hosts":["nova.test"],"name":"nova.test","paths":["^/v/([A-Za-z0-9_-]+)$"]}]}`)
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
