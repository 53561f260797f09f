package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/devtools"
	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/tools/devtest"
)

// DayPath is the demo day's.
const DayPath = "/day/2026-11-14"

// Browser starts a headless Chromium, with those variables beside the ordinary ones, or skips.
func Browser(t testing.TB, env ...string) *devtools.Browser {
	t.Helper()
	chromium := devtest.Chromium(t)
	profile := t.TempDir()
	b, pipes, err := devtools.Open(func(string, json.RawMessage) {})
	require.NoError(t, err)
	ctx, end := context.WithCancel(context.Background())
	cmd, _ := program.Command(ctx, chromium, "--user-data-dir="+profile, "--remote-debugging-pipe", "--headless=new", "--no-sandbox",
		"--no-first-run", "--no-default-browser-check", "--hide-scrollbars", "--mute-audio", "--password-store=basic", "--use-mock-keychain", "--force-color-profile=srgb",
		"--disable-background-networking", "--disable-breakpad", "--disable-component-update", "--disable-default-apps", "--disable-dev-shm-usage", "--disable-extensions",
		"--disable-features=Translate", "--disable-hang-monitor", "--disable-ipc-flooding-protection", "--disable-popup-blocking", "--disable-prompt-on-repost", "--disable-sync",
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding", "--autoplay-policy=no-user-gesture-required", "about:blank")
	cmd.Env, cmd.ExtraFiles = append(cmd.Env, env...), pipes
	require.NoError(t, cmd.Cmd.Start())
	for _, theirs := range pipes {
		require.NoError(t, theirs.Close())
	}
	t.Cleanup(func() {
		end()
		_ = cmd.Wait() // it was killed
		b.Close()
	})
	return b
}

// Tab drives one page of a browser.
type Tab struct {
	devtools.Session
	T       *testing.T
	S       *Server
	Browser *devtools.Browser
	heard   *listeners
}

// listeners hear the events of a page.
type listeners struct {
	mu  sync.Mutex
	all []devtools.Listener
}

// OpenTab opens a page, which is closed when the test ends.
func OpenTab(t *testing.T, in *devtools.Browser, s *Server) Tab {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var page struct{ TargetID string }
	require.NoError(t, in.Call(ctx, "Target.createTarget", devtools.Params{"url": "about:blank", "newWindow": true}, &page))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(in.Life, 5*time.Second)
		defer cancel()
		_ = in.Call(ctx, "Target.closeTarget", devtools.Params{"targetId": page.TargetID}, nil) // the browser is ended soon
	})
	heard := &listeners{}
	session, err := in.Attach(t.Context(), page.TargetID, func(method string, params json.RawMessage) {
		heard.mu.Lock()
		defer heard.mu.Unlock()
		for _, hear := range heard.all {
			hear(method, params)
		}
	})
	require.NoError(t, err)
	b := Tab{session, t, s, in, heard}
	b.Command("Page.enable", nil, nil)
	return b
}

// Hear has the events of the page heard.
func (b Tab) Hear(l devtools.Listener) {
	b.heard.mu.Lock()
	defer b.heard.mu.Unlock()
	b.heard.all = append(b.heard.all, l)
}

// Command gives the page a command of Chromium's protocol.
func (b Tab) Command(method string, params devtools.Params, result any) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.T.Context(), time.Minute)
	defer cancel()
	require.NoError(b.T, b.Call(ctx, method, params, result))
}

// Run runs a script.
func (b Tab) Run(script string) {
	b.T.Helper()
	JS[int](b, script+"; 0")
}

// Before runs a script in each page from the next on, before those of its own.
func (b Tab) Before(script string) {
	b.T.Helper()
	b.Command("Page.addScriptToEvaluateOnNewDocument", devtools.Params{"source": script}, nil)
}

// Size gives the page the size of a screen.
func (b Tab) Size(width, height int64) {
	b.T.Helper()
	b.Command("Emulation.setDeviceMetricsOverride", devtools.Params{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Prefers sets what the reader's system asks of pages, such as prefers-color-scheme.
func (b Tab) Prefers(feature, value string) {
	b.T.Helper()
	b.Command("Emulation.setEmulatedMedia", devtools.Params{"features": []devtools.Params{{"name": feature, "value": value}}}, nil)
}

// Shows tells what the page is, for whoever reads why a test failed.
func (b Tab) Shows() (text string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.T.Context()), 10*time.Second)
	defer cancel()
	if err := b.Evaluate(ctx, `location.href + " (" + document.readyState + ")\n" + document.body?.innerText`, &text); err != nil {
		return "the page does not tell what it shows: " + err.Error()
	}
	return text
}

// Wait asks until it is so.
func (b Tab) Wait(what string, limit time.Duration, so func(ctx context.Context) (bool, error)) {
	b.T.Helper()
	for end := time.Now().Add(limit); ; <-time.After(50 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(b.T.Context(), 30*time.Second)
		ok, err := so(ctx)
		cancel()
		if ok && err == nil {
			return
		}
		if time.Now().After(end) {
			require.FailNow(b.T, "not so: "+what, "%v\n%s", err, b.Shows())
		}
	}
}

// Open goes to a page of the server.
func (b Tab) Open(path string) {
	b.T.Helper()
	b.Goto(b.S.HTTP.URL + path)
	b.Until(`document.querySelector("main")`)
}

// Goto goes to an address and waits until its page is loaded.
func (b Tab) Goto(address string) {
	b.T.Helper()
	b.Until(`window.isLeft = true`)
	b.Wait("go to "+address, 90*time.Second, func(ctx context.Context) (bool, error) {
		var answer struct{ ErrorText string }
		err := b.Call(ctx, "Page.navigate", devtools.Params{"url": address}, &answer)
		return answer.ErrorText == "", err // a page that is reloading itself aborts a navigation: ask again
	})
	b.Until(`!window.isLeft && document.readyState === "complete"`)
}

// OpenServed opens a page that the service worker serves. The page that installs it may not be: it was asked for before there was one.
func (b Tab) OpenServed(path string) {
	b.T.Helper()
	b.Open(path)
	b.Until(`(navigator.serviceWorker.getRegistration().then((r) => { window.worker = r?.active?.state; }), window.worker === "activated")`)
	b.Open(path)
	b.Until(`navigator.serviceWorker.controller`)
}

// JS evaluates an expression.
func JS[T any](b Tab, expression string) (out T) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.T.Context(), time.Minute)
	defer cancel()
	if err := b.Evaluate(ctx, expression, &out); err != nil {
		require.FailNow(b.T, err.Error(), b.Shows())
	}
	return out
}

// Until waits until an expression is true.
func (b Tab) Until(expression string) {
	b.T.Helper()
	b.Wait(expression, time.Minute, func(ctx context.Context) (ok bool, err error) {
		// Between two pages there is no document to ask: that is "not yet", like any other no.
		err = b.Evaluate(ctx, "!!("+expression+")", &ok)
		return ok, err
	})
}

// element is one of a page that is complete: before, its scripts may not hear yet.
func element(selector string) string {
	return fmt.Sprintf(`document.readyState === "complete" ? document.querySelector(%q) : null`, selector)
}

// Click clicks an element as soon as a pointer would meet it, in the same step: between a look where an element is and a click there,
// a page that loads or is brought up to date moves it, or puts another in its place.
func (b Tab) Click(selector string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`((e) => {
		if (!e?.checkVisibility() || e.disabled) return false;
		e.scrollIntoView({ block: "center", behavior: "instant" });
		const r = e.getClientRects()[0], at = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
		if (!e.contains(at) && !at?.closest("label")?.contains(e)) return false;
		e.click();
		return true;
	})(%s)`, element(selector)))
}

// Enter presses keys on an element that has the focus.
func (b Tab) Enter(selector, keys string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`((e) => { e?.focus(); return e && document.activeElement === e; })(%s)`, element(selector)))
	b.Press(keys)
}

// Choose takes one of a list's options.
func (b Tab) Choose(selector, value string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`((e) => {
		if (!e) return false;
		e.value = %q;
		e.dispatchEvent(new Event("change", { bubbles: true }));
		return true;
	})(%s)`, value, element(selector)))
}

// Appears waits until an element is in sight.
func (b Tab) Appears(selector string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, selector))
}

// keys are those that write nothing, or a new line.
var keys = map[string]devtools.Params{
	"Enter": {"windowsVirtualKeyCode": 13, "text": "\r"}, "Escape": {"windowsVirtualKeyCode": 27},
	"ArrowLeft": {"windowsVirtualKeyCode": 37}, "ArrowUp": {"windowsVirtualKeyCode": 38}, "ArrowRight": {"windowsVirtualKeyCode": 39}, "ArrowDown": {"windowsVirtualKeyCode": 40},
}

// Press presses a key by its name, or those of a text.
func (b Tab) Press(text string) {
	b.T.Helper()
	if key, ok := keys[text]; ok {
		b.press(text, key)
		return
	}
	for _, r := range text {
		b.press(string(r), devtools.Params{"text": string(r)})
	}
}

func (b Tab) press(name string, key devtools.Params) {
	b.T.Helper()
	event := devtools.Params{"type": "rawKeyDown", "key": name, "code": name}
	if maps.Copy(event, key); event["text"] != nil {
		event["type"] = "keyDown"
	}
	b.Command("Input.dispatchKeyEvent", event, nil)
	delete(event, "text")
	event["type"] = "keyUp"
	b.Command("Input.dispatchKeyEvent", event, nil)
}

// InTab runs a part in a tab of its own, on a server of its own.
func InTab(in *devtools.Browser, t *testing.T, mp4, jpg []byte, name string, f func(b Tab), change ...func(*web.Options)) {
	t.Run(name, func(t *testing.T) {
		s := New(t, change...)
		s.DemoDay(mp4, jpg)
		b := OpenTab(t, in, s)
		// A former server of this browser may have had the same port: what its reader chose is not this one's.
		b.Command("Storage.clearDataForOrigin", devtools.Params{"origin": s.HTTP.URL, "storageTypes": "all"}, nil)
		f(b)
	})
}

// FaultsScript lists what a page does that keeps people out: names, labels, landmarks, unique ids, contrast of all text.
const FaultsScript = `(() => {
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

// LayoutScript lists what does not fit: what is wider than the window, texts over each other, words that are cut or broken, targets of fingers that
// are less than 40 high. A link inside of a text is none, and what stands on a picture is meant to.
const LayoutScript = `(() => {
  const out = [], name = (e) => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + "." + [...e.classList].join(".") + " " + (e.textContent || "").trim().replace(/\s+/g, " ").slice(0, 40);
  const scrolls = (e) => { for (let p = e.parentElement; p; p = p.parentElement) if (/auto|scroll|hidden|clip/.test(getComputedStyle(p).overflowX)) return true; return false; };
  const fixed = (e) => { for (let p = e; p; p = p.parentElement) if (/fixed|sticky/.test(getComputedStyle(p).position)) return true; return false; };
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".sr, dialog:not([open]), .stage, .thumb, .skip, svg") && getComputedStyle(e).clipPath === "none";
  const top = document.querySelector("dialog[open]") ?? document.body, all = [...top.querySelectorAll("*")].filter(seen);
  if (document.documentElement.scrollWidth > innerWidth) out.push("the page is " + document.documentElement.scrollWidth + " wide");
  for (const e of all) { const r = e.getBoundingClientRect(); if (r.width && r.right > innerWidth + 1 && !scrolls(e)) out.push("sticks out to " + Math.round(r.right) + ": " + name(e)); }
  for (const e of all) {
    if (!e.matches("a[href], button, input:not([type=hidden]), select, summary, textarea") || getComputedStyle(e).display === "inline" && e.parentElement.textContent.trim() !== e.textContent.trim()) continue;
    if (e.matches("button") && e.scrollWidth > e.clientWidth + 1) out.push("cut: " + name(e));
    const r = e.getBoundingClientRect(), label = e.closest("label")?.getBoundingClientRect();
    if (Math.max(r.height, label?.height ?? 0) < 40 && !(e.matches("a") && getComputedStyle(e).display === "inline")) out.push("target of " + Math.round(r.width) + "x" + Math.round(r.height) + ": " + name(e));
  }
  const texts = [];
  const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.nodeValue.trim() || !seen(e) || fixed(e)) continue;
    const range = document.createRange(); range.selectNodeContents(walk.currentNode);
    for (const r of range.getClientRects()) {
      let { left, right, top, bottom } = r;
      for (let p = e; p; p = p.parentElement) if (getComputedStyle(p).overflowX !== "visible") { const c = p.getBoundingClientRect(); left = Math.max(left, c.left); right = Math.min(right, c.right); }
      if (right - left > 2 && bottom - top > 2) texts.push({ e, r: { left, right, top, bottom } });
    }
    for (const word of walk.currentNode.nodeValue.matchAll(/\p{L}{2,13}(?!\p{L})/gu)) { // a longer one may be
      if (e.closest("code, pre") || /\p{L}/u.test(walk.currentNode.nodeValue[word.index - 1] ?? "")) continue;
      range.setStart(walk.currentNode, word.index); range.setEnd(walk.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) out.push("broken: " + word[0] + " in " + name(e));
    }
  }
  for (const s of all.filter((e) => e.matches("select"))) { // the text that it shows is cut where a select of that text alone is wider
    const alone = s.cloneNode(); alone.append(new Option(s.selectedOptions[0]?.text)); alone.style.cssText = "position: fixed; width: max-content; min-width: 0; max-width: none";
    s.after(alone); if (alone.offsetWidth > s.offsetWidth + 1) out.push("cut: " + alone.textContent); alone.remove();
  }
  const told = new Set();
  for (let i = 0; i < texts.length; i++) for (let j = i + 1; j < texts.length; j++) {
    const a = texts[i], b = texts[j];
    if (a.e === b.e) continue;
    const w = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left), h = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
    if (w > 2 && h > 5) { const what = name(a.e) + " over " + name(b.e); if (!told.has(what)) { told.add(what); out.push(what); } }
  }
  return out.slice(0, 12);
})()`
