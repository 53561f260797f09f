package web_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/pages"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

func waitingPage(b tab) {
	b.s.wait("5001-1", "11", footy.ReasonStorage, time.Minute, "503")
	b.s.commands.posts = 1
	name, value, _ := strings.Cut(b.s.signIn(), "=")
	b.run(network.SetCookie(name, value).WithURL(b.s.http.URL))
	b.open("/waiting")
	b.until(`document.documentElement.dataset.stream === "on"`)
	b.s.wait("5001-3", "31", footy.ReasonModelSlow, time.Minute, "60 s")
	b.s.hub.Publish(stream.EntityEvent, "5001-3")
	b.until(`document.querySelectorAll(".cause .post").length === 2`)
	b.run(chromedp.Evaluate(`window.confirm = (text) => { window.text = text; return false; }; document.querySelector(".cause form[action$=give-up] button").click()`, nil))
	require.Contains(b.t, js[string](b, `text`), "not be tried again")
	require.Empty(b.t, b.s.commands.done)
	b.run(chromedp.Evaluate(`window.confirm = () => true; document.querySelector(".cause form[action$=give-up] button").click()`, nil))
	b.until(`document.querySelector(".note.good")?.textContent.startsWith("Given up")`)
	require.Len(b.t, b.s.commands.done, 1)
	b.run(network.ClearBrowserCookies()) // tabs share them
}

func hotkeys(b tab) {
	b.open(dayPath)
	b.click("#e-5001-1 a.clip")
	b.appears("#player")
	b.run(chromedp.Evaluate(`window.v = document.getElementById("player-video"); window.title2 = () => document.getElementById("player-title").textContent; window.count = () => document.getElementById("player-count").textContent;
		window.told = []; // what is said for a moment may be gone at the next look
		new MutationObserver((_, o) => { const note = document.getElementById("player-note"); if (!note.hidden) told.push(note.textContent); }).observe(document.getElementById("player-note"), { attributes: true, childList: true }); 0`, nil))
	b.until(`v.duration > 6 && !v.paused`)
	b.press("k")
	b.until(`v.paused`)
	b.press(" ")
	b.until(`!v.paused`)
	b.press("k")
	b.until(`v.paused`)
	at := func(key, want string) {
		b.t.Helper()
		b.press(key)
		b.until(want)
	}
	at("5", `Math.abs(v.currentTime - v.duration / 2) < 0.1`)
	at(kb.Home, `v.currentTime === 0`)
	at(kb.ArrowRight, `Math.abs(v.currentTime - 5) < 0.1`)
	at(kb.ArrowLeft, `v.currentTime === 0`)
	at("l", `v.currentTime > 6.5`) // a clip of 7 s ends before 10
	at("j", `v.currentTime === 0`)
	at(".", `v.currentTime > 0.03 && v.currentTime < 0.05`)
	at(",", `v.currentTime < 0.01`)
	at(kb.End, `v.currentTime > 6.5`)
	at(">", `v.playbackRate === 1.25`)
	at("<", `v.playbackRate === 1`)
	at(kb.ArrowDown, `Math.abs(v.volume - 0.95) < 0.001`)
	at(kb.ArrowUp, `Math.abs(v.volume - 1) < 0.001`)
	at("m", `v.muted`)
	at("m", `!v.muted`)
	at("r", `!v.loop`)
	at("r", `v.loop`)
	require.Equal(b.t, "1 of 3", js[string](b, `count()`))
	at("N", `count() === "2 of 3"`)
	at("N", `count() === "3 of 3"`)
	at("N", `told.includes("No further clip") && count() === "3 of 3"`)
	at("P", `count() === "2 of 3"`)
	require.Contains(b.t, js[string](b, `title2()`), "Mohamed Salah")
	at("[", `title2().includes("Szoboszlai")`)
	at("]", `title2().includes("Salah")`)
	at("]", `title2().includes("Lewandowski")`)
	at("?", `document.getElementById("keys").open`)
	at(kb.Escape, `!document.getElementById("keys").open && document.getElementById("player").open`)
	b.run(chromedp.Evaluate(`window.copied = ""; navigator.clipboard.writeText = async (t) => { window.copied = t; }; window.saved = ""; document.getElementById("player-download").addEventListener("click", (e) => { e.preventDefault(); window.saved = e.currentTarget.href; }); window.full = 0; v.requestFullscreen = () => { window.full++; return Promise.resolve(); }; 0`, nil))
	at("s", `copied.includes("/g/5002_529_700_Goal_1?v=")`)
	at("d", `saved.endsWith(".mp4?download")`)
	at("f", `full === 1`)
	at(kb.Escape, `!document.getElementById("player").open`)
	at("?", `document.getElementById("keys").open`)
}

// unsurePost is settled by an operator who is signed in.
func unsurePost(b tab) {
	b.s.update(5001, func(f *footy.Fixture) {
		f.Event("5001-1").Postings = []footy.Posting{{Target: "aa", Service: "Discord", Step: footy.PostingUnsure, Error: "the program ended while it was being posted"},
			{Target: "bb", Service: "Telegram", Step: footy.PostingDone, URL: "https://t.me/goals/12"}}
	})
	b.open("/g/" + salah)
	faultless(b, "posts of our own")
	b.click(`.posted form[action$="post-again"] .btn`)
	b.until(`document.querySelector(".note.good")?.textContent.startsWith("It is posted again")`)
	require.Contains(b.t, b.s.commands.done, "settle 5001-1 aa false")
	b.click(`.posted form[action$="post-is-there"] .btn`)
	b.until(`document.querySelector(".note.good")?.textContent.startsWith("Noted")`)
	require.Contains(b.t, b.s.commands.done, "settle 5001-1 aa true")
	for _, width := range []int64{390, 1280} {
		b.run(chromedp.EmulateViewport(width, 900))
		require.True(b.t, js[bool](b, `document.documentElement.scrollWidth <= innerWidth`), "%d px", width)
	}
}

// faultless checks the page as it is now, in both themes.
func faultless(b tab, what any) {
	b.t.Helper()
	for _, theme := range []string{"light", "dark"} {
		b.run(chromedp.Evaluate(`document.documentElement.dataset.theme = "`+theme+`"; 0`, nil))
		require.Empty(b.t, js[[]string](b, faultsScript), "%v %s", what, theme)
	}
}

// noLeak reads the pages as a person does who does not want to know: no score, no number of goals, no penalties, and
// nothing that looks different where a goal was scored.
func noLeak(b tab) {
	b.t.Helper()
	require.NotRegexp(b.t, `(?i)\d\s*–\s*\d|pen(s|alties)|\d+ goals?|salah|confirming`, js[string](b, `document.getElementById("main").innerText`))
	require.NotRegexp(b.t, `\d\s*–\s*\d`, js[string](b, `document.title + [...document.querySelectorAll("#day [title], #day [aria-label]")].filter(e => e.checkVisibility()).map(e => e.title + e.ariaLabel).join()`))
	require.False(b.t, js[bool](b, `document.querySelector("[data-show=clips]").checkVisibility()`), "a filter would tell where goals are")
	b.run(chromedp.EmulateViewport(1280, 900))
	look := `(id => { const f = document.getElementById(id), m = f.querySelector(".match").getBoundingClientRect(), r = f.querySelector(".reveal"); return [f.offsetHeight - (f.querySelector(".venue")?.offsetHeight || 0), Math.round(m.left), Math.round(m.width), r.textContent].join() })`
	// In one step: the stream's first news brings back what is taken away here.
	looks := js[[]string](b, `(look => { document.querySelector("#f-5003 .goals").remove(); document.querySelector("#f-5001 .venue").remove(); return [look("f-5003"), look("f-5001")]; })(`+look+`)`)
	require.Equal(b.t, looks[0], looks[1], "a match with goals looks like one without")
	b.open("/g/" + salah)
	require.False(b.t, js[bool](b, `/\d\s*–\s*\d/.test(document.getElementById("main").innerText)`))
	b.click("a.clip")
	b.appears("#player")
	require.Equal(b.t, "Liverpool v Manchester City", js[string](b, `document.getElementById("player-sub").textContent`))
	b.press(kb.Escape)
	b.click(".goalhead [data-reveal]")
	b.until(`/1\s*–\s*0/.test(document.querySelector(".goalhead").innerText)`)
	b.open(dayPath)
}

// backAndThePlayer: Back closes the player, and never leads to a page that the reader has left.
func backAndThePlayer(b tab) {
	b.t.Helper()
	back := func() { b.run(chromedp.Evaluate(`history.back(); 0`, nil)) }
	closed := `!document.getElementById("player").open`
	b.open(dayPath)
	b.open("/g/" + salah)
	b.click("a.clip")
	b.appears("#player")
	back()
	b.until(closed + ` && location.pathname.startsWith("/g/")`)

	b.click("a.clip")
	b.appears("#player")
	b.press(kb.Escape)
	b.until(closed)
	b.click("a.clip") // again, and closed by hand once more
	b.appears("#player")
	b.press(kb.Escape)
	b.until(closed)
	back()
	b.until(`location.pathname === "` + dayPath + `"`)

	b.open("/g/" + salah)
	b.click("a.clip")
	b.appears("#player")
	b.run(chromedp.Evaluate(`document.getElementById("player").close(); location.assign("/watch"); 0`, nil)) // as one who follows a link at once
	b.until(`location.pathname === "/watch" && document.documentElement.dataset.stream === "on"`)
	back()
	b.until(`location.pathname.startsWith("/g/")`)
	back()
	b.until(`location.pathname === "` + dayPath + `"`)
}

// restart closes the server under an open page and starts it again on the same address.
func restart(b tab) {
	b.open(dayPath)
	b.until(`document.documentElement.dataset.stream === "on"`)
	start := stop(b)
	b.until(`!document.getElementById("net").hidden`) // the page says so
	_, err := b.s.store.Update(b.t.Context(), 5001, func(f *footy.Fixture) ([]footy.Entry, error) { f.Score = footy.ScoreOf(7, 1); return nil, nil })
	require.NoError(b.t, err) // nobody tells the page: it must ask by itself once it is connected again
	start()
	b.until(`document.getElementById("net").hidden && document.querySelector("#f-5001 .digits").textContent.includes("7")`)
}

// halfSetUp is a first run in which one step was tried, a club was found and a match is under way.
type halfSetUp struct{}

func (halfSetUp) Open() bool { return false }
func (halfSetUp) Form() pages.SetupForm {
	club := pages.SetupChoice{Value: "England/Liverpool", Name: "Liverpool", Country: "England", Team: footy.Team{ID: 40, Name: "Liverpool"}}
	key := pages.SetupField{Name: "API_FOOTBALL_KEY", Label: "Key", Doc: "API_FOOTBALL_KEY. Key of your account.", Secret: true, Set: true}
	return pages.SetupForm{
		Leagues: []pages.SetupChoice{{Value: "England/Premier League", Name: "Premier League", Country: "England", On: true}, {Value: "World/World Cup", Name: "World Cup", Country: "World"}},
		Clubs:   []pages.SetupChoice{club}, Stopped: sickHealth{}.Health(context.Background()).Parts[3:4],
		Steps: []pages.SetupStep{
			{Name: "reddit", Title: "Reddit", Costs: "Free.", Brings: "Posts.", Already: "The list.", Fields: []pages.SetupField{{Name: "REDDIT_FEED", Label: "Address", Secret: true}}},
			{Name: "matches", Title: "API-Football", Costs: "Free.", Brings: "Matches.", How: "There.", Tried: true, Found: sickHealth{}.Health(context.Background()).Parts, Fields: []pages.SetupField{key}},
			{Name: "x", Title: "X", Costs: "An account.", Brings: "Clips.", Fields: []pages.SetupField{{Name: "cookies", Label: "Cookies", Long: true}}},
		}}
}

func (h halfSetUp) Today(context.Context) ([]footy.Snapshot, []health.Part) {
	f := match(5001, team(40, "Liverpool"), team(50, "Manchester City"), noon.Add(-time.Hour), "2H", 61, 2, 1)
	g := match(5002, team(41, "Southampton"), team(42, "Arsenal"), noon.Add(time.Hour), "NS", 0, 0, 0)
	return []footy.Snapshot{{Match: f.Match, League: f.League, Teams: f.Teams, Score: f.Score}, {Match: g.Match, League: g.League, Teams: g.Teams}},
		sickHealth{}.Health(context.Background()).Parts[4:5]
}

func (h halfSetUp) Clubs(context.Context, string) ([]pages.SetupChoice, error) {
	return h.Form().Clubs, nil
}
func (halfSetUp) Choose(url.Values) error                          { return nil }
func (halfSetUp) Try(context.Context, string, url.Values) error    { return nil }
func (halfSetUp) Finish(context.Context, url.Values) (bool, error) { return true, nil }
func (halfSetUp) Later()                                           {}

// accessible checks what can be checked without a person: names, labels, landmarks, unique ids, contrast of all text. It is a script of our own:
// axe-core's rules come from npm, which a test may not need.
// The page of no network leads away who has one: offline checks it.
func accessible(b tab) {
	for _, page := range []string{dayPath, "/g/" + salah, "/g/5001_50_701_Goal_1", "/team/40", "/league/39", "/watch", "/health", "/search?q=salah", "/waiting", "/admin", "/setup", "/setup?today=1&q=liv", "/reel/match/5001", "/nope"} {
		b.open(page)
		for _, theme := range []string{"light", "dark"} {
			b.run(chromedp.Evaluate(`document.documentElement.dataset.theme = "`+theme+`"; document.querySelectorAll("details").forEach(d => d.open = true); 0`, nil))
			faults := js[[]string](b, faultsScript)
			require.Empty(b.t, faults, "%s %s", page, theme)
		}
	}
	b.open(dayPath)
	for _, theme := range []string{"light", "dark"} {
		for _, open := range []string{`document.querySelector("a.clip").click()`, `document.getElementById("keys").showModal()`, `document.getElementById("open-settings").click()`} {
			b.run(chromedp.Evaluate(`document.documentElement.dataset.theme = "`+theme+`"; document.querySelectorAll("dialog[open]").forEach(d => d.close()); `+open+`; 0`, nil))
			require.Empty(b.t, js[[]string](b, faultsScript), "%s %s", open, theme)
		}
	}
}

const faultsScript = `(() => {
  const out = [], seen = new Set();
  for (const e of document.querySelectorAll("[id]")) { if (seen.has(e.id)) out.push("id twice: " + e.id); seen.add(e.id); }
  const name = (e) => (e.getAttribute("aria-label") || (e.getAttribute("aria-labelledby") || "").split(" ").map(i => document.getElementById(i)?.textContent || "").join("") || e.textContent || e.title || "").trim();
  for (const e of document.querySelectorAll("a[href], button, summary")) if (!name(e)) out.push("no name: " + e.outerHTML.slice(0, 120));
  for (const e of document.querySelectorAll("input:not([type=hidden]), select, textarea")) if (!e.labels.length && !e.getAttribute("aria-label")) out.push("no label: " + e.outerHTML.slice(0, 120));
  for (const e of document.querySelectorAll("img")) if (!e.hasAttribute("alt")) out.push("no alt: " + e.src);
  for (const e of document.querySelectorAll("[aria-labelledby]")) for (const i of e.getAttribute("aria-labelledby").split(" ")) if (!document.getElementById(i)) out.push("labelled by nothing: " + i);
  if (!document.documentElement.lang) out.push("no language");
  if (document.querySelectorAll("main").length !== 1) out.push("not one main");
  if (document.querySelectorAll("main h1").length !== 1) out.push("not one h1");
  let last = 1;
  for (const h of document.querySelectorAll("main :is(h1,h2,h3,h4)")) { const n = +h.tagName[1]; if (n > last + 1) out.push("heading skips to " + h.outerHTML.slice(0, 80)); last = n; }
  for (const e of document.querySelectorAll("li")) if (!/^(UL|OL)$/.test(e.parentElement.tagName)) out.push("item outside a list");
  for (const e of document.querySelectorAll("a a, a button, button a, button button")) out.push("nested control: " + e.outerHTML.slice(0, 80));
  const cv = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const drawn = {}; // reading a pixel back is slow, and a page has few colours
  const rgba = (c) => drawn[c] ||= (() => { cv.clearRect(0, 0, 1, 1); cv.fillStyle = "#000"; cv.fillStyle = c; cv.fillRect(0, 0, 1, 1); const d = cv.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; })();
  const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const lum = (c) => { const f = c.slice(0, 3).map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * f[0] + .7152 * f[1] + .0722 * f[2]; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const told = new Set();
  while (walker.nextNode()) {
    const n = walker.currentNode, e = n.parentElement;
    if (!n.nodeValue.trim() || e.closest("svg, dialog:not([open]), .thumb, [disabled], .code") || !e.checkVisibility() || e.matches(".sr, .sr *") || e.tagName === "OPTION") continue;
    let back = [0, 0, 0, 0], stack = [];
    for (let p = e; p; p = p.parentElement) stack.push(rgba(getComputedStyle(p).backgroundColor));
    back = [255, 255, 255, 1];
    for (const c of stack.reverse()) back = over(c, back);
    const style = getComputedStyle(e), fore = over(rgba(style.color), back), a = lum(fore), b = lum(back);
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05), px = parseFloat(style.fontSize);
    const big = px >= 24 || (px >= 18.66 && +style.fontWeight >= 700);
    const key = e.className + style.color + back;
    if (ratio < (big ? 3 : 4.5) && !told.has(key)) { told.add(key); out.push("contrast " + ratio.toFixed(2) + ": " + e.outerHTML.slice(0, 100)); }
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) out.push("wider than the window");
  return out;
})()`

// shifts runs a step in the page and tells how much of what was in sight jumped since the page was asked for (the sum of Layout Instability), and what.
func shifts(b tab, step string) (sum float64, what string) {
	b.t.Helper()
	for _, s := range js[[]struct {
		Value float64
		What  string
	}](b, `(async () => {
		const all = [], box = (r) => [r.x, r.y, r.width, r.height].map(Math.round).join(" ");
		const name = (n) => n ? "#" + n.parentElement?.closest("[id]")?.id + " " + n.nodeName + "." + n.className : "(gone)";
		new PerformanceObserver((l) => { for (const e of l.getEntries()) all.push({ value: e.value,
			what: e.sources.map((s) => name(s.node) + ": " + box(s.previousRect) + " -> " + box(s.currentRect)).join(", ") }); }).observe({ type: "layout-shift", buffered: true });
		const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		`+step+`
		await painted();
		return new Promise((done) => setTimeout(() => done(all), 200));
	})()`) {
		sum += s.Value
		what += fmt.Sprintf("%.4f %s\n", s.Value, s.What)
	}
	return sum, what
}

// nothingJumps opens pages, then writes each again, block by block, and waits until each is painted, as on a slow line or a busy machine. Where a
// block stands must not depend on what comes after it.
func nothingJumps(b tab) {
	for _, width := range []int64{390, 1280} {
		for _, path := range []string{dayPath, "/g/" + salah, "/health"} {
			b.run(chromedp.EmulateViewport(width, 900))
			b.open(path)
			b.until(`!document.getElementById("day") || document.documentElement.dataset.stream === "on"`)
			sum, what := shifts(b, "")
			require.Less(b.t, sum, 0.02, "%s at %d px\n%s", path, width, what)
			sum, what = shifts(b, `
				const text = await (await fetch(location.href)).text();
				const blocks = text.replace(/<script[^>]*><\/script>/g, "").replace("<html ", "<html data-js ").split(/(?<=<\/(?:head|header|nav|form|article|details|li|h1|h2|p|dl)>)/);
				document.open();
				for (const block of blocks) {
					document.write(block);
					do await painted(); while (!document.styleSheets.length); // a page that is written may be painted without its style sheet; one that is loaded is not
				}
				document.close();`)
			require.Less(b.t, sum, 0.02, "%s at %d px, block by block\n%s", path, width, what)
		}
	}
}
