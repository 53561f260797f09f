package browser_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
)

func TestCookiesThatExpireAndComeBack(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(3))}, func(o *browser.Options) { o.Recheck = time.Nanosecond })
	require.Equal(t, source.StateResults, b.find(t, source.Query{Text: "goal"}).State)
	require.Equal(t, xsite.User, b.Status().Account)
	require.NotNil(t, b.Status().ValidUntil)
	calls := len(b.site.Calls())

	b.site.Expire()
	for range 3 {
		r := b.find(t, source.Query{Text: "goal"})
		require.Equal(t, source.StateLoginRequired, r.State)
		require.Positive(t, r.RetryAfter)
	}
	require.Len(t, b.site.Calls(), calls, "no search call is spent on a session that has ended")
	require.Equal(t, 40-calls, b.Status().Budget.Remaining)
	told := b.told()
	require.Len(t, told, 1, "a person is told once")
	require.False(t, told[0].OK)
	require.Contains(t, told[0].Text, "import-cookies")

	b.site.Admit("renewed")
	b.bringCookies(t, "renewed")
	require.Equal(t, source.StateResults, b.find(t, source.Query{Text: "goal"}).State)
	require.Len(t, b.told(), 2)
	require.True(t, b.told()[1].OK)
}

func TestWithoutCookiesSearchesWait(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(3))}, nil)
	require.NoError(t, os.Remove(filepath.Join(b.opts.Dir, "cookies.json")))
	r := b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateLoginRequired, r.State)
	require.Equal(t, source.LoginMissing, b.Status().Login)
	require.Empty(t, b.site.Calls())
}

func TestTheCanary(t *testing.T) {
	var fault switched
	fault.set(xsite.Drift)
	b := setup(t, xsite.Options{Search: always(posts(30)), Fault: fault.fault}, nil)
	for range 2 {
		c := b.Canary(t.Context())
		require.True(t, c.Drift && !c.OK)
		require.NotEmpty(t, c.Detail)
		sample, err := os.ReadFile(c.Sample)
		require.NoError(t, err)
		require.Contains(t, string(sample), "handle", "the sample is what X answered")
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	require.Contains(t, b.Canary(gone).Detail, "could not look")
	fault.set(xsite.None)
	c := b.Canary(t.Context())
	require.True(t, c.OK, c.Detail)
}

func TestTheCanaryAndACallerWhoLeavesDuringTheLogIn(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(30))}, nil)
	gone, leave := context.WithCancel(t.Context())
	leave()
	c := b.Canary(gone)
	require.Contains(t, c.Detail, "could not look")
	require.Empty(t, c.Sample)
	require.Empty(t, b.told(), "nobody looked at X")
	require.True(t, b.Canary(t.Context()).OK)
}

func TestTheContractOverHTTP(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(3))}, nil)
	base := b.serve(t)
	client := &http.Client{}
	src := xweb.New(xweb.Options{URL: base}, client)
	r, err := src.Search(t.Context(), source.Query{Text: "goal", Max: 2})
	require.NoError(t, err)
	require.Len(t, r.Candidates, 2)
	h, err := src.Health(t.Context())
	require.NoError(t, err)
	require.True(t, h.Ready)
	require.Equal(t, xsite.User, h.Account)
	require.Equal(t, 40-r.CallsUsed, h.BudgetLeft)

	code, body := post(t, client, base+"/search", `{"query":"goal"}`, nil)
	require.Equal(t, 200, code)
	require.Contains(t, body, `"state":"results"`, "the older name of the query is understood")
	code, body = post(t, client, base+"/search", `{`, nil)
	require.Equal(t, 400, code)
	require.Contains(t, body, "error")
	code, _ = post(t, client, base+"/search", `{}`, nil)
	require.Equal(t, 400, code)
	code, _ = post(t, client, base+"/auth/launch-browser", ``, nil)
	require.Equal(t, 409, code, "there is no display here")
	code, _ = post(t, client, base+"/search", `{"query":"goal"}`, map[string]string{"Origin": "http://evil.example"})
	require.Equal(t, 403, code, "web pages may not drive the service")
	code, _ = post(t, client, base+"/authenticate", "hello", nil)
	require.Equal(t, 400, code)

	code, _ = get(t, client, base+"/health")
	require.Equal(t, 200, code)

	b.site.Expire()
	code, body = post(t, client, base+"/auth/verify", "", nil)
	require.Equal(t, 200, code)
	var st searchapi.Status
	require.NoError(t, json.Unmarshal([]byte(body), &st))
	require.Equal(t, source.LoginExpired, st.Login)
	code, _ = get(t, client, base+"/health")
	require.Equal(t, 503, code, "health is red while a person is wanted")
}

func post(t *testing.T, c *http.Client, url, body string, headers map[string]string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader([]byte(body)))
	require.NoError(t, err)
	for k, v := range headers {
		req.Header.Set(k, v)
	}
	return do(t, c, req)
}

func get(t *testing.T, c *http.Client, url string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	return do(t, c, req)
}

func do(t *testing.T, c *http.Client, req *http.Request) (int, string) {
	t.Helper()
	resp, err := c.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(raw)
}

func TestWhatCannotWorkSaysWhy(t *testing.T) {
	t.Parallel()
	s := browser.New(browser.Options{Dir: t.TempDir(), Chromium: "no-such-browser"})
	r, err := s.Search(t.Context(), source.Query{Text: "goal"})
	require.NoError(t, err)
	require.Equal(t, source.StateUpstreamError, r.State)
	require.Contains(t, r.Detail, "apt-get install chromium")
	_, err = s.Search(t.Context(), source.Query{})
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	_, err = exec.LookPath("no-such-browser")
	require.Error(t, err)
}
