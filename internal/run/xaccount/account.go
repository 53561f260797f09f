// Package xaccount is the account of X that searches: bringing its session, looking at it, and running the search service with it.
package xaccount

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/state"
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

// cookieFile is where the session is kept.
func cookieFile(c config.Config) string {
	return filepath.Join(c.Browser.Dir, "cookies.json")
}

// Status asks the running service; where none runs it reads what the profile holds.
func (x Account) Status(ctx context.Context) (Report, error) {
	r := Report{Service: x.url(), Status: searchapi.Status{Login: source.LoginMissing}}
	st, err := x.service().Status(ctx)
	switch {
	case err == nil:
		r.Running, r.Status = true, st
	case x.Config.Search.ServiceURL != "":
		return r, err
	default:
		if err := x.readCookieFile(&r); err != nil {
			return r, err
		}
	}
	return r, x.readState(ctx, &r)
}

// readState reads what the database knows: the last canary, and what the paid API cost today.
func (x Account) readState(ctx context.Context, r *Report) error {
	s, err := state.OpenExistingStore(ctx, x.Config, "read the last canary")
	if err == nil {
		defer s.Close() //nolint:errcheck // nothing was written
		var last source.Canary
		if s.State(ctx, canary.StateKey, &last) == nil {
			r.Canary = &last
		}
	}
	c := x.Config.Search
	if c.BearerToken == "" {
		return nil // a report must not fail for want of its least part
	}
	if footy.IsNotFound(err) { // nothing ever ran here
		r.API = bill.Purse{Cap: bill.Dollars(c.DailyCap)}.Spent(0)
		return nil
	}
	ledger := state.Spending{Store: s}
	h, err := xapi.New(xapi.Options{BearerToken: c.BearerToken, DailyCap: c.DailyCap, Ledger: ledger}, nil).Health(ctx)
	r.API = h.Detail
	if fault, remedy := bill.Words(h.Waits, bill.SearchCap); fault != "" {
		r.API += "; " + fault + ". " + remedy
	}
	return err
}

// readCookieFile reads the cookie file; only X itself can tell whether it still takes them.
func (x Account) readCookieFile(r *Report) error {
	all, err := cookie.Load(cookieFile(x.Config))
	if err != nil {
		return err
	}
	all = cookie.Of(all, host(x.Config.Browser.URL))
	switch until := cookie.ValidUntil(all); {
	case !cookie.Has(all, cookie.Session):
		r.Detail = "nobody has logged in to X here; footy x import-cookies FILE or footy x login"
	case !until.IsZero() && until.Before(time.Now()):
		r.Login, r.ValidUntil, r.Detail = source.LoginExpired, &until, "log in again: footy x import-cookies FILE or footy x login"
	default:
		r.Login, r.Detail = source.LoginUnknown, "a session is there; footy up or footy browser will see whether X still takes it"
		if until.IsZero() {
			until = time.Now() // a session cookie has no date of its own
		}
		r.ValidUntil = &until
	}
	return nil
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
		return found, footy.Errorf(footy.CodeUnavailable, "check X's shape", "%s; is a worker running (footy up or footy worker)?", network.Unreached(err))
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
func (x Account) ImportCookies(ctx context.Context, raw []byte) (Report, error) {
	_, unreachable := x.service().Status(ctx)
	switch {
	case unreachable == nil:
		if _, err := x.service().Authenticate(ctx, raw); err != nil {
			return Report{}, err
		}
	case x.Config.Search.ServiceURL != "":
		return Report{}, unreachable
	default:
		if _, err := browser.ImportCookies(raw, ServiceOptions(x.Config, x.Log)); err != nil {
			return Report{}, err
		}
	}
	return x.Status(ctx)
}

// Login opens the login page in the browser that searches, not automated, and waits until the person closes it. where is told the address of the
// page to look at, or "" for a window on this desktop.
func (x Account) Login(ctx context.Context, where func(url string)) (Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if _, err := x.service().Status(ctx); err != nil {
		if x.Config.Search.ServiceURL != "" {
			return Report{}, err
		}
		if o := ServiceOptions(x.Config, x.Log); o.Display == "" && !o.VNC {
			return Report{}, footy.Errorf(footy.CodeConflict, "log in to X", "there is no display here; footy x login --web shows the browser in a web page, or bring cookies: footy x import-cookies FILE")
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
			return Report{}, failed
		case <-listening:
		}
	}
	url, err := x.service().LaunchBrowser(ctx)
	if err != nil {
		return Report{}, err
	}
	where(url)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return Report{}, ctx.Err()
		case <-tick.C:
		}
		r, err := x.Status(ctx)
		busy := strings.Contains(r.Detail, "is logging in") || r.Login == source.LoginUnknown && r.Detail == "" // not looked yet
		if err != nil || !busy {
			return r, err
		}
	}
}

// Report tells how searching stands.
type Report struct {
	searchapi.Status
	Service string         `json:"service"`
	Running bool           `json:"running"`
	Canary  *source.Canary `json:"canary,omitempty"`
	API     string         `json:"api,omitempty"` // what is left of the paid API
}

// Works tells whether a search can be made now, or could be once the service runs.
func (r Report) Works() bool {
	return r.Login == source.LoginOK || r.Login == source.LoginUnknown && !r.Running && r.ValidUntil != nil || r.API != "" && !r.hasAccount()
}

func (r Report) hasAccount() bool { return r.Login != source.LoginMissing }

// String tells a person.
func (r Report) String() string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-9s "+format+"\n", append([]any{name}, args...)...)
	}
	words := map[source.Login]string{source.LoginOK: "ok", source.LoginMissing: "none", source.LoginExpired: "expired",
		source.LoginChallenged: "X wants a person to look at the account", source.LoginUnknown: "not verified yet"}
	login := words[r.Login]
	if login == "" {
		login = string(r.Login)
	}
	if r.Account != "" {
		login += ", as @" + strings.TrimPrefix(r.Account, "@")
	}
	if r.ValidUntil != nil && r.Login != source.LoginMissing && time.Until(*r.ValidUntil).Abs() > time.Minute {
		login += ", until " + r.ValidUntil.Local().Format("2006-01-02 15:04")
	}
	line("login", "%s", login)
	if r.Detail != "" {
		line("", "%s", r.Detail)
	}
	switch {
	case r.Budget == nil:
		line("budget", "known once the service runs")
	case r.Budget.ResetAt != nil:
		line("budget", "%d of %d calls left, the next come back at %s", r.Budget.Remaining, r.Budget.Limit, r.Budget.ResetAt.Local().Format("15:04:05"))
	default:
		line("budget", "%d of %d calls left", r.Budget.Remaining, r.Budget.Limit)
	}
	if r.Canary == nil {
		line("canary", "never run; footy x canary")
	} else {
		line("canary", "%s, %s", r.Canary.At.Local().Format("2006-01-02 15:04"), CanaryText(*r.Canary))
	}
	if r.API != "" {
		line("paid API", "%s", r.API)
	}
	if r.Running {
		line("service", "%s", r.Service)
	} else {
		line("service", "not running (%s)", r.Service)
	}
	return b.String()
}
