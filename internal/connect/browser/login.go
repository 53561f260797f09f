package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
	"github.com/found-footy/found-footy/internal/connect/browser/devtools"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/footy"
)

// ready is true where a search may be made, else the result says why it must wait. While nobody is logged in, the login is
// checked again every Recheck: the person may have brought new cookies.
func (s *Service) ready(ctx context.Context) (source.Result, bool) {
	a := s.state()
	if a.Wants(s.opts.Recheck, s.opts.Now()) {
		s.acting.Lock()
		if s.state().Checked.Equal(a.Checked) { // else another search has checked while this one waited
			s.check(ctx)
		}
		s.acting.Unlock()
		a = s.state()
	}
	why, detail := a.Waits()
	return source.Result{State: why, RetryAfter: s.opts.Recheck, Detail: detail}, why == ""
}

// Authenticate takes over the cookie file where a person changed it, and verifies the login.
func (s *Service) Authenticate(ctx context.Context) (source.Login, string) {
	s.acting.Lock()
	defer s.acting.Unlock()
	s.check(ctx)
	a := s.state()
	return a.Login, a.Detail
}

// check looks who is logged in.
func (s *Service) check(ctx context.Context) {
	found := account.Event{Login: source.LoginMissing}
	brought, err := s.brought()
	if err == nil {
		found.Login = source.LoginUnknown
		err = s.inBrowser(ctx, s.start, "a check of the login", func(c *chrome) (err error) {
			found, err = s.look(ctx, c, brought)
			return err
		})
	}
	if ctx.Err() != nil || errors.Is(err, errManual) || errors.Is(err, errClosed) {
		return // nothing was checked
	}
	if found.Kind = account.Looked; err != nil {
		s.opts.Log.Error("the login could not be verified", "module", "browser", "action", "authenticate", "error", err)
		found.Detail = err.Error()
	}
	s.happened(found)
}

// look sees who is logged in. The event has a login even with an error.
func (s *Service) look(ctx context.Context, c *chrome, brought []cookie.Cookie) (account.Event, error) {
	own, err := s.takeOver(ctx, c, brought)
	switch {
	case err != nil:
		return account.Event{Login: source.LoginUnknown}, err
	case !cookie.Has(own, cookie.Session):
		return account.Event{Login: source.LoginMissing, Detail: "nobody has logged in yet; " + account.HowToLogIn}, nil
	}
	found, err := s.home(ctx, c)
	if err != nil {
		return account.Event{Login: source.LoginUnknown}, err
	}
	if found.Login == source.LoginOK {
		s.keepCookies(ctx, c)
	}
	return found, nil
}

// home opens the home page, which costs no search call: only a logged-in browser gets to see it.
func (s *Service) home(ctx context.Context, c *chrome) (account.Event, error) {
	t, err := c.open(ctx, s.path, s.opts.SearchTimeout)
	if err != nil {
		return account.Event{}, err
	}
	defer t.close()
	t.visit(s.opts.BaseURL + "/home")
	var found account.Event
	for end := time.Now().Add(s.opts.SearchTimeout); time.Now().Before(end); {
		done, err := t.await(homeEvery, func(e pageEvent) (bool, error) {
			found = account.LoggedOut(e.login)
			return e.login != "", e.loadErr
		})
		if done || err != nil {
			return found, err
		}
		switch seen, name := t.pageState(); seen {
		case pageLogin:
			return account.LoggedOut(""), nil
		case pageHome, pagePosts:
			return account.Event{Login: source.LoginOK, Name: name}, nil
		}
	}
	return account.Event{}, errPage("no home page within " + s.opts.SearchTimeout.String())
}

// homeEvery is how often the home page is asked what it shows.
const homeEvery = 200 * time.Millisecond

// brought are the cookies of the file that are still good.
func (s *Service) brought() ([]cookie.Cookie, error) {
	all, err := cookie.Load(cookie.File(s.opts.Dir))
	return cookie.Unexpired(cookie.Of(all, s.host), s.opts.Now()), err
}

// restore gives a new Chromium the session: one that was killed had not yet written its cookies to the profile. Where a
// person has just used the profile, its own cookies are the newer ones.
func (s *Service) restore(c *chrome) error {
	brought, _ := s.brought() // a file that cannot be read is for the check to report
	s.mu.Lock()
	if s.saved = nil; s.account.Newer {
		s.saved = brought
	}
	s.mu.Unlock()
	_, err := s.takeOver(c.Life, c, brought)
	return err
}

// takeOver gives the browser the cookies that a person brought, if they are not those that it has, and returns what it has then. Those of two
// accounts do not mix.
func (s *Service) takeOver(ctx context.Context, c *chrome, brought []cookie.Cookie) ([]cookie.Cookie, error) {
	own, err := c.cookies(ctx, s.host)
	s.mu.Lock()
	known := slices.Equal(brought, s.saved)
	s.mu.Unlock()
	if err != nil || !cookie.Has(brought, cookie.Session) || known && cookie.Has(own, cookie.Session) {
		return own, err
	}
	if err = c.do(ctx, "Storage.clearCookies", nil, nil); err == nil {
		err = c.do(ctx, "Storage.setCookies", devtools.Params{"cookies": brought}, nil)
	}
	return brought, footy.Wrap(footy.CodeUnavailable, "give the browser its cookies", err)
}

// cookies are the site's cookies as the browser has them.
func (c *chrome) cookies(ctx context.Context, host string) ([]cookie.Cookie, error) {
	var all struct{ Cookies []cookie.Cookie }
	err := c.do(ctx, "Storage.getCookies", nil, &all)
	return cookie.Of(all.Cookies, host), footy.Wrap(footy.CodeUnavailable, "read the browser's cookies", err)
}

// keepCookies writes the browser's cookies to the file where they changed: X renews them as it is used.
func (s *Service) keepCookies(ctx context.Context, c *chrome) {
	own, err := c.cookies(ctx, s.host)
	if err == nil && cookie.Has(own, cookie.Session) {
		s.mu.Lock()
		s.until = cookie.ValidUntil(own)
		same := slices.Equal(own, s.saved)
		s.mu.Unlock()
		if same {
			return
		}
		if err = cookie.Save(cookie.File(s.opts.Dir), own); err == nil {
			s.mu.Lock()
			s.saved = own
			s.mu.Unlock()
		}
	}
	if err != nil && ctx.Err() == nil { // the search itself is good
		s.opts.Log.Warn("the cookies could not be kept", "module", "browser", "action", "keep_cookies", "error", err)
	}
}

// Canary makes a search that always has results and compares the answer with what the decoder expects. An answer of another
// shape is kept as a sample; no answer at all says nothing about the shape.
func (s *Service) Canary(ctx context.Context) source.Canary {
	got := source.Canary{At: s.opts.Now().UTC()}
	res, raw, err := s.canarySearch(ctx)
	switch {
	case err != nil:
		got.Detail = "could not look: " + err.Error()
	case res.State == source.StateRateLimited:
		got.Detail = "could not look: no search is left at this moment; footy x status says when there is"
	case res.State == source.StateLoginRequired:
		got.Detail = "could not look: nobody is logged in to X; " + account.HowToLogIn
	default:
		page, _ := timeline.Decode(raw) // what it could not read is in the state
		drift := timeline.Drift(page)
		if !res.State.Usable() {
			drift = append(drift, string(res.State)+": "+res.Detail)
		}
		got.OK, got.Drift, got.Detail = len(drift) == 0, len(drift) > 0, strings.Join(drift, "; ")
		if got.Drift {
			got.Sample = s.keepSample(got.At, raw)
		}
	}
	return got
}

func (s *Service) canarySearch(ctx context.Context) (source.Result, []byte, error) {
	switch res, ok := s.ready(ctx); { // X was not asked
	case ctx.Err() != nil:
		return source.Result{}, nil, ctx.Err()
	case !ok && res.State == source.StateLoginRequired:
		return res, nil, nil
	case !ok:
		return source.Result{}, nil, fmt.Errorf("%s: %s", res.State, res.Detail)
	}
	select {
	case s.tabs <- struct{}{}:
		defer func() { <-s.tabs }()
	case <-ctx.Done():
		return source.Result{}, nil, ctx.Err()
	}
	q := source.Query{Text: s.opts.CanaryQuery, Max: 1}
	return s.searchWithRetry(ctx, quota.Request{Query: q, Asked: q})
}

// keepSample writes what X answered, for the person who will repair the decoder.
func (s *Service) keepSample(at time.Time, body []byte) string {
	dir := filepath.Join(s.opts.Dir, "canary")
	file := filepath.Join(dir, at.Format("20060102T150405Z")+".json")
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.WriteFile(file, body, 0o600)
	}
	if err != nil {
		s.opts.Log.Warn("the canary's sample could not be kept", "module", "browser", "action", "canary", "error", err)
		return "not kept: " + err.Error()
	}
	return file
}
