package browser_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestWhoMayAskTheSearchService(t *testing.T) {
	t.Parallel()
	const secret = "sixteen letters or more"
	serve := func(token string) *httptest.Server {
		srv := httptest.NewServer(browser.New(browser.Options{Dir: t.TempDir(), Chromium: "none", Token: token}).Handler())
		t.Cleanup(srv.Close)
		return srv
	}
	ask := func(srv *httptest.Server, method, path, host, authorization string) (int, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, srv.URL+path, nil)
		require.NoError(t, err)
		req.Host = host
		if authorization != "" {
			req.Header.Set("Authorization", authorization)
		}
		return do(t, srv.Client(), req)
	}
	guarded := serve(secret)
	for _, c := range []struct{ method, path string }{
		{"GET", "/status"}, {"GET", "/nothing"}, {"POST", "/search"}, {"POST", "/authenticate"}, {"POST", "/auth/verify"},
		{"POST", "/auth/launch-browser"}, {"POST", "/canary"},
	} {
		for _, sent := range []string{"", "Bearer", "Bearer sixteen letters or mor", "Basic " + secret} {
			code, body := ask(guarded, c.method, c.path, "browser:8888", sent)
			require.Equal(t, http.StatusUnauthorized, code, "%s %s with %q", c.method, c.path, sent)
			require.Contains(t, body, "TWITTER_SERVICE_TOKEN")
		}
	}
	code, _ := ask(guarded, "GET", "/status", "browser:8888", "bearer "+secret)
	require.Equal(t, http.StatusOK, code)
	_, body := ask(guarded, "GET", "/health", "browser:8888", "")
	require.JSONEq(t, `{"status":"starting"}`, body, "who watches processes is told one word")
	_, body = ask(guarded, "GET", "/readyz", "browser:8888", "Bearer "+secret)
	require.Contains(t, body, `"login"`)

	_, err := xweb.New(xweb.Options{URL: guarded.URL, Token: secret}, guarded.Client()).Status(t.Context())
	require.NoError(t, err)
	_, err = xweb.New(xweb.Options{URL: guarded.URL}, guarded.Client()).Status(t.Context())
	require.Equal(t, footy.CodeAuthRequired, footy.CodeOf(err))
	require.ErrorContains(t, err, "TWITTER_SERVICE_TOKEN")

	local := serve("")
	for host, want := range map[string]int{"127.0.0.1:8888": 200, "localhost": 200, "[::1]:8888": 200, "rebound.example:8888": 403, "192.0.2.7": 403} {
		code, _ := ask(local, "GET", "/status", host, "")
		require.Equal(t, want, code, host)
	}
}
