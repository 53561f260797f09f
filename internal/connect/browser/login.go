package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
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
	return a.LoginNow(), a.Detail
}

// check looks who is logged in, a second time where the browser died meanwhile.
func (s *Service) check(ctx context.Context) {
	found, err := s.look(ctx)
	if err != nil && ctx.Err() == nil {
		if c, noBrowser := s.running(); noBrowser == nil && (c == nil || c.browserFailed(err)) && s.startable() == nil {
			found, err = s.look(ctx)
		}
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

// look gives the browser the cookies that a person brought, and sees who is logged in. The event has a login even with an error.
func (s *Service) look(ctx context.Context) (account.Event, error) {
	unknown := account.Event{Login: source.LoginUnknown}
	all, err := cookie.Load(s.opts.CookieFile)
	if err != nil {
		return account.Event{Login: source.LoginMissing}, err
	}
	brought := cookie.Unexpired(cookie.Of(all, s.host), s.opts.Now())
	c, err := s.start()
	if err != nil {
		return unknown, err
	}
	own, err := c.cookies(ctx, s.host)
	if err != nil {
		return unknown, err
	}
	s.mu.Lock()
	changed := cookie.Has(brought, cookie.Session) && (!cookie.Has(own, cookie.Session) || !slices.Equal(brought, s.saved))
	s.mu.Unlock()
	if changed {
		if err := c.setCookies(ctx, brought); err != nil {
			return unknown, err
		}
		own = brought
	}
	if !cookie.Has(own, cookie.Session) {
		return account.Event{Login: source.LoginMissing, Detail: "nobody has logged in yet; " + account.HowToLogIn}, nil
	}
	found, err := s.home(ctx, c)
	if err != nil {
		return unknown, err
	}
	if found.Login == source.LoginOK {
		s.keepCookies(ctx, c)
	}
	return found, nil
}

// home opens the home page, which costs no search call: only a logged-in browser gets to see it.
func (s *Service) home(ctx context.Context, c *chrome) (account.Event, error) {
	base, err := url.Parse(s.opts.BaseURL)
	if err != nil {
		return account.Event{}, err
	}
	t, err := c.open(ctx, base.Path, s.opts.SearchTimeout)
	if errors.Is(err, errHung) {
		c.stop()
	}
	if err != nil {
		return account.Event{}, err
	}
	defer t.close()
	t.visit(s.opts.BaseURL + "/home")
	deadline := time.NewTimer(s.opts.SearchTimeout)
	defer deadline.Stop()
	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return account.Event{}, ctx.Err()
		case <-t.ctx.Done():
			return account.Event{}, errCrashed
		case <-deadline.C:
			return account.Event{}, errPage("no home page within " + s.opts.SearchTimeout.String())
		case e := <-t.events:
			switch {
			case e.login != "":
				return account.LoggedOut(e.login), nil
			case e.crashed:
				return account.Event{}, errCrashed
			case e.loadErr != nil:
				return account.Event{}, e.loadErr
			}
		case <-again.C:
			switch seen, name := t.pageState(); seen {
			case pageLogin:
				return account.LoggedOut(""), nil
			case pageHome, pagePosts:
				return account.Event{Login: source.LoginOK, Name: name}, nil
			}
		}
	}
}

// restore gives a new Chromium the session: one that was killed had not yet written its cookies to the profile. Where a
// person has just used the profile, its own cookies are the newer ones.
func (s *Service) restore(c *chrome) error {
	all, err := cookie.Load(s.opts.CookieFile)
	if err != nil {
		return nil //nolint:nilerr // Authenticate reads the file too, and tells
	}
	kept := cookie.Unexpired(cookie.Of(all, s.host), s.opts.Now())
	if s.state().Newer {
		own, err := c.cookies(context.Background(), s.host)
		if err != nil {
			return err
		}
		if cookie.Has(own, cookie.Session) {
			s.mu.Lock()
			s.saved = kept // nobody has brought these anew
			s.mu.Unlock()
			return nil
		}
	}
	if !cookie.Has(kept, cookie.Session) {
		return nil
	}
	return c.setCookies(context.Background(), kept)
}

// cookies are the site's cookies as the browser has them.
func (c *chrome) cookies(ctx context.Context, host string) ([]cookie.Cookie, error) {
	var out []cookie.Cookie
	err := c.do(ctx, func(ctx context.Context) error {
		all, err := storage.GetCookies().Do(ctx)
		for _, k := range all {
			e := cookie.Cookie{Name: k.Name, Value: k.Value, Domain: k.Domain, Path: k.Path, HTTPOnly: k.HTTPOnly, Secure: k.Secure, SameSite: string(k.SameSite)}
			if !k.Session {
				e.Expires = k.Expires
			}
			out = append(out, e)
		}
		return err
	})
	return cookie.Of(out, host), footy.Wrap(footy.CodeUnavailable, "read the browser's cookies", err)
}

// setCookies gives the browser the cookies a person brought, in place of what it has: those of two accounts do not mix.
func (c *chrome) setCookies(ctx context.Context, all []cookie.Cookie) error {
	params := make([]*network.CookieParam, 0, len(all))
	for _, k := range all {
		p := &network.CookieParam{Name: k.Name, Value: k.Value, Domain: k.Domain, Path: k.Path, HTTPOnly: k.HTTPOnly, Secure: k.Secure,
			SameSite: network.CookieSameSite(k.SameSite)}
		if k.Expires > 0 {
			p.Expires = epoch(k.Expires)
		}
		params = append(params, p)
	}
	err := c.do(ctx, func(ctx context.Context) error {
		if err := storage.ClearCookies().Do(ctx); err != nil {
			return err
		}
		return storage.SetCookies(params).Do(ctx)
	})
	return footy.Wrap(footy.CodeUnavailable, "give the browser its cookies", err)
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
		if err = cookie.Save(s.opts.CookieFile, own); err == nil {
			s.mu.Lock()
			s.saved = own
			s.mu.Unlock()
		}
	}
	if err != nil && ctx.Err() == nil { // the search itself is good
		s.opts.Log.Warn("the cookies could not be kept", "module", "browser", "action", "keep_cookies", "error", err)
	}
}

func epoch(seconds float64) *cdp.TimeSinceEpoch {
	t := cdp.TimeSinceEpoch(time.UnixMilli(int64(seconds * 1000)))
	return &t
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
		drift := timeline.Drift(raw.page)
		if !res.State.Usable() {
			drift = append(drift, string(res.State)+": "+res.Detail)
		}
		got.OK, got.Drift, got.Detail = len(drift) == 0, len(drift) > 0, strings.Join(drift, "; ")
		if got.Drift {
			got.Sample = s.keepSample(got.At, raw.body)
		}
	}
	return got
}

func (s *Service) canarySearch(ctx context.Context) (source.Result, firstAnswer, error) {
	switch res, ok := s.ready(ctx); { // X was not asked
	case ctx.Err() != nil:
		return source.Result{}, firstAnswer{}, ctx.Err()
	case !ok && res.State == source.StateLoginRequired:
		return res, firstAnswer{}, nil
	case !ok:
		return source.Result{}, firstAnswer{}, fmt.Errorf("%s: %s", res.State, res.Detail)
	}
	select {
	case s.tabs <- struct{}{}:
		defer func() { <-s.tabs }()
	case <-ctx.Done():
		return source.Result{}, firstAnswer{}, ctx.Err()
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
