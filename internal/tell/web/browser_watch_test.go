package web_test

import (
	"os"
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

const (
	onAir   = `document.querySelector("#programme .now")?.dataset.uid`
	toEnd   = `(v => { v.addEventListener("ended", () => { v.loop = true; }, { once: true }); v.loop = false; v.currentTime = v.duration - 0.05; })(document.getElementById("tv-video"))`
	playing = `(v => v.readyState > 1 && !v.paused)(document.getElementById("tv-video"))`
	tvNote  = `document.getElementById("tv-note").textContent`
)

// handlers keeps what a page asks of the system's media keys, and opens no window.
const handlers = `window.keys = {}; navigator.mediaSession.setActionHandler = (n, f) => { window.keys[n] = f; }; window.asked = [];
	Element.prototype.requestFullscreen = function () { window.asked.push("full " + this.id); return Promise.resolve(); };`

// held lets a clip end only by toEnd, since a slow machine needs longer for a look than a clip lasts, and keeps what was written over the
// picture, if only for a moment.
const held = `document.addEventListener("DOMContentLoaded", () => {
	const video = document.getElementById("tv-video"), over = document.getElementById("tv-over");
	if (!video) return;
	video.loop = true;
	window.written = [];
	new MutationObserver(() => written.push(over.innerText)).observe(over, { attributes: true, childList: true, subtree: true });
});`

// newGoal adds a goal with a clip to the match of Liverpool.
func newGoal(b tab, scorer string, minute, home int, mp4, jpg []byte) {
	b.S.Update(5001, func(f *footy.Fixture) {
		e := goal(f, footy.SideHome, scorer, minute, home, 1)
		clip(e, scorer, 1, true)
		b.S.Bytes(*e, mp4, jpg)
	})
}

func programme(b tab, mp4, jpg []byte) {
	b.Before(handlers + held)
	b.Open("/watch")
	b.Until(onAir + ` === "5001-3"`)
	b.Until(playing)
	b.Until(`document.documentElement.dataset.stream === "on"`)
	require.Contains(b.T, js[string](b, `document.getElementById("tv-over").innerText`), "Liverpool 2–1 Manchester City")
	require.Equal(b.T, "Dominik Szoboszlai 61'", js[string](b, `navigator.mediaSession.metadata.title`))
	b.Press("ArrowRight")
	b.Until(onAir + ` === "5001-1"`)
	b.Run(`keys.previoustrack()`)
	b.Until(onAir + ` === "5001-3"`)
	b.Press("f")
	require.Equal(b.T, []string{"full tv"}, js[[]string](b, `asked`), "full screen shows what is written over the picture")
	b.Press("m")
	b.Until(`localStorage.getItem("muted") === "no"`)

	b.Until(playing)
	src := js[string](b, `document.getElementById("tv-video").src`)
	newGoal(b, "Darwin Núñez", 66, 3, mp4, jpg)
	b.Until(tvNote + `.includes("New goal, next: Darwin Núñez 66'")`)
	require.Equal(b.T, src, js[string](b, `document.getElementById("tv-video").src`), "nothing is interrupted")
	require.False(b.T, js[bool](b, `document.getElementById("tv-video").muted`))
	b.Until(playing)
	b.Run(toEnd)
	b.Until(onAir + ` === "5001-5"`)
	b.Until(playing)
	b.Run(toEnd)
	b.Until(onAir + ` === "5002-1"`) // Salah was seen
	b.Until(playing)
	b.S.Update(5002, func(f *footy.Fixture) { f.Events[0].Removed = true })
	b.Until(`!document.getElementById("tv-end").hidden && ` + tvNote + ` === "This goal no longer stands"`)
	require.False(b.T, js[bool](b, `document.getElementById("tv-video").hasAttribute("src")`), "what was taken back is not seen on")
	newGoal(b, "Luis Díaz", 67, 4, mp4, jpg)
	b.Until(onAir + ` === "5001-6" && document.getElementById("tv-end").hidden`)
	b.Until(playing)

	b.Choose("#pick-league", "140")
	b.Open("/watch?order=order")
	b.Until(`!document.getElementById("tv-end").hidden`)
	require.Contains(b.T, js[string](b, `document.getElementById("tv-end").innerText`), "No clip yet")
	b.Choose("#pick-league", "")
	b.Until(onAir + ` === "5001-1"`)
	b.Click("[data-show=fav]")
	b.Open("/watch")
	b.Until(`!document.getElementById("tv-end").hidden`)
	b.Open("/watch?match=5001")
	b.Until(onAir + ` === "5001-6" && !document.getElementById("filters").checkVisibility() && document.querySelector("#programme .now").checkVisibility()`) // all of one match, also of a team that is not theirs
	b.Open("/watch")
	b.Click(`[data-show=""]`)
	b.Until(onAir + ` === "5001-6"`)
	b.Run(`document.querySelector('#programme [data-uid="5001-3"] a').click()`)
	b.Until(onAir + ` === "5001-3"`)
	b.Run(`keys.nexttrack()`)
	b.Until(onAir + ` === "5001-1"`)
	for _, width := range []int64{390, 1280} {
		b.Size(width, 900)
		require.True(b.T, js[bool](b, `document.documentElement.scrollWidth <= innerWidth`), "%d px", width)
		require.True(b.T, js[bool](b, `document.getElementById("tv-over").getBoundingClientRect().bottom <= document.querySelector("#tv .sound").getBoundingClientRect().top`), "at %d px it lies over the sign of the sound", width)
	}
}

// television goes about the layout for a sofa with the keys of a remote.
func television(b tab) {
	b.Before(held)
	b.Size(1920, 1080)
	b.Open(dayPath)
	b.Open("/watch?tv")
	b.Until(onAir + ` === "5001-3"`)
	b.Until(playing)
	focus := `(document.activeElement.closest("li")?.dataset.uid ?? document.activeElement.dataset.tv ?? "")`
	require.Equal(b.T, []float64{1920, 1080}, js[[]float64](b, `(r => [r.width, r.height])(document.getElementById("tv-video").getBoundingClientRect())`))
	require.GreaterOrEqual(b.T, js[float64](b, `parseFloat(getComputedStyle(document.getElementById("tv-title")).fontSize)`), 48.0)
	b.Press("ArrowRight") // nothing has the focus: the next goal
	b.Until(onAir + ` === "5001-1"`)
	b.Press("ArrowDown")
	b.Until(focus + ` === "5001-1"`)
	require.Equal(b.T, "8px", js[string](b, `getComputedStyle(document.querySelector("li a:focus-visible .thumb")).outlineWidth`), "seen from a sofa")
	reached := map[string]bool{}
	for _, key := range []string{"ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight"} {
		b.Press(key)
		reached[js[string](b, focus)] = true
		require.True(b.T, js[bool](b, `(r => r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())`))
	}
	require.Equal(b.T, map[string]bool{"5001-3": true, "5001-1": true, "5002-1": true}, reached, "every clip")
	b.Press("Enter")
	b.Until(onAir + ` === "5002-1"`)
	b.Until(playing) // a clip that begins shows what lies over the picture
	b.Press("ArrowUp")
	require.Equal(b.T, "share", js[string](b, focus))
	b.Press("ArrowRight")
	require.Equal(b.T, "mute", js[string](b, focus))
	b.Press("Enter")
	b.Until(`localStorage.getItem("muted") === "no"`)
	b.Press("Escape")
	require.Empty(b.T, js[string](b, focus), "Back hides what lies over the picture")
	require.False(b.T, js[bool](b, `"awake" in document.getElementById("tv").dataset`))
	b.Press("Enter")
	b.Until(`document.getElementById("tv-video").paused`)
	b.Run(`window.rolled = 0; document.getElementById("tv-video").addEventListener("play", () => { rolled++; })`)
	b.Press("Enter")
	b.Until(`rolled === 1`) // that shows what lies over the picture, and may come behind the state of the video
	b.Press("Escape")
	b.Until(`!("awake" in document.getElementById("tv").dataset)`)
	b.Press("Escape")
	b.Until(`location.pathname === "` + dayPath + `"`)
}

func programmeUnspoiled(b tab) {
	b.Before(held)
	b.Open("/health")
	b.Run(`localStorage.setItem("spoilers", "1")`)
	b.Open("/watch")
	said := `(document.getElementById("main").innerText + document.title + navigator.mediaSession.metadata?.title)`
	leaks := `(?i)\d\s*–\s*\d|salah|szoboszlai|lewandowski|\d+ clips`
	b.Until(onAir + ` === "5002-1"`) // in order: the last goal tells of those before it
	b.Until(playing)
	require.NotRegexp(b.T, leaks, js[string](b, said))
	require.Contains(b.T, js[string](b, said), "Barcelona v Real Madrid")
	b.Run(toEnd)
	b.Until(`written.some((text) => text.includes("Lewandowski"))`)
	b.Until(onAir + ` === "5001-1"`) // after a moment for reading
	b.Until(playing)
	require.Contains(b.T, js[string](b, said), "Lewandowski", "what was seen may be told")
	require.NotRegexp(b.T, `(?i)salah|szoboszlai|Liverpool \d`, js[string](b, said))
	b.Press("ArrowRight")
	b.Until(onAir + ` === "5001-3"`)
	b.Until(playing)
	b.Run(toEnd)
	b.Until(`document.getElementById("tv-title").textContent.includes("Szoboszlai")`)
	require.Equal(b.T, "Liverpool v Manchester City", js[string](b, `document.getElementById("tv-match").textContent`), "a goal before it was not shown: no score")
}

// programmeForAnHour plays as many clips as an hour has (WATCH_CLIPS, 20 if unset), each to its end, while goals come, go and get other
// clips, and counts what is left of them.
func programmeForAnHour(b tab, mp4, jpg []byte) {
	clips := 20
	if n, err := strconv.Atoi(os.Getenv("WATCH_CLIPS")); err == nil {
		clips = n
	}
	b.Open("/health")
	b.Run(`localStorage.setItem("watch-repeat", "1")`)
	b.Open("/watch")
	b.Until(`document.documentElement.dataset.stream === "on"`)
	b.Run(`window.v = document.getElementById("tv-video"); window.pass = async (n) => { for (let i = 0; i < n; i++) {
		const src = v.src;
		while (v.src === src) { if (v.readyState > 1 && !v.ended && v.currentTime < v.duration - 0.1) v.currentTime = v.duration - 0.05; await new Promise(done => setTimeout(done, 10)); }
	} }; 0`)
	pass := func(n int) { require.Zero(b.T, js[int](b, `pass(`+strconv.Itoa(n)+`).then(() => 0)`)) }
	round := func(n, i int) {
		newGoal(b, "Passing Moment", 66, 3, mp4, jpg)
		b.Until(`document.querySelectorAll("#programme li").length === 4`)
		pass(n / 2)
		b.S.Update(5001, func(f *footy.Fixture) {
			f.Events, f.Score = f.Events[:len(f.Events)-1], footy.ScoreOf(2, i%5)
		})
		b.Until(`document.querySelectorAll("#programme li").length === 3`)
		pass(n - n/2)
	}
	type left struct{ heap, nodes, listeners int64 }
	count := func() left {
		for range 3 {
			b.Command("HeapProfiler.collectGarbage", nil, nil)
		}
		var dom struct{ Nodes, JSEventListeners int64 }
		b.Command("Memory.getDOMCounters", nil, &dom)
		var heap struct{ UsedSize float64 }
		b.Command("Runtime.getHeapUsage", nil, &heap)
		return left{int64(heap.UsedSize), dom.Nodes, dom.JSEventListeners}
	}
	const each = 10
	round(each, 0)
	round(each, 1)
	before := count()
	for i := range clips / each {
		round(each, i)
	}
	after := count()
	b.T.Logf("%d clips: heap %d to %d bytes, nodes %d to %d, listeners %d to %d", clips, before.heap, after.heap, before.nodes, after.nodes, before.listeners, after.listeners)
	require.Less(b.T, after.heap-before.heap, int64(1<<20))
	require.Less(b.T, after.nodes-before.nodes, int64(300))
	require.LessOrEqual(b.T, after.listeners, before.listeners+20)
}
