package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/source"
)

func TestWhoHasTheProfile(t *testing.T) {
	t.Parallel()
	const no, searches, person, ended = account.NoOne, account.Searches, account.Person, account.Ended
	for event, after := range map[account.Kind][4]account.Owner{ // by who had it: no one, the driven browser, a person, the end
		account.Started: {searches, searches, person, ended},
		account.Died:    {no, no, person, ended},
		account.Rested:  {no, no, person, ended},
		account.Asked:   {person, person, person, ended},
		account.Refused: {no, searches, no, ended},
		account.Left:    {no, searches, no, ended},
		account.Looked:  {no, searches, person, ended},
		account.Doubted: {no, searches, person, ended},
		account.Closed:  {ended, ended, ended, ended},
	} {
		for before, want := range after {
			a, _ := account.State{Has: account.Owner(before)}.Next(account.Event{Kind: event, Login: source.LoginOK}, time.Now())
			require.Equal(t, want, a.Has, "event %d while %d", event, before)
		}
	}
}

func TestWhatIsKnownOfTheLogin(t *testing.T) {
	t.Parallel()
	now := time.Now()
	ok := account.Event{Kind: account.Looked, Login: source.LoginOK, Name: "fan"}
	gone, locked := account.LoggedOut("/i/flow/login"), account.LoggedOut("/account/access")
	down := account.Event{Kind: account.Looked, Login: source.LoginUnknown, Detail: "X is down"}
	of := func(kinds ...account.Kind) (out []account.Event) {
		for _, k := range kinds {
			out = append(out, account.Event{Kind: k})
		}
		return out
	}
	for name, c := range map[string]struct {
		events []account.Event
		login  source.Login
		waits  source.State
		wants  bool // to be checked before the next search, a minute later
		told   int
	}{
		"nobody has looked":            {nil, source.LoginUnknown, source.StateUpstreamError, true, 0},
		"it works":                     {[]account.Event{ok}, source.LoginOK, "", false, 0},
		"it could not be checked":      {[]account.Event{down, down}, source.LoginUnknown, source.StateUpstreamError, true, 0},
		"it ended":                     {[]account.Event{ok, gone, gone}, source.LoginExpired, source.StateLoginRequired, true, 1},
		"it is locked":                 {[]account.Event{ok, locked}, source.LoginChallenged, source.StateLoginRequired, true, 1},
		"it is back":                   {[]account.Event{gone, ok}, source.LoginOK, "", false, 2},
		"X is down after it ended":     {[]account.Event{gone, down, gone}, source.LoginExpired, source.StateLoginRequired, true, 1},
		"X refused oddly":              {append([]account.Event{ok}, of(account.Doubted)...), source.LoginUnknown, source.StateUpstreamError, true, 0},
		"X refused one that ended":     {append([]account.Event{gone}, of(account.Doubted)...), source.LoginExpired, source.StateLoginRequired, true, 1},
		"a person logs in":             {append([]account.Event{ok}, of(account.Asked)...), source.LoginUnknown, source.StateLoginRequired, false, 0},
		"a look that came too late":    {append(of(account.Asked), gone), source.LoginUnknown, source.StateLoginRequired, false, 0},
		"a person has logged in":       {append(append([]account.Event{ok}, of(account.Asked, account.Left)...), ok), source.LoginOK, "", false, 0},
		"a person has closed it":       {append([]account.Event{ok}, of(account.Asked, account.Left)...), source.LoginUnknown, source.StateUpstreamError, true, 0},
		"nothing after the end counts": {append(append([]account.Event{ok}, of(account.Closed)...), gone), source.LoginOK, "", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := account.State{Login: source.LoginUnknown}
			told := 0
			for _, e := range c.events {
				var n *account.Notice
				if a, n = a.Next(e, now); n != nil {
					told++
				}
			}
			require.Equal(t, c.login, a.Login)
			waits, _ := a.Waits()
			require.Equal(t, c.waits, waits)
			require.Equal(t, c.wants, a.Wants(time.Minute, now.Add(time.Minute)))
			require.Equal(t, c.told, told)
		})
	}
}

func TestAPersonsCookiesAreTheNewerOnesUntilABrowserHasThem(t *testing.T) {
	t.Parallel()
	a := account.State{}
	for _, step := range []struct {
		kind  account.Kind
		newer bool
	}{{account.Started, false}, {account.Asked, false}, {account.Left, true}, {account.Started, false}} {
		a, _ = a.Next(account.Event{Kind: step.kind}, time.Now())
		require.Equal(t, step.newer, a.Newer)
	}
}
