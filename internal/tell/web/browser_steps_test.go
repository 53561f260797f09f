package web_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/devtools"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/pages"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
	"github.com/found-footy/found-footy/internal/tell/words"
)

func waitingPage(b tab) {
	(&testServer{b.S}).wait("5001-1", "11", footy.ReasonStorage, time.Minute, "503")
	b.S.Commands.Posts = 1
	name, value, _ := strings.Cut((&testServer{b.S}).signIn(), "=")
	b.Command("Network.setCookie", devtools.Params{"name": name, "value": value, "url": b.S.HTTP.URL}, nil)
	b.Open("/waiting")
	b.Until(`document.documentElement.dataset.stream === "on"`)
	(&testServer{b.S}).wait("5001-3", "31", footy.ReasonModelSlow, time.Minute, "60 s")
	b.S.Hub.Publish(stream.EntityEvent, "5001-3")
	b.Until(`document.querySelectorAll(".cause .post").length === 2`)
	b.Run(`window.confirm = (text) => { window.text = text; return false; }; document.querySelector(".cause form[action$=give-up] button").click()`)
	require.Contains(b.T, js[string](b, `text`), "not be tried again")
	require.Empty(b.T, b.S.Commands.Done)
	b.Run(`window.confirm = () => true; document.querySelector(".cause form[action$=give-up] button").click()`)
	b.Until(`document.querySelector(".note.good")?.textContent.startsWith("Given up")`)
	require.Len(b.T, b.S.Commands.Done, 1)
	b.Command("Network.clearBrowserCookies", nil, nil) // tabs share them
}

// lateAnswer holds back the first answer that a change makes the page ask for, until the next change has been asked for or could have been.
func lateAnswer(b tab) {
	b.Open(dayPath)
	b.Until(`document.documentElement.dataset.stream === "on"`)
	b.Run(`(() => { const ask = window.fetch; window.held = 0; window.fetch = async (...a) => {
		const res = await ask(...a);
		if (!String(a[0]).startsWith("/api/") && !window.held) { window.held = 1; await new Promise((go) => setTimeout(go, 2000)); setTimeout(() => { window.held = 2; }, 500); }
		return res;
	}; })()`)
	for home := 3; home <= 4; home++ {
		b.S.Update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(home, 1) })
		b.Until(`window.held`)
	}
	shows := `document.querySelector("#f-5001 .digits").textContent.includes("4")`
	b.Until(shows)
	b.Until(`window.held === 2`)
	require.True(b.T, js[bool](b, shows))
}

func hotkeys(b tab) {
	b.Open("/g/" + salah)
	b.Run(`window.video = () => document.querySelector(".stage video"); window.count = () => document.querySelector(".count").textContent;
		window.copied = ""; navigator.clipboard.writeText = async (t) => { window.copied = t; }; window.saved = ""; document.querySelector("[data-act=download]").addEventListener("click", (e) => { e.preventDefault(); window.saved = e.currentTarget.href; });
		navigator.share = undefined; window.full = 0; HTMLVideoElement.prototype.requestFullscreen = () => { window.full++; return Promise.resolve(); }; 0`)
	at := func(key, want string) {
		b.T.Helper()
		b.Press(key)
		b.Until(want)
	}
	// A space that comes while it plays, and stops it; the page is brought up to date before the browser tells of the pause. Not by b.Press: DevTools
	// types a space also where a page prevents that, and Chromium scrolls by it.
	b.Until(`video()?.duration > 6 && !video().paused && video().closest("[data-local-playing]") &&
		[document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true })), document.dispatchEvent(new CustomEvent("footy:changed"))]`)
	b.Until(`video().paused`)
	b.Run(`document.querySelector(".angle").click()`) // a touch of the picture
	b.Until(`!video().paused`)
	b.Run(`video().pause(); video().currentTime = 2`)
	at(".", `Math.abs(video().currentTime - 2.04) < 0.001`)
	at(",", `Math.abs(video().currentTime - 2) < 0.001 && video().paused`)
	at("m", `!video().muted`)
	at("m", `video().muted`)
	require.Equal(b.T, "1 / 3", js[string](b, `count()`))
	at("ArrowRight", `count() === "2 / 3"`)
	at("ArrowRight", `count() === "3 / 3"`)
	at("ArrowLeft", `count() === "2 / 3"`)
	at("s", `copied.includes("/g/`+salah+`?v=")`)
	at("d", `saved.endsWith(".mp4?download")`)
	at("f", `full === 1`)
	b.Click(".more > summary") // what one does rarely
	b.Click("[data-act=speed]")
	b.Until(`video().playbackRate === 1.25 && document.querySelector("[data-act=speed]").innerText.includes("1.25×")`)
	b.Click("[data-act=repeat]")
	b.Until(`!video().loop`)
	b.Click("[data-act=later]")
	b.Until(`video().paused`)
}

// faultless checks the page as it is now, in both themes.
func faultless(b tab, what any) {
	b.T.Helper()
	for _, theme := range []string{"light", "dark"} {
		b.Run(`document.documentElement.dataset.theme = "` + theme + `"`)
		require.Empty(b.T, js[[]string](b, faultsScript), "%v %s", what, theme)
	}
}

// noLeak reads the pages as a person does who does not want to know: no score, no number of goals, no penalties, and
// nothing that looks different where a goal was scored.
func noLeak(b tab) {
	b.T.Helper()
	require.NotRegexp(b.T, `(?i)\d\s*–\s*\d|pen(s|alties)|\d+ goals?|salah|confirming`, js[string](b, `document.getElementById("main").innerText`))
	require.NotRegexp(b.T, `\d\s*–\s*\d`, js[string](b, `document.title + [...document.querySelectorAll("#day [title], #day [aria-label]")].filter(e => e.checkVisibility()).map(e => e.title + e.ariaLabel).join()`))
	b.Size(1280, 900)
	look := `(id => { const f = document.getElementById(id), m = f.querySelector(".match").getBoundingClientRect(), r = f.querySelector(".reveal"); return [f.offsetHeight, f.offsetWidth, Math.round(m.width), r.textContent].join() })`
	// In one step: the stream's first news brings back what is taken away here.
	looks := js[[]string](b, `(look => { document.querySelector("#f-5003 .goals").remove(); return [look("f-5003"), look("f-5001")]; })(`+look+`)`)
	require.Equal(b.T, looks[0], looks[1], "a match with goals looks like one without")
	b.Open("/g/" + salah)
	require.False(b.T, js[bool](b, `/\d\s*–\s*\d/.test(document.getElementById("main").innerText)`))
	const digits = `[...document.querySelectorAll(".goalhead .digits")].map((d) => d.innerText).join()`
	require.NotRegexp(b.T, `\d`, js[string](b, digits))
	b.Click(".goalhead [data-reveal]")
	b.Until(digits + ` === "1,0"`)
	b.Open(dayPath)
}

// clipOfAList: a rail's clip leads to its goal's page and plays there, also where clips do not play by themselves.
func clipOfAList(b tab) {
	b.T.Helper()
	b.Open("/health")
	b.Run(`localStorage.setItem("autoplay", "no")`)
	b.Open(dayPath)
	b.Click("#e-5001-1 a.clip")
	b.Until(`location.pathname === "/g/` + salah + `" && document.querySelector(".stage video")?.currentTime > 0.1`)
	b.Run(`history.back()`)
	b.Until(`location.pathname === "` + dayPath + `"`)
	b.Open("/g/" + salah)
	b.Until(`document.documentElement.dataset.stream === "on"`)
	require.True(b.T, js[bool](b, `!document.querySelector(".stage video")`), "one who came by an address is not played to")
	b.Open("/g/5003_49_700_Goal_1#play") // its clip went meanwhile: the page is whole
	b.Until(`document.documentElement.dataset.stream === "on" && document.querySelector(".goalpage .bare")`)
	b.Run(`window.copied = ""; navigator.clipboard.writeText = async (t) => { window.copied = t; }; document.querySelector("[data-act=copy]").click()`)
	b.Until(`window.copied.includes("/g/5003_")`)
}

// restart closes the server under an open page and starts it again on the same address.
func restart(b tab) {
	b.Open(dayPath)
	b.Until(`document.documentElement.dataset.stream === "on"`)
	start := stop(b)
	b.Until(`!document.getElementById("net").hidden`) // the page says so
	_, err := b.S.Store.Update(b.T.Context(), 5001, func(f *footy.Fixture) ([]footy.Entry, error) { f.Score = footy.ScoreOf(7, 1); return nil, nil })
	require.NoError(b.T, err) // nobody tells the page: it must ask by itself once it is connected again
	start()
	b.Until(`document.getElementById("net").hidden && document.querySelector("#f-5001 .digits").textContent.includes("7")`)
}

// halfSetUp is a first run in which one step was tried, a club was found and a match is under way.
type halfSetUp struct{}

func (halfSetUp) First() bool   { return true }
func (halfSetUp) Open() bool    { return false }
func (halfSetUp) Pending() bool { return false }
func (halfSetUp) Form() pages.SetupForm {
	club := pages.SetupChoice{Value: "England/Liverpool", Name: "Liverpool", Country: "England", Team: footy.Team{ID: 40, Name: "Liverpool"}}
	key := pages.SetupField{Name: "API_FOOTBALL_KEY", Label: "Key", Secret: true, Set: true}
	return pages.SetupForm{First: true,
		Leagues: []pages.SetupChoice{{Value: "England/Premier League", Name: "Premier League", Country: "England", On: true}, {Value: "World/World Cup", Name: "World Cup", Country: "World"}},
		Clubs:   []pages.SetupChoice{club}, Stopped: sickHealth{}.Health(context.Background()).Parts[3:4],
		Steps: []pages.SetupStep{
			{Name: "reddit", First: true, Title: "Reddit", Costs: "Free.", Brings: "Posts.", Already: "The list.", Fields: []pages.SetupField{{Name: "REDDIT_FEED", Label: "Address", Secret: true}}},
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
func (halfSetUp) Choose(url.Values) error                       { return nil }
func (halfSetUp) Try(context.Context, string, url.Values) error { return nil }
func (halfSetUp) Finish(context.Context, url.Values) (bool, string, error) {
	return true, "", nil
}
func (halfSetUp) Later() error { return nil }

// accessible checks what can be checked without a person: names, labels, landmarks, unique ids, contrast of all text. It is a script of our own:
// axe-core's rules come from npm, which a test may not need.
// The page of no network leads away who has one: offline checks it.
func accessible(b tab) {
	for _, page := range []string{dayPath, "/g/" + salah, "/g/5001_50_701_Goal_1", "/team/40", "/league/39", "/watch", "/health", "/search?q=salah", "/", "/goals/2026-11-15", "/settings", "/waiting", "/admin", "/setup", "/setup?today=1&q=liv", "/nope"} {
		b.Open(page)
		for _, theme := range []string{"light", "dark"} {
			b.Run(`document.documentElement.dataset.theme = "` + theme + `"; document.querySelectorAll("details").forEach(d => d.open = true)`)
			faults := js[[]string](b, faultsScript)
			require.Empty(b.T, faults, "%s %s", page, theme)
		}
	}
}

// everythingFits walks the pages of fans with hard data at four widths. Each is opened with scores or without them, in turn, and read in both ways.
func everythingFits(b tab) {
	var faults []string
	b.S.HardDay(makeClip(b.T))
	b.S.Fortnight()
	spoilers := ""
	for _, width := range []int64{320, 390, 820, 1280} {
		b.Size(width, 900)
		for _, page := range append([]string{"/setup?today=1&q=liv"}, fanPages...) {
			b.Open(page)
			for i := range 2 {
				if i == 1 {
					spoilers = map[string]string{"": "1", "1": ""}[spoilers]
					b.Run(`localStorage.setItem("spoilers", "` + spoilers + `"); document.documentElement.toggleAttribute("data-spoilers", !!"` + spoilers + `")`)
				}
				at := fmt.Sprintf("%s at %d px, spoiler-free %q: ", page, width, spoilers)
				for _, fault := range js[[]string](b, webtest.LayoutScript) {
					faults = append(faults, at+fault)
				}
				if shown := js[string](b, `String(document.querySelector(".unspoiled")?.checkVisibility())`); shown == fmt.Sprint(spoilers == "") {
					faults = append(faults, at+"its cards without scores are shown: "+shown)
				}
			}
		}
		b.Open(dayPath)
		b.Run(`document.querySelector("#day a.clip").click()`)
		b.Until(`location.pathname.startsWith("/g/") && document.querySelector(".goalpage .more")`)
		for _, open := range []string{"", `document.querySelectorAll("details:not(.more)").forEach((d) => { d.open = true; })`} {
			b.Run(open + ``)
			for _, fault := range js[[]string](b, webtest.LayoutScript) {
				faults = append(faults, fmt.Sprintf("a goal at %d px, %s: %s", width, open, fault))
			}
		}
		b.Run(`document.querySelectorAll("details").forEach((d) => { d.open = d.matches(".more"); }); scrollTo(0, 0)`)
		require.True(b.T, js[bool](b, `(r => r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight)(document.querySelector(".more > div").getBoundingClientRect())`), "the menu behind … at %d px", width)
	}
	require.Empty(b.T, strings.Join(faults, "\n"))
}

// everyLanguageFits walks them in each language on the smallest phone: German words are long.
func everyLanguageFits(b tab) {
	b.S.HardDay(makeClip(b.T))
	b.S.Fortnight()
	b.Size(320, 844)
	var faults []string
	for _, l := range words.All()[1:] {
		for _, page := range append([]string{"/g/" + salah}, fanPages...) {
			if l.Tag != "de" && page != "/" && page != "/settings" {
				continue
			}
			sign := "?"
			if strings.Contains(page, "?") {
				sign = "&"
			}
			b.Open(page + sign + "lang=" + l.Tag)
			require.Equal(b.T, l.Tag, js[string](b, `document.documentElement.lang`))
			cut := js[[]string](b, `[...document.querySelectorAll("nav.site a span, .actions .act span:not(.sr)")].filter((s) => s.checkVisibility() && (s.getClientRects().length > 1
				|| s.getBoundingClientRect().right > s.closest("a, button, summary").getBoundingClientRect().right + 1)).map((s) => "cut: " + s.textContent)`)
			for _, fault := range append(js[[]string](b, webtest.LayoutScript), cut...) {
				faults = append(faults, fmt.Sprintf("%s in %s: %s", page, l.Name, fault))
			}
		}
	}
	require.Empty(b.T, strings.Join(faults, "\n"))
}

// fanPages are those that people see who came for goals.
var fanPages = []string{"/", "/?lang=de", "/settings?lang=de", "/goals/2026-11-15", dayPath, "/day/2026-11-15", "/settings", "/search?q=borussia", "/team/902", "/league/3", "/match/9001", "/watch"}

// shifts runs a step in the page and tells how much of what was in sight jumped since the page was asked for (the sum of Layout Instability), and what.
func shifts(b tab, step string) (sum float64, what string) {
	b.T.Helper()
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
			b.Size(width, 900)
			b.Open(path)
			b.Until(`!document.getElementById("day") || document.documentElement.dataset.stream === "on"`)
			sum, what := shifts(b, "")
			require.Less(b.T, sum, 0.02, "%s at %d px\n%s", path, width, what)
			sum, what = shifts(b, `
				const text = await (await fetch(location.href)).text();
				const blocks = text.replace(/<script[^>]*><\/script>/g, "").replace("<html ", "<html data-js ").split(/(?<=<\/(?:head|header|nav|form|article|details|li|h1|h2|p|dl)>)/);
				document.open();
				for (const block of blocks) {
					document.write(block);
					do await painted(); while (!document.styleSheets.length); // a page that is written may be painted without its style sheet; one that is loaded is not
				}
				document.close();`)
			require.Less(b.T, sum, 0.02, "%s at %d px, block by block\n%s", path, width, what)
		}
	}
}
