package web_test

import (
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

const reelPath = "/reel/match/5001"

// filmed keeps the reel that the page would have now, as a film that plays.
func filmed(b tab, mp4, jpg []byte) reel.Plan {
	p := (&testServer{b.S}).made(reel.OfMatch, 5001, "")
	b.S.Put(blob.ReelKey(p.Key, blob.ReelFilm), "video/mp4", mp4)
	b.S.Put(blob.ReelKey(p.Key, blob.ReelPoster), "image/jpeg", jpg)
	b.S.Hub.Publish(stream.EntityPage, p.Scope.Path())
	return p
}

func reelFromAskingToItsEnd(b tab, engine *fakeReels, mp4, jpg []byte) {
	main, film := `document.getElementById("main").innerText`, `document.getElementById("reel-video")`
	now := func(m reel.Making) {
		engine.set(m)
		b.S.Hub.Publish(stream.EntityPage, "/reel/match/5001")
	}
	b.Open(dayPath)
	b.Click(`#f-5001 a[href="` + reelPath + `"]`)
	b.Until(`location.pathname === "` + reelPath + `" && document.documentElement.dataset.stream === "on"`)
	require.Contains(b.T, js[string](b, main), "Not made yet")
	require.Contains(b.T, js[string](b, main), "Erling Haaland 45+2', Liverpool 1–1 Manchester City")

	b.Click(`#reel form[method=post] button`)
	b.Until(`document.querySelector("#reel progress") && document.documentElement.dataset.stream === "on"`)
	require.Equal(b.T, []string{"reel-match-5001"}, engine.asked)
	now(reel.Making{State: reel.StateMaking, Done: 1, Of: 3, Waits: "another reel is being made; this one comes after it"})
	b.Until(`document.querySelector("#reel progress").value === 1 && document.querySelector("#reel progress").max === 3`)
	require.Contains(b.T, js[string](b, main), "1 of 3 clips done")
	require.Contains(b.T, js[string](b, main), "another reel is being made")
	now(reel.Making{State: reel.StateFailed, Why: "none of its clips can be shown: all are broken or black"})
	b.Until(main + `.includes("It could not be made")`)
	require.Contains(b.T, js[string](b, main), "all are broken or black")
	b.Click(`#reel form[method=post] button`)
	b.Until(`document.querySelector("#reel progress") && document.documentElement.dataset.stream === "on"`)
	require.Len(b.T, engine.asked, 2, "asked for again")

	engine.set(reel.Making{State: reel.StateDone})
	first := filmed(b, mp4, jpg)
	b.Until(film + `?.readyState >= 1`)
	require.Equal(b.T, "/r/"+first.Key+"/reel.mp4?download", js[string](b, `document.querySelector("#reel a[download]").getAttribute("href")`))
	require.Equal(b.T, []string{"Mohamed Salah 12', Liverpool 1–0 Manchester City", "Dominik Szoboszlai 61', Liverpool 2–1 Manchester City"},
		js[[]string](b, `[...document.querySelectorAll("#reel [data-seek] + a")].map(a => a.textContent)`))
	b.Run(chromedp.Evaluate(`window.kept = `+film+`; kept.loop = true; 0`, nil)) // seconds of film are not seconds of a slow machine
	b.Click(`#reel [data-seek]`)
	b.Until(film + `.currentTime > 3 && !` + film + `.paused && (kept.playbackRate = 0.0625)`) // it does not begin anew while the page changes

	b.S.Update(5001, func(f *footy.Fixture) { f.Events[0].Player.Name = "Salah M." })
	b.Until(main + `.includes("Its goals or clips have changed")`)
	require.True(b.T, js[bool](b, `kept === `+film+` && !kept.paused`), "who watches it sees its end")
	second := filmed(b, mp4, jpg)
	b.Until(`document.querySelector('#reel [data-key=newer] a')`)
	require.True(b.T, js[bool](b, `kept === `+film+` && !kept.paused`))
	b.Click(`#reel [data-key=newer] a`)
	b.Until(film + `?.getAttribute("src") === "/r/` + second.Key + `/reel.mp4"`)

	b.Until(`document.documentElement.dataset.stream === "on" && ` + film + `.readyState > 1`)
	b.Run(chromedp.Evaluate(film+`.play()`, nil))
	b.Until(film + `.currentTime > 0`)
	b.S.Update(5001, func(f *footy.Fixture) { f.Events[0].Removed, f.Events[0].RemovedReason = true, footy.ReasonVAR })
	b.Until(`!` + film)
	require.NotContains(b.T, js[string](b, main), "Salah", "a goal that was taken back is seen no more")
	require.Equal(b.T, 410, js[int](b, `fetch("/r/`+second.Key+`/reel.mp4", {cache: "no-store"}).then(r => r.status)`))
	for _, width := range []int64{390, 1280} {
		b.Run(chromedp.EmulateViewport(width, 900))
		require.True(b.T, js[bool](b, `document.documentElement.scrollWidth <= innerWidth`), "%d px", width)
	}
}

func reelUnspoiled(b tab, engine *fakeReels, mp4, jpg []byte) {
	leaks := `(?i)\d\s*–\s*\d|salah|szoboszlai|haaland|\d+ goals?|\d:\d\d|\d of \d`
	said := `(document.getElementById("main").innerText + document.title + [...document.querySelectorAll("#main [aria-label], #main [title]")].filter(e => e.checkVisibility()).map(e => e.ariaLabel + e.title).join())`
	b.Open("/health")
	b.Run(chromedp.Evaluate(`localStorage.setItem("spoilers", "1")`, nil))
	for _, m := range []reel.Making{{}, {State: reel.StateMaking, Done: 1, Of: 3}, {State: reel.StateFailed, Why: "the disk is full"}, {State: reel.StateDone}} {
		engine.set(m)
		b.Open(reelPath)
		require.NotRegexp(b.T, leaks, js[string](b, said), m.State)
		faultless(b, m.State)
	}
	filmed(b, mp4, jpg)
	b.Open(reelPath)
	require.NotRegexp(b.T, leaks, js[string](b, said))
	faultless(b, "ready")
	b.Click("#reel [data-reveal]")
	faultless(b, "revealed")
	require.Contains(b.T, js[string](b, said), "Dominik Szoboszlai 61', Liverpool 2–1 Manchester City")
}
