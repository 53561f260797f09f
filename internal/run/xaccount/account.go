// Package xaccount is the account of X that searches: bringing its session, looking at it, and running the search service with it.
package xaccount

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
)

// Account is what a person does about the account that searches: bring it, look at it, check what it sees.
type Account struct {
	Config config.Config
	Log    *slog.Logger
}

func (x Account) service() *xweb.Source {
	return xweb.New(xweb.Options{URL: x.url(), Token: x.Config.Search.ServiceToken, Timeout: 2 * time.Minute}, httpx.New(httpx.Options{Timeout: 2 * time.Minute}))
}

func (x Account) url() string {
	if u := x.Config.Search.ServiceURL; u != "" {
		return strings.TrimRight(u, "/")
	}
	return "http://" + network.Reachable(x.Config.Browser.Addr)
}

// Status asks the running service; where none runs it reads what the profile holds.
func (x Account) Status(ctx context.Context) (Report, error) {
	st, err := x.service().Status(ctx)
	switch {
	case err == nil:
		return Report{Status: st, Running: true}, nil
	case x.Config.Search.ServiceURL != "":
		return Report{}, err
	}
	return x.kept()
}

// kept is what the cookie file says; only X itself can tell whether it still takes them.
func (x Account) kept() (r Report, err error) {
	all, err := session(x.Config)
	if err != nil {
		return r, err
	}
	until := cookie.ValidUntil(all)
	if !until.IsZero() { // a session cookie has no date of its own
		r.ValidUntil = &until
	}
	switch {
	case !cookie.Has(all, cookie.Session):
		r.Login = source.LoginMissing
	case r.ValidUntil != nil && until.Before(time.Now()):
		r.Login = source.LoginExpired
	default:
		r.Login = source.LoginUnknown
	}
	return r, nil
}

// Canary checks X now: through the workflow of the engine, so that the page tells of it too; without the address of one by the service.
func (x Account) Canary(ctx context.Context, at config.Engine) (source.Canary, error) {
	if at.Address == "" {
		return x.canaryByService(ctx)
	}
	c, err := engine.Dial(ctx, at, x.Log)
	if err != nil {
		return source.Canary{}, err
	}
	defer c.Close()
	found, err := canary.RunNow(ctx, c)
	if err != nil {
		return found, footy.Errorf(footy.CodeUnavailable, "check X's shape", "%s; is a worker running (footy up or footy worker)?", network.Shorten(err))
	}
	return found, nil
}

// canaryByService makes the service look, and says what x status would say where it cannot.
func (x Account) canaryByService(ctx context.Context) (source.Canary, error) {
	r, err := x.Status(ctx)
	switch {
	case err != nil:
		return source.Canary{}, footy.Errorf(footy.CodeUnavailable, "check X's shape", "the search service at %s does not answer; is it running, and is TWITTER_SERVICE_URL right?", x.url())
	case !r.Running:
		return source.Canary{}, footy.Errorf(footy.CodeUnavailable, "check X's shape", "the search service is not running (%s); start it with footy up or footy browser", x.url())
	case r.Login == source.LoginMissing, r.Login == source.LoginExpired:
		return source.Canary{}, footy.Errorf(footy.CodeAuthRequired, "check X's shape", "could not look: nobody is logged in to X; %s", account.HowToLogIn)
	}
	return x.service().Canary(ctx)
}

// CanaryText is a canary's finding in a few words.
func CanaryText(c source.Canary) string {
	switch {
	case c.OK:
		return "as expected"
	case c.Drift:
		return "changed: " + c.Detail
	}
	return c.Detail
}

// ImportCookies brings an export to the running service, or to the profile where none runs.
func (x Account) ImportCookies(ctx context.Context, raw []byte) error {
	_, err := x.service().Status(ctx)
	switch {
	case err == nil:
		_, err = x.service().Authenticate(ctx, raw)
	case x.Config.Search.ServiceURL == "":
		_, err = browser.ImportCookies(raw, ServiceOptions(x.Config, x.Log))
	}
	return err
}

// Login opens the login page in the browser that searches, not automated, and waits until the person closes it. where is told the address of the
// page to look at, or "" for a window on this desktop. It is an error if X lets nobody in then.
func (x Account) Login(ctx context.Context, where func(url string)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if _, err := x.service().Status(ctx); err != nil {
		if x.Config.Search.ServiceURL != "" {
			return err
		}
		if o := ServiceOptions(x.Config, x.Log); o.Display == "" && !o.VNC {
			return footy.Errorf(footy.CodeConflict, "log in to X", "there is no display here; footy x login --web shows the browser in a web page, or bring cookies: footy x import-cookies FILE")
		}
		var failed error
		ended, listening := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			failed = Serve(ctx, x.Config, x.Log, func(string, *browser.Service) { close(listening) })
		}()
		defer func() { cancel(); <-ended }()
		select {
		case <-ended:
			return failed
		case <-listening:
		}
	}
	url, err := x.service().LaunchBrowser(ctx)
	if err != nil {
		return err
	}
	where(url)
	for network.Pause(ctx, time.Second) == nil {
		r, err := x.Status(ctx)
		switch {
		case err != nil || r.Login == source.LoginOK:
			return err
		case strings.Contains(r.Detail, "is logging in"), r.Login == source.LoginUnknown && r.Detail == "": // not looked yet
		default:
			return footy.Errorf(footy.CodeAuthRequired, "log in to X", "nobody is logged in: %s", cmp.Or(r.Detail, string(r.Login)))
		}
	}
	return ctx.Err()
}

// Report tells how the account stands.
type Report struct {
	searchapi.Status
	Running bool // the service that searches
}
