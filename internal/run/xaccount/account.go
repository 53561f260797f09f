// Package xaccount is the account of X that searches: bringing its session, looking at it, and running the search service with it.
package xaccount

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

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
	ledger := state.Spending{Store: s, On: state.SpentOnSearches}
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
