package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/devtools"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
)

const dayPath = webtest.DayPath

// TestInABrowser runs what only a browser can tell, in one Chromium; each part has its own tab and its own server.
func TestInABrowser(t *testing.T) {
	root := browser(t)
	mp4, jpg := makeClip(t)
	partIn := func(root *devtools.Browser, name string, f func(b tab), change ...func(*web.Options)) {
		inTab(root, t, mp4, jpg, name, f, change...)
	}
	part := func(name string, f func(b tab), change ...func(*web.Options)) { partIn(root, name, f, change...) }

	part("a goal arrives while a clip plays, and nothing the reader does is disturbed", func(b tab) {
		b.Open("/g/" + salah)
		b.Until(`document.documentElement.dataset.stream === "on" && document.querySelector(".stage video")?.currentTime > 0.2`)
		src := js[string](b, `window.kept = document.querySelector(".stage video"); kept.src`)
		b.S.Update(5001, func(f *footy.Fixture) {
			f.Score = footy.ScoreOf(3, 1)
			goal(f, footy.SideHome, "Darwin Núñez", 70, 3, 1)
		})
		b.Until(`document.getElementById("e-5001-5")`)
		require.Equal(b.T, src, js[string](b, `document.querySelector(".stage video") === kept ? kept.src : "another video"`))
		require.False(b.T, js[bool](b, `kept.paused`), "it still plays")
		b.Open(dayPath)
		b.Until(`document.documentElement.dataset.stream === "on"`)
		b.Run(`window.scrollTo(0, 100)`)
		top := js[float64](b, `document.querySelector("#e-5001-1").getBoundingClientRect().top`)
		b.S.Update(5001, func(f *footy.Fixture) {
			f.Score = footy.ScoreOf(4, 1)
			goal(f, footy.SideHome, "Luis Díaz", 72, 4, 1)
		})
		b.Until(`document.querySelector("#f-5001 .digits").textContent.includes("4") && document.getElementById("e-5001-6")`)
		require.InDelta(b.T, top, js[float64](b, `document.querySelector("#e-5001-1").getBoundingClientRect().top`), 2, "what is being read stays where it is")
		require.Zero(b.T, js[int](b, `performance.getEntriesByType("navigation").length - 1`))
	})

	part("an answer that is late does not come over a newer one", lateAnswer)

	part("the Waiting page follows, and giving up asks first", func(b tab) { waitingPage(b) })

	part("every hotkey", func(b tab) { hotkeys(b) })

	part("only a browser that forbids sound mutes a clip", func(b tab) {
		b.Open("/health")
		b.Run(`localStorage.setItem("autoplay", "no"); sessionStorage.setItem("sound", "on")`)
		b.Open("/g/" + salah)
		b.Run(`HTMLMediaElement.prototype.play = function () { window.plays.push(this.muted); return Promise.reject(new DOMException("", window.refusal)); }`)
		// plays starts a clip whose every play is refused, and lists whether each was muted. A task comes after all rejections.
		plays := func(refusal string) []bool {
			return js[[]bool](b, `(refusal = "`+refusal+`", window.plays = [], document.querySelector(".angle").click(), new Promise(done => setTimeout(() => done(plays))))`)
		}
		require.Equal(b.T, []bool{false}, plays("AbortError"), "a pause or the next clip ended the pending play: that was wanted")
		require.Equal(b.T, []bool{false}, plays("NotSupportedError"), "silence does not make a broken clip play")
		require.False(b.T, js[bool](b, `document.querySelector(".stage video").muted`))
		require.Equal(b.T, []bool{false, true}, plays("NotAllowedError"))
		require.True(b.T, js[bool](b, `document.querySelector(".stage video").muted`))
	})

	part("filters and favourites", func(b tab) {
		shown := `[...document.querySelectorAll(".fixture")].filter(f => f.checkVisibility()).map(f => f.dataset.fixture).sort().join()`
		b.Open(dayPath)
		require.Equal(b.T, "5001,5002,5003,5004,5005", js[string](b, shown))
		b.Choose("#pick-league", "140")
		require.Equal(b.T, "5002", js[string](b, shown))
		b.Open(dayPath)
		require.Equal(b.T, "5002", js[string](b, shown), "remembered")
		b.Choose("#pick-league", "")
		b.Click(`[data-show=fav]`)
		b.Appears("#nofav")
		b.Until(`!document.querySelector("#nofit").checkVisibility()`)
		b.Click("#clear-filters")
		require.Equal(b.T, "5001,5002,5003,5004,5005", js[string](b, shown))
		b.Open("/team/51")
		b.Click(".follow")
		b.Open(dayPath)
		require.Equal(b.T, "5005", js[string](b, `document.querySelector("#part-mine .fixture").dataset.fixture`), "the reader's own come first")
		sum, what := shifts(b, "")
		require.Less(b.T, sum, 0.02, "%s", what)
		require.True(b.T, js[bool](b, `document.querySelector("#f-5005 .row .i-star").checkVisibility() && !document.getElementById("part-off")`))
		b.Click(`[data-show=fav]`)
		require.Equal(b.T, "5005", js[string](b, shown))
		b.Until(`document.documentElement.dataset.stream === "on"`)
		b.S.Update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(4, 1) })
		b.Until(`document.querySelector("#f-5001 .digits").textContent.includes("4")`)
		require.Equal(b.T, "5005", js[string](b, shown), "an update does not undo a filter")
		b.S.Hub.Publish(stream.EntityAll)
		b.Until(`document.querySelectorAll("#part-mine .fixture").length === 1`)
		b.Open("/settings")
		require.Equal(b.T, "/team/51 /calendar.ics?favourites=51", js[string](b, `[...document.querySelectorAll(".set a[href^='/team'], .set a[href^='/cal']")].map((a) => a.getAttribute("href")).join(" ")`))
		b.Click(".set .fav")
		b.Open(dayPath)
		require.False(b.T, js[bool](b, `!!document.getElementById("part-mine")`), "no star, no place")
	})

	part("from goal to goal by key", func(b tab) { goalKeys(b) })

	part("the minute goes on", func(b tab) { theMinute(b) }, func(o *web.Options) { o.Timing.Minute = time.Second })

	part("another day by date", func(b tab) { datePicker(b) })

	part("pages of teams and competitions", func(b tab) { teamPages(b) })

	// Another browser: one has its time for all of its parts.
	evening := browser(t)
	partIn(evening, "the programme of the day", func(b tab) { programme(b, mp4, jpg) })

	partIn(evening, "the programme on a television", television)

	partIn(evening, "the programme, spoiler-free", func(b tab) { programmeUnspoiled(b) })

	partIn(evening, "an hour of the programme leaves nothing behind", func(b tab) { programmeForAnHour(b, mp4, jpg) })

	part("a clip of a list plays on its goal's page, and Back leads to the list", func(b tab) { clipOfAList(b) })

	part("spoiler-free", func(b tab) {
		b.Open(dayPath)
		b.Click("#veiler")
		hidden := `getComputedStyle(document.querySelector("#f-5001 .digits")).visibility === "hidden" && !document.querySelector("#e-5001-1").checkVisibility() && !document.querySelector(".day .spoil-all").checkVisibility()`
		b.Until(hidden)
		b.Open(dayPath)
		require.True(b.T, js[bool](b, hidden), "remembered, from the first paint")
		noLeak(b)
		b.Click("#f-5001 [data-reveal]")
		require.False(b.T, js[bool](b, hidden))
		require.False(b.T, js[bool](b, `document.querySelector("#e-5002-1").checkVisibility()`), "only the one that was asked for")
		b.S.Update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(5, 1) })
		b.Until(`document.querySelector("#f-5001 .digits").textContent.includes("5")`)
		require.True(b.T, js[bool](b, `document.querySelector("#e-5001-1").checkVisibility()`), "what was revealed stays so")
	})

	part("a change before the page listens is not missed", func(b tab) {
		b.Before(`(() => { const Real = EventSource; let wait = new Promise(r => window.listen = r);
				window.EventSource = class { constructor(u) { wait.then(() => { const s = new Real(u); for (const [n, f] of this.all) s.addEventListener(n, f); s.onerror = this.onerror; }); this.all = []; }
				addEventListener(n, f) { this.all.push([n, f]); } close() {} }; })()`)
		b.Open(dayPath)
		b.S.Update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(7, 1) })
		b.Run(`listen()`)
		b.Until(`document.querySelector("#f-5001 .digits").textContent.includes("7")`)
	})

	part("colours by toggle", func(b tab) {
		b.Open(dayPath)
		b.Open("/settings")
		b.Choose("#set-theme", "dark")
		require.Equal(b.T, "rgb(15, 20, 18)", js[string](b, `getComputedStyle(document.body).backgroundColor`))
		b.Open(dayPath)
		require.Equal(b.T, "rgb(15, 20, 18)", js[string](b, `getComputedStyle(document.body).backgroundColor`))
	})

	part("the server restarts", func(b tab) { restart(b) })

	part("a goal is cancelled while its page is open", func(b tab) {
		b.Open("/g/" + salah)
		b.Until(`document.documentElement.dataset.stream === "on"`)
		b.S.Update(5001, func(f *footy.Fixture) {
			e := f.Event("5001-1")
			e.Removed, e.RemovedReason = true, footy.ReasonVAR
		})
		b.Until(`document.body.textContent.includes("Cancelled by VAR")`)
	})

	part("200 matches on one day", func(b tab) {
		for i := range 195 {
			f := match(int64(7000+i), team(int64(1000+i), fmt.Sprintf("Home %d", i)), team(int64(2000+i), fmt.Sprintf("Away %d", i)), noon.Add(-time.Hour), "2H", 60, 1, 0)
			f.League = footy.League{ID: int64(900 + i%12), Name: fmt.Sprintf("League %d", i%12), Country: "Somewhere"}
			goal(&f, footy.SideHome, "Somebody", 30, 1, 0)
			b.S.Add(f)
		}
		b.Open(dayPath)
		require.Equal(b.T, 200, js[int](b, `document.querySelectorAll(".fixture").length`))
		b.Until(`document.documentElement.dataset.stream === "on"`)
		b.S.Update(7194, func(f *footy.Fixture) { f.Score = footy.ScoreOf(2, 0) })
		b.Until(`document.querySelector("#f-7194 .digits").textContent.includes("2")`)
	})

	// A browser of its own: a zone set through DevTools is lost when a navigation changes the frame while the old one still holds it.
	partIn(browser(t, "TZ=Asia/Tokyo"), "time zones across midnight", func(b tab) {
		b.S.Add(match(6001, team(61, "Night"), team(62, "Owl"), time.Date(2026, 11, 14, 23, 30, 0, 0, time.UTC), "NS", 0, 0, 0))
		b.Open("/day/2026-11-15")
		b.Until(`document.documentElement.dataset.zone === "UTC+09:00" && document.getElementById("f-6001")`) // its own zone, after one reload
		require.Equal(b.T, "8:30\u00a0AM", js[string](b, `document.querySelector("#f-6001 .when time").textContent.replace("Late ", "").trim()`))
		// The page may be under way to its own zone still: choose until the choice has arrived.
		b.Open("/settings")
		b.Until(`(z => (z && z.value !== "UTC" && (z.value = "UTC", z.dispatchEvent(new Event("change"))),
			document.documentElement.dataset.zone === "UTC"))(document.getElementById("set-zone"))`)
		b.Open(dayPath)
		require.Equal(b.T, "11:30\u00a0PM", js[string](b, `document.querySelector("#f-6001 .when time").textContent.replace("Late ", "").trim()`))
	})

	part("share links: renamed, retired, removed", func(b tab) {
		var first, second string
		b.S.Update(5001, func(f *footy.Fixture) {
			e := f.Event("5001-1")
			first, second = e.Clips[0].ID, e.Clips[1].ID
			e.MatchedFrom, e.ID = []string{e.ID}, "5001_40_999_Goal_1"
			e.Clips[1].ReplacedBy, e.Clips[1].Swept = first, true
		})
		b.Open("/g/" + salah + "?v=" + second)
		require.Equal(b.T, "/g/5001_40_999_Goal_1?v="+first, js[string](b, `location.pathname + location.search`))
		b.Until(`document.querySelector(".goalpage .stage video")?.readyState >= 1`)
		require.Contains(b.T, js[string](b, `document.querySelector(".stage video").currentSrc`), first)
		b.S.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").Removed = true })
		b.Open("/g/" + salah)
		require.Contains(b.T, js[string](b, `document.querySelector("main").textContent`), "no longer stands")
	})

	part("the page of a goal", func(b tab) { goalOnItsPage(b, mp4, jpg) })

	part("each page at four widths", func(b tab) { atEveryWidth(b) })

	part("an operator acts", func(b tab) {
		b.Open("/g/" + salah)
		require.False(b.T, js[bool](b, `!!document.querySelector(".operator")`))
		b.Click(`[data-key=report] > summary`)
		b.Click(`a[href^="/admin?back"]`)
		b.Appears("#token")
		b.Enter("#token", "wrong")
		b.Click(".login .btn")
		b.Appears(".note.bad")
		b.Enter("#token", adminToken)
		b.Click(".login .btn")
		b.Appears(".operator")
		require.Equal(b.T, "/g/"+salah, js[string](b, `location.pathname`))
		b.Click(`form[action$="search-again"] .btn`)
		b.Appears(".note.good")
		require.Equal(b.T, []string{"search 5001-1"}, b.S.Commands.Done)
	})

	part("what is wrong is found from the day", func(b tab) {
		b.Open(dayPath)
		b.Until(`!document.querySelector("#to-settings .alarm").hidden && document.getElementById("to-settings").title.includes("model: connection refused")`)
		b.Click("#to-settings")
		b.Click("#to-health")
		b.Appears(".trouble")
		require.Contains(b.T, js[string](b, `document.querySelector(".trouble li").innerText`), "Start the model server")
	}, func(o *web.Options) { o.Health, o.AdminToken = sickHealth{}, "" })

	part("nothing jumps while a page loads", nothingJumps)

	part("hard data fits at four widths", everythingFits)
	part("every language fits on the smallest phone", everyLanguageFits)

	part("a number stays in one line", func(b tab) {
		for _, width := range []int64{390, 1280} {
			b.Size(width, 900)
			b.Open("/health")
			require.Equal(b.T, []string{}, js[[]string](b, `[...document.querySelectorAll(".part dd")].filter(d => {
				const text = document.createRange();
				text.selectNodeContents(d);
				return /^[\d,.]+$/.test(d.textContent) && text.getClientRects().length > 1;
			}).map(d => d.textContent)`), "%d px", width)
			require.True(b.T, js[bool](b, `document.documentElement.scrollWidth <= innerWidth`), "nothing sticks out at %d px", width)
		}
	}, func(o *web.Options) { o.Health, o.AdminToken = longFacts{}, "" })

	part("a page that was left holds no stream", func(b tab) {
		for _, path := range []string{dayPath, "/health", "/g/" + salah, "/waiting"} {
			b.Open(path)
			b.Until(`document.documentElement.dataset.stream === "on"`)
		}
		one := func() bool { return b.S.Hub.Readers() == 1 }
		require.Eventually(b.T, one, 20*time.Second, 50*time.Millisecond, "a browser allows six per site")
		b.Run(`history.back()`)
		b.Until(`location.pathname.startsWith("/g/") && document.documentElement.dataset.stream === "on"`)
		require.Eventually(b.T, one, 20*time.Second, 50*time.Millisecond)
	})

	part("accessible", func(b tab) { accessible(b) }, func(o *web.Options) { o.Health, o.Setup = sickHealth{}, halfSetUp{} })
}

// longFacts is a part whose facts have long names and long values.
type longFacts struct{}

func (longFacts) Health(context.Context) health.Report {
	return health.Report{State: health.StateOK, At: noon, Parts: []health.Part{{Name: health.Model, State: health.StateOK, Facts: map[string]any{
		"clips_an_hour": 20017, "clip_seconds": 0.4, "model": "/models/" + strings.Repeat("Qwen2.5-VL-72B-Instruct_", 4) + ".gguf", "last_check": "2026-11-14 16:00 UTC, as expected"}}}}
}
