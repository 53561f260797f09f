package setup_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
	"github.com/found-footy/found-footy/internal/world"
)

// tab is a person's browser.
type tab struct{ webtest.Tab }

// click clicks the element itself, in the step that finds it: the page looks for matches and clubs by itself, and what it finds moves the
// rest of the page, or takes the place of a button, between a look where it is and a click there. Before the page is complete its script
// may not listen: the browser would go to another page instead.
func (b tab) click(selector string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`((e) => document.readyState === "complete" && e?.checkVisibility() && (e.click(), true))(document.querySelector(%q))`, selector))
}

// try enters values at a step and presses its button, the one that leaves it out where there are none.
func (b tab) try(step, says string, values ...string) {
	b.T.Helper()
	enter, button := "", "button[name=leave]"
	for i := 0; i < len(values); i += 2 {
		enter += fmt.Sprintf("document.getElementById('f-' + %q).value = %q; ", values[i], values[i+1])
		button = "button:not([name=leave])"
	}
	b.Run(`(() => { ` + enter + `document.body.dataset.left = ""; document.querySelector("#` + step + ` ` + button + `").click(); })()`)
	b.Until(`!("left" in document.body.dataset) && document.readyState === "complete" && document.querySelector("#` + step + `")`)
	require.Contains(b.T, webtest.JS[string](b.Tab, `[...document.querySelectorAll("#`+step+` [role=status]")].map((e) => e.innerText).join()`), says)
}

// TestTheSetUpPageInABrowser chooses and enters as a person does, until today's page is there.
func TestTheSetUpPageInABrowser(t *testing.T) {
	b := tab{webtest.OpenTab(t, webtest.Browser(t), nil)}
	until, click, try := b.Until, b.click, b.try
	w, outside := firstWorld(t)
	p := startFirst(t, outside)
	const ofLiverpool = `[...document.querySelectorAll("#today li.live")].some((m) => m.innerText.includes("Liverpool"))`

	b.Goto(p.url)
	until(ofLiverpool) // by itself
	click(`#choose input[value="England/Premier League"]`)
	until("!" + ofLiverpool + ` && document.querySelector("#today li")`)
	until(`(document.querySelector("#club").focus(), document.activeElement.id === "club")`) // in one step: the page is brought up to date meanwhile
	b.Press("liverp")
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
	b := tab{webtest.OpenTab(t, webtest.Browser(t), nil)}
	_, outside := firstWorld(t)
	p := startFirst(t, outside)
	typed := "http://" + strings.Repeat("ä", 100) + " ?"
	whole := func() {
		t.Helper()
		require.NotContains(t, b.Shows(), "\uFFFD", "words are cut by letters")
		pressed := webtest.JS[[]string](b.Tab, `[...new Set([...document.querySelectorAll("main button")].map((b) => b.textContent.trim()))]`)
		require.Subset(t, []string{"Start with nothing", "Start", "Look around first", "Check it", "Leave it out", "Untick all leagues", "Show today's matches", "Find"}, pressed,
			"this test presses every button")
	}
	b.Goto(p.url)
	b.click(`form[action="/setup/later"] button`)
	b.Until(`location.pathname === "/"`)
	b.Goto(p.url + "/setup")
	whole()
	b.try("reddit", "down.", "REDDIT_FEED", typed)
	b.try("x", "Cookies: down.", "cookies", "no cookies", "X_BEARER_TOKEN", "")
	b.try("model", "Address of the server: down.", "LLAMA_URL", typed)
	b.Until(fmt.Sprintf(`document.getElementById("f-LLAMA_URL").value === %q`, typed)) // what was typed stays
	b.Until(`document.querySelectorAll("#model [role=status] .note").length === 1`)    // one box, and in it
	b.Until(`!document.querySelector("#model .note").innerText.includes("\n")`)        // one paragraph
	b.try("matches", "", "API_FOOTBALL_KEY", "a key of mine")
	whole()
	b.click(`#start .primary`)
	b.Until(`document.getElementById("stopped")?.innerText.includes("does not work yet")`)
	require.NoFileExists(t, config.File)
	for _, step := range []string{"reddit", "x", "model", "matches"} {
		b.try(step, "")
	}
	b.click(`#untick button`)
	b.Until(`document.querySelector("#today").innerText.includes("Tick a league, or add a club")`)
	b.click(`#start .primary`)
	b.Until(`document.getElementById("stopped")?.innerText.includes("Tick a league, or add a club")`)
	find := func(typed string) {
		t.Helper()
		b.Choose(`#club`, typed)
		b.click(`#club-find button`)
	}
	find("li")
	require.Empty(t, webtest.JS[string](b.Tab, `document.getElementById("club-found").innerText.trim() + location.search`), "two letters are not searched for")
	find("nobody is called so")
	b.Until(`document.getElementById("club-found").innerText.includes("No club of that name")`)
	whole()
	require.NoFileExists(t, config.File, "nothing was written by all that")

	find("liverp")
	b.click(`#club-found button[value="England/Liverpool"]`)
	b.Until(`[...document.querySelectorAll("#today li.live")].some((m) => m.innerText.includes("Liverpool"))`)
	b.click(`#start .primary`)
	b.Until(`document.querySelector("#token")`)
	p.awaitAgain()
	c, err := config.Load()
	require.NoError(t, err)
	require.Equal(t, []string{"England/Liverpool"}, c.Track.Teams)
	require.Equal(t, []string{"none"}, c.Track.Leagues)
	require.Equal(t, config.ESPN, c.Feed.Name)
	require.Empty(t, c.Model.URL)
}
