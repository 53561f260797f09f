package setup_test

import (
	"context"
	"errors"
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

// TestTheSetUpPageInABrowser chooses and enters as a person does, until today's page is there.
func TestTheSetUpPageInABrowser(t *testing.T) {
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(devtest.Chromium(t)), chromedp.NoSandbox, chromedp.Flag("disable-dev-shm-usage", true))
	w, outside := firstWorld(t)
	p := startFirst(t, outside)

	alloc, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	tab, cancelTab := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(cancelTab)
	limited, cancelTime := context.WithTimeout(tab, 4*time.Minute)
	t.Cleanup(cancelTime)
	shows := func() (text string) {
		if err := chromedp.Run(limited, chromedp.Evaluate(`location.href + " (" + document.readyState + ")\n" + document.body?.innerText`, &text)); err != nil {
			return "the page does not tell what it shows: " + err.Error()
		}
		return text
	}
	run := func(a ...chromedp.Action) {
		t.Helper()
		if err := chromedp.Run(limited, a...); err != nil {
			require.FailNow(t, err.Error(), shows())
		}
	}
	until := func(expression string) {
		t.Helper()
		for end := time.Now().Add(2 * time.Minute); ; <-time.After(50 * time.Millisecond) {
			ok := false // between two pages there is no document to ask: that is "not yet"
			if chromedp.Run(limited, chromedp.Evaluate("!!("+expression+")", &ok)) == nil && ok {
				return
			}
			if time.Now().After(end) {
				require.FailNow(t, "not so: "+expression, shows())
			}
		}
	}
	// click clicks the element itself, in the step that finds it: the page looks for matches and clubs by itself, and what it finds moves the
	// rest of the page, or takes the place of a button, between a look where it is and a click there.
	click := func(selector string) {
		t.Helper()
		until(fmt.Sprintf(`((e) => e?.checkVisibility() && (e.click(), true))(document.querySelector(%q))`, selector))
	}
	try := func(step, says string, values ...string) {
		t.Helper()
		enter := ""
		for i := 0; i < len(values); i += 2 {
			enter += fmt.Sprintf("document.getElementById('f-' + %q).value = %q; ", values[i], values[i+1])
		}
		run(chromedp.Evaluate(`(() => { `+enter+`document.body.dataset.left = ""; document.querySelector("[formaction='/setup/try/`+step+`'], [action='/setup/try/`+step+`'] .primary").click(); })()`, nil))
		until(`!("left" in document.body.dataset) && document.readyState === "complete" && document.querySelector("#` + step + ` [role=status] .note")`)
		var text string
		run(chromedp.Evaluate(`[...document.querySelectorAll("#`+step+` [role=status]")].map((e) => e.innerText).join()`, &text))
		require.Contains(t, text, says)
	}
	const ofLiverpool = `[...document.querySelectorAll("#today li.live")].some((m) => m.innerText.includes("Liverpool"))`

	run(chromedp.Navigate(p.url))
	until(ofLiverpool) // by itself
	click(`#choose input[value="England/Premier League"]`)
	until("!" + ofLiverpool + ` && document.querySelector("#today li")`)
	until(`(document.querySelector("#club").focus(), document.activeElement.id === "club")`) // and not by chromedp: the page is brought up to date meanwhile
	run(chromedp.KeyEvent("liverp"))
	until(`document.querySelector("#club-found button[value='England/Liverpool'] img").naturalWidth > 0`)
	click(`#club-found button[value="England/Liverpool"]`)
	until(ofLiverpool + ` && document.querySelector("#clubs button")`)

	try("reddit", "Reddit: works.", "REDDIT_FEED", w.URL()+"/reddit/r/soccer/new/.rss?feed="+world.RedditToken+"&user="+world.RedditUser)
	try("model", "down", "LLAMA_URL", "http://127.0.0.1:1/v1")
	try("model", "reads 4 of four pictures right", "LLAMA_URL", w.URL()+"/llm")
	require.NoFileExists(t, config.File, "nothing is written before it is said")
	start := func() {
		t.Helper()
		click(`#start .primary`)
		until(`document.querySelector("[data-await]")`)
		p.awaitAgain()
	}
	start()
	require.NoError(t, p.setUp.TakeBack(errors.New("the port is taken")))
	until(`document.getElementById("stopped").innerText.includes("the port is taken")`) // by itself
	start()
	p.stop()
	startFirstAt(t, strings.TrimPrefix(p.url, "http://"), outside) // as the process does itself
	until(`location.pathname === "/" && document.querySelector(".emptyday, #feed")`)
	c, err := config.Load()
	require.NoError(t, err)
	require.NotContains(t, c.Track.Leagues, "England/Premier League")
	require.Equal(t, []string{"England/Liverpool"}, c.Track.Teams)
	require.Equal(t, config.ESPN, c.Feed.Name)
}
