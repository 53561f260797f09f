package reels_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
)

const reelPath = "/reel/match/5001"

// TestInABrowser runs what only a browser can tell; each part has its own tab and its own server.
func TestInABrowser(t *testing.T) {
	root := webtest.Browser(t)
	mp4, jpg := webtest.MakeClip(t)
	engine := &fakeReels{starts: true}
	webtest.InTab(root, t, mp4, jpg, "from asking for it to its end", func(b webtest.Tab) { reelFromAskingToItsEnd(b, engine, mp4, jpg) }, engine.of)
	veiled := &fakeReels{}
	webtest.InTab(root, t, mp4, jpg, "spoiler-free", func(b webtest.Tab) { reelUnspoiled(b, veiled, mp4, jpg) }, veiled.of)
}

// faultless looks for what keeps people out.
func faultless(b webtest.Tab, what any) {
	b.T.Helper()
	for _, theme := range []string{"light", "dark"} {
		b.Run(`document.documentElement.dataset.theme = "` + theme + `"`)
		require.Empty(b.T, webtest.JS[[]string](b, webtest.FaultsScript), "%v %s", what, theme)
	}
}

// filmed keeps the reel that the page would have now, as a film that plays.
func filmed(b webtest.Tab, mp4, jpg []byte) rule.Plan {
	p := (&served{b.S}).made(rule.OfMatch, 5001, "")
	b.S.Put(reels.Key(p.Key, reels.FilmFile), "video/mp4", mp4)
	b.S.Put(reels.Key(p.Key, reels.PosterFile), "image/jpeg", jpg)
	b.S.Hub.Publish(stream.EntityPage, p.Scope.Path())
	return p
}

func reelFromAskingToItsEnd(b webtest.Tab, engine *fakeReels, mp4, jpg []byte) {
	main, film := `document.getElementById("main").innerText`, `document.getElementById("reel-video")`
	now := func(m rule.Making) {
		engine.set(m)
		b.S.Hub.Publish(stream.EntityPage, "/reel/match/5001")
	}
	b.Open("/day/2026-11-14")
	b.Click(`#f-5001 a[href="` + reelPath + `"]`)
	b.Until(`location.pathname === "` + reelPath + `" && document.documentElement.dataset.stream === "on"`)
	require.Contains(b.T, webtest.JS[string](b, main), "Not made yet")
	require.Contains(b.T, webtest.JS[string](b, main), "Erling Haaland 45+2', Liverpool 1–1 Manchester City")

	b.Click(`#reel form[method=post] button`)
	b.Until(`document.querySelector("#reel progress") && document.documentElement.dataset.stream === "on"`)
	require.Equal(b.T, []string{"reel-match-5001"}, engine.asked)
	now(rule.Making{State: rule.StateMaking, Done: 1, Of: 3, Waits: "another reel is being made; this one comes after it"})
	b.Until(`document.querySelector("#reel progress").value === 1 && document.querySelector("#reel progress").max === 3`)
	require.Contains(b.T, webtest.JS[string](b, main), "1 of 3 clips done")
	require.Contains(b.T, webtest.JS[string](b, main), "another reel is being made")
	now(rule.Making{State: rule.StateFailed, Why: "none of its clips can be shown: all are broken or black"})
	b.Until(main + `.includes("It could not be made")`)
	require.Contains(b.T, webtest.JS[string](b, main), "all are broken or black")
	b.Click(`#reel form[method=post] button`)
	b.Until(`document.querySelector("#reel progress") && document.documentElement.dataset.stream === "on"`)
	require.Len(b.T, engine.asked, 2, "asked for again")

	engine.set(rule.Making{State: rule.StateDone})
	first := filmed(b, mp4, jpg)
	b.Until(film + `?.readyState >= 1`)
	require.Equal(b.T, "/r/"+first.Key+"/reel.mp4?download", webtest.JS[string](b, `document.querySelector("#reel a[download]").getAttribute("href")`))
	require.Equal(b.T, []string{"Mohamed Salah 12', Liverpool 1–0 Manchester City", "Dominik Szoboszlai 61', Liverpool 2–1 Manchester City"},
		webtest.JS[[]string](b, `[...document.querySelectorAll("#reel [data-seek] + a")].map(a => a.textContent)`))
	b.Run(`window.kept = ` + film + `; kept.loop = true`) // seconds of film are not seconds of a slow machine
	b.Click(`#reel [data-seek]`)
	b.Until(film + `.currentTime > 3 && !` + film + `.paused && (kept.playbackRate = 0.0625)`) // it does not begin anew while the page changes

	b.S.Update(5001, func(f *footy.Fixture) { f.Events[0].Player.Name = "Salah M." })
	b.Until(main + `.includes("Its goals or clips have changed")`)
	require.True(b.T, webtest.JS[bool](b, `kept === `+film+` && !kept.paused`), "who watches it sees its end")
	second := filmed(b, mp4, jpg)
	b.Until(`document.querySelector('#reel [data-key=newer] a')`)
	require.True(b.T, webtest.JS[bool](b, `kept === `+film+` && !kept.paused`))
	b.Click(`#reel [data-key=newer] a`)
	b.Until(film + `?.getAttribute("src") === "/r/` + second.Key + `/reel.mp4"`)

	b.Until(`document.documentElement.dataset.stream === "on" && ` + film + `.readyState > 1`)
	b.Run(film + `.play()`)
	b.Until(film + `.currentTime > 0`)
	b.S.Update(5001, func(f *footy.Fixture) { f.Events[0].Removed, f.Events[0].RemovedReason = true, footy.ReasonVAR })
	b.Until(`!` + film)
	require.NotContains(b.T, webtest.JS[string](b, main), "Salah", "a goal that was taken back is seen no more")
	require.Equal(b.T, 410, webtest.JS[int](b, `fetch("/r/`+second.Key+`/reel.mp4", {cache: "no-store"}).then(r => r.status)`))
	for _, width := range []int64{390, 1280} {
		b.Size(width, 900)
		require.True(b.T, webtest.JS[bool](b, `document.documentElement.scrollWidth <= innerWidth`), "%d px", width)
	}
}

func reelUnspoiled(b webtest.Tab, engine *fakeReels, mp4, jpg []byte) {
	leaks := `(?i)\d\s*–\s*\d|salah|szoboszlai|haaland|\d+ goals?|\d:\d\d|\d of \d`
	said := `(document.getElementById("main").innerText + document.title + [...document.querySelectorAll("#main [aria-label], #main [title]")].filter(e => e.checkVisibility()).map(e => e.ariaLabel + e.title).join())`
	b.Open("/health")
	b.Run(`localStorage.setItem("spoilers", "1")`)
	for _, m := range []rule.Making{{}, {State: rule.StateMaking, Done: 1, Of: 3}, {State: rule.StateFailed, Why: "the disk is full"}, {State: rule.StateDone}} {
		engine.set(m)
		b.Open(reelPath)
		require.NotRegexp(b.T, leaks, webtest.JS[string](b, said), m.State)
		faultless(b, m.State)
	}
	filmed(b, mp4, jpg)
	b.Open(reelPath)
	require.NotRegexp(b.T, leaks, webtest.JS[string](b, said))
	faultless(b, "ready")
	b.Click("#reel [data-reveal]")
	faultless(b, "revealed")
	require.Contains(b.T, webtest.JS[string](b, said), "Dominik Szoboszlai 61', Liverpool 2–1 Manchester City")
}
