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

// tab is a person's browser.
type tab struct {
	t   *testing.T
	ctx context.Context
}

func openTab(t *testing.T) tab {
	t.Helper()
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(devtest.Chromium(t)), chromedp.NoSandbox, chromedp.Flag("disable-dev-shm-usage", true))
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	page, cancelTab := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(cancelTab)
	limited, cancelTime := context.WithTimeout(page, 4*time.Minute)
	t.Cleanup(cancelTime)
	return tab{t, limited}
}

func (b tab) shows() (text string) {
	if err := chromedp.Run(b.ctx, chromedp.Evaluate(`location.href + " (" + document.readyState + ")\n" + document.body?.innerText`, &text)); err != nil {
		return "the page does not tell what it shows: " + err.Error()
	}
	return text
}

func (b tab) run(a ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, a...); err != nil {
		require.FailNow(b.t, err.Error(), b.shows())
	}
}

func (b tab) until(expression string) {
	b.t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; <-time.After(50 * time.Millisecond) {
		ok := false // between two pages there is no document to ask: that is "not yet"
		if chromedp.Run(b.ctx, chromedp.Evaluate("!!("+expression+")", &ok)) == nil && ok {
			return
		}
		if time.Now().After(end) {
			require.FailNow(b.t, "not so: "+expression, b.shows())
		}
	}
}

// click clicks the element itself, in the step that finds it: the page looks for matches and clubs by itself, and what it finds moves the
// rest of the page, or takes the place of a button, between a look where it is and a click there.
func (b tab) click(selector string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`((e) => e?.checkVisibility() && (e.click(), true))(document.querySelector(%q))`, selector))
}

// try enters values at a step and presses its button, the one that leaves it out where there are none.
func (b tab) try(step, says string, values ...string) {
	b.t.Helper()
	enter, button := "", "button[name=leave]"
	for i := 0; i < len(values); i += 2 {
		enter += fmt.Sprintf("document.getElementById('f-' + %q).value = %q; ", values[i], values[i+1])
		button = "button:not([name=leave])"
	}
	b.run(chromedp.Evaluate(`(() => { `+enter+`document.body.dataset.left = ""; document.querySelector("#`+step+` `+button+`").click(); })()`, nil))
	b.until(`!("left" in document.body.dataset) && document.readyState === "complete" && document.querySelector("#` + step + `")`)
	var text string
	b.run(chromedp.Evaluate(`[...document.querySelectorAll("#`+step+` [role=status]")].map((e) => e.innerText).join()`, &text))
	require.Contains(b.t, text, says)
}

// TestTheSetUpPageInABrowser chooses and enters as a person does, until today's page is there.
func TestTheSetUpPageInABrowser(t *testing.T) {
	b := openTab(t)
	run, until, click, try := b.run, b.until, b.click, b.try
	w, outside := firstWorld(t)
	p := startFirst(t, outside)
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
	_, err := p.setUp.TakeBack(errors.New("the port is taken"))
	require.NoError(t, err)
	until(`document.getElementById("stopped").innerText.includes("the port is taken")`) // by itself
	start()
	p.stop()
	startFirstAt(t, strings.TrimPrefix(p.url, "http://"), outside)                                                         // as the process does itself
	until(`document.querySelector("#token") && document.querySelector("[data-await]").innerText.includes("runs with it")`) // it stays: the token is shown once
	click(`main a.btn[href="/"]`)
	until(`location.pathname === "/" && document.querySelector(".emptyday, #feed")`)
	c, err := config.Load()
	require.NoError(t, err)
	require.NotContains(t, c.Track.Leagues, "England/Premier League")
	require.Equal(t, []string{"England/Liverpool"}, c.Track.Teams)
	require.Equal(t, config.ESPN, c.Feed.Name)
}

// TestEveryButtonIsPressedWronglyFirst presses each button of the set-up page with what is wrong, and then follows one club.
func TestEveryButtonIsPressedWronglyFirst(t *testing.T) {
	b := openTab(t)
	_, outside := firstWorld(t)
	p := startFirst(t, outside)
	typed := "http://" + strings.Repeat("ä", 100) + " ?"
	whole := func() {
		t.Helper()
		require.NotContains(t, b.shows(), "\uFFFD", "words are cut by letters")
		var pressed []string
		b.run(chromedp.Evaluate(`[...new Set([...document.querySelectorAll("main button")].map((b) => b.textContent.trim()))]`, &pressed))
		require.Subset(t, []string{"Start with nothing", "Start", "Look around first", "Check it", "Leave it out", "Untick all leagues", "Show today's matches", "Find"}, pressed,
			"this test presses every button")
	}
	b.run(chromedp.Navigate(p.url))
	b.click(`form[action="/setup/later"] button`)
	b.until(`location.pathname === "/"`)
	b.run(chromedp.Navigate(p.url + "/setup"))
	whole()
	b.try("reddit", "down.", "REDDIT_FEED", typed)
	b.try("x", "Cookies: down.", "cookies", "no cookies", "X_BEARER_TOKEN", "")
	b.try("model", "Address of the server: down.", "LLAMA_URL", typed)
	b.until(fmt.Sprintf(`document.getElementById("f-LLAMA_URL").value === %q`, typed)) // what was typed stays
	b.until(`document.querySelectorAll("#model [role=status] .note").length === 1`)    // one box, and in it
	b.until(`!document.querySelector("#model .note").innerText.includes("\n")`)        // one paragraph
	b.try("matches", "", "API_FOOTBALL_KEY", "a key of mine")
	whole()
	b.click(`#start .primary`)
	b.until(`document.getElementById("stopped")?.innerText.includes("does not work yet")`)
	require.NoFileExists(t, config.File)
	for _, step := range []string{"reddit", "x", "model", "matches"} {
		b.try(step, "")
	}
	b.click(`#untick button`)
	b.until(`document.querySelector("#today").innerText.includes("Tick a league, or add a club")`)
	b.click(`#start .primary`)
	b.until(`document.getElementById("stopped")?.innerText.includes("Tick a league, or add a club")`)
	for typed, says := range map[string]string{"li": "", "nobody is called so": "No club of that name"} {
		b.run(chromedp.Evaluate(fmt.Sprintf(`document.getElementById("club").value = %q`, typed), nil))
		b.click(`#club-find button`)
		b.until(fmt.Sprintf(`document.getElementById("club-found").innerText.includes(%q)`, says))
	}
	whole()
	require.NoFileExists(t, config.File, "nothing was written by all that")

	b.run(chromedp.Evaluate(`document.getElementById("club").value = "liverp"`, nil))
	b.click(`#club-find button`)
	b.click(`#club-found button[value="England/Liverpool"]`)
	b.until(`[...document.querySelectorAll("#today li.live")].some((m) => m.innerText.includes("Liverpool"))`)
	b.click(`#start .primary`)
	b.until(`document.querySelector("#token")`)
	p.awaitAgain()
	c, err := config.Load()
	require.NoError(t, err)
	require.Equal(t, []string{"England/Liverpool"}, c.Track.Teams)
	require.Equal(t, []string{"none"}, c.Track.Leagues)
	require.Equal(t, config.ESPN, c.Feed.Name)
	require.Empty(t, c.Model.URL)
}
