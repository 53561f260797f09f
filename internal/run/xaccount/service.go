package xaccount

import (
	"context"
	"log/slog"
	"net"
	"net/url"
	"os/exec"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/telemetry"
)

// accountEvery is how often a process without an X account looks for one.
const accountEvery = 3 * time.Second

// ServiceOptions turn settings into those of the search service.
func ServiceOptions(c config.Config, log *slog.Logger) browser.Options {
	b, scale := c.Browser, float64(max(c.Track.TimeScale, 1))
	o := browser.Options{BaseURL: b.URL, Dir: b.Dir, Chromium: chromium(c.Program.Chromium),
		Tabs: b.Tabs, Budget: quota.Options{Limit: b.Budget}, Scale: scale,
		Recheck: time.Duration(float64(time.Minute) / scale), Display: b.Display, VNC: b.VNC, VNCAddr: b.VNCAddr, VNCURL: b.VNCURL, Token: c.Search.ServiceToken, Log: telemetry.Module(log, "browser"),
	}
	if o.Display == "" && runtime.GOOS == "darwin" {
		o.Display = browser.Desktop // windows need no X display there
	}
	o.Notify = func(n browser.Notice) {
		if n.OK {
			o.Log.Info(n.Text, "action", "login")
			return
		}
		o.Log.Error(n.Text, "action", "login", "remedy", "docs/x-login.md")
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

// InstallChromium is what to do where there is no browser.
const InstallChromium = "install it (make chromium; Debian: apt-get install chromium), or set CHROMIUM"

// HasAccount tells whether this machine has a session of X and a browser to use it with.
func HasAccount(c config.Config) bool { return HasSession(c) && HasChromium(c) }

// HasSession tells whether this machine has a session of X, good or expired.
func HasSession(c config.Config) bool {
	kept, err := session(c)
	return err == nil && cookie.Has(kept, cookie.Session)
}

// session are the cookies of X that this machine has.
func session(c config.Config) ([]cookie.Cookie, error) {
	host := ""
	if u, err := url.Parse(c.Browser.URL); err == nil {
		host = u.Hostname()
	}
	all, err := cookie.Load(cookie.File(c.Browser.Dir))
	return cookie.Of(all, host), err
}

// Presence tells whether there is an account, and remembers that there was one: while a person logs in anew its file is away for
// a moment.
func Presence(c config.Config) func() bool {
	var seen atomic.Bool
	return func() bool {
		if !seen.Load() && HasAccount(c) {
			seen.Store(true)
		}
		return seen.Load()
	}
}

// Serve runs the search service alone, until ctx ends; ready is told its address and the service.
func Serve(ctx context.Context, c config.Config, log *slog.Logger, ready func(url string, s *browser.Service)) error {
	o := ServiceOptions(c, log)
	if _, err := exec.LookPath(o.Chromium); err != nil {
		return footy.Errorf(footy.CodeUnavailable, "start the search service", "CHROMIUM=%s is not installed; %s", c.Program.Chromium, InstallChromium)
	}
	l, err := Listen(ctx, c)
	if err != nil {
		return err
	}
	if l == nil {
		return footy.Errorf(footy.CodeConflict, "start the search service", "one runs already at BROWSER_ADDR=%s; stop it, or choose another address", c.Browser.Addr)
	}
	s := browser.New(o)
	if ready != nil {
		ready("http://"+l.Addr().String(), s)
	}
	return s.Serve(ctx, l)
}

// Listen listens for the search service; nil without an error means that one runs there already.
func Listen(ctx context.Context, c config.Config) (net.Listener, error) {
	l, err := network.Listen(ctx, "serve searches", "BROWSER_ADDR", c.Browser.Addr)
	if footy.CodeOf(err) == footy.CodeConflict {
		running := xweb.New(xweb.Options{URL: "http://" + network.Reachable(c.Browser.Addr), Token: c.Search.ServiceToken, Timeout: 5 * time.Second}, httpx.New(httpx.Options{Timeout: 5 * time.Second}))
		if _, failed := running.Health(ctx); failed == nil {
			return nil, nil //nolint:nilnil // nothing to listen on and nothing wrong
		}
	}
	return l, err
}

// ServeOnceLoggedIn waits until somebody has logged in to X here, as there tells, and runs the search service until ctx ends. l
// is where it listens; nil: that is still to come. ready is told the service.
func ServeOnceLoggedIn(ctx context.Context, c config.Config, log *slog.Logger, l net.Listener, there func() bool, ready func(*browser.Service)) error {
	if l == nil {
		l = awaitAccount(ctx, c, log, there)
	}
	if l == nil {
		return nil
	}
	telemetry.Module(log, "browser").Info("searching X with "+chromium(c.Program.Chromium), "action", "start", "address", l.Addr().String())
	s := browser.New(ServiceOptions(c, log))
	ready(s)
	return s.Serve(ctx, l)
}

// awaitAccount waits for an account, and listens. Where a search service runs already it has the account; this process asks
// it, and takes over when it ends. nil: ctx has ended.
func awaitAccount(ctx context.Context, c config.Config, log *slog.Logger, there func() bool) net.Listener {
	for logged := false; ; {
		if there() {
			l, err := Listen(ctx, c)
			if l != nil {
				return l
			}
			if err != nil && !logged && ctx.Err() == nil {
				logged = true
				telemetry.Module(log, "browser").Error("the search service waits: "+footy.UserMessage(err), "action", "listen")
			}
		}
		if network.Pause(ctx, accountEvery) != nil {
			return nil
		}
	}
}
