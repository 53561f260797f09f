package web_test

import (
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
)

// TestTheAppInABrowser runs what is told of the page as an app, in a Chromium of its own.
func TestTheAppInABrowser(t *testing.T) {
	root := browser(t)
	mp4, jpg := makeClip(t)
	inTab(root, t, mp4, jpg, "what a browser asks before it installs the page", installable)
	inTab(root, t, mp4, jpg, "the icons are of one drawing", iconsAsDrawn)
	inTab(root, t, mp4, jpg, "without a network", offline)
	inTab(root, t, mp4, jpg, "what a browser forbids is not remembered as chosen", soundAsChosen)
	inTab(root, t, mp4, jpg, "an unproven clip does not look proven", unprovenIsNotGreen)
}

// soundAsChosen: a browser that forbids sound is no wish of the person's.
func soundAsChosen(b tab) {
	b.Before(`localStorage.setItem("muted", "no"); HTMLMediaElement.prototype.play = function () { return this.muted ? Promise.resolve() : Promise.reject(new DOMException("", "NotAllowedError")); };`)
	b.Open("/watch")
	b.Until(`document.getElementById("tv-video").muted`)
	require.Equal(b.T, "no", js[string](b, `localStorage.getItem("muted")`))
	b.Press("m") // the first key brings the sound back, and this one takes it
	b.Until(`localStorage.getItem("muted") === "yes"`)
}

// unprovenIsNotGreen: what is proven is silent.
func unprovenIsNotGreen(b tab) {
	for proven, word := range map[bool]string{true: "", false: "unconfirmed"} {
		b.S.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").Clips[0].Verified = proven })
		b.Open("/g/" + salah)
		require.Equal(b.T, word, js[string](b, `document.querySelector(".goalhead .word")?.innerText ?? ""`))
		b.Open("/")
		require.Equal(b.T, word, js[string](b, `document.querySelector("#g-5001-1 .word")?.innerText ?? ""`))
	}
}

// installable asks Chromium what it would ask before it offers to install the page.
func installable(b tab) {
	b.OpenServed(dayPath)
	var is struct {
		URL, Data string
		Errors    []any
	}
	b.Command("Page.getAppManifest", nil, &is)
	require.Empty(b.T, is.Errors)
	require.Equal(b.T, b.S.HTTP.URL+"/manifest.webmanifest", is.URL)
	require.Contains(b.T, is.Data, `"display":"standalone"`)
	var wrong struct{ InstallabilityErrors []any }
	b.Command("Page.getInstallabilityErrors", nil, &wrong)
	require.Empty(b.T, wrong.InstallabilityErrors)
	require.Equal(b.T, []string{"192x192 any", "192x192 maskable", "512x512 any", "512x512 maskable"}, js[[]string](b, `(async () => {
		const m = await (await fetch("/manifest.webmanifest")).json(), out = [];
		for (const i of m.icons.filter((i) => i.type === "image/png")) {
			const p = new Image(); p.src = i.src; await p.decode();
			out.push(p.naturalWidth + "x" + p.naturalHeight + " " + i.purpose);
		}
		return out.sort();
	})()`), "each icon is as large as the manifest says")
}

// iconsAsDrawn compares the pictures of the icon with the drawing that they are made of.
func iconsAsDrawn(b tab) {
	b.Open(dayPath)
	for _, i := range icons {
		differs := js[float64](b, fmt.Sprintf(`(async () => {
			const base = document.querySelector("link[rel=icon]").href.replace("icon.svg", ""), data = [];
			for (const name of [%q, %q]) {
				const p = new Image(); p.src = base + name; await p.decode();
				const c = new OffscreenCanvas(%d, %d).getContext("2d");
				c.drawImage(p, 0, 0, %[3]d, %[4]d);
				data.push(c.getImageData(0, 0, %[3]d, %[4]d).data);
			}
			return data[0].reduce((sum, v, i) => sum + Math.abs(v - data[1][i]), 0) / data[0].length;
		})()`, i.drawing, i.file(), i.size, i.size))
		require.Less(b.T, differs, 3.0, "%s is another picture than %s: ICONS=internal/tell/web/pages/assets go test -run TestIcons ./internal/tell/web draws it anew", i.file(), i.drawing)
	}
}

// iconPicture is a picture of a drawing.
type iconPicture struct {
	drawing string
	size    int
}

func (i iconPicture) file() string {
	return fmt.Sprintf("%s-%d.png", strings.TrimSuffix(i.drawing, ".svg"), i.size)
}

var icons = []iconPicture{{"icon.svg", 192}, {"icon.svg", 512}, {"maskable.svg", 192}, {"maskable.svg", 512}}

// TestIcons draws the icons as pictures into ICONS.
func TestIcons(t *testing.T) {
	out := os.Getenv("ICONS")
	if out == "" {
		t.Skip("ICONS is not set: the pictures are compared with their drawings in TestTheAppInABrowser")
	}
	b := webtest.OpenTab(t, browser(t), nil)
	for _, i := range icons {
		svg, err := os.ReadFile(filepath.Join("pages", "assets", i.drawing))
		require.NoError(t, err)
		url := js[string](b, fmt.Sprintf(`(async () => {
			const p = new Image(%d, %d); p.src = "data:image/svg+xml;base64,%s"; await p.decode();
			const c = document.createElement("canvas"); c.width = c.height = %[1]d;
			c.getContext("2d").drawImage(p, 0, 0, %[1]d, %[1]d);
			return c.toDataURL("image/png");
		})()`, i.size, i.size, base64.StdEncoding.EncodeToString(svg)))
		png, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(out, i.file()), png, 0o644))
	}
}

// stop ends the server under an open page; the returned function starts it again on the same address.
func stop(b tab) (start func()) {
	b.T.Helper()
	addr, handler := b.S.HTTP.Listener.Addr().String(), b.S.Web.Handler()
	_ = b.S.HTTP.Listener.Close() // first: a connection that comes meanwhile would keep the page connected
	b.S.Disconnect()
	return func() {
		b.T.Helper()
		var l net.Listener
		require.Eventually(b.T, func() bool {
			var err error
			l, err = net.Listen("tcp", addr)
			return err == nil
		}, time.Minute, 50*time.Millisecond)
		again := &httptest.Server{Listener: l, Config: &http.Server{Handler: handler, ReadHeaderTimeout: time.Second}}
		again.Start()
		b.T.Cleanup(again.Close)
		b.T.Cleanup(again.CloseClientConnections)
	}
}

// offline looks at pages, takes the server away and looks what is left: a page that says so and since when, and no score.
func offline(b tab) {
	b.Open("/g/" + salah)
	b.OpenServed(dayPath)
	start := stop(b)
	b.Until(`document.documentElement.dataset.stream === "off"`) // what the page heard before would count as heard now
	b.Run(`localStorage.setItem("heard", Date.now() - 42 * 60000)`)
	const gone = `document.querySelector("h1")?.textContent === "Found Footy cannot be reached"`
	goTo := func(path string) {
		b.T.Helper()
		b.Open(path)
		b.Until(gone)
		require.Equal(b.T, path, js[string](b, `location.pathname`), "the address stays, to come back to")
		require.Zero(b.T, js[int](b, `document.querySelectorAll(".fixture, .goal, .digits").length`))
		require.NotRegexp(b.T, `\d\s*–\s*\d`, js[string](b, `document.body.innerText`))
	}
	goTo(dayPath)
	require.Regexp(b.T, `^Last heard of: (\w+ \d+, \d{4}, )?\d?\d:\d\d[^,]*\.$`, js[string](b, `document.getElementById("offline-since").innerText`))
	require.True(b.T, js[bool](b, `getComputedStyle(document.body).backgroundColor !== "rgba(0, 0, 0, 0)" && document.images[0].naturalWidth > 0`), "in the page's own clothes")
	faultless(b, "offline")
	goTo("/g/" + salah)
	goTo("/watch")
	b.Run(`history.back()`)
	b.Until(`location.pathname !== "/watch" && ` + gone)
	kept := js[[]string](b, `(async () => { const out = []; for (const n of await caches.keys()) for (const r of await (await caches.open(n)).keys()) out.push(new URL(r.url).pathname.replace(/assets.[0-9a-f]+/, "assets")); return out.sort(); })()`)
	require.Equal(b.T, []string{"/assets/app.css", "/assets/base.js", "/assets/boot.js", "/assets/icon.svg", "/assets/offline.js", "/offline"}, kept, "the shell, and nothing else")
	require.Equal(b.T, "TypeError", js[string](b, `fetch("/api/v1/fixtures").then(r => "an answer: " + r.status, e => e.name)`), "what programs ask for is not answered either")
	goTo(dayPath)
	start()
	b.Until(`document.querySelector("#f-5001 .digits")`) // by itself
	require.Equal(b.T, dayPath, js[string](b, `location.pathname`))
	b.Open("/offline")
	b.Until(`location.pathname === "/" && document.getElementById("feed")`) // who has a connection is led away
}
