package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

func TestAGoalIsPostedAndItsPageSaysWhere(t *testing.T) {
	t.Parallel()
	posted := make(chan string, 20)
	at := &social.Discord{}
	at.Asked = func(call string) { posted <- call }
	srv := httptest.NewServer(at)
	t.Cleanup(srv.Close)
	vars := map[string]string{"STATE_DIR": t.TempDir(), "WEB_ADDR": "127.0.0.1:0", "POST_DISCORD_URL": srv.URL + social.Hook,
		"PUBLIC_URL": "https://goals.example", "POST_LEAGUES": "39"}
	a, url, _ := serve(t, vars)
	now := time.Now()
	require.NoError(t, a.Blob.Put(t.Context(), "clips/c.mp4", strings.NewReader("a video"), 7, blob.Info{}))
	for id, league := range map[int64]int64{1: 39, 2: 40} {
		require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: id, Stage: footy.StageActive, League: footy.League{ID: league}, Match: footy.Match{ID: id, Kickoff: now.Add(-time.Hour)},
			Teams: footy.Teams{Home: footy.Team{ID: 1, Name: "Northgate"}, Away: footy.Team{ID: 2, Name: "Seaford"}},
			Events: []footy.Event{{UID: "e-" + string(rune('0'+id)), ID: "x" + string(rune('0'+id)), Kind: footy.KindGoal, Player: footy.Person{Name: "Ruiz"}, Minute: footy.Minute{Elapsed: 12},
				ScoreAfter: footy.ScoreOf(1, 0), CertainAt: now, Clips: []footy.Clip{{ID: "c", Key: "clips/c.mp4", Size: 7, Verified: true}}}}}))
	}
	wake(t, a)
	require.Equal(t, "post", <-posted)
	require.Eventually(t, func() bool {
		f, err := a.Store.Fixture(t.Context(), 1)
		return err == nil && strings.Contains(string(f.Events[0].Own["posting"]), `"posted"`)
	}, time.Minute, 10*time.Millisecond)
	require.Len(t, at.Messages(), 1, "the other league was not chosen")
	require.Equal(t, "⚽ Ruiz 12': Northgate 1–0 Seaford\nhttps://goals.example/g/e-1", at.Messages()[0].Text)
	res, err := http.Get(url + "/g/x1")
	require.NoError(t, err)
	page, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	res.Body.Close()
	require.Contains(t, string(page), "Posts of our own")
	require.Contains(t, string(page), `href="https://discord.com/channels/77/88/`+at.Messages()[0].ID)

	cfg, err := parse(vars)
	require.NoError(t, err)
	targets, err := app.TestNotifications(cfg, extras...)
	require.NoError(t, err)
	require.Len(t, targets, 1)
	_, err = targets[0].Test(t.Context())
	require.NoError(t, err)
	require.Contains(t, at.Messages()[1].Text, "this is a test")
}

func TestWhatIsSetUpByHalfStopsTheStart(t *testing.T) {
	t.Parallel()
	_, err := parse(map[string]string{"POST_DISCORD_URL": "https://discord.com/channels/1/2"})
	require.ErrorContains(t, err, "POST_DISCORD_URL is no address of a webhook")
	require.NotContains(t, err.Error(), "channels/1")
	_, err = parse(map[string]string{"POST_X_KEY": "k", "POST_X_TOKEN": "t"})
	require.ErrorContains(t, err, "POST_X_KEY needs POST_X_KEY_SECRET and POST_X_TOKEN_SECRET: set all of")
	cfg, err := parse(map[string]string{"POST_DISCORD_URL": "https://discord.com/api/webhooks/1/2", "POST_TEXT": "{goal}"})
	require.NoError(t, err)
	_, err = app.TestNotifications(cfg, extras...)
	require.ErrorContains(t, err, "POST_TEXT has {goal}, which is no field")
}

// TestPostsAtXHaveNoLink: X takes thirteen times as much for one.
func TestPostsAtXHaveNoLink(t *testing.T) {
	t.Parallel()
	posted := make(chan string, 8)
	at := &social.X{}
	at.Asked = func(call string) { posted <- call }
	srv := httptest.NewServer(at)
	t.Cleanup(srv.Close)
	a, _, _ := serve(t, map[string]string{"STATE_DIR": t.TempDir(), "WEB_ADDR": "127.0.0.1:0", "X_API_URL": srv.URL, "PUBLIC_URL": "https://goals.example",
		"POST_X_KEY": social.XKey, "POST_X_KEY_SECRET": social.XKeySecret, "POST_X_TOKEN": social.XToken, "POST_X_TOKEN_SECRET": social.XTokenSecret})
	now := time.Now()
	require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, League: footy.League{ID: 39}, Match: footy.Match{ID: 1, Kickoff: now.Add(-time.Hour)},
		Teams: footy.Teams{Home: footy.Team{ID: 1, Name: "Northgate"}, Away: footy.Team{ID: 2, Name: "Seaford"}},
		Events: []footy.Event{{UID: "e-1", ID: "x1", Kind: footy.KindGoal, Player: footy.Person{Name: "Ruiz"}, Minute: footy.Minute{Elapsed: 12},
			ScoreAfter: footy.ScoreOf(1, 0), CertainAt: now, Clips: []footy.Clip{{ID: "c", Key: "clips/c.mp4", Size: 200 << 20, Verified: true}}}}}))
	wake(t, a)
	require.Equal(t, "post", <-posted)
	require.Eventually(t, func() bool { return len(at.Messages()) == 1 }, time.Minute, 10*time.Millisecond)
	require.Equal(t, "⚽ Ruiz 12': Northgate 1–0 Seaford", at.Messages()[0].Text)
}
