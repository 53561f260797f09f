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

	"github.com/found-footy/found-footy/internal/web"
)

// TestScreenshots writes pictures of the main pages into SHOTS; make shots sets it.
func TestScreenshots(t *testing.T) {
	out := os.Getenv("SHOTS")
	if out == "" {
		t.Skip("SHOTS is not set")
	}
	require.NoError(t, os.MkdirAll(out, 0o755))
	s := newStand(t, func(o *web.Options) { o.Health = sickHealth{} })
	s.demoDay(draw(t))
	ctx := browser(t)
	pages := map[string]string{"day": "/day/2026-11-14", "goal": "/g/5001_40_700_Goal_1", "why": "/g/5001_50_701_Goal_1", "health": "/health", "missing": "/g/nope", "empty": "/day/2026-01-01"}
	looks := []struct {
		name   string
		width  int64
		scheme string
	}{{"light", 1280, "light"}, {"dark", 1280, "dark"}, {"phone", 390, "light"}, {"phone-dark", 390, "dark"}}
	for _, l := range looks {
		for name, path := range pages {
			var png []byte
			require.NoError(t, chromedp.Run(ctx, look(l.width, l.scheme), chromedp.Navigate(s.http.URL+path), chromedp.WaitReady("main"),
				chromedp.Sleep(400*time.Millisecond), chromedp.FullScreenshot(&png, 100)))
			require.NoError(t, os.WriteFile(filepath.Join(out, name+"-"+l.name+".png"), png, 0o644))
		}
		var png []byte
		require.NoError(t, chromedp.Run(ctx, look(l.width, l.scheme), chromedp.Navigate(s.http.URL+"/day/2026-11-14"), chromedp.Click("a.clip", chromedp.NodeVisible),
			chromedp.WaitVisible("#player"), chromedp.Sleep(800*time.Millisecond), chromedp.CaptureScreenshot(&png)))
		require.NoError(t, os.WriteFile(filepath.Join(out, "player-"+l.name+".png"), png, 0o644))
	}
}

func look(width int64, scheme string) chromedp.Action {
	return chromedp.Tasks{
		chromedp.EmulateViewport(width, 860),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
	}
}

type sickHealth struct{}

func (sickHealth) Health(context.Context) web.Health {
	parts := []web.Component{
		{Name: "engine", State: web.StateOK, Facts: map[string]any{"queue depth": 0, "last cycle": "12 s ago"}},
		{Name: "feed", State: web.StateOK, Facts: map[string]any{"calls left today": 6120}},
		{Name: "search", State: web.StateDegraded, Reason: "the account's budget is tight: 3 of 40 calls left", Since: noon.Add(-4 * time.Minute), Remedy: "Wait 6 minutes, or add an account.", Facts: map[string]any{"budget": "3 of 40"}},
		{Name: "model", State: web.StateDown, Reason: "connection refused", Since: noon.Add(-20 * time.Minute), Remedy: "Start the model server; clips found meanwhile are kept for a day and judged then."},
		{Name: "notifications", State: web.StateMissing, Reason: "none are set up", Remedy: "Set NOTIFY_URLS to hear of goals outside of the page."},
	}
	return web.Health{At: noon, Components: parts, State: web.Worst(parts)}
}

// browser starts a headless Chromium, or skips.
func browser(t testing.TB) context.Context {
	t.Helper()
	path := ""
	for _, p := range []string{"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"} {
		if _, err := os.Stat(p); err == nil {
			path = p
		}
	}
	if path == "" {
		t.Skip("no Chromium here")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.Flag("disable-dev-shm-usage", true))
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel2 := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {})) // it logs every protocol event it does not know
	t.Cleanup(cancel2)
	ctx, cancel3 := context.WithTimeout(ctx, 4*time.Minute)
	t.Cleanup(cancel3)
	require.NoError(t, chromedp.Run(ctx))
	return ctx
}
