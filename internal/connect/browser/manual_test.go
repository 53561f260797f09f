package browser_test

import (
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

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
	"github.com/found-footy/found-footy/tools/devtest"
)

// person stands for Chromium: where the service drives it, it is Chromium; where a person should, it waits for a file.
func person(t *testing.T, dir string) string {
	t.Helper()
	return devtest.Script(t, "browser", fmt.Sprintf(`case "$*" in *--remote-debugging-pipe*) exec %q "$@" ;; esac
echo "$DISPLAY $*" > %[2]q/started
trap 'exit 0' INT
while [ ! -e %[2]q/closed ]; do sleep 0.05; done
`, devtest.Chromium(t), dir))
}

func TestSearchesWaitWhileAPersonLogsIn(t *testing.T) {
	dir := t.TempDir()
	b := setup(t, xsite.Options{Search: always(posts(3))}, func(o *browser.Options) {
		o.Display, o.Chromium = ":77", person(t, dir)
	})
	require.Equal(t, source.StateResults, b.find(t, source.Query{Text: "goal", Max: 3}).State)
	where, err := b.LaunchManual(t.Context())
	require.NoError(t, err)
	require.Empty(t, where, "a window needs no address")
	require.Eventually(t, func() bool {
		raw, err := os.ReadFile(filepath.Join(dir, "started"))
		return err == nil && strings.HasPrefix(string(raw), ":77 ") && strings.Contains(string(raw), b.url+"/i/flow/login")
	}, time.Minute, 10*time.Millisecond)
	_, err = b.LaunchManual(t.Context())
	require.NoError(t, err, "it is open already")
	calls := len(b.site.Calls())
	r := b.find(t, source.Query{Text: "goal", Max: 3})
	require.Equal(t, source.StateLoginRequired, r.State)
	require.Contains(t, r.Detail, "a person is logging in")
	require.Contains(t, b.Status().Detail, "a person is logging in")
	require.Len(t, b.site.Calls(), calls)
	require.Empty(t, b.told(), "the person knows")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "closed"), nil, 0o600))
	require.Eventually(t, func() bool { return b.Status().Login == source.LoginOK }, time.Minute, 50*time.Millisecond)
	require.Equal(t, source.StateResults, b.find(t, source.Query{Text: "goal", Max: 3}).State)
	require.Empty(t, b.told())
}

func TestAPersonSaysThatTheyAreDone(t *testing.T) {
	b := setup(t, xsite.Options{}, func(o *browser.Options) { o.Display, o.Chromium = ":77", person(t, t.TempDir()) })
	base := b.serve(t)
	code, body := post(t, &http.Client{}, base+"/auth/launch-browser", "", nil)
	require.Equal(t, 200, code, body)
	code, body = post(t, &http.Client{}, base+"/auth/verify", "", nil)
	require.Equal(t, 200, code)
	require.Contains(t, body, `"login":"ok"`)
}

// On a server the plain browser is shown by noVNC. Only what is installed can be tried.
func TestAScreenInAWebPage(t *testing.T) {
	t.Parallel()
	needs(t, "Xvfb", "x11vnc", "websockify")
	addr := devtest.FreeAddr(t)
	b := setupSerial(t, xsite.Options{}, func(o *browser.Options) {
		o.VNC, o.VNCAddr, o.Chromium = true, addr, person(t, t.TempDir())
	})
	where, err := b.LaunchManual(t.Context())
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(where, "http://"+addr+"/vnc.html#"), where)
	require.Contains(t, where, "password=", "a password of its own each time")
	code, body := get(t, &http.Client{}, where)
	require.Equal(t, 200, code)
	require.Contains(t, body, "noVNC")
	_, password, _ := strings.Cut(where, "password=")
	require.NotEmpty(t, password)
	service := httptest.NewServer(b.Handler())
	defer service.Close()
	for _, path := range []string{"/health", "/readyz", "/status"} {
		_, body := get(t, service.Client(), service.URL+path)
		require.NotContains(t, body, password, "%s tells it to who did not begin the log-in", path)
	}
	again, err := b.LaunchManual(t.Context())
	require.NoError(t, err)
	require.Equal(t, where, again)
	b.Close()
	_, err = net.Dial("tcp", addr)
	require.Error(t, err, "nothing is left of it")
}

// In a container the page listens at an address that only the container has.
func TestAPersonIsToldTheAddressThatThePageIsPublishedAt(t *testing.T) {
	t.Parallel()
	needs(t, "Xvfb", "x11vnc", "websockify")
	for published, want := range map[string]string{
		"http://127.0.0.1:3204":        "http://127.0.0.1:3204/vnc.html#autoconnect=1&resize=scale&password=",
		"https://goals.example.org/x/": "https://goals.example.org/x/vnc.html#path=x/websockify&autoconnect=1&resize=scale&password=",
	} {
		b := setupSerial(t, xsite.Options{}, func(o *browser.Options) {
			o.VNC, o.VNCAddr, o.VNCURL, o.Chromium = true, devtest.FreeAddr(t), published, person(t, t.TempDir())
		})
		where, err := b.LaunchManual(t.Context())
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(where, want), where)
		b.Close()
	}
}

func TestWithoutADisplayAPersonIsToldWhatToDo(t *testing.T) {
	t.Parallel()
	s := browser.New(browser.Options{Dir: t.TempDir(), Chromium: "no-such-browser"})
	_, err := s.LaunchManual(t.Context())
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err))
	require.ErrorContains(t, err, "X_VNC")
	require.ErrorContains(t, err, "import-cookies")
	s = browser.New(browser.Options{Dir: t.TempDir(), Chromium: "no-such-browser", Display: ":77"})
	_, err = s.LaunchManual(t.Context())
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
}
