// Package account is the state machine of an account of X: who has its browser's profile, and what is known of its login. Next is the one
// transition, and pure; package browser tells it what happens and acts on what it becomes.
package account

import (
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
)

// Owner is who has the browser's profile, which one program can have at a time.
type Owner int

// Who may have it.
const (
	NoOne    Owner = iota
	Searches       // the driven browser
	Person         // a browser without remote control, in which a person logs in
	Ended          // the service has ended; nothing is started any more
)

// Notice is something a person should hear of.
type Notice struct {
	OK   bool // the trouble is over
	Text string
}

// State is that of the machine: who has the profile, and what is known of the login. It begins with a login that is unknown.
type State struct {
	Has     Owner
	Login   source.Login // unknown before anybody has looked, or since a person had the profile
	Name    string
	Detail  string
	Checked time.Time
	Newer   bool // a person had the profile: its cookies are newer than the file's
	Told    bool // a person was told that the session ended
}

// Event is what happens to the account.
type Event struct {
	Kind   Kind
	Login  source.Login // of a look
	Name   string       // of a look; "" = not seen
	Detail string
}

// Kind of an event.
type Kind int

// What happens.
const (
	Started Kind = iota // the driven browser runs and has the session
	Died                // the driven browser ended by itself
	Rested              // no match needs it: it is closed
	Asked               // a person asks for a browser to log in with
	Refused             // that could not be opened
	Left                // the person has closed it
	Looked              // X showed who is logged in, or could not be asked
	Doubted             // X refused in a way that may mean a locked account
	Closed              // the service ends
)

// What people are told.
const (
	HowToLogIn  = "bring cookies (footy x import-cookies FILE) or log in by hand (footy x login)"
	howToUnlock = "X wants a person to look at the account: log in by hand and follow its page"
	LogsIn      = "a person is logging in; close that browser window when done"
)

// Next is the machine's one transition. What is impossible in a state changes nothing; a notice is for a person.
func (a State) Next(e Event, now time.Time) (State, *Notice) {
	switch {
	case a.Has == Ended:
	case e.Kind == Closed:
		a.Has = Ended
	case e.Kind == Started && a.Has == NoOne:
		a.Has, a.Newer = Searches, false
	case (e.Kind == Died || e.Kind == Rested) && a.Has == Searches, e.Kind == Refused && a.Has == Person:
		a.Has = NoOne
	case e.Kind == Asked && a.Has != Person:
		a.Has, a.Login, a.Detail = Person, source.LoginUnknown, ""
	case e.Kind == Left && a.Has == Person:
		a.Has, a.Newer, a.Login, a.Detail = NoOne, true, source.LoginUnknown, ""
	case e.Kind == Doubted && a.Login == source.LoginOK:
		a.Login, a.Checked = source.LoginUnknown, time.Time{}
	case e.Kind == Looked && a.Has != Person:
		return a.seen(e, now)
	}
	return a, nil
}

// seen keeps what a look found. That the session ended is told once, until it is over.
func (a State) seen(e Event, now time.Time) (State, *Notice) {
	a.Login, a.Detail, a.Checked = e.Login, e.Detail, now
	if e.Name != "" {
		a.Name = e.Name
	}
	switch over := a.Login == source.LoginOK; {
	case over && a.Told:
		a.Told = false
		return a, &Notice{OK: true, Text: "logged in to X"}
	case !over && !a.Told && a.Login != source.LoginUnknown:
		a.Told = true
		return a, &Notice{Text: a.Detail}
	}
	return a, nil
}

// Wants reports whether the login is to be checked before a search: it is not known, or it is bad and was looked at so long ago
// that a person may have mended it.
func (a State) Wants(every time.Duration, now time.Time) bool {
	return a.Login != source.LoginOK && a.Has != Person && (a.Login == source.LoginUnknown || now.Sub(a.Checked) >= every)
}

// Waits says why no search can be made; "" = as far as the account goes one can.
func (a State) Waits() (why source.State, detail string) {
	switch {
	case a.Has == Person:
		return source.StateLoginRequired, LogsIn
	case a.Login == source.LoginOK:
		return "", ""
	case a.Login == source.LoginUnknown: // it could not be checked: X may be down
		return source.StateUpstreamError, a.Detail
	}
	return source.StateLoginRequired, a.Detail
}

// LoggedOut is the look that met a page on which X asks for a person; where says for what.
func LoggedOut(where string) Event {
	if strings.Contains(where, "/account/access") {
		return Event{Kind: Looked, Login: source.LoginChallenged, Detail: howToUnlock}
	}
	return Event{Kind: Looked, Login: source.LoginExpired, Detail: "X no longer accepts the session; " + HowToLogIn}
}
