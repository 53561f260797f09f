package check_test

import (
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

func TestHealthTellsWhatWaitsTooLong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cause footy.Reason
		since time.Duration
		state health.State
	}{
		"a passing trouble":      {footy.ReasonStorage, 10 * time.Minute, health.StateOK},
		"longer than an hour":    {footy.ReasonStorage, 61 * time.Minute, health.StateDown},
		"for a model nobody set": {footy.ReasonNoModel, 5 * time.Hour, health.StateMissing},
	} {
		waiting := kept(t, "", nil, func(a *app.App) {
			p := footy.Post{EventUID: "1-1", PostID: "7", FixtureID: 1, State: footy.PostWaiting, Reason: c.cause, WaitingSince: time.Now().Add(-c.since), NextTry: time.Now(), Tries: 3}
			require.NoError(t, a.Store.AddPosts(t.Context(), []footy.Post{p}))
		})
		f := examined(t, waiting, "ledger")
		require.Equal(t, c.state, f.State, name)
		if c.state != health.StateOK {
			require.Contains(t, f.Remedy, "footy waiting retry --cause "+string(c.cause), name)
		}
	}
}
