package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web"
)

// tab drives one page of the browser.
type tab struct {
	t   *testing.T
	ctx context.Context
	s   *testServer
}

func (b tab) run(a ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 60*time.Second)
	defer cancel()
	if err := chromedp.Run(ctx, a...); err != nil {
		require.FailNow(b.t, err.Error(), b.shows())
	}
}

// shows tells what the page is, for whoever reads why a test failed.
func (b tab) shows() string {
	ctx, cancel := context.WithTimeout(b.ctx, 10*time.Second)
	defer cancel()
	text := ""
	if err := chromedp.Run(ctx, chromedp.Evaluate(`location.href + " (" + document.readyState + ")\n" + document.body?.innerText`, &text)); err != nil {
		return "the page does not tell what it shows: " + err.Error()
	}
	return text
}

// wait asks until it is so.
func (b tab) wait(what string, limit time.Duration, so func(ctx context.Context) (bool, error)) {
	b.t.Helper()
	for end := time.Now().Add(limit); ; <-time.After(50 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
		ok, err := so(ctx)
		cancel()
		if ok && err == nil {
			return
		}
		if time.Now().After(end) {
			require.FailNow(b.t, "not so: "+what, "%v\n%s", err, b.shows())
		}
	}
}

func (b tab) open(path string) {
	b.t.Helper()
	b.wait("open "+path, 90*time.Second, func(ctx context.Context) (bool, error) {
		// A page that is reloading itself aborts a navigation: ask again.
		return true, chromedp.Run(ctx, chromedp.Navigate(b.s.http.URL+path), chromedp.WaitReady("main"))
	})
}

// js evaluates an expression; until waits for it to be true.
func js[T any](b tab, expression string) T {
	b.t.Helper()
	var out T
	b.run(chromedp.Evaluate(expression, &out, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return out
}

func (b tab) until(expression string) {
	b.t.Helper()
	b.wait(expression, time.Minute, func(ctx context.Context) (ok bool, err error) {
		// Between two pages there is no document to ask: that is "not yet", like any other no.
		err = chromedp.Run(ctx, chromedp.Evaluate("!!("+expression+")", &ok))
		return ok, err
	})
}

// click clicks an element as soon as a pointer would meet it, in the same step: chromedp looks where an element is and clicks there afterwards,
// and a page that loads or is brought up to date has moved it by then, or put another in its place.
func (b tab) click(selector string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`((e) => {
		if (!e?.checkVisibility() || e.disabled) return false;
		e.scrollIntoView({ block: "center", behavior: "instant" });
		const r = e.getClientRects()[0], at = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
		if (!e.contains(at) && !at?.closest("label")?.contains(e)) return false;
		e.click();
		return true;
	})(document.querySelector(%q))`, selector))
}

// enter presses keys on an element that has the focus.
func (b tab) enter(selector, keys string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`((e) => { e?.focus(); return e && document.activeElement === e; })(document.querySelector(%q))`, selector))
	b.press(keys)
}

// choose takes one of a list's options.
func (b tab) choose(selector, value string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`((e) => {
		if (!e) return false;
		e.value = %q;
		e.dispatchEvent(new Event("change", { bubbles: true }));
		return true;
	})(document.querySelector(%q))`, value, selector))
}

// appears waits until an element is in sight.
func (b tab) appears(selector string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, selector))
}

func (b tab) press(keys string) { b.t.Helper(); b.run(chromedp.KeyEvent(keys)) }

// inTab runs a part in a tab of its own, on a server of its own.
func inTab(root context.Context, t *testing.T, mp4, jpg []byte, name string, f func(b tab), change ...func(*web.Options)) {
	t.Run(name, func(t *testing.T) {
		s := newTestServer(t, change...)
		s.demoDay(mp4, jpg)
		ctx, cancel := chromedp.NewContext(root)
		defer cancel()
		require.NoError(t, chromedp.Run(ctx)) // the tab lives as long as the context of its first run
		f(tab{t, ctx, s})
	})
}

const dayPath = "/day/2026-11-14"

// TestInABrowser runs what only a browser can tell, in one Chromium; each part has its own tab and its own server.
func TestInABrowser(t *testing.T) {
	root := browser(t)
	mp4, jpg := makeClip(t)
	partIn := func(root context.Context, name string, f func(b tab), change ...func(*web.Options)) {
		inTab(root, t, mp4, jpg, name, f, change...)
	}
	part := func(name string, f func(b tab), change ...func(*web.Options)) { partIn(root, name, f, change...) }

	part("a goal arrives while a clip plays, and nothing the reader does is disturbed", func(b tab) {
		b.open(dayPath)
		b.until(`document.documentElement.dataset.stream === "on"`)
		b.run(chromedp.EvaluateAsDevTools(`document.querySelector("#f-5002 details").open = false; window.scrollTo(0, 300); 0`, nil))
		b.run(chromedp.Evaluate(`document.querySelector("#e-5001-1 a.clip").click()`, nil))
		b.until(`document.getElementById("player-video").currentTime > 0.2`)
		src := js[string](b, `window.kept = document.getElementById("player-video"); kept.src`)
		top := js[float64](b, `document.querySelector("#e-5001-1").getBoundingClientRect().top`)
		before := js[float64](b, `kept.currentTime + 7 * (window.loops = 0)`)
		b.s.update(5001, func(f *footy.Fixture) {
			f.Score = footy.ScoreOf(3, 1)
			goal(f, footy.SideHome, "Darwin Núñez", 70, 3, 1)
		})
		b.until(`document.querySelector("#f-5001 .digits").textContent.includes("3") && document.getElementById("e-5001-5")`)
		require.Equal(b.t, src, js[string](b, `document.getElementById("player-video") === kept ? kept.src : "another video"`))
		require.False(b.t, js[bool](b, `kept.paused`), "it still plays")
		_ = before
		require.False(b.t, js[bool](b, `document.querySelector("#f-5002 details").open`), "what was closed stays closed")
		require.InDelta(b.t, top, js[float64](b, `document.querySelector("#e-5001-1").getBoundingClientRect().top`), 2, "what is being read stays where it is")
		require.Zero(b.t, js[int](b, `performance.getEntriesByType("navigation").length - 1`))
	})

	part("the Waiting page follows, and giving up asks first", func(b tab) { waitingPage(b) })

	part("every hotkey", func(b tab) { hotkeys(b) })

	part("only a browser that forbids sound mutes the player", func(b tab) {
		b.open(dayPath)
		b.run(chromedp.Evaluate(`localStorage.setItem("muted", "no"); window.v = document.getElementById("player-video");
			HTMLMediaElement.prototype.play = function () { window.plays.push(this.muted); return Promise.reject(new DOMException("", window.refusal)); }; 0`, nil))
		// plays opens a clip whose every play is refused, and lists whether each was muted. A task comes after all rejections.
		plays := func(refusal string) []bool {
			return js[[]bool](b, `(refusal = "`+refusal+`", window.plays = [], document.querySelector("#e-5001-1 a.clip").click(),
				new Promise(done => setTimeout(() => { done(plays); document.getElementById("player").close(); })))`)
		}
		require.Equal(b.t, []bool{false}, plays("AbortError"), "a pause or the next clip ended the pending play: that was wanted")
		require.Equal(b.t, []bool{false}, plays("NotSupportedError"), "silence does not make a broken clip play")
		require.False(b.t, js[bool](b, `v.muted`))
		require.Equal(b.t, []bool{false, true}, plays("NotAllowedError"))
		require.True(b.t, js[bool](b, `v.muted`))
	})

	part("focus is trapped in the player and given back", func(b tab) {
		b.open(dayPath)
		b.enter("#e-5001-1 a.clip", kb.Enter)
		b.appears("#player")
		for range 25 {
			b.press(kb.Tab)
			require.True(b.t, js[bool](b, `document.activeElement === document.body || document.getElementById("player").contains(document.activeElement)`))
		}
		b.press(kb.Escape)
		b.until(`!document.getElementById("player").open`)
		require.True(b.t, js[bool](b, `document.activeElement === document.querySelector("#e-5001-1 a.clip")`))
	})

	part("the volume is remembered, and a first visit is muted", func(b tab) {
		b.open(dayPath)
		b.click("#e-5001-1 a.clip")
		b.appears("#player")
		require.True(b.t, js[bool](b, `document.getElementById("player-video").muted`))
		b.press("m")
		b.press(kb.ArrowDown)
		b.until(`localStorage.getItem("muted") === "no" && localStorage.getItem("volume") === "0.95"`)
		b.open(dayPath)
		b.click("#e-5001-1 a.clip")
		b.appears("#player")
		require.InDelta(b.t, 0.95, js[float64](b, `document.getElementById("player-video").volume`), 0.001)
	})

	part("filters and favourites", func(b tab) {
		shown := `[...document.querySelectorAll(".fixture")].filter(f => f.checkVisibility()).map(f => f.dataset.fixture).sort().join()`
		b.open(dayPath)
		require.Equal(b.t, "5001,5002,5003,5004,5005", js[string](b, shown))
		b.click(`[data-show=live]`)
		require.Equal(b.t, "5001,5003", js[string](b, shown))
		b.click(`[data-show=clips]`)
		require.Equal(b.t, "5001,5002", js[string](b, shown))
		b.click(`[data-show=""]`)
		b.choose("#pick-league", "140")
		require.Equal(b.t, "5002", js[string](b, shown))
		b.open(dayPath)
		require.Equal(b.t, "5002", js[string](b, shown), "remembered")
		b.enter("#pick-team", "zzz")
		b.appears("#nomatch")
		b.click("#clear-filters")
		b.until(`!document.querySelector("#nomatch").checkVisibility()`)
		b.click(`[data-show=fav]`)
		b.appears("#nofav")
		b.until(`!document.querySelector("#nofit").checkVisibility()`)
		b.click("#clear-filters")
		b.enter("#pick-team", "brighton")
		require.Equal(b.t, "5005", js[string](b, shown))
		b.click(`#f-5005 .fav[data-team="51"]`)
		b.open(dayPath)
		b.click(`[data-show=fav]`)
		require.Equal(b.t, "5005", js[string](b, shown))
		b.s.update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(4, 1) })
		b.until(`document.querySelector("#f-5001 .digits").textContent.includes("4")`)
		require.Equal(b.t, "5005", js[string](b, shown), "an update does not undo a filter")
	})

	part("from goal to goal by key", func(b tab) { goalKeys(b) })

	part("folded matches stay folded", func(b tab) { foldedMatches(b) })

	part("another day by date", func(b tab) { datePicker(b) })

	part("pages of teams and competitions", func(b tab) { teamPages(b) })

	// Another browser: one has its time for all of its parts.
	evening := browser(t)
	partIn(evening, "the programme of the day", func(b tab) { programme(b, mp4, jpg) })

	partIn(evening, "the programme, spoiler-free", func(b tab) { programmeUnspoiled(b) })

	partIn(evening, "an hour of the programme leaves nothing behind", func(b tab) { programmeForAnHour(b, mp4, jpg) })

	reels := &fakeReels{starts: true}
	partIn(evening, "a reel from asking for it to its end", func(b tab) { reelFromAskingToItsEnd(b, reels, mp4, jpg) }, reels.of)

	veiled := &fakeReels{}
	partIn(evening, "a reel, spoiler-free", func(b tab) { reelUnspoiled(b, veiled, mp4, jpg) }, veiled.of)

	part("swipes in the player", func(b tab) { swipes(b) })

	part("the Back button and the player", func(b tab) { backAndThePlayer(b) })

	part("spoiler-free", func(b tab) {
		b.open(dayPath)
		b.click("#open-settings")
		b.appears("#settings")
		b.click("#set-spoilers")
		b.click("#settings .btn")
		hidden := `getComputedStyle(document.querySelector("#f-5001 .digits")).visibility === "hidden" && !document.querySelector("#e-5001-1").checkVisibility() && !document.querySelector(".spoil-all").checkVisibility()`
		b.until(hidden)
		b.open(dayPath)
		require.True(b.t, js[bool](b, hidden), "remembered, from the first paint")
		noLeak(b)
		b.click("#f-5001 [data-reveal]")
		require.False(b.t, js[bool](b, hidden))
		require.False(b.t, js[bool](b, `document.querySelector("#e-5002-1").checkVisibility()`), "only the one that was asked for")
		b.s.update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(5, 1) })
		b.until(`document.querySelector("#f-5001 .digits").textContent.includes("5")`)
		require.True(b.t, js[bool](b, `document.querySelector("#e-5001-1").checkVisibility()`), "what was revealed stays so")
	})

	part("a change before the page listens is not missed", func(b tab) {
		b.run(chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(`(() => { const Real = EventSource; let wait = new Promise(r => window.listen = r);
				window.EventSource = class { constructor(u) { wait.then(() => { const s = new Real(u); for (const [n, f] of this.all) s.addEventListener(n, f); s.onerror = this.onerror; }); this.all = []; }
				addEventListener(n, f) { this.all.push([n, f]); } close() {} }; })()`).Do(ctx)
			return err
		}))
		b.open(dayPath)
		b.s.update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(7, 1) })
		b.run(chromedp.Evaluate(`listen(); 0`, nil))
		b.until(`document.querySelector("#f-5001 .digits").textContent.includes("7")`)
	})

	part("colours by toggle", func(b tab) {
		b.open(dayPath)
		b.click("#open-settings")
		b.choose("#set-theme", "dark")
		require.Equal(b.t, "rgb(15, 20, 18)", js[string](b, `getComputedStyle(document.body).backgroundColor`))
		b.open(dayPath)
		require.Equal(b.t, "rgb(15, 20, 18)", js[string](b, `getComputedStyle(document.body).backgroundColor`))
	})

	part("the server restarts", func(b tab) { restart(b) })

	part("a goal is cancelled while its page is open", func(b tab) {
		b.open("/g/" + salah)
		b.until(`document.documentElement.dataset.stream === "on"`)
		b.s.update(5001, func(f *footy.Fixture) {
			e := f.Event("5001-1")
			e.Removed, e.RemovedReason = true, footy.ReasonVAR
		})
		b.until(`document.body.textContent.includes("cancelled by VAR")`)
	})

	part("200 matches on one day", func(b tab) {
		for i := range 195 {
			f := match(int64(7000+i), team(int64(1000+i), fmt.Sprintf("Home %d", i)), team(int64(2000+i), fmt.Sprintf("Away %d", i)), noon.Add(-time.Hour), "2H", 60, 1, 0)
			f.League = footy.League{ID: int64(900 + i%12), Name: fmt.Sprintf("League %d", i%12), Country: "Somewhere"}
			goal(&f, footy.SideHome, "Somebody", 30, 1, 0)
			b.s.add(f)
		}
		b.open(dayPath)
		require.Equal(b.t, 200, js[int](b, `document.querySelectorAll(".fixture").length`))
		b.until(`document.documentElement.dataset.stream === "on"`)
		b.s.update(7194, func(f *footy.Fixture) { f.Score = footy.ScoreOf(2, 0) })
		b.until(`document.querySelector("#f-7194 .digits").textContent.includes("2")`)
	})

	// A browser of its own: a zone set through DevTools is lost when a navigation changes the frame while the old one still holds it.
	partIn(browser(t, "TZ=Asia/Tokyo"), "time zones across midnight", func(b tab) {
		b.s.add(match(6001, team(61, "Night"), team(62, "Owl"), time.Date(2026, 11, 14, 23, 30, 0, 0, time.UTC), "NS", 0, 0, 0))
		b.open("/day/2026-11-15")
		b.until(`document.documentElement.dataset.zone === "UTC+09:00" && document.getElementById("f-6001")`) // its own zone, after one reload
		require.Equal(b.t, "08:30", js[string](b, `document.querySelector("#f-6001 .ko").textContent.trim()`))
		// The page may be under way to its own zone still: choose until the choice has arrived.
		b.until(`(z => (z && z.value !== "UTC" && (z.value = "UTC", z.dispatchEvent(new Event("change"))),
			document.documentElement.dataset.zone === "UTC" && !document.getElementById("f-6001")))(document.getElementById("set-zone"))`)
		b.open(dayPath)
		require.Equal(b.t, "23:30", js[string](b, `document.querySelector("#f-6001 .ko").textContent.trim()`))
	})

	part("share links: renamed, retired, removed", func(b tab) {
		var first, second string
		b.s.update(5001, func(f *footy.Fixture) {
			e := f.Event("5001-1")
			first, second = e.Clips[0].ID, e.Clips[1].ID
			e.MatchedFrom, e.ID = []string{e.ID}, "5001_40_999_Goal_1"
			e.Clips[1].ReplacedBy, e.Clips[1].Swept = first, true
		})
		b.open("/g/" + salah + "?v=" + second)
		require.Equal(b.t, "/g/5001_40_999_Goal_1?v="+first, js[string](b, `location.pathname + location.search`))
		b.until(`document.getElementById("inline").readyState >= 1`)
		require.Contains(b.t, js[string](b, `document.getElementById("inline").currentSrc`), first)
		b.s.update(5001, func(f *footy.Fixture) { f.Event("5001-1").Removed = true })
		b.open("/g/" + salah)
		require.Contains(b.t, js[string](b, `document.querySelector("main").textContent`), "no longer stands")
	})

	part("an operator acts", func(b tab) {
		b.open("/g/" + salah)
		require.False(b.t, js[bool](b, `!!document.querySelector(".operator")`))
		b.click(`a[href^="/admin?back"]`)
		b.appears("#token")
		b.enter("#token", "wrong")
		b.click(".login .btn")
		b.appears(".note.bad")
		b.enter("#token", adminToken)
		b.click(".login .btn")
		b.appears(".operator")
		require.Equal(b.t, "/g/"+salah, js[string](b, `location.pathname`))
		b.click(`form[action$="search-again"] .btn`)
		b.appears(".note.good")
		require.Equal(b.t, []string{"search 5001-1"}, b.s.commands.done)
		unsurePost(b)
	})

	part("what is wrong is found from the day", func(b tab) {
		b.open(dayPath)
		b.until(`!document.querySelector("#to-health .alarm").hidden && document.getElementById("to-health").title.includes("model: connection refused")`)
		b.click("#to-health")
		b.appears(".trouble")
		require.Contains(b.t, js[string](b, `document.querySelector(".trouble li").innerText`), "Start the model server")
	}, func(o *web.Options) { o.Health, o.AdminToken = sickHealth{}, "" })

	part("nothing jumps while a page loads", nothingJumps)

	part("a number stays in one line", func(b tab) {
		for _, width := range []int64{390, 1280} {
			b.run(chromedp.EmulateViewport(width, 900))
			b.open("/health")
			require.Equal(b.t, []string{}, js[[]string](b, `[...document.querySelectorAll(".part dd")].filter(d => {
				const text = document.createRange();
				text.selectNodeContents(d);
				return /^[\d,.]+$/.test(d.textContent) && text.getClientRects().length > 1;
			}).map(d => d.textContent)`), "%d px", width)
			require.True(b.t, js[bool](b, `document.documentElement.scrollWidth <= innerWidth`), "nothing sticks out at %d px", width)
		}
	}, func(o *web.Options) { o.Health, o.AdminToken = longFacts{}, "" })

	part("a page that was left holds no stream", func(b tab) {
		for _, path := range []string{dayPath, "/health", "/g/" + salah, "/waiting"} {
			b.open(path)
			b.until(`document.documentElement.dataset.stream === "on"`)
		}
		one := func() bool { return b.s.hub.Readers() == 1 }
		require.Eventually(b.t, one, 20*time.Second, 50*time.Millisecond, "a browser allows six per site")
		b.run(chromedp.Evaluate(`history.back(); 0`, nil)) // chromedp.NavigateBack waits for a load that a kept page has not
		b.until(`location.pathname.startsWith("/g/") && document.documentElement.dataset.stream === "on"`)
		require.Eventually(b.t, one, 20*time.Second, 50*time.Millisecond)
	})

	part("accessible", func(b tab) { accessible(b) }, func(o *web.Options) { o.Health, o.Setup = sickHealth{}, halfSetUp{} })
}

// longFacts is a part whose facts have long names and long values.
type longFacts struct{}

func (longFacts) Health(context.Context) health.Report {
	return health.Report{State: health.StateOK, At: noon, Parts: []health.Part{{Name: health.Model, State: health.StateOK, Facts: map[string]any{
		"clips_an_hour": 20017, "clip_seconds": 0.4, "model": "/models/" + strings.Repeat("Qwen2.5-VL-72B-Instruct_", 4) + ".gguf", "last_check": "2026-11-14 16:00 UTC, as expected"}}}}
}
