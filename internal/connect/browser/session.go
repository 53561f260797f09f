package browser

import (
	"cmp"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
	"github.com/found-footy/found-footy/internal/connect/source"
)

// session is what is known of the login. A change that a person should hear of is sent once.
type session struct {
	mu       sync.Mutex
	now      func() time.Time
	notify   func(Notice)
	login    source.Login // "" = nobody has looked yet
	account  string
	detail   string
	until    time.Time // when the session cookie expires
	checked  time.Time
	saved    cookie.File     // what the cookie file holds
	made     cookie.MadeWith // the browser that the session was made with
	notified bool            // a person was told that it ended

	checking sync.Mutex // one check at a time
	checks   int        // made so far
}

func (s *session) state() (login source.Login, account, detail string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	login = s.login
	login = cmp.Or(login, source.LoginUnknown)
	return login, s.account, s.detail, s.until
}

// set keeps what a check found. Trouble that a person must mend is sent once, until it is over.
func (s *session) set(login source.Login, account, detail string) {
	s.mu.Lock()
	s.login, s.detail, s.checked = login, detail, s.now()
	if account != "" {
		s.account = account
	}
	var tell *Notice
	switch bad := login != source.LoginOK && login != source.LoginUnknown; {
	case bad && !s.notified:
		tell, s.notified = &Notice{Kind: "login", Text: detail}, true
	case login == source.LoginOK && s.notified:
		tell, s.notified = &Notice{Kind: "login", OK: true, Text: "logged in to X"}, false
	}
	s.mu.Unlock()
	if tell != nil {
		s.notify(*tell)
	}
}

// recheck makes the next search look at the home page first: X refused in a way that may mean a locked account.
func (s *session) recheck() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.login == source.LoginOK {
		s.login, s.checked = source.LoginUnknown, time.Time{}
	}
}

func (s *session) setMade(with cookie.MadeWith) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made = with
}

// madeWith tells what the session was made with, and whether a site sees another browser now; nil where nobody knows.
func (s *session) madeWith(now string) *source.MadeWith {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made.By == "" {
		return nil
	}
	return &source.MadeWith{By: s.made.By, UserAgent: s.made.UserAgent,
		Differs: cookie.Differs(s.made.UserAgent, now)}
}

func (s *session) loggedIn(account string) { s.set(source.LoginOK, account, "") }

const (
	howToLogIn  = "bring cookies (footy x import-cookies FILE) or log in by hand (footy x login)"
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
