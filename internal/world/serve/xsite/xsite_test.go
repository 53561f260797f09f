package xsite_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/serve/xsite"
)

const token = "logged-in"

func posts(n int) []xsite.Post {
	var out []xsite.Post
	for i := range n {
		at := time.Date(2026, 3, 14, 15, 30, 0, 0, time.UTC).Add(-time.Duration(i) * time.Second)
		out = append(out, xsite.Post{ID: fmt.Sprint(2032838400000000000 - i), Author: "fan", Text: "goal", At: at, DurationMS: 9000, Width: 640, Height: 360, VideoURL: "http://v/a.mp4"})
	}
	return out
}

func open(t *testing.T, o xsite.Options) (*xsite.Site, string, *http.Client) {
	t.Helper()
	o.Prefix, o.Sessions = "/x", []string{token}
	site := xsite.New(o)
	srv := httptest.NewServer(site)
	t.Cleanup(srv.Close)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return site, srv.URL + "/x", &http.Client{Jar: jar}
}

func login(t *testing.T, c *http.Client, base string) {
	t.Helper()
	u, err := url.Parse(base)
	require.NoError(t, err)
	c.Jar.SetCookies(u, []*http.Cookie{{Name: "auth_token", Value: token, Path: "/"}, {Name: "ct0", Value: xsite.CSRF(token), Path: "/"}})
}

func ask(t *testing.T, c *http.Client, base, query, cursor, csrf string) (*http.Response, string) {
	t.Helper()
	v, err := json.Marshal(map[string]string{"rawQuery": query, "cursor": cursor})
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/i/api/graphql/h/SearchTimeline?variables="+url.QueryEscape(string(v)), nil)
	require.NoError(t, err)
	req.Header.Set("X-Csrf-Token", csrf)
	return do(t, c, req)
}

func do(t *testing.T, c *http.Client, req *http.Request) (*http.Response, string) {
	t.Helper()
	resp, err := c.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp, string(raw)
}

func TestWithoutASessionThereIsOnlyTheLogin(t *testing.T) {
	t.Parallel()
	_, base, c := open(t, xsite.Options{})
	for _, path := range []string{"/home", "/search?q=goal"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path, nil)
		require.NoError(t, err)
		resp, body := do(t, c, req)
		require.Equal(t, "/x/i/flow/login", resp.Request.URL.Path)
		require.Contains(t, body, `autocomplete="username"`)
	}
	resp, body := ask(t, c, base, "goal", "", "")
	require.Equal(t, http.StatusUnauthorized, resp.StatusCode)
	require.Contains(t, body, `"code":32`)
}

func TestAPersonLogsIn(t *testing.T) {
	t.Parallel()
	_, base, c := open(t, xsite.Options{})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/i/flow/login", strings.NewReader("username=a&password=b"))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, body := do(t, c, req)
	require.Equal(t, "/x/home", resp.Request.URL.Path)
	require.Contains(t, body, xsite.User)
}

func TestPagesEndWithAnEmptyOne(t *testing.T) {
	t.Parallel()
	site, base, c := open(t, xsite.Options{PageSize: 2, Search: func(string) []xsite.Post { return posts(3) }})
	login(t, c, base)
	seen := 0
	cursor := ""
	for _, want := range []int{2, 1, 0} {
		resp, body := ask(t, c, base, "goal", cursor, xsite.CSRF(token))
		require.Equal(t, 200, resp.StatusCode)
		require.Equal(t, want, strings.Count(body, `"tweet_results"`))
		seen += want
		cursor = fmt.Sprintf("from-%d", seen)
		require.Contains(t, body, cursor)
	}
	require.Len(t, site.Calls(), 3)
}

func TestTheWindowRunsOut(t *testing.T) {
	t.Parallel()
	_, base, c := open(t, xsite.Options{Calls: 2})
	login(t, c, base)
	for left := 1; left >= 0; left-- {
		resp, _ := ask(t, c, base, "goal", "", xsite.CSRF(token))
		require.Equal(t, 200, resp.StatusCode)
		require.Equal(t, fmt.Sprint(left), resp.Header.Get("x-rate-limit-remaining"))
	}
	resp, _ := ask(t, c, base, "goal", "", xsite.CSRF(token))
	require.Equal(t, http.StatusTooManyRequests, resp.StatusCode)
	require.NotEmpty(t, resp.Header.Get("x-rate-limit-reset"))
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for fault, status := range map[xsite.Fault]int{xsite.RateLimited: 429, xsite.ErrorBody: 200, xsite.Unavailable: 503, xsite.LoggedOut: 401, xsite.Drift: 200} {
		_, base, c := open(t, xsite.Options{Search: func(string) []xsite.Post { return posts(1) }, Fault: func(int, string, string) xsite.Fault { return fault }})
		login(t, c, base)
		resp, body := ask(t, c, base, "goal", "", xsite.CSRF(token))
		require.Equal(t, status, resp.StatusCode, fault)
		require.NotContains(t, body, "screen_name", fault)
	}
	_, base, c := open(t, xsite.Options{})
	login(t, c, base)
	resp, _ := ask(t, c, base, "goal", "", "forged")
	require.Equal(t, http.StatusForbidden, resp.StatusCode)
}

func TestALockedAccountWantsAPerson(t *testing.T) {
	t.Parallel()
	site, base, c := open(t, xsite.Options{Fault: func(int, string, string) xsite.Fault { return xsite.Locked }})
	login(t, c, base)
	resp, body := ask(t, c, base, "goal", "", xsite.CSRF(token))
	require.Equal(t, http.StatusForbidden, resp.StatusCode)
	require.Contains(t, body, `"code":326`)
	home := func() string {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/home", nil)
		require.NoError(t, err)
		resp, _ := do(t, c, req)
		return resp.Request.URL.Path
	}
	require.Equal(t, "/x/account/access", home())
	site.Unlock()
	require.Equal(t, "/x/home", home())
}

func TestASessionRenewsItsCookie(t *testing.T) {
	t.Parallel()
	_, base, c := open(t, xsite.Options{Renew: true})
	login(t, c, base)
	resp, _ := ask(t, c, base, "goal", "", xsite.CSRF(token))
	require.Equal(t, 200, resp.StatusCode)
	resp, _ = ask(t, c, base, "goal", "", xsite.CSRF(token))
	require.Equal(t, http.StatusForbidden, resp.StatusCode, "the old one is no longer taken")
}

func TestAPageGoesWrong(t *testing.T) {
	t.Parallel()
	_, base, c := open(t, xsite.Options{Page: func(string) xsite.Fault { return xsite.Unavailable }})
	login(t, c, base)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/search?q=goal", nil)
	require.NoError(t, err)
	resp, _ := do(t, c, req)
	require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
}
