package browser_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
	"github.com/found-footy/found-footy/tools/devtest"
)

// probe sends home what a page can tell of the browser that shows it.
const probe = `<script>
(async () => {
  while (!outerWidth) await new Promise(requestAnimationFrame); // a window that is still being made has no size
  const hints = await navigator.userAgentData.getHighEntropyValues(["architecture", "bitness", "formFactors", "fullVersionList", "model",
    "platformVersion", "uaFullVersion", "wow64"]);
  const seen = {agent: navigator.userAgent, hints, webdriver: navigator.webdriver, outer: [outerWidth, outerHeight], inner: [innerWidth, innerHeight],
    at: [screenX, screenY], screen: [screen.width, screen.height, screen.availWidth, screen.availHeight, screen.colorDepth], ratio: devicePixelRatio,
    languages: navigator.languages, platform: navigator.platform, hidden: document.hidden, plugins: navigator.plugins.length, touch: navigator.maxTouchPoints,
    ask: Notification.permission, chrome: typeof chrome};
  await fetch("/x/seen" + location.pathname, {method: "POST", body: JSON.stringify(seen)});
  const form = document.querySelector("form");
  if (form) { for (const i of form.querySelectorAll("input")) i.value = "somebody"; form.submit(); }
})();
</script>`

// watched is an X whose pages tell what they see: by path of the page, what the page said and the headers it was asked for with.
func watched(t *testing.T, site http.Handler) (base string, seen func(path string) map[string]any) {
	t.Helper()
	seenAt := map[string]chan map[string]any{"/x/i/flow/login": make(chan map[string]any, 9), "/x/home": make(chan map[string]any, 9), "/x/search": make(chan map[string]any, 9)}
	searched := make(chan struct{})
	told := sync.OnceFunc(func() { close(searched) })
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/SearchTimeline") { // with its answer a search ends, and its page may be left before it has told
			select {
			case <-searched:
			case <-r.Context().Done():
			}
		}
		if path, ok := strings.CutPrefix(r.URL.Path, "/x/seen"); ok {
			if path == "/x/search" {
				defer told()
			}
			var said map[string]any
			raw, _ := io.ReadAll(r.Body)
			if json.Unmarshal(raw, &said) == nil {
				for _, h := range []string{"User-Agent", "Sec-Ch-Ua", "Sec-Ch-Ua-Mobile", "Sec-Ch-Ua-Platform", "Accept-Language"} {
					said[h] = r.Header.Get(h)
				}
				seenAt[path] <- said
			}
			return
		}
		site.ServeHTTP(w, r)
		if _, ok := seenAt[r.URL.Path]; ok && r.Method == http.MethodGet {
			_, _ = io.WriteString(w, probe)
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/x", func(path string) map[string]any {
		t.Helper()
		select {
		case s := <-seenAt[path]:
			return s
		case <-time.After(time.Minute):
			t.Fatal("nobody opened ", path)
			return nil
		}
	}
}

// display is a screen in memory that the desktop of a person stands for.
func display(t *testing.T) string {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	x := exec.CommandContext(t.Context(), "Xvfb", "-displayfd", "3", "-screen", "0", "1440x900x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{w}
	require.NoError(t, x.Start())
	t.Cleanup(func() { _ = x.Wait() }) // t.Context has ended it
	require.NoError(t, w.Close())
	line, err := bufio.NewReader(r).ReadString('\n')
	require.NoError(t, err)
	return ":" + strings.TrimSpace(line)
}

func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed; make vnc does it", name)
		}
	}
}

func TestOneBrowserLogsInAndSearches(t *testing.T) {
	for name, c := range map[string]struct {
		web      bool // the person uses a page, not a window, and searches its screen
		programs []string
	}{
		"a page for the person, the same screen for searches": {true, []string{"Xvfb", "x11vnc", "websockify"}},
		"a window for the person, none for searches":          {false, []string{"Xvfb"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needs(t, c.programs...)
			site := xsite.New(xsite.Options{Prefix: "/x", Search: always(posts(3))})
			address, seen := watched(t, site)
			b := setupSerial(t, xsite.Options{}, func(o *browser.Options) {
				o.BaseURL, o.Headless, o.Recheck = address, !c.web, time.Nanosecond
				if c.web {
					o.VNC, o.VNCAddr = true, devtest.FreeAddr(t)
				} else {
					o.Display = display(t)
				}
			})
			require.NoError(t, os.Remove(filepath.Join(b.opts.Dir, "cookies.json")))
			base := b.serve(t)
			_, err := b.LaunchManual(t.Context())
			require.NoError(t, err)
			byHand := seen("/x/i/flow/login")
			seen("/x/home") // the form is sent, the person is in
			code, body := post(t, &http.Client{}, base+"/auth/verify", "", nil)
			require.Equal(t, 200, code)
			require.Contains(t, body, `"login":"ok"`, "the cookie that the login made is there when searching")
			r := b.find(t, source.Query{Text: "goal", Max: 3})
			require.Equal(t, source.StateResults, r.State, r.Detail)
			searching := seen("/x/search")
			require.Equal(t, byHand, searching)

			require.Equal(t, false, searching["webdriver"])
			require.Equal(t, false, searching["hidden"])
			require.NotContains(t, searching["agent"], "Headless")
			require.Equal(t, searching["agent"], searching["User-Agent"])
			require.Contains(t, b.log(), fmt.Sprintf("window=%v", c.web))
			require.NotEmpty(t, searching["hints"].(map[string]any)["fullVersionList"])
		})
	}
}

func TestSearchesAtOnceSleepBehindNobody(t *testing.T) {
	t.Parallel()
	needs(t, "Xvfb")
	site := xsite.New(xsite.Options{Prefix: "/x", Search: always(posts(60)), Sessions: []string{token}})
	address, seen := watched(t, site)
	b := setupSerial(t, xsite.Options{}, func(o *browser.Options) { o.BaseURL, o.Headless, o.Tabs = address, false, 3 })
	var answers []<-chan got
	for _, text := range []string{"one", "two", "three"} {
		answers = append(answers, b.begin(t, source.Query{Text: text}))
	}
	for range answers {
		require.Equal(t, false, seen("/x/search")["hidden"])
	}
	for _, answer := range answers {
		g := <-answer
		require.NoError(t, g.err)
		require.Len(t, g.r.Candidates, 60, "each page is scrolled to its end")
	}
}

func TestAProfileIsOneBrowsersAtATime(t *testing.T) {
	t.Parallel()
	first := setupSerial(t, xsite.Options{Search: always(posts(3))}, nil)
	require.Equal(t, source.StateResults, first.find(t, source.Query{Text: "goal", Max: 3}).State)

	opts := first.opts
	opts.Display = ":77"
	second := browser.New(opts)
	t.Cleanup(second.Close)
	_, err := second.LaunchManual(t.Context())
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err))
	require.ErrorContains(t, err, "is open in another Chromium (process ")
	require.ErrorContains(t, err, "BROWSER_DIR")
	login, detail := second.Authenticate(t.Context())
	require.Equal(t, source.LoginUnknown, login)
	require.Contains(t, detail, "is open in another Chromium")
	require.Equal(t, source.StateResults, first.find(t, source.Query{Text: "goal two", Max: 3}).State, "the first goes on")

	first.Close()
	login, detail = second.Authenticate(t.Context())
	require.Equal(t, source.LoginOK, login, detail)
}

func TestALockOfAProgramThatHasThePidByChanceIsNoLock(t *testing.T) {
	t.Parallel()
	b := setupSerial(t, xsite.Options{Search: always(posts(3))}, nil)
	host, err := os.Hostname()
	require.NoError(t, err)
	profile := filepath.Join(b.opts.Dir, "profile")
	require.NoError(t, os.MkdirAll(profile, 0o700))
	require.NoError(t, os.Symlink(host+"-1", filepath.Join(profile, "SingletonLock"))) // some program has the number 1
	if _, err := os.ReadFile("/proc/1/cmdline"); err != nil {
		t.Skip("nobody here can tell what runs under a number")
	}
	login, detail := b.Authenticate(t.Context())
	require.Equal(t, source.LoginOK, login, detail)
}
