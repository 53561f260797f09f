package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestTheSetUpPageInABrowser enters the world's values as a person does, one step after the other, until today's page is there.
func TestTheSetUpPageInABrowser(t *testing.T) {
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(devtest.Chromium(t)), chromedp.NoSandbox, chromedp.Flag("disable-dev-shm-usage", true))
	w, err := world.New(world.Options{ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	t.Chdir(t.TempDir())
	outside := map[string]string{"STATE_DIR": t.TempDir(), "API_FOOTBALL_URL": w.URL() + "/football", "X_URL": w.URL() + "/x",
		"REDDIT_URL": w.URL() + "/reddit", "REDDIT_API_URL": w.URL() + "/reddit/api", "MEDIA_ALLOW_PRIVATE": "true"}
	p := startFirst(t, outside)

	alloc, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	tab, cancelTab := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(cancelTab)
	limited, cancelTime := context.WithTimeout(tab, 4*time.Minute)
	t.Cleanup(cancelTime)
	run := func(a ...chromedp.Action) {
		t.Helper()
		require.NoError(t, chromedp.Run(limited, a...))
	}
	until := func(expression string) {
		t.Helper()
		require.Eventually(t, func() bool {
			ok := false // between two pages there is no document to ask: that is "not yet"
			return chromedp.Run(limited, chromedp.Evaluate("!!("+expression+")", &ok)) == nil && ok
		}, 2*time.Minute, 50*time.Millisecond, expression)
	}
	try := func(step, says string, values ...string) {
		t.Helper()
		form := `document.querySelector("form.setup[action='/setup/try/` + step + `']")`
		until(`document.readyState === "complete" && ` + form)
		enter := ""
		for i := 0; i < len(values); i += 2 {
			enter += fmt.Sprintf("f.elements[%q].value = %q; ", values[i], values[i+1])
		}
		run(chromedp.Evaluate(`(() => { const f = `+form+`; `+enter+`document.querySelector("#step-title").dataset.left = ""; f.querySelector(".primary").click(); })()`, nil))
		until(`document.querySelector("#step-title:not([data-left])") && document.querySelector("[role=status] .note")`)
		var text string
		run(chromedp.Evaluate(`[...document.querySelectorAll("main [role=status]")].map((e) => e.innerText).join()`, &text))
		require.Contains(t, text, says)
	}
	next := func() { t.Helper(); run(chromedp.Evaluate(`document.querySelector("form.setup a.btn").click()`, nil)) }

	run(chromedp.Navigate(p.url))
	try("matches", "nonsense league", "API_FOOTBALL_KEY", "a key of mine", "TRACK_LEAGUES", "39,nonsense league")
	try("matches", "Match feed: works.", "API_FOOTBALL_KEY", "a key of mine", "TRACK_LEAGUES", "39")
	next()
	try("model", "down", "LLAMA_URL", "http://127.0.0.1:1/v1")
	try("model", "read its clock", "LLAMA_URL", w.URL()+"/llm")
	next()
	try("x", "Cookies: down.", "cookies", "no cookies at all")
	next()
	try("reddit", "works", "REDDIT_CLIENT_ID", world.RedditApp, "REDDIT_CLIENT_SECRET", world.RedditSecret)
	require.NoFileExists(t, config.File, "nothing is written before it is said")
	run(chromedp.Evaluate(`document.querySelector("form[action='/setup/finish'] button").click()`, nil))
	until(`document.querySelector("[data-await]")`)
	<-p.again
	p.stop()
	startFirstAt(t, strings.TrimPrefix(p.url, "http://"), outside) // as the process does itself
	until(`location.pathname === "/" && document.getElementById("day")`)
	c, err := config.Load()
	require.NoError(t, err)
	require.Equal(t, []string{"39"}, c.Track.Leagues)
	require.Equal(t, "a key of mine", c.Feed.Key)
}
