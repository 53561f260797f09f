package web_test

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

func goalKeys(b tab) {
	at := `(document.activeElement.closest(".goal")?.dataset.uid ?? "")`
	b.Open(dayPath)
	order := js[[]string](b, `[...document.querySelectorAll("#day .goal")].map(g => g.dataset.uid)`)
	b.Press("j")
	require.Equal(b.T, order[0], js[string](b, at))
	b.Press("j")
	b.Press("j")
	require.Equal(b.T, order[2], js[string](b, at))
	require.True(b.T, js[bool](b, `(r => r.top >= 0 && r.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())`), "it is on the screen")
	b.Press("k")
	require.Equal(b.T, order[1], js[string](b, at))
	for range len(order) + 2 {
		b.Press("j")
	}
	require.Equal(b.T, order[len(order)-1], js[string](b, at), "the last one is the end")
	b.Run(`document.querySelector(".find input").focus()`)
	b.Press("jk")
	require.Equal(b.T, "jk", js[string](b, `document.querySelector(".find input").value`), "who types is not moved about")
	b.Run(`document.querySelector("#e-5002-1 .who a").focus()`)
	b.Press("Enter")
	b.Until(`location.pathname.startsWith("/g/5002_")`)
}

// theMinute lasts a second here: the page counts it on by itself, into stoppage time, until the break that it is told of.
func theMinute(b tab) {
	n := 44
	b.S.Update(5001, func(f *footy.Fixture) { f.Match.Status = footy.Status{Code: "1H", Elapsed: &n, Since: time.Now()} })
	b.Open(dayPath)
	b.Until(`Number(document.querySelector("#f-5001 .pill").textContent.match(/^\s*45\+(\d+)'\s*$/)?.[1]) >= 2`) // each stands for a second, and is not seen where looks come later
	b.S.Update(5001, func(f *footy.Fixture) { f.Match.Status.Code = "HT" })
	b.Until(`document.querySelector("#f-5001 .pill").textContent.trim() === "HT"`)
}

func datePicker(b tab) {
	b.Open(dayPath)
	b.Run(`(p => { p.value = "2026-11-12"; p.dispatchEvent(new Event("change", {bubbles: true})); })(document.getElementById("pick-day"))`)
	b.Until(`location.pathname === "/day/2026-11-12" && document.getElementById("pick-day")?.value === "2026-11-12" && document.readyState === "complete"`) // its scripts hear keys
	b.Enter("#pick-day", "ArrowUp")
	b.Until(`document.getElementById("pick-day").value !== "2026-11-12"`)
	want := js[string](b, `document.getElementById("pick-day").value`)
	require.Equal(b.T, "/day/2026-11-12", js[string](b, `location.pathname`), "each key is no journey")
	b.Press("Enter")
	b.Until(fmt.Sprintf(`location.pathname === "/day/%s"`, want))
}

func teamPages(b tab) {
	shown := `[...document.querySelectorAll(".fixture")].filter(f => f.checkVisibility()).map(f => f.dataset.fixture).sort().join()`
	b.Open("/team/40")
	b.Until(`document.querySelector("h1")?.textContent === "Liverpool"`)
	b.Until(shown + ` === "5001"`)
	b.Until(`document.documentElement.dataset.stream === "on"`)
	b.S.Update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(4, 1) })
	b.Until(`document.querySelector("#f-5001 .digits").textContent.includes("4")`)
	b.Click(".follow")
	b.Until(`document.querySelector(".follow").innerText.trim().startsWith("Following")`)
	b.Open("/league/140")
	b.Until(shown + ` === "5002"`)
	b.Click(".follow")
	b.Open(dayPath)
	b.Click("[data-show=fav]")
	b.Until(shown + ` === "5001,5002"`) // what is followed, team and competition
	b.Run(`localStorage.setItem("spoilers", "1")`)
	b.Open("/team/40")
	require.NotRegexp(b.T, `(?i)\d\s*–\s*\d|\d+ goals?|salah`, js[string](b, `document.getElementById("main").innerText`))
	for _, width := range []int64{390, 1280} {
		b.Size(width, 900)
		require.True(b.T, js[bool](b, `document.documentElement.scrollWidth <= innerWidth`), "%d px", width)
	}
}

// goalOnItsPage: the clip plays muted, its angles by picture and by address; a goal without one waits in the same place.
func goalOnItsPage(b tab, mp4, jpg []byte) {
	const stage, playing = `document.querySelector(".goalpage .stage")`, `document.querySelector(".goalpage .stage video")`
	b.Size(1280, 900)
	b.Open("/g/" + salah)
	b.Until(playing + `?.currentTime > 0.1`)
	require.True(b.T, js[bool](b, playing+`.muted`))
	require.Equal(b.T, 3, js[int](b, `document.querySelectorAll(".fold:not([open]) > summary small").length`+` + document.querySelectorAll(".fold[open]").length + !document.querySelector("[data-key=way]")`), "each question is closed and answered in a line")
	ids := js[[]string](b, `[...document.querySelectorAll(".angle")].map((a) => a.dataset.clip)`)
	require.Len(b.T, ids, 3)
	b.Click(`[data-angle="2"]`)
	b.Until(playing + `?.currentSrc.includes("` + ids[2] + `")`)
	b.Until(`document.querySelector("[data-act=download]").href.includes("` + ids[2] + `")`)
	b.Open("/g/" + salah + "?v=" + ids[1])
	b.Until(playing + `?.currentSrc.includes("` + ids[1] + `")`)
	b.Click("#story-fold > summary")
	b.Until(`document.getElementById("story").checkVisibility()`)

	b.Open("/g/5003_49_700_Goal_1")
	b.Until(`document.documentElement.dataset.stream === "on"`)
	require.Contains(b.T, js[string](b, stage+`.innerText`), "Looking for the clip")
	before := js[[]float64](b, `(r => [r.top, r.height])(`+stage+`.getBoundingClientRect())`)
	b.S.Update(5003, func(f *footy.Fixture) {
		clip(&f.Events[0], "late", 1, true)
		b.S.Bytes(f.Events[0], mp4, jpg)
	})
	b.Until(playing + `?.currentTime > 0.1`)
	require.Equal(b.T, before, js[[]float64](b, `(r => [r.top, r.height])(`+stage+`.getBoundingClientRect())`), "in the place that was kept for it")
	b.Open("/match/5001")
	require.Equal(b.T, []string{"2", "1"}, js[[]string](b, `[...document.querySelectorAll(".sides b")].map((d) => d.innerText.trim())`))
	b.Until(`document.documentElement.dataset.stream === "on"`)
	b.S.Update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(4, 1) })
	b.Until(`document.querySelector(".sides b").innerText.trim() === "4"`)
	b.Click(`.fav[data-team="40"]`)
	b.Until(`localStorage.getItem("favourites") === "40"`)
	b.Click(".matchhead .share")
	b.Until(onAir + ` === "5001-1"`) // of this match only, from its first goal on
	require.Equal(b.T, "5001", js[string](b, `[...new Set([...document.querySelectorAll("#programme li:not([hidden])")].map((l) => l.dataset.fixture))].join()`))
}

// atEveryWidth walks pages with the longest names that there are: nothing sticks out or lies over a name, and a thumb meets every control.
func atEveryWidth(b tab) {
	b.S.Update(5001, func(f *footy.Fixture) {
		f.Teams.Home.Name, f.Teams.Away.Name, f.Match.Venue = "Wolverhampton Wanderers", "Borussia Mönchengladbach", ""
		e := f.Event("5001-1")
		e.Player.Name, e.Minute.Elapsed, e.Minute.Extra, e.Detail = "J. Vennegoor of Hesselink-Donaudampfschifffahrt", 45, 12, "Penalty"
	})
	const faults = `(() => {
		const out = [], box = (e) => e.getBoundingClientRect(), seen = (e) => e.checkVisibility({ visibilityProperty: true }) && box(e).width > 1;
		if (document.documentElement.scrollWidth > innerWidth) out.push("wider than the window");
		const controls = document.querySelectorAll("main :is(button, select, input, .act, .btn, .icon, summary), .site a");
		if (controls.length < 6) out.push("no page");
		for (const e of controls) if (seen(e) && (box(e).height < 40 || box(e).width < 40)) out.push("small: " + e.outerHTML.slice(0, 90));
		const texts = [...document.querySelectorAll(".goalhead :is(h1, .sub, .row bdi, .row .digits, .act), .sides :is(bdi, .fav, b), .said b, .said > span")].filter(seen);
		texts.forEach((a, i) => texts.slice(i + 1).forEach((c) => { const x = box(a), y = box(c);
			if (!a.contains(c) && !c.contains(a) && Math.min(x.right, y.right) - Math.max(x.left, y.left) > 1 && Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 1) out.push("over each other: " + a.textContent + ", " + c.textContent); }));
		return out;
	})()`
	for _, width := range []int64{320, 390, 820, 1280} {
		b.Size(width, 844)
		for _, page := range []string{"/g/" + salah, "/g/5001_50_701_Goal_1", "/match/5001", "/watch", "/team/40", "/search?q=wolverhampton", "/nope"} {
			b.Open(page)
			require.Empty(b.T, js[[]string](b, faults), "%s at %d px", page, width)
		}
	}
}
