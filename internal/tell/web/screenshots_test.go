package web_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/devtools"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
)

// TestScreenshots writes pictures of the main pages into SHOTS, of the page at SHOTS_URL if that is set (make
// screenshots points it at a running demo), else of a day seeded here.
func TestScreenshots(t *testing.T) {
	out := os.Getenv("SHOTS")
	if out == "" {
		t.Skip("SHOTS is not set")
	}
	require.NoError(t, os.MkdirAll(out, 0o755))
	base, pages := os.Getenv("SHOTS_URL"), map[string]string{"goals": "/", "matches": "/matches", "watch": "/watch"}
	b := webtest.OpenTab(t, browser(t), nil)
	if base == "" {
		s := newTestServer(t, func(o *web.Options) { o.Health, o.Setup = sickHealth{}, halfSetUp{} })
		s.DemoDay(makeClip(t))
		s.Fortnight()
		s.wait("5001-3", "31", footy.ReasonModelUnreachable, 80*time.Minute, rawError)
		s.wait("5001-3", "32", footy.ReasonModelUnreachable, 20*time.Minute, rawError)
		s.wait("5001-1", "11", footy.ReasonStorage, 2*time.Minute, "put clips/ab.mp4: 503 Slow Down")
		s.wait("5001-2", "21", footy.ReasonGeoBlocked, 4*time.Minute, "HTTP 403")
		s.Update(5001, func(f *footy.Fixture) {
			e := f.Event("5001-3")
			e.Round.EndedAt, e.HappenedAt, e.CaughtUp, e.FirstLook = noon, e.FirstSeen.Add(-20*time.Minute), true, true
		})
		s.Update(5003, func(f *footy.Fixture) {
			f.Events[0].Round.Blocked = footy.Blocked{Since: noon.Add(-10 * time.Minute), By: "login_required"}
		})
		// The pages of operators, by a session of their own.
		name, value, _ := strings.Cut(s.signIn(), "=")
		b.Command("Network.setCookie", devtools.Params{"name": name, "value": value, "url": s.HTTP.URL}, nil)
		base = s.HTTP.URL
		pages = map[string]string{"goals": "/goals/2026-11-14", "matches": dayPath, "goal": "/g/" + salah, "why": "/g/5001_50_701_Goal_1", "watch": "/watch", "team": "/team/40", "league": "/league/39", "health": "/health", "setup": "/setup?today=1&q=liv", "missing": "/g/nope", "waiting": "/waiting", "waits": "/g/" + szoboszlai, "blocked": "/g/5003_49_700_Goal_1", "empty": "/day/2026-01-01"}
	} else {
		// The goal with the most clips, and one without.
		b.Goto(base + pages["matches"])
		paths := js[[]string](b, `(() => {
			const angles = (g) => parseInt(g.querySelector(".clip .len")?.textContent) || 0;
			const goals = [...document.querySelectorAll("#day .goal")].sort((a, b) => angles(b) - angles(a));
			return [goals[0].dataset.page, (goals.find(g => g.querySelector(".noclip:not(:has(.seek))")) || goals.at(-1)).dataset.page];
		})()`)
		pages["goal"], pages["why"] = paths[0], paths[1]
	}
	type look struct {
		name   string
		width  int64
		scheme string
	}
	looks := []look{{"", 1280, "light"}, {"-phone", 390, "light"}}
	if os.Getenv("SHOTS_URL") == "" { // to be looked at, not to be kept
		looks = append(looks, look{"-dark", 1280, "dark"}, look{"-phone-dark", 390, "dark"})
	}
	for _, l := range looks {
		for name, path := range pages {
			b.Size(l.width, 900)
			b.Prefers("prefers-color-scheme", l.scheme)
			b.Goto(base + path)
			b.Until(`document.querySelector("main") && [...document.images].every(i => i.loading === "lazy" || i.complete)`)
			var shot struct{ Data []byte }
			b.Command("Page.captureScreenshot", nil, &shot)
			require.NoError(t, os.WriteFile(filepath.Join(out, name+l.name+".png"), shot.Data, 0o644))
		}
	}
}

type sickHealth struct{}

func (sickHealth) Health(context.Context) health.Report {
	parts := []health.Part{
		{Name: "engine", State: health.StateOK, Facts: map[string]any{"tasks_waiting": 0, "last_cycle_seconds_ago": 12}},
		{Name: "state", State: health.StateOK, Facts: map[string]any{"bytes_free": int64(52 << 30)}},
		{Name: "feed", State: health.StateOK, Facts: map[string]any{"calls_left_today": 74844, "calls_per_day": 75000}},
		{Name: "search", State: health.StateDegraded, Reason: "the account's budget is tight: 3 of 40 calls left", Since: noon.Add(-4 * time.Minute), Remedy: "Wait 6 minutes, or add an account.", Facts: map[string]any{"budget_left": 3, "budget": 40, "login": "ok", "last_check": "2026-11-14 16:00 UTC, as expected"}},
		{Name: "model", State: health.StateDown, Reason: "connection refused", Since: noon.Add(-20 * time.Minute), Remedy: "Start the model server; clips found meanwhile are kept for a day and judged then."},
		{Name: "ledger", State: health.StateDown, Reason: "posts wait for longer than an hour", Since: noon.Add(-20 * time.Minute), Remedy: "Find the problem they wait for and fix it.",
			Facts: map[string]any{"waiting": 4, "oldest_wait": noon.Add(-80 * time.Minute), "model_unreachable": 2, "storage": 1, "geo_blocked": 1}},
		{Name: "notifications", State: health.StateMissing, Reason: "none are set up", Remedy: "Set NOTIFY_URLS to hear of goals outside of the page."},
	}
	return health.Report{At: noon, Parts: parts, State: health.Worst(parts)}
}
