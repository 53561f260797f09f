package setup_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
)

// proxied is the first page through a proxy beside it, as a person elsewhere sees it.
func (p *firstPage) proxied() string {
	p.t.Helper()
	at, err := url.Parse(p.url)
	require.NoError(p.t, err)
	front := httptest.NewServer(httputil.NewSingleHostReverseProxy(at))
	p.t.Cleanup(front.Close)
	return front.URL
}

func jarOf(t *testing.T) http.CookieJar {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return jar
}

// TestTheSetUpPageIsOpenedFromElsewhereByItsCode: through a proxy it answered every stranger, who could write settings.
func TestTheSetUpPageIsOpenedFromElsewhereByItsCode(t *testing.T) {
	_, outside := firstWorld(t)
	outside["PUBLIC_URL"] = "https://footy.example" // whose proxy is on this machine
	p := startFirst(t, outside)
	at := p.proxied()
	jar := &http.Client{Jar: jarOf(t)}
	ask := func(method, path string, form url.Values) (int, string, http.Header) {
		t.Helper()
		req, err := http.NewRequest(method, at+path, strings.NewReader(form.Encode()))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		res, err := jar.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, string(b), res.Header
	}
	for path := range map[string]bool{"choose": true, "try/reddit": true, "try/x": true, "finish": true, "later": true} {
		status, _, _ := ask(http.MethodPost, "/setup/"+path, url.Values{"leagues": {"1"}})
		require.Equal(t, http.StatusUnauthorized, status, path)
	}
	require.NoFileExists(t, config.File)
	status, text, _ := ask(http.MethodGet, "/", nil)
	require.Equal(t, http.StatusUnauthorized, status)
	require.Contains(t, text, `action="/setup/code"`)
	require.NotContains(t, text, "Start with nothing")
	require.NotContains(t, text, p.code)
	status, text, _ = ask(http.MethodPost, "/setup/code", url.Values{"code": {"aaaa-bbbb-cccc"}})
	require.Equal(t, http.StatusUnauthorized, status)
	require.Contains(t, text, "That is not the code")

	status, text, header := ask(http.MethodPost, "/setup/code", url.Values{"code": {" " + strings.ToUpper(strings.ReplaceAll(p.code, "-", " "))}})
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "Start with nothing")
	require.Contains(t, text, "is not encrypted")
	require.Equal(t, "same-origin", header.Get("Referrer-Policy"))
	status, text, _ = ask(http.MethodPost, "/setup/finish", nil)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "restarts with it")
	p.awaitAgain()
	require.FileExists(t, config.File)
	p.stop()

	next := startFirst(t, outside)
	require.Empty(t, next.code, "it is set up")
	at, jar = next.proxied(), &http.Client{Jar: jarOf(t)}
	for _, path := range []string{"/setup", "/setup/code"} {
		_, text, _ = ask(map[string]string{"/setup": http.MethodGet, "/setup/code": http.MethodPost}[path], path, url.Values{"code": {p.code}})
		require.Contains(t, text, "Admin token", path)
		require.NotContains(t, text, "TRACK_", path)
	}
}

func TestGuessingTheCodeOfTheSetUpPageEndsSoon(t *testing.T) {
	_, outside := firstWorld(t)
	p := startFirst(t, outside)
	at, guesses := p.proxied(), 0
	guess := func(code string) int {
		t.Helper()
		res, err := http.PostForm(at+"/setup/code", url.Values{"code": {code}})
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.StatusCode
	}
	for guess("aaaa-aaaa-aaaa") == http.StatusUnauthorized {
		guesses++
	}
	require.LessOrEqual(t, guesses, 12)
	require.Equal(t, http.StatusTooManyRequests, guess(p.code), "the right one is not heard either")
	_, status, _ := p.visit("/setup")
	require.Equal(t, http.StatusOK, status, "this machine needs none")
}
