package browser

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
	"github.com/found-footy/found-footy/internal/connect/source"
)

// ready is true where a search may be made, else the result says why it must wait. While nobody is logged in, the login is
// checked again every Recheck: the person may have brought new cookies.
func (s *Service) ready(ctx context.Context) (source.Result, bool) {
	login, _, detail, _ := s.session.state()
	if login == source.LoginOK {
		return source.Result{}, true
	}
	looks, due := s.session.lastCheck(s.opts.Recheck)
	if due || login == source.LoginUnknown {
		s.session.checking.Lock()
		if now, _ := s.session.lastCheck(0); now == looks { // else another search has checked while this one waited
			s.checkLogin(ctx)
		}
		s.session.checking.Unlock()
		login, _, detail, _ = s.session.state()
	}
	wait := source.Result{State: source.StateLoginRequired, RetryAfter: s.opts.Recheck, Detail: detail}
	switch {
	case login == source.LoginOK:
		return source.Result{}, true
	case s.manualOpen():
		wait.Detail = errManual.Err.Error()
	case login == source.LoginUnknown: // it could not be checked: X may be down
		wait.State = source.StateUpstreamError
	}
	return wait, false
}

// Authenticate takes over the cookie file where a person changed it, and verifies the login.
func (s *Service) Authenticate(ctx context.Context) (source.Login, string) {
	s.session.checking.Lock()
	defer s.session.checking.Unlock()
	s.checkLogin(ctx)
	login, _, detail, _ := s.session.state()
	return login, detail
}

// checkLogin verifies the login, a second time where the browser died meanwhile.
func (s *Service) checkLogin(ctx context.Context) {
	login, account, err := s.authenticate(ctx)
	if err != nil && ctx.Err() == nil {
		if c, noBrowser := s.running(); noBrowser == nil && (c == nil || c.browserFailed(err)) && s.startable() == nil {
			login, account, err = s.authenticate(ctx)
		}
	}
	if ctx.Err() != nil || errors.Is(err, errManual) || errors.Is(err, errClosed) {
		return // nothing was checked
	}
	switch {
	case err != nil:
		s.opts.Log.Error("the login could not be verified", "module", "browser", "action", "authenticate", "error", err)
		s.session.set(login, "", err.Error())
	case login == source.LoginOK:
		s.session.loggedIn(account)
	case login == source.LoginMissing:
		s.session.set(login, "", "nobody has logged in yet; "+howToLogIn)
	}
	s.session.mu.Lock()
	s.session.checks++
	s.session.mu.Unlock()
}

// lastCheck says how many checks were made, and whether the last one is older than old.
func (s *session) lastCheck(old time.Duration) (looks int, due bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.checks, s.now().Sub(s.checked) >= old
}

func (s *Service) authenticate(ctx context.Context) (source.Login, string, error) {
	file, err := cookie.Load(s.opts.CookieFile)
	if err != nil {
		return source.LoginMissing, "", err
	}
	brought := cookie.Unexpired(cookie.Of(file.Cookies, s.host), s.opts.Now())
	c, err := s.browser()
	if err != nil {
		return source.LoginUnknown, "", err
	}
	own, err := c.cookies(ctx, s.host)
	if err != nil {
		return source.LoginUnknown, "", err
	}
	s.session.mu.Lock()
	changed := cookie.Has(brought, cookie.Session) && (!cookie.Has(own, cookie.Session) || !slices.Equal(brought, s.session.saved.Cookies))
	told := file.MadeWith != s.session.saved.MadeWith
	s.session.saved.MadeWith = file.MadeWith
	s.session.mu.Unlock()
	if changed {
		if err := c.setCookies(ctx, brought); err != nil {
			return source.LoginUnknown, "", err
		}
		own = brought
	}
	if changed || told { // somebody brought them, or said what they were made with
		s.session.setMade(file.MadeWith)
	}
	if !cookie.Has(own, cookie.Session) {
		return source.LoginMissing, "", nil
	}
	login, account, err := s.verify(ctx, c)
	if login == source.LoginOK {
		s.keepCookies(ctx, c)
	}
	return login, account, err
}

// verify opens the home page, which costs no search call: only a logged-in browser gets to see it.
func (s *Service) verify(ctx context.Context, c *chrome) (source.Login, string, error) {
	base, err := url.Parse(s.opts.BaseURL)
	if err != nil {
		return source.LoginUnknown, "", err
	}
	t, err := c.open(ctx, base.Path, s.opts.SearchTimeout)
	if errors.Is(err, errHung) {
		c.stop()
	}
	if err != nil {
		return source.LoginUnknown, "", err
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
			return source.LoginUnknown, "", ctx.Err()
		case <-t.ctx.Done():
			return source.LoginUnknown, "", errCrashed
		case <-deadline.C:
			return source.LoginUnknown, "", errPage("no home page within " + s.opts.SearchTimeout.String())
		case e := <-t.events:
			switch {
			case e.login != "":
				s.session.loggedOut(e.login)
				login, _, _, _ := s.session.state()
				return login, "", nil
			case e.crashed:
				return source.LoginUnknown, "", errCrashed
			case e.loadErr != nil:
				return source.LoginUnknown, "", e.loadErr
			}
		case <-again.C:
			switch seen, account := t.pageState(); seen {
			case pageLogin:
				s.session.loggedOut("")
				return source.LoginExpired, "", nil
			case pageHome, pagePosts:
				return source.LoginOK, account, nil
			}
		}
	}
}
