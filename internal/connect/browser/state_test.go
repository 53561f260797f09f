package browser_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
)

// Every search of these ends in a state that says what happened; what was no search has no candidates and no "empty".
func TestStatesOfThePage(t *testing.T) {
	var fault switched
	b := setup(t, xsite.Options{Search: func(query string) []xsite.Post {
		if strings.HasPrefix(query, "nothing") {
			return nil
		}
		return posts(1)
	}, Fault: fault.fault}, nil)
	for _, c := range []struct {
		name  string
		query string
		fault xsite.Fault
		state source.State
	}{
		{"explicit empty", "nothing", xsite.None, source.StateEmpty},
		{"an error body with data {}", "goal", xsite.ErrorBody, source.StateUpstreamError},
		{"over capacity", "goal", xsite.Unavailable, source.StateUpstreamError},
		{"a shape nobody knows", "goal", xsite.Drift, source.StateUpstreamError},
		{"429 with a reset", "goal", xsite.RateLimited, source.StateRateLimited}, // the last: it ends all searching
	} {
		fault.set(c.fault)
		before := len(b.site.Calls())
		r := b.find(t, source.Query{Text: c.query})
		require.Equal(t, c.state, r.State, "%s: %s", c.name, r.Detail)
		require.Empty(t, r.Candidates, c.name)
		require.Equal(t, 1, r.CallsUsed, c.name)
		require.Len(t, b.site.Calls(), before+1, "%s: the page's own second try is not let go", c.name)
		require.Equal(t, source.LoginOK, b.Status().Login, c.name)
		if c.state == source.StateRateLimited {
			require.Greater(t, r.RetryAfter, 14*time.Minute)
		}
	}
	fault.set(xsite.None)
	before := len(b.site.Calls())
	r := b.find(t, source.Query{Text: "again"})
	require.Equal(t, source.StateRateLimited, r.State)
	require.Greater(t, r.RetryAfter, 14*time.Minute)
	require.Zero(t, r.CallsUsed)
	require.Len(t, b.site.Calls(), before, "until the reset X is not asked")
	require.Zero(t, b.Status().Budget.Remaining)
	require.NotNil(t, b.Status().Budget.ResetAt)
	require.Empty(t, b.told())
}

func TestAHangingRequestIsATimeout(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(1)), Fault: faultAt(1, xsite.Hang)}, nil)
	b.Authenticate(t.Context())
	b.SetSearchTimeout(10 * time.Second)
	r := b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateTimeout, r.State, r.Detail)
	require.Empty(t, r.Candidates)
	require.Equal(t, 1, r.CallsUsed, "X counts it too")
	b.SetSearchTimeout(30 * time.Second)
	require.Equal(t, source.StateResults, b.find(t, source.Query{Text: "goal"}).State)
}

func TestAPageThatDoesNotLoad(t *testing.T) {
	var fault switched
	b := setup(t, xsite.Options{Search: always(posts(1)), Page: func(path string) xsite.Fault {
		if path == "/search" {
			return fault.now()
		}
		return xsite.None
	}}, nil)
	fault.set(xsite.Unavailable)
	r := b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateUpstreamError, r.State)
	require.Contains(t, r.Detail, "HTTP 503")
	fault.set(xsite.Hang)
	b.SetSearchTimeout(10 * time.Second) // opening a tab has as long, which a busy machine needs
	r = b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateTimeout, r.State)
	require.Empty(t, b.site.Calls())
	require.Equal(t, 40, b.Status().Budget.Remaining, "a call that was not made is not spent")
	require.Equal(t, source.LoginOK, b.Status().Login)
}

func TestALoginRedirectInTheMiddleOfASearch(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(1)), Fault: faultAt(1, xsite.LoggedOut)}, nil)
	r := b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateLoginRequired, r.State, r.Detail)
	require.Positive(t, r.RetryAfter)
	require.Empty(t, r.Candidates)
	require.Equal(t, source.LoginExpired, b.Status().Login)
	require.Len(t, b.told(), 1)
}

func TestALoginRedirectOnTheSecondPageLeavesTheFirst(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(40)), Fault: faultAt(2, xsite.LoggedOut)}, nil)
	r := b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateResults, r.State)
	require.Len(t, r.Candidates, 20)
	require.Contains(t, r.Detail, "login_required")
	require.Equal(t, source.LoginExpired, b.Status().Login, "the page that was read does not excuse the one that was not")
	require.Equal(t, source.StateLoginRequired, b.find(t, source.Query{Text: "goal"}).State)
	require.Len(t, b.told(), 1)
}

func TestAFailingSecondPageLeavesTheFirst(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(40)), Fault: faultAt(2, xsite.Unavailable)}, nil)
	r := b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateResults, r.State)
	require.Len(t, r.Candidates, 20)
	require.Contains(t, r.Detail, "upstream_error")
}

func TestALockedAccountIsToldFromAnExpiredLogin(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(1)), Fault: faultAt(1, xsite.Locked)}, func(o *browser.Options) { o.Recheck = time.Nanosecond })
	r := b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateUpstreamError, r.State)
	r = b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateLoginRequired, r.State)
	require.Equal(t, source.LoginChallenged, b.Status().Login)
	require.Len(t, b.told(), 1)
	b.site.Unlock()
	require.Equal(t, source.StateResults, b.find(t, source.Query{Text: "goal"}).State)
	require.True(t, b.told()[1].OK)
}
