package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"os/exec"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/browser"
	"github.com/found-footy/found-footy/internal/browser/cookie"
	"github.com/found-footy/found-footy/internal/browser/quota"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/source/xweb"
	"github.com/found-footy/found-footy/internal/telemetry"
)

// accountEvery is how often a process without an X account looks for one.
const accountEvery = 3 * time.Second

// BrowserOptions turn settings into those of the search service.
func BrowserOptions(c config.Config, log *slog.Logger) browser.Options {
	b, scale := c.Browser, float64(max(c.Track.TimeScale, 1))
	o := browser.Options{BaseURL: b.URL, Dir: b.Dir, CookieFile: b.CookieFile, Chromium: chromium(c.Program.Chromium),
		Tabs: b.Tabs, Scrolls: b.Scrolls, Budget: quota.Options{Limit: b.Budget}, Scale: scale, CanaryQuery: b.CanaryQuery,
		Recheck: time.Duration(float64(time.Minute) / scale), Display: b.Display, VNC: b.VNC, VNCAddr: b.VNCAddr, Log: telemetry.Module(log, "browser"),
	}
	if b.Scrolls == 0 {
		o.Scrolls = -1 // zero stands for the service's own default
	}
	if o.Display == "" && runtime.GOOS == "darwin" {
		o.Display = "desktop" // windows need no X display there
	}
	o.Notify = func(n browser.Notice) {
		if n.OK {
			o.Log.Info(n.Text, "action", n.Kind)
			return
		}
		o.Log.Error(n.Text, "action", n.Kind, "remedy", "docs/x-login.md")
	}
	return o
}

// chromium finds the browser under the names that systems give it; a name that was set counts alone.
func chromium(set string) string {
	if set != "chromium" && set != "" {
		return set
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"} {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return "chromium"
}

// HasChromium tells whether a browser is installed.
func HasChromium(c config.Config) bool {
	_, err := exec.LookPath(chromium(c.Program.Chromium))
	return err == nil
}

const installChromium = "install it (make chromium; Debian: apt-get install chromium), or set CHROMIUM"

// HasAccount tells whether this machine has a session of X, good or expired, and a browser to use it with.
func HasAccount(c config.Config) bool { return hasSession(c) && HasChromium(c) }

func hasSession(c config.Config) bool {
	kept, err := cookie.Load(cookieFile(c))
	return err == nil && cookie.Has(cookie.Of(kept, hostname(c.Browser.URL)), cookie.Session)
}

// Missing tells what a live run still lacks.
func Missing(c config.Config) config.Problems {
	session := slices.Contains(c.Search.Sources, "xweb") && hasSession(c)
	out := c.Missing(session)
	if session && c.Search.ServiceURL == "" && !HasChromium(c) {
		out = append(out, config.Problem{Setting: "CHROMIUM", Value: c.Program.Chromium, Why: "is not installed, so the session of X is of no use", Remedy: installChromium})
	}
	return out
}

func hostname(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// account remembers that there was a session once: while a person logs in anew its file is away for a moment.
func (a *App) account() func() bool {
	if a.hasAccount == nil {
		var seen atomic.Bool
		a.hasAccount = func() bool {
			if !seen.Load() && HasAccount(a.Config) {
				seen.Store(true)
			}
			return seen.Load()
		}
	}
	return a.hasAccount
}

// RunBrowser is the search service alone, until ctx ends; ready is told its address.
func RunBrowser(ctx context.Context, c config.Config, log *slog.Logger, ready func(url string)) error {
	o := BrowserOptions(c, log)
	if _, err := exec.LookPath(o.Chromium); err != nil {
		return footy.Errorf(footy.CodeUnavailable, "start the search service", "CHROMIUM=%s is not installed; %s", c.Program.Chromium, installChromium)
	}
	l, err := listenBrowser(ctx, c)
	if err != nil {
		return err
	}
	if l == nil {
		return footy.Errorf(footy.CodeConflict, "start the search service", "one runs already at BROWSER_ADDR=%s; stop it, or choose another address", c.Browser.Addr)
	}
	if err := browserFigures(ctx, c); err != nil {
		l.Close()
		return err
	}
	if ready != nil {
		ready("http://" + l.Addr().String())
	}
	return browser.New(o).Serve(ctx, l)
}

// listenBrowser listens for the search service; nil without an error means that one runs there already.
func listenBrowser(ctx context.Context, c config.Config) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Browser.Addr)
	if err == nil {
		return l, nil
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		client := xweb.New(xweb.Options{URL: "http://" + reachable(c.Browser.Addr), Timeout: 5 * time.Second}, httpx.New(httpx.Options{Timeout: 5 * time.Second}))
		if _, err := client.Health(ctx); err == nil {
			return nil, nil // nothing to listen on and nothing wrong
		}
	}
	return nil, notListening("BROWSER_ADDR", c.Browser.Addr, err)
}

// reachable is the address to ask at where addr is one to listen on.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// searchesHere tells whether this process should own the search service.
func (a *App) searchesHere(r Roles) bool {
	return r.Browser && a.Config.Search.ServiceURL == "" && slices.Contains(a.Config.Search.Sources, "xweb")
}

// browse runs the search service beside the other roles. l is where it listens; nil: that is still to come.
func (a *App) browse(ctx context.Context, l net.Listener) error {
	if l == nil {
		l = a.awaitAccount(ctx)
	}
	if l == nil {
		return nil
	}
	telemetry.Module(a.Log, "browser").Info("searching X with "+chromium(a.Config.Program.Chromium), "action", "start", "address", l.Addr().String())
	return browser.New(BrowserOptions(a.Config, a.Log)).Serve(ctx, l)
}

// awaitAccount waits until somebody has logged in to X here, and listens. Where a search service runs already it has the
// account; this process asks it, and takes over when it ends. nil: ctx has ended.
func (a *App) awaitAccount(ctx context.Context) net.Listener {
	there, told := a.account(), false
	for {
		if there() {
			l, err := listenBrowser(ctx, a.Config)
			if l != nil {
				return l
			}
			if err != nil && !told && ctx.Err() == nil {
				told = true
				telemetry.Module(a.Log, "browser").Error("the search service waits: "+Plain(err), "action", "listen")
			}
		}
		if wait(ctx, accountEvery) != nil {
			return nil
		}
	}
}
