package session_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/web/session"
)

func here() *http.Request {
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080/setup", nil)
	r.RemoteAddr = "127.0.0.1:40000"
	return r
}

func TestOnlyAProgramOfThisMachineIsLocal(t *testing.T) {
	t.Parallel()
	require.True(t, session.Local(here()))
	own := here()
	own.Header.Set("Origin", "http://localhost:8080")
	own.Host, own.RemoteAddr = "localhost:8080", "[::1]:40000"
	require.True(t, session.Local(own))
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded", "X-Real-IP", "Via", "True-Client-IP", "X-Cluster-Client-IP", "CF-Connecting-IP", "CF-Ray", "X-Original-Forwarded-For", "X-Amzn-Trace-Id", "Tailscale-User-Login"} {
		r := here()
		r.Header.Set(name, "127.0.0.1")
		require.False(t, session.Local(r), name)
		r.Header.Set(name, "")
		require.False(t, session.Local(r), "%s without a value", name)
	}
	for name, change := range map[string]func(*http.Request){
		"from another machine":                 func(r *http.Request) { r.RemoteAddr = "172.17.0.1:40000" },
		"by a name that was made to lead here": func(r *http.Request) { r.Host = "evil.example:8080" },
		"by the machine's address":             func(r *http.Request) { r.Host = "192.168.1.5:8080" },
		"without a name":                       func(r *http.Request) { r.Host = "" },
		"by a page of another site":            func(r *http.Request) { r.Header.Set("Origin", "https://footy.example") },
		"by a page without an origin":          func(r *http.Request) { r.Header.Set("Origin", "null") },
		"by a proxy that says nothing":         func(r *http.Request) { r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/1.0", 1, 0 },
	} {
		r := here()
		change(r)
		require.False(t, session.Local(r), name)
	}
}

func TestADoorAdmitsWhoEnteredItsCode(t *testing.T) {
	t.Parallel()
	door, r := session.NewDoor(), here()
	require.Regexp(t, `^[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}$`, door.Code())
	require.True(t, door.Admits(r))
	r.Header.Set("X-Forwarded-For", "203.0.113.7")
	require.False(t, door.Admits(r))
	for _, wrong := range []string{"", "----", door.Code()[:13], door.Code() + "a", session.NewDoor().Code()} {
		w := httptest.NewRecorder()
		require.False(t, door.Enter(w, r, wrong), wrong)
		require.Empty(t, w.Result().Cookies())
	}
	w := httptest.NewRecorder()
	require.True(t, door.Enter(w, r, door.Code()))
	cookie := w.Result().Cookies()[0]
	require.True(t, cookie.HttpOnly)
	require.Equal(t, http.SameSiteStrictMode, cookie.SameSite)
	require.Equal(t, "/setup", cookie.Path)
	require.NotContains(t, cookie.Value, door.Code())
	r.AddCookie(cookie)
	require.True(t, door.Admits(r))
	require.False(t, session.NewDoor().Admits(r), "of another start")
}
