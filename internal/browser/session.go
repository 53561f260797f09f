package browser

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"github.com/found-footy/found-footy/internal/browser/cookie"
	"github.com/found-footy/found-footy/internal/source"
)

// session is what is known of the login. A change that a person should hear of is told once.
type session struct {
	mu      sync.Mutex
	now     func() time.Time
	notify  func(Notice)
	login   source.Login // "" = nobody has looked yet
	account string
	detail  string
	until   time.Time // when the session cookie expires
	checked time.Time
	saved   []cookie.Cookie // what the cookie file holds

	checking sync.Mutex // one look at a time
}

func (s *session) state() (login source.Login, account, detail string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	login = s.login
	if login == "" {
		login = source.LoginUnknown
	}
	return login, s.account, s.detail, s.until
}

func (s *session) set(login source.Login, account, detail string) {
	s.mu.Lock()
	before := s.login
	s.login, s.detail, s.checked = login, detail, s.now()
	if account != "" {
		s.account = account
	}
	s.mu.Unlock()
	switch bad := login != source.LoginOK && login != source.LoginUnknown; {
	case bad && (before == source.LoginOK || before == source.LoginUnknown || before == ""):
		s.notify(Notice{Kind: "login", Text: detail})
	case login == source.LoginOK && before != "" && before != source.LoginOK && before != source.LoginUnknown:
		s.notify(Notice{Kind: "login", OK: true, Text: "logged in to X again"})
	}
}

func (s *session) loggedIn(account string) { s.set(source.LoginOK, account, "") }

const (
	howToLogIn  = "bring cookies (footy x import-cookies FILE) or log in by hand (POST /auth/launch-browser)"
	howToUnlock = "X wants a person to look at the account: log in by hand and follow its page"
)

// loggedOut notes that X asked for a person; where it was says for what.
func (s *session) loggedOut(where string) {
	if strings.Contains(where, "/account/access") {
		s.set(source.LoginChallenged, "", howToUnlock)
		return
	}
	s.set(source.LoginExpired, "", "X no longer accepts the session; "+howToLogIn)
}

// ready lets a search pass, or says why it must wait. While nobody is logged in it looks again now and then: the person
// may have brought new cookies.
func (s *Service) ready(ctx context.Context) (source.Result, bool) {
	login, _, detail, _ := s.session.state()
	if login == source.LoginOK {
		return source.Result{}, true
	}
	s.session.mu.Lock()
	due := s.opts.Now().Sub(s.session.checked) >= s.opts.Recheck
	s.session.mu.Unlock()
	if due || login == source.LoginUnknown {
		if login, detail = s.Authenticate(ctx); login == source.LoginOK {
			return source.Result{}, true
		}
	}
	if login == source.LoginUnknown { // could not look: X may be down, which is no matter of logins
		return source.Result{State: source.StateUpstreamError, RetryAfter: s.opts.Recheck, Detail: detail}, false
	}
	return source.Result{State: source.StateLoginRequired, RetryAfter: s.opts.Recheck, Detail: detail}, false
}

// Authenticate takes over the cookie file where a person changed it, and verifies the login.
func (s *Service) Authenticate(ctx context.Context) (source.Login, string) {
	s.session.checking.Lock()
	defer s.session.checking.Unlock()
	login, account, err := s.authenticate(ctx)
	if err != nil {
		if ctx.Err() == nil {
			s.opts.Log.Error("the login could not be verified", "module", "browser", "action", "authenticate", "error", err)
			if errors.Is(err, errPlain) {
				login = source.LoginExpired
			}
			s.session.set(login, "", err.Error())
		}
		return login, err.Error()
	}
	switch login {
	case source.LoginOK:
		s.session.loggedIn(account)
	case source.LoginMissing:
		s.session.set(login, "", "nobody has logged in yet; "+howToLogIn)
	}
	login, _, detail, _ := s.session.state()
	return login, detail
}

func (s *Service) authenticate(ctx context.Context) (source.Login, string, error) {
	brought, err := cookie.Load(s.opts.CookieFile)
	if err != nil {
		return source.LoginMissing, "", err
	}
	brought = cookie.Live(cookie.Of(brought, s.host), s.opts.Now())
	c, err := s.browser()
	if err != nil {
		return source.LoginUnknown, "", err
	}
	own, err := c.cookies(ctx, s.host)
	if err != nil {
		return source.LoginUnknown, "", err
	}
	s.session.mu.Lock()
	changed := cookie.Has(brought, cookie.Session) && (!cookie.Has(own, cookie.Session) || !slices.Equal(brought, s.session.saved))
	s.session.mu.Unlock()
	if changed {
		if err := c.setCookies(ctx, brought); err != nil {
			return source.LoginUnknown, "", err
		}
		own = brought
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
	t, err := c.open(ctx, base.Path)
	if err != nil {
		return source.LoginUnknown, "", err
	}
	defer t.close()
	if err := t.visit(s.opts.BaseURL + "/home"); err != nil {
		return source.LoginUnknown, "", err
	}
	deadline := time.NewTimer(s.opts.SearchTimeout)
	defer deadline.Stop()
	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return source.LoginUnknown, "", ctx.Err()
		case <-t.ctx.Done():
			return source.LoginUnknown, "", errDied
		case <-deadline.C:
			return source.LoginUnknown, "", errPage("no home page within " + s.opts.SearchTimeout.String())
		case e := <-t.events:
			if e.login != "" {
				s.session.loggedOut(e.login)
				login, _, _, _ := s.session.state()
				return login, "", nil
			}
		case <-again.C:
			switch seen, account := t.look(); seen {
			case seenLogin:
				s.session.loggedOut("")
				return source.LoginExpired, "", nil
			case seenHome, seenPosts:
				return source.LoginOK, account, nil
			}
		}
	}
}

// keepCookies writes the browser's cookies to the file where they changed: X renews them as it is used.
func (s *Service) keepCookies(ctx context.Context, c *chrome) {
	own, err := c.cookies(ctx, s.host)
	if err == nil && cookie.Has(own, cookie.Session) {
		s.session.mu.Lock()
		s.session.until = cookie.ValidUntil(own)
		same := slices.Equal(own, s.session.saved)
		s.session.mu.Unlock()
		if same {
			return
		}
		if err = cookie.Save(s.opts.CookieFile, own); err == nil {
			s.session.mu.Lock()
			s.session.saved = own
			s.session.mu.Unlock()
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
