package reels_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/bench/record"
	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/extra/reels/film"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/tools/devtest"
)

// goalWithClip adds a goal whose clip is kept.
func goalWithClip(t *testing.T, a *app.App, f *footy.Fixture, uid string, minute, score int) {
	t.Helper()
	data, err := os.Open(drawn(t, "testsrc2=s=320x180:r=25:d=2"))
	require.NoError(t, err)
	defer data.Close()
	c := footy.Clip{ID: uid, Digest: uid, Key: blob.ClipPrefix + uid + "/" + uid + ".mp4", Duration: 2, Rank: 1, Verified: true}
	require.NoError(t, a.Blob.Put(t.Context(), c.Key, data, -1, blob.Info{ContentType: "video/mp4"}))
	f.Events = append(f.Events, footy.Event{UID: uid, ID: uid, Kind: footy.KindGoal, Minute: footy.Minute{Elapsed: minute}, Player: footy.Person{Name: "Scorer"},
		Team: footy.Team{ID: 1}, ScoringTeam: footy.SideHome, ScoreAfter: footy.ScoreOf(score, 0), CertainAt: time.Now(), DownloadComplete: true, Clips: []footy.Clip{c}})
}

// TestAReelIsMadeByAnEngineAndGoesWithItsGoal: asked for in the page, made by workflows, and hidden once a goal is taken back.
func TestAReelIsMadeByAnEngineAndGoesWithItsGoal(t *testing.T) {
	t.Parallel()
	at := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "temporal.db"), "--ui-port", "-1").Address
	vars := map[string]string{"TEMPORAL_ADDRESS": at, "STATE_DIR": t.TempDir(), "FEED": "api-football", "WEB_ADDR": "127.0.0.1:0", "WIKIDATA_URL": "http://127.0.0.1:1"}
	cfg, err := config.Parse(vars)
	require.NoError(t, err)
	a, err := app.New(t.Context(), cfg, slog.New(slog.DiscardHandler), "test", reels.Extra())
	require.NoError(t, err)
	t.Cleanup(func() { _ = a.Close() })
	f := footy.Fixture{ID: 7, Stage: footy.StageCompleted, Teams: footy.Teams{Home: footy.Team{ID: 1, Name: "Köln"}, Away: footy.Team{ID: 2, Name: "Mainz"}}}
	f.Match.ID, f.Match.Kickoff, f.Match.Status.Code = 7, time.Now().Add(-3*time.Hour), "FT"
	goalWithClip(t, a, &f, "u1", 10, 1)
	goalWithClip(t, a, &f, "u2", 20, 2)
	require.NoError(t, a.Store.Add(t.Context(), f))

	ctx, cancel := context.WithCancel(t.Context())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- a.Run(ctx, app.Roles{Worker: true, Web: true, Queues: []string{"found-footy", "found-footy-media"}, Ready: func(r app.Ready) { ready <- r.Page }})
	}()
	t.Cleanup(func() { cancel(); require.NoError(t, <-ended) })
	var page string
	select {
	case page = <-ready:
	case err := <-ended:
		ended <- err
		require.NoError(t, err)
	}
	type answer struct {
		State    string            `json:"state"`
		Film     string            `json:"film_url"`
		Chapters []json.RawMessage `json:"chapters"`
	}
	look := func() (b answer) {
		res, err := http.Get(page + "/api/v1/reels/match/7")
		require.NoError(t, err)
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &b), string(text))
		return b
	}
	post := func() {
		res, err := devtest.Client.Post(page+"/reel/match/7", "application/x-www-form-urlencoded", strings.NewReader(url.Values{"length": {"0"}}.Encode()))
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusOK, res.StatusCode)
	}
	order := func() {
		post()
		require.Eventually(t, func() bool {
			state := look().State
			if state != "made" && state != "making" { // asked for in the moment in which the one before ended: it was taken for the same, and a reader asks again
				post()
			}
			return state == "made"
		}, 5*time.Minute, 100*time.Millisecond)
	}
	status := func(path string) int {
		res, err := http.Get(page + path)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.StatusCode
	}
	require.Equal(t, "none", look().State)
	order()
	first := look()
	require.Len(t, first.Chapters, 3)
	require.Equal(t, http.StatusOK, status(first.Film))

	_, err = a.Store.Update(t.Context(), 7, func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Events[0].Removed, f.Events[0].RemovedReason, f.Events[0].RemovedAt = true, footy.ReasonVAR, time.Now()
		return nil, nil
	})
	require.NoError(t, err)
	// 410; 404 once a sweep has deleted its bytes, which may come first.
	require.Eventually(t, func() bool { return slices.Contains([]int{http.StatusGone, http.StatusNotFound}, status(first.Film)) }, time.Minute, 100*time.Millisecond,
		"nobody announced it: it is seen all the same")
	require.Eventually(t, func() bool { return look().Film != first.Film }, time.Minute, 100*time.Millisecond)
	order()
	second := look()
	require.NotEqual(t, first.Film, second.Film)
	require.Len(t, second.Chapters, 2)
	if dir := os.Getenv("FOOTY_RECORD"); dir != "" { // make record
		c, err := client.Dial(client.Options{HostPort: at})
		require.NoError(t, err)
		defer c.Close()
		require.NoError(t, record.Record(t.Context(), c, dir, reels.Workflow.Name()))
	}
}

// TestNoReelIsMadeOnANearlyFullDisk: its mark is the one at which no clip is fetched.
func TestNoReelIsMadeOnANearlyFullDisk(t *testing.T) {
	t.Parallel()
	cfg, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "FEED": "api-football", "SOURCES": "xweb,xapi", "WIKIDATA_URL": "http://127.0.0.1:1"})
	require.NoError(t, err)
	cfg.Media.MinFree = math.MaxInt // no disk has as much
	a, err := app.New(t.Context(), cfg, slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	f := footy.Fixture{ID: 7, Stage: footy.StageCompleted, Teams: footy.Teams{Home: footy.Team{ID: 1, Name: "Köln"}, Away: footy.Team{ID: 2, Name: "Mainz"}}}
	goalWithClip(t, a, &f, "u1", 10, 1)
	require.NoError(t, a.Store.Add(t.Context(), f))
	defer a.Close()
	scope, err := rule.ScopeOf(rule.OfMatch, 7, "", nil)
	require.NoError(t, err)
	m := &reels.Maker{Store: a.Store, Blob: a.Blob, Film: film.Tool{Tool: a.Media}, TempDir: t.TempDir(), Room: state.Room(cfg), Now: time.Now}
	_, err = m.Make(t.Context(), scope, 0, func(reels.Progress) {})
	require.ErrorContains(t, err, "MIN_FREE_MB")
}
