package web_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/devtest"
	"github.com/found-footy/found-footy/internal/web"
)

// TestScreenshots writes pictures of the main pages into SHOTS, of the page at SHOTS_URL if that is set (make
// screenshots points it at a running demo), else of a day seeded here.
func TestScreenshots(t *testing.T) {
	out := os.Getenv("SHOTS")
	if out == "" {
		t.Skip("SHOTS is not set")
	}
	require.NoError(t, os.MkdirAll(out, 0o755))
	base, pages := os.Getenv("SHOTS_URL"), map[string]string{"day": "/", "health": "/health"}
	ctx := browser(t)
	if base == "" {
		s := newStand(t, func(o *web.Options) { o.Health = sickHealth{} })
		s.demoDay(draw(t))
		s.fortnight()
		base = s.http.URL
		pages = map[string]string{"day": dayPath, "goal": "/g/" + salah, "why": "/g/5001_50_701_Goal_1", "health": "/health", "missing": "/g/nope", "empty": "/day/2026-01-01"}
	} else {
		// The goal with the most clips, and one without.
		var paths []string
		require.NoError(t, chromedp.Run(ctx, chromedp.Navigate(base), chromedp.WaitReady("main"), chromedp.Evaluate(`(() => {
			const goals = [...document.querySelectorAll("#day .goal")].sort((a, b) => b.querySelectorAll(".clip").length - a.querySelectorAll(".clip").length);
			return [goals[0].dataset.page, (goals.find(g => g.querySelector(".chip.none")) || goals.at(-1)).dataset.page];
		})()`, &paths)))
		pages["goal"], pages["why"] = paths[0], paths[1]
	}
	for _, l := range []struct {
		name   string
		width  int64
		scheme string
	}{{"", 1280, "light"}, {"-dark", 1280, "dark"}, {"-phone", 390, "light"}} {
		for name, path := range pages {
			shoot(ctx, t, filepath.Join(out, name+l.name+".png"), look(l.width, l.scheme), chromedp.Navigate(base+path), chromedp.WaitReady("main"))
		}
		shoot(ctx, t, filepath.Join(out, "player"+l.name+".png"), look(l.width, l.scheme), chromedp.Navigate(base+pages["day"]), chromedp.WaitReady("a.clip"),
			chromedp.Evaluate(`document.querySelector("a.clip").click()`, nil), chromedp.WaitVisible("#player"),
			chromedp.Poll(`document.getElementById("player-video").currentTime > 1`, nil))
	}
}

func shoot(ctx context.Context, t *testing.T, file string, steps ...chromedp.Action) {
	t.Helper()
	var png []byte
	ready := chromedp.Poll(`[...document.images].every(i => i.loading === "lazy" || i.complete)`, nil)
	require.NoError(t, chromedp.Run(ctx, append(steps, ready, chromedp.CaptureScreenshot(&png))...), file)
	require.NoError(t, os.WriteFile(file, png, 0o644))
}

func look(width int64, scheme string) chromedp.Action {
	return chromedp.Tasks{
		chromedp.EmulateViewport(width, 900),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
	}
}

type sickHealth struct{}

func (sickHealth) Health(context.Context) web.Health {
	parts := []web.Component{
		{Name: "engine", State: web.StateOK, Facts: map[string]any{"tasks_waiting": 0, "last_cycle_seconds_ago": 12}},
		{Name: "state", State: web.StateOK, Facts: map[string]any{"bytes_free": int64(52 << 30)}},
		{Name: "feed", State: web.StateOK, Facts: map[string]any{"calls_left_today": 74844, "calls_per_day": 75000}},
		{Name: "search", State: web.StateDegraded, Reason: "the account's budget is tight: 3 of 40 calls left", Since: noon.Add(-4 * time.Minute), Remedy: "Wait 6 minutes, or add an account.", Facts: map[string]any{"budget_left": 3, "budget": 40, "login": "ok", "last_check": "2026-11-14 16:00 UTC, as expected"}},
		{Name: "model", State: web.StateDown, Reason: "connection refused", Since: noon.Add(-20 * time.Minute), Remedy: "Start the model server; clips found meanwhile are kept for a day and judged then."},
		{Name: "notifications", State: web.StateMissing, Reason: "none are set up", Remedy: "Set NOTIFY_URLS to hear of goals outside of the page."},
	}
	return web.Health{At: noon, Components: parts, State: web.Worst(parts)}
}

// browser starts a headless Chromium, or skips.
func browser(t testing.TB) context.Context {
	t.Helper()
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(devtest.Chromium(t)), chromedp.NoSandbox, chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.Flag("disable-dev-shm-usage", true))
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel2 := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {})) // it logs every protocol event it does not know
	t.Cleanup(cancel2)
	ctx, cancel3 := context.WithTimeout(ctx, 4*time.Minute)
	t.Cleanup(cancel3)
	require.NoError(t, chromedp.Run(ctx))
	return ctx
}
