package app

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/browser"
	"github.com/found-footy/found-footy/internal/browser/cookie"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/pipeline/canary"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/source/searchapi"
	"github.com/found-footy/found-footy/internal/source/xapi"
	"github.com/found-footy/found-footy/internal/source/xweb"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
)

// X is what a person does about the account that searches: bring it, look at it, check what it sees.
type X struct {
	Config config.Config
	Log    *slog.Logger
}

// XReport tells how searching stands.
type XReport struct {
	Service    string            `json:"service"`
	Running    bool              `json:"running"`
	Login      source.Login      `json:"login"`
	Account    string            `json:"account,omitempty"`
	ValidUntil *time.Time        `json:"valid_until,omitempty"`
	Budget     *searchapi.Budget `json:"budget,omitempty"`
	Canary     *source.Canary    `json:"canary,omitempty"`
	Detail     string            `json:"detail,omitempty"`
	API        string            `json:"api,omitempty"` // what is left of the paid API
}

// Works tells whether a search can be made now, or could be once the service runs.
func (r XReport) Works() bool {
	return r.Login == source.LoginOK || r.Login == source.LoginUnknown && !r.Running && r.ValidUntil != nil || r.API != "" && !r.hasAccount()
}

func (r XReport) hasAccount() bool { return r.Login != source.LoginMissing }

func (x X) service() *xweb.Source {
	return xweb.New(xweb.Options{URL: x.url(), Timeout: 2 * time.Minute}, httpx.New(httpx.Options{Timeout: 2 * time.Minute}))
}

func (x X) url() string {
	if u := x.Config.Search.ServiceURL; u != "" {
		return strings.TrimRight(u, "/")
	}
	return "http://" + reachable(x.Config.Browser.Addr)
}

// cookieFile is where the session is kept.
func cookieFile(c config.Config) string {
	if c.Browser.CookieFile != "" {
		return c.Browser.CookieFile
	}
	return filepath.Join(c.Browser.Dir, "cookies.json")
}

// Status asks the running service; where none runs it reads what the profile holds.
func (x X) Status(ctx context.Context) (XReport, error) {
	r := XReport{Service: x.url(), Login: source.LoginMissing}
	st, err := x.service().Status(ctx)
	switch {
	case err == nil:
		r.Running, r.Login, r.Account, r.ValidUntil, r.Budget, r.Detail = true, st.Login, st.Account, st.ValidUntil, st.Budget, st.Detail
	case x.Config.Search.ServiceURL != "":
		return r, err
	default:
		if err := x.kept(&r); err != nil {
			return r, err
		}
	}
	r.Canary = x.lastCanary(ctx, st.Canary)
	if c := x.Config.Search; c.BearerToken != "" {
		api := xapi.New(xapi.Options{BearerToken: c.BearerToken, DailyCap: c.DailyCap, Ledger: xapi.NewFile(spendingFile(x.Config))}, nil)
		h, err := api.Health(ctx)
		if err != nil {
			return r, err
		}
		r.API = h.Detail
	}
	return r, nil
}

// kept reads the cookie file; only X itself can tell whether it still takes them.
func (x X) kept(r *XReport) error {
	all, err := cookie.Load(cookieFile(x.Config))
	if err != nil {
		return err
	}
	all = cookie.Of(all, hostname(x.Config.Browser.URL))
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

// lastCanary is the newer of what the service and the schedule know.
func (x X) lastCanary(ctx context.Context, mine *searchapi.Canary) *source.Canary {
	var out *source.Canary
	if mine != nil {
		c := xweb.Canary(*mine)
		out = &c
	}
	if _, err := os.Stat(filepath.Join(x.Config.State.Dir, "footy.db")); err != nil && x.Config.State.MongoURI == "" {
		return out
	}
	s, err := openStore(ctx, x.Config)
	if err != nil {
		return out // a report must not fail for want of its least part
	}
	defer s.Close() //nolint:errcheck // nothing was written
	var kept source.Canary
	if s.State(ctx, canary.StateKey, &kept) == nil && (out == nil || kept.At.After(out.At)) {
		out = &kept
	}
	return out
}

// ImportCookies brings an export to the running service, or to the profile where none runs.
func (x X) ImportCookies(ctx context.Context, raw []byte) (XReport, error) {
	_, unreachable := x.service().Status(ctx)
	switch {
	case unreachable == nil:
		if _, err := x.service().Authenticate(ctx, raw); err != nil {
			return XReport{}, err
		}
	case x.Config.Search.ServiceURL != "":
		return XReport{}, unreachable
	default:
		if _, err := browser.ImportCookies(raw, BrowserOptions(x.Config, x.Log)); err != nil {
			return XReport{}, err
		}
	}
	return x.Status(ctx)
}

// Login opens the login page in a plain browser and waits until the person closes it. where is told the address of the
// page to look at, or "" for a window on this desktop.
func (x X) Login(ctx context.Context, where func(url string)) (XReport, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if _, err := x.service().Status(ctx); err != nil {
		if x.Config.Search.ServiceURL != "" {
			return XReport{}, err
		}
		ended := make(chan error, 1)
		listening := make(chan struct{})
		go func() { ended <- RunBrowser(ctx, x.Config, x.Log, func(string) { close(listening) }) }()
		defer func() { cancel(); <-ended }()
		select {
		case err := <-ended:
			ended <- nil
			return XReport{}, err
		case <-listening:
		}
	}
	url, err := x.service().LaunchBrowser(ctx)
	if err != nil {
		return XReport{}, err
	}
	where(url)
	for {
		if err := wait(ctx, time.Second); err != nil {
			return XReport{}, err
		}
		r, err := x.Status(ctx)
		if err != nil || !strings.Contains(r.Detail, "is logging in") && r.Login != source.LoginUnknown {
			return r, err
		}
	}
}

// String tells a person.
func (r XReport) String() string {
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
		line("canary", "%s, %s", r.Canary.At.Local().Format("2006-01-02 15:04"), lookedLike(*r.Canary))
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

// Canary checks X now: through the workflow where an engine runs, so that the page tells of it too, else by the service.
func (x X) Canary(ctx context.Context, engine string) (source.Canary, error) {
	if engine == "" {
		return x.service().Canary(ctx)
	}
	a := &App{Config: x.Config, Log: x.Log}
	c, err := a.Dial(ctx, engine)
	if err != nil {
		return source.Canary{}, err
	}
	defer c.Close()
	return canaryNow(ctx, c)
}

// canaryNow runs the canary's workflow once, without its later looks, and waits for it.
func canaryNow(ctx context.Context, c client.Client) (source.Canary, error) {
	const op = "check X's shape"
	ctx, cancel := context.WithTimeout(ctx, 4*time.Minute)
	defer cancel()
	run, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: policy.CanaryID + "-now", TaskQueue: policy.QueueMain,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING, WorkflowExecutionTimeout: 5 * time.Minute,
		StaticSummary: "does X still look as expected? (asked for)"}, policy.CanaryWorkflow, canary.Input{Tries: 1})
	if err != nil {
		return source.Canary{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	var found source.Canary
	if err := run.Get(ctx, &found); err != nil {
		return found, footy.Errorf(footy.CodeUnavailable, op, "%s; is a worker running (footy up or footy worker)?", unreached(err))
	}
	return found, nil
}
