package demo_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/record"
	"github.com/found-footy/found-footy/internal/extra/demo"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/world"
)

// TestMatchDay plays the whole simulated day through the real workflows on the embedded engine. It takes minutes, so
// `make e2e` asks for it; everything it starts ends with it.
func TestMatchDay(t *testing.T) {
	if os.Getenv("FOOTY_E2E") == "" {
		t.Skip("plays a match day of some minutes; run it with: make e2e")
	}
	cfg, err := config.Load()
	require.NoError(t, err)
	told := 0
	d := demo.Demo{World: demo.World{Config: cfg, State: t.TempDir(), Err: os.Stderr}, Log: slog.New(slog.DiscardHandler), Version: "test", Exit: true,
		OnDayEnd: func(ctx context.Context, at demo.DayEnd) {
			told = everyRefusalIsTold(ctx, t, at.App, at.World)
			if dir := os.Getenv("FOOTY_RECORD"); dir != "" {
				shows(t, record.Record(ctx, at.Temporal, dir) == nil, "histories recorded")
			}
		}}
	sum, err := d.Run(t.Context())
	require.NoError(t, err)
	require.NotNil(t, sum)
	require.Empty(t, sum.Expectations.Failed)
	if xaccount.HasChromium(cfg) {
		require.GreaterOrEqual(t, sum.Browser, 2, "goals that the real browser searched for")
	}
	require.Positive(t, told)
}

// everyRefusalIsTold asserts that the goal page says, of every post that had to be refused and that a search handed
// over, for which reason it was. It returns how many there were.
func everyRefusalIsTold(ctx context.Context, t *testing.T, a *app.App, w *world.World) int {
	t.Helper()
	page, err := web.New(web.Options{Store: a.Store, Blob: a.Blob})
	if !shows(t, err == nil, "web server") {
		return 0
	}
	srv := httptest.NewServer(page.Handler())
	defer srv.Close()
	defer page.Close()
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{})
	if !shows(t, err == nil, "list fixtures") {
		return 0
	}
	refused := refusable(w)
	n := 0
	for _, f := range fixtures {
		for _, e := range f.Events {
			if e.Removed {
				continue
			}
			rows, err := a.Store.Entries(ctx, store.LogQuery{FixtureID: f.ID, EventUID: e.UID})
			shows(t, err == nil, "read log")
			html := get(t, srv.URL+footy.GoalPath(e.ID))
			posts, err := a.Store.Posts(ctx, store.PostQuery{EventUID: e.UID})
			shows(t, err == nil, "read ledger")
			for _, p := range posts {
				post := p.PostID
				if p.Try == 0 || p.State == footy.PostPassed || !refused[post] || supports(e, post) {
					continue
				}
				n++
				why := refusal(rows, post)
				shows(t, why != "", "post "+post+" of "+e.ID+" has a reason in the log")
				shows(t, contains(html, explain.Reason(why)), "page of "+e.ID+" says why post "+post+" was refused: "+string(why))
			}
		}
	}
	return n
}

func refusable(w *world.World) map[string]bool {
	bad := map[string]bool{}
	for _, t := range w.Script().Truth() {
		bad[t.Post.Kind] = bad[t.Post.Kind] || t.Reason != "" && !t.Optional
	}
	out := map[string]bool{}
	for _, p := range w.Posts() {
		out[p.ID] = bad[p.Kind]
	}
	return out
}

func refusal(rows []footy.Entry, post string) footy.Reason {
	for _, r := range rows {
		if r.PostID == post && r.Kind == footy.EntryRejected {
			return r.Reason
		}
	}
	return ""
}

func supports(e footy.Event, post string) bool {
	for _, c := range e.Clips {
		for _, p := range c.Posts {
			if p == post {
				return true
			}
		}
	}
	return false
}

func get(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if !shows(t, err == nil, "get "+url) {
		return ""
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	shows(t, err == nil && res.StatusCode == http.StatusOK, "page "+url)
	return string(b)
}
