package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestHealthTellsWhatWaitsTooLong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cause footy.Reason
		since time.Duration
		state string
	}{
		"a passing trouble":      {footy.ReasonStorage, 10 * time.Minute, "ok"},
		"longer than an hour":    {footy.ReasonStorage, 61 * time.Minute, "broken"},
		"for a model nobody set": {footy.ReasonNoModel, 5 * time.Hour, "missing"},
	} {
		waiting := kept(t, "", nil, func(a *app.App) {
			p := footy.Post{EventUID: "1-1", PostID: "7", FixtureID: 1, State: footy.PostWaiting, Reason: c.cause, WaitingSince: time.Now().Add(-c.since), NextTry: time.Now(), Tries: 3}
			require.NoError(t, a.Store.AddPosts(t.Context(), []footy.Post{p}))
		})
		require.Equal(t, c.state, examined(t, waiting, "ledger").State, name)
	}
}

func TestWaitingPostsFromTheCommandLine(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	_, err := app.Waiting(t.Context(), c)
	require.True(t, footy.IsNotFound(err), "no database is not the same as nothing that waits")
	a := opened(t, c)
	p := footy.Post{EventUID: "1-1", PostID: "7", FixtureID: 1, State: footy.PostWaiting, Reason: footy.ReasonStorage, WaitingSince: time.Now(), NextTry: time.Now().Add(time.Hour)}
	require.NoError(t, a.Store.AddPosts(t.Context(), []footy.Post{p}))
	require.NoError(t, a.Close())
	list, err := app.Waiting(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, footy.ReasonStorage, list[0].Cause)
	n, err := app.ActOnWaiting(t.Context(), c, "1-1", "7", "", true)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	list, err = app.Waiting(t.Context(), c)
	require.NoError(t, err)
	require.Empty(t, list)
}
