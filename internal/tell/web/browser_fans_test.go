package web_test

import (
	"fmt"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

func goalKeys(b tab) {
	at := `(document.activeElement.closest(".goal")?.dataset.uid ?? "")`
	b.open(dayPath)
	order := js[[]string](b, `[...document.querySelectorAll("#day .goal")].map(g => g.dataset.uid)`)
	b.press("j")
	require.Equal(b.t, order[0], js[string](b, at))
	b.press("j")
	b.press("j")
	require.Equal(b.t, order[2], js[string](b, at))
	require.True(b.t, js[bool](b, `(r => r.top >= 0 && r.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())`), "it is on the screen")
	b.press("k")
	require.Equal(b.t, order[1], js[string](b, at))
	for range len(order) + 2 {
		b.press("j")
	}
	require.Equal(b.t, order[len(order)-1], js[string](b, at), "the last one is the end")
	b.run(chromedp.Evaluate(`document.querySelector("#e-5001-1 .who a").focus()`, nil))
	b.press("p")
	b.until(`document.getElementById("player").open && document.getElementById("player-title").textContent.includes("Salah")`)
	b.press("j") // belongs to the player now
	require.True(b.t, js[bool](b, `document.getElementById("player").open`))
	// As one who types at once: the player tells that it is closed only then.
	b.run(chromedp.Evaluate(`document.getElementById("player").close(); document.getElementById("pick-team").focus(); 0`, nil))
	b.press("jk")
	require.Equal(b.t, "jk", js[string](b, `document.getElementById("pick-team").value`), "who types is not moved about")
	b.click("#clear-filters")
	b.run(chromedp.Evaluate(`document.querySelector("#f-5001 summary").click(); document.activeElement.blur(); scrollTo(0, 0)`, nil))
	b.press("j")
	b.press("j")
	b.press("j")
	require.NotContains(b.t, js[string](b, at), "5001", "what is folded is passed over")
	b.run(chromedp.Evaluate(`document.querySelector("#e-5002-1 .who a").focus()`, nil))
	b.press(kb.Enter)
	b.until(`location.pathname.startsWith("/g/5002_")`)
}

func foldedMatches(b tab) {
	b.open(dayPath)
	b.click("#f-5002 summary")
	b.until(`localStorage.getItem("folded") === "5002"`)
	b.open(dayPath)
	b.until(`!document.querySelector("#f-5002 details").open`)
	require.True(b.t, js[bool](b, `document.querySelector("#f-5001 details").open`))
	require.Zero(b.t, js[int](b, `document.adoptedStyleSheets.length`))
	sum, what := shifts(b, "")
	require.Less(b.t, sum, 0.02, "%s", what)
	b.s.update(5002, func(f *footy.Fixture) { f.Match.Venue = "Camp Nou" })
	b.until(`document.documentElement.dataset.stream === "on" && document.querySelector("#f-5002 .venue")`)
	require.False(b.t, js[bool](b, `document.querySelector("#f-5002 details").open`))
	b.click("#f-5002 summary")
	b.until(`localStorage.getItem("folded") === ""`)
	b.open(dayPath)
	require.True(b.t, js[bool](b, `document.querySelector("#f-5002 details").open`))
}

func datePicker(b tab) {
	b.open(dayPath)
	b.run(chromedp.Evaluate(`(p => { p.value = "2026-11-12"; p.dispatchEvent(new Event("change", {bubbles: true})); })(document.getElementById("pick-day"))`, nil))
	b.until(`location.pathname === "/day/2026-11-12" && document.getElementById("pick-day")?.value === "2026-11-12" && document.readyState === "complete"`) // its scripts hear keys
	b.enter("#pick-day", kb.ArrowUp)
	b.until(`document.getElementById("pick-day").value !== "2026-11-12"`)
	want := js[string](b, `document.getElementById("pick-day").value`)
	require.Equal(b.t, "/day/2026-11-12", js[string](b, `location.pathname`), "each key is no journey")
	b.press(kb.Enter)
	b.until(fmt.Sprintf(`location.pathname === "/day/%s"`, want))
}

func teamPages(b tab) {
	shown := `[...document.querySelectorAll(".fixture")].filter(f => f.checkVisibility()).map(f => f.dataset.fixture).sort().join()`
	b.open(dayPath)
	b.click("#f-5001 .home a")
	b.until(`location.pathname === "/team/40" && document.querySelector("h1")?.textContent === "Liverpool"`)
	b.until(shown + ` === "5001"`)
	b.until(`document.documentElement.dataset.stream === "on"`)
	b.s.update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(4, 1) })
	b.until(`document.querySelector("#f-5001 .digits").textContent.includes("4")`)
	b.click("#e-5001-1 a.clip")
	b.until(`document.getElementById("player-count").textContent === "1 of 3"`)
	b.press(kb.Escape)
	b.click(".follow")
	b.until(`document.querySelector(".follow").innerText.trim().startsWith("Following")`)
	b.open("/league/140")
	b.until(shown + ` === "5002"`)
	b.click(".follow")
	b.open(dayPath)
	b.click("[data-show=fav]")
	b.until(shown + ` === "5001,5002"`) // what is followed, team and competition
	b.run(chromedp.Evaluate(`localStorage.setItem("spoilers", "1")`, nil))
	b.open("/team/40")
	require.NotRegexp(b.t, `(?i)\d\s*–\s*\d|\d+ goals?|salah`, js[string](b, `document.getElementById("main").innerText`))
	for _, width := range []int64{390, 1280} {
		b.run(chromedp.EmulateViewport(width, 900))
		require.True(b.t, js[bool](b, `document.documentElement.scrollWidth <= innerWidth`), "%d px", width)
	}
}

func swipes(b tab) {
	b.run(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch, chromedp.EmulateMobile))
	b.open(dayPath)
	b.run(chromedp.Evaluate(`window.count = () => document.getElementById("player-count").textContent; document.querySelector("#e-5001-1 a.clip").click()`, nil))
	b.until(`count() === "1 of 3"`)
	stroke(b, "#player .screen", 300, 100)
	b.until(`count() === "2 of 3"`)
	stroke(b, "#player .screen", 100, 300)
	b.until(`count() === "1 of 3"`)
	stroke(b, "#player .screen", 200, 180)
	require.Equal(b.t, "1 of 3", js[string](b, `count()`), "a touch is no stroke")
}

// stroke draws a finger across an element.
func stroke(b tab, over string, from, to float64) {
	b.t.Helper()
	y := js[float64](b, `(r => r.top + r.height / 3)(document.querySelector("`+over+`").getBoundingClientRect())`)
	at := func(x float64) []*input.TouchPoint { return []*input.TouchPoint{{X: x, Y: y}} }
	b.run(input.DispatchTouchEvent(input.TouchStart, at(from)), input.DispatchTouchEvent(input.TouchMove, at((from+to)/2)),
		input.DispatchTouchEvent(input.TouchMove, at(to)), input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
}
