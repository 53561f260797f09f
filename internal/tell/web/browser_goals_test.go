package web_test

import (
	"encoding/json"
	"math"
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/devtools"
	"github.com/found-footy/found-footy/internal/footy"
)

// TestGoalsInABrowser runs the page of the newest goals under a thumb.
func TestGoalsInABrowser(t *testing.T) {
	root := browser(t)
	mp4, jpg := makeClip(t)
	inTab(root, t, mp4, jpg, "the clip in sight plays, and sound stays on", clipInSight)
	inTab(root, t, mp4, jpg, "a clip that arrives waits for a tap", func(b tab) { arrival(b, mp4, jpg) })
	inTab(root, t, mp4, jpg, "a first goal of the evening comes without a jump", func(b tab) { firstStrip(b, mp4, jpg) })
	inTab(root, t, mp4, jpg, "nothing plays by itself where that is not wanted", playsUnasked)
	inTab(root, t, mp4, jpg, "spoiler-free, one card for each match", goalsUnspoiled)
	inTab(root, t, mp4, jpg, "the first page is light", lightPage)
}

const (
	plays  = `(document.querySelector("[data-local-playing]")?.closest(".gcard")?.id ?? "")`
	clipAt = `document.querySelector(".stage video")?.src.match(/[0-9a-f]+(?=\.mp4)/)[0]`
)

func clipInSight(b tab) {
	b.Size(390, 844)
	b.Open("/")
	b.Until(plays + ` === "g-5001-3"`)
	require.True(b.T, js[bool](b, `document.querySelector(".stage video").muted && document.querySelector(".sound span").className === "" && document.querySelector(".sound").innerText.trim() === "Unmute"`))
	b.Click(".sound")
	b.Until(`!document.querySelector(".stage video").muted && document.querySelector(".sound span").className === "sr"`)
	b.Run(`document.getElementById("g-5001-1").scrollIntoView({ block: "center", behavior: "instant" })`)
	b.Until(plays + ` === "g-5001-1"`)
	require.Equal(b.T, 1, js[int](b, `document.querySelectorAll("video[src]").length`), "one video for all")
	require.False(b.T, js[bool](b, `document.querySelector(".stage video").muted`), "sound stays on")
	clips := js[[]string](b, `[...document.querySelectorAll("#g-5001-1 .angle")].map((a) => a.dataset.clip)`)
	b.Click(`#g-5001-1 [data-act=on]`)
	b.Until(clipAt + ` === "` + clips[1] + `" && document.querySelector("#g-5001-1 .count").textContent === "2 / 3"`)
	require.Contains(b.T, js[string](b, `document.querySelector("#g-5001-1 [data-act=download]").href`), clips[1], "what is in sight is what one takes away")
	b.Run(`window.copied = ""; Object.defineProperty(navigator, "share", { value: async (d) => { window.copied = d.url; } }); navigator.clipboard.writeText = async (t) => { window.copied = t; }; document.querySelector("#g-5001-1 h2 a").focus({ preventScroll: true }); document.querySelector("#g-5001-1 .stage").scrollIntoView({ block: "center", behavior: "instant" })`)
	b.Press("s") // the sheet of the system, or where there is none the link is copied
	b.Until(`copied.endsWith("/g/` + salah + `?v=` + clips[1] + `")`)
	// A key of DevTools would scroll although the page has taken it.
	require.False(b.T, js[bool](b, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }))`))
	b.Until(plays + ` === "" && document.querySelector(".stage video").paused`)
	b.S.Update(5002, func(f *footy.Fixture) { f.Match.Venue = "Camp Nou" })
	b.Until(`document.documentElement.dataset.stream === "on"`)
	b.Run(`document.querySelector("#g-5001-1 .stage video").parentNode.click()`)
	b.Until(plays + ` === "g-5001-1"`)
	b.Press("k")
	b.Until(`document.activeElement.closest(".gcard")?.id === "g-5001-3" && ` + plays + ` === "g-5001-3"`)
}

// withClip gives an event its first clip.
func withClip(b tab, fixture int64, uid string, mp4, jpg []byte) {
	var e footy.Event
	b.S.Update(fixture, func(f *footy.Fixture) {
		clip(f.Event(uid), "new", 1, true)
		e = *f.Event(uid)
		b.S.Bytes(e, mp4, jpg)
	})
}

func arrival(b tab, mp4, jpg []byte) {
	b.Size(390, 844)
	b.Open("/")
	b.Until(plays + ` === "g-5001-3" && document.documentElement.dataset.stream === "on"`)
	b.Run(`window.top3 = document.getElementById("g-5001-3").getBoundingClientRect().top; window.film = document.querySelector(".stage video")`)
	withClip(b, 5001, "5001-4", mp4, jpg)
	b.Until(`document.title.startsWith("(1) Goals") && document.querySelector(".strip.here")?.innerText.includes("The clip is here")`)
	require.Contains(b.T, js[string](b, `document.getElementById("news").textContent`), "The clip is here: Scorer not known yet 66'")
	require.True(b.T, js[bool](b, `document.getElementById("g-5001-4").hidden && document.getElementById("g-5001-3").getBoundingClientRect().top === top3 && !film.paused && film.isConnected`), "nothing moves, and what plays goes on")
	sum, what := shifts(b, "")
	require.Less(b.T, sum, 0.02, "%s", what)
	b.Run(`scrollTo(0, 500)`)
	b.Appears("#new")
	require.Equal(b.T, "New: Scorer not known yet 66'", js[string](b, `document.getElementById("new").innerText.trim()`))
	b.Click("#new")
	b.Until(plays + ` === "g-5001-4" && !document.getElementById("g-5001-4").hidden && !document.getElementById("strip") && scrollY === 0`)
	require.True(b.T, js[bool](b, `document.getElementById("new").hidden && document.title.startsWith("Goals") && document.querySelector(".gcard.first").id === "g-5001-4" && document.querySelectorAll(".gcard.first").length === 1`))
}

func firstStrip(b tab, mp4, jpg []byte) {
	b.S.Update(5001, func(f *footy.Fixture) { f.Events = f.Events[:3] })
	b.Size(1280, 900)
	b.Open("/")
	b.Until(`!document.getElementById("strip") && document.documentElement.dataset.stream === "on"`)
	b.Run(`window.top3 = document.getElementById("g-5001-3").getBoundingClientRect().top`)
	b.S.Update(5001, func(f *footy.Fixture) { goal(f, footy.SideHome, "Darwin Núñez", 70, 3, 1) })
	b.Until(`document.getElementById("strip")`)
	require.InDelta(b.T, 0, js[float64](b, `document.getElementById("g-5001-3").getBoundingClientRect().top - top3`), 1)
	sum, what := shifts(b, "")
	require.Less(b.T, sum, 0.02, "%s", what)
	b.S.Update(5001, func(f *footy.Fixture) { f.Events[3].Removed = true }) // an uncertain goal that goes leaves no gap
	b.Until(`document.getElementById("strip")`)
	sum, what = shifts(b, "")
	require.Less(b.T, sum, 0.02, "%s", what)
}

func playsUnasked(b tab) {
	for _, unwanted := range []func(){
		func() { b.Prefers("prefers-reduced-motion", "reduce") },
		func() {
			b.Prefers("prefers-reduced-motion", "no-preference")
			b.Run(`localStorage.setItem("autoplay", "no")`)
		},
		func() {
			b.Run(`localStorage.removeItem("autoplay")`)
			b.Before(`Object.defineProperty(NetworkInformation.prototype, "saveData", { get: () => true })`)
		},
	} {
		b.Open("/settings")
		unwanted()
		b.Open("/")
		b.Until(`document.documentElement.dataset.stream === "on" && document.querySelector(".gcard.first img").complete`)
		require.Empty(b.T, js[string](b, plays))
		require.True(b.T, js[bool](b, `document.querySelector(".gcard.first .disc").checkVisibility() && !document.querySelector(".stage video")`))
	}
	b.Click(".gcard.first .angle")
	b.Until(plays + ` === "g-5001-3"`)
}

func goalsUnspoiled(b tab) {
	b.Open("/")
	b.Click("#veiler")
	b.Until(`document.querySelectorAll(".vcard").length === 5 && !document.querySelector(".gcard").checkVisibility()`)
	b.Open("/")
	text := js[string](b, `document.getElementById("main").innerText + document.title`)
	require.NotRegexp(b.T, `(?i)\d\s*–\s*\d|pen(s|alties)|\d+ goals?|salah|clip`, text)
	require.Empty(b.T, js[string](b, plays))
	require.Equal(b.T, 1, js[int](b, `new Set([...document.querySelectorAll(".vcard .actions")].map((a) => a.innerText)).size`), "with goals or without, all look alike")
	b.Click(`.vcard[data-teams="40 50"] [data-reveal]`)
	b.Until(`document.querySelector('.vcard[data-teams="40 50"]').innerText.includes("Liverpool 2, Manchester City 1")`)
	b.Click(`.vcard[data-teams="42 49"] .tint`)
	b.Until(`location.pathname === "/watch/2026-11-14"`)
}

// lightPage counts all that a phone gets before the first clip.
func lightPage(b tab) {
	b.Size(390, 844)
	b.S.Fortnight()
	var sum atomic.Int64
	b.Hear(func(method string, params json.RawMessage) {
		var e struct{ EncodedDataLength float64 }
		if method == "Network.loadingFinished" && json.Unmarshal(params, &e) == nil {
			sum.Add(int64(e.EncodedDataLength))
		}
	})
	b.Command("Network.enable", nil, nil)
	b.Command("Network.setCacheDisabled", devtools.Params{"cacheDisabled": true}, nil)
	b.Command("Network.setBlockedURLs", devtools.Params{"urls": []string{"*/v/*"}}, nil)
	b.Open("/")
	b.Until(`document.documentElement.dataset.stream === "on" && [...document.images].filter((i) => i.getBoundingClientRect().top < innerHeight && i.checkVisibility()).every((i) => i.complete)`)
	b.T.Logf("%d bytes", sum.Load())
	require.Less(b.T, sum.Load(), int64(150_000))
}

// TestTheFirstClipPlaysWithinTwoSeconds measures by the clock of the wall, which a machine that does other work does not keep.
func TestTheFirstClipPlaysWithinTwoSeconds(t *testing.T) {
	if os.Getenv("MEASURE") == "" {
		t.Skip("MEASURE is not set")
	}
	mp4, jpg := makeClip(t)
	inTab(browser(t), t, mp4, jpg, "on a phone", firstClip)
}

// firstClip opens the page as a phone does for the first time, at 1.6 Mbit/s and 150 ms there and back. The best of three counts: the machine may be busy.
func firstClip(b tab) {
	b.Size(390, 844)
	b.Command("Network.enable", nil, nil)
	b.Command("Network.setCacheDisabled", devtools.Params{"cacheDisabled": true}, nil)
	b.Command("Network.emulateNetworkConditions", devtools.Params{"offline": false, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}, nil)
	b.Before(`document.addEventListener("playing", () => { window.playedAt ||= performance.now(); }, true)`)
	best := math.Inf(1)
	for range 3 {
		b.Open("/")
		b.Until(`window.playedAt`)
		best = min(best, js[float64](b, `playedAt`))
	}
	b.T.Logf("%.0f ms", best)
	require.Less(b.T, best, 2000.0)
}
