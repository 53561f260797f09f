package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web"
)

var formHeader = []string{"Content-Type", "application/x-www-form-urlencoded"}

func (s *testServer) post(path string, form url.Values, header ...string) *http.Response {
	s.T.Helper()
	return s.Do(http.MethodPost, path, []byte(form.Encode()), append(header, formHeader...)...)
}

// signIn returns the session's cookie.
func (s *testServer) signIn() string {
	s.T.Helper()
	res := s.post("/admin/login", url.Values{"token": {adminToken}, "back": {"/"}})
	require.Equal(s.T, http.StatusSeeOther, res.StatusCode)
	c := res.Cookies()[0]
	require.True(s.T, c.HttpOnly)
	require.Equal(s.T, http.SameSiteStrictMode, c.SameSite)
	require.NotContains(s.T, c.Value, adminToken)
	return c.Name + "=" + c.Value
}

func TestOperatorActsFromThePage(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	require.NotContains(t, text(t, s.Get("/g/"+salah)), "Search again")
	cookie := s.signIn()
	page := text(t, s.Get("/g/"+salah, "Cookie", cookie))
	for _, want := range []string{"Search again now", "Hide every clip", "Take down", "Pin as first"} {
		require.Contains(t, page, want)
	}
	csrf := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(page)[1]
	clipID := regexp.MustCompile(`data-clip="([^"]+)"`).FindStringSubmatch(page)[1]
	s.Commands.Undo = func(_, c string) {
		s.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").Clip(c).Hidden = false })
	}
	for _, a := range []string{"search-again", "hide", "restore", "take-down", "pin", "unpin"} {
		s.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").Clip(clipID).Hidden = a == "restore" })
		res := s.post("/admin/events/5001-1/"+a, url.Values{"csrf": {csrf}, "clip": {clipID}, "reason": {"asked"}}, "Cookie", cookie)
		require.Equal(t, http.StatusSeeOther, res.StatusCode, a)
		require.Equal(t, "/g/"+salah+"?done="+a, res.Header.Get("Location"))
	}
	require.Equal(t, []string{"search 5001-1", "hide 5001-1 " + clipID, "restore 5001-1 " + clipID, "down 5001-1 " + clipID + " asked", "pin 5001-1 " + clipID, "pin 5001-1 "}, s.Commands.Done)
}

func TestActionsAreRefused(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	cookie := s.signIn()
	page := text(t, s.Get("/g/"+salah, "Cookie", cookie))
	csrf := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(page)[1]
	form := url.Values{"csrf": {csrf}}
	cases := map[string]struct {
		path   string
		form   url.Values
		header []string
		want   int
	}{
		"without a session":       {"/admin/events/5001-1/hide", form, nil, 401},
		"without the form token":  {"/admin/events/5001-1/hide", url.Values{}, []string{"Cookie", cookie}, 401},
		"with a forged session":   {"/admin/events/5001-1/hide", form, []string{"Cookie", "ff_admin=99999999999.AAAA"}, 401},
		"from another site":       {"/admin/events/5001-1/hide", form, []string{"Cookie", cookie, "Sec-Fetch-Site", "cross-site"}, 403},
		"from a foreign origin":   {"/admin/events/5001-1/hide", form, []string{"Cookie", cookie, "Origin", "https://evil.example"}, 403},
		"of an unknown kind":      {"/admin/events/5001-1/explode", form, []string{"Cookie", cookie}, 404},
		"of an unknown goal":      {"/admin/events/nope/hide", form, []string{"Cookie", cookie}, 404},
		"of an unknown clip":      {"/admin/events/5001-1/hide", url.Values{"csrf": {csrf}, "clip": {"x"}}, []string{"Cookie", cookie}, 404},
		"take down without clip":  {"/admin/events/5001-1/take-down", form, []string{"Cookie", cookie}, 400},
		"API with the cookie":     {"/api/v1/events/5001-1/actions/hide", form, []string{"Cookie", cookie}, 401},
		"API with a wrong token":  {"/api/v1/events/5001-1/actions/hide", form, []string{"Authorization", "Bearer nope"}, 401},
		"API with broken JSON":    {"/api/v1/events/5001-1/actions/hide", form, []string{"Authorization", "Bearer " + adminToken}, 400},
		"test message, no target": {"/admin/notify-test", form, []string{"Cookie", cookie}, 400},
	}
	for name, c := range cases {
		require.Equal(t, c.want, s.post(c.path, c.form, c.header...).StatusCode, name)
	}
	require.Empty(t, s.Commands.Done)
}

func TestAPIActs(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	res := s.Do(http.MethodPost, "/api/v1/events/"+salah+"/actions/search-again", nil, "Authorization", "Bearer "+adminToken)
	require.Equal(t, http.StatusAccepted, res.StatusCode)
	require.Equal(t, []string{"search 5001-1"}, s.Commands.Done)
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	var later atomic.Int64
	s := newTestServer(t, func(o *web.Options) {
		o.Now = func() time.Time { return noon.Add(time.Duration(later.Load())) }
	})
	s.DemoDay([]byte("x"), []byte("x"))
	cookie := s.signIn()
	require.Contains(t, text(t, s.Get("/admin", "Cookie", cookie)), "You are signed in")
	later.Store(int64(13 * time.Hour))
	require.NotContains(t, text(t, s.Get("/admin", "Cookie", cookie)), "You are signed in")
	require.Negative(t, s.post("/admin/logout", nil).Cookies()[0].MaxAge)
}

func TestWrongTokensAreSlowedDown(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for i := range 10 {
		require.Equal(t, http.StatusUnauthorized, s.post("/admin/login", url.Values{"token": {fmt.Sprint(i)}}).StatusCode)
	}
	require.Equal(t, http.StatusTooManyRequests, s.post("/admin/login", url.Values{"token": {adminToken}}).StatusCode)
}

func TestSignInNeverLeadsAway(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, back := range []string{"https://evil.example/", "//evil.example", `/\evil.example`, "javascript:alert(1)"} {
		require.Equal(t, "/admin", s.post("/admin/login", url.Values{"token": {adminToken}, "back": {back}}).Header.Get("Location"), back)
	}
}

func TestWithoutATokenNobodyIsAdmitted(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.AdminToken = "" })
	require.Equal(t, http.StatusUnauthorized, s.post("/admin/login", url.Values{"token": {""}}).StatusCode)
	require.Equal(t, http.StatusUnauthorized, s.Do(http.MethodPost, "/api/v1/events/x/actions/hide", nil, "Authorization", "Bearer ").StatusCode)
	require.Contains(t, text(t, s.Get("/admin")), "No admin token is set")
}

// TestWithoutATokenTheOwnerOfThisMachineActs: by the page itself, not through a proxy or from a page of another site.
func TestWithoutATokenTheOwnerOfThisMachineActs(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.AdminToken = "" })
	s.DemoDay([]byte("x"), []byte("x"))
	require.Contains(t, text(t, s.Get("/g/"+salah)), "Hide every clip")
	require.NotContains(t, text(t, s.Get("/g/"+salah, "X-Forwarded-For", "203.0.113.7")), "Hide every clip")
	for name, c := range map[string]struct {
		header []string
		want   int
	}{
		"through a proxy":              {[]string{"X-Forwarded-For", "203.0.113.7"}, 401},
		"from another site":            {[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		"from another port here":       {[]string{"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1:1"}, 403},
		"from a document of no origin": {[]string{"Origin", "null"}, 403},
	} {
		require.Equal(t, c.want, s.post("/admin/events/5001-1/hide", nil, c.header...).StatusCode, name)
	}
	require.Empty(t, s.Commands.Done)
	require.Equal(t, http.StatusSeeOther, s.post("/admin/events/5001-1/hide", nil).StatusCode)
	require.Len(t, s.Commands.Done, 1)
}

func TestOperatorSeesARemovedGoal(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	s.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").Removed = true })
	res := s.Get("/g/"+salah, "Cookie", s.signIn())
	require.Equal(t, http.StatusGone, res.StatusCode)
	require.Contains(t, text(t, res), "Restore this goal")
}
