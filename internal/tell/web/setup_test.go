package web_test

import (
	"testing"

	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
)

// The harness, by the names that these tests know.
var (
	noon, team, match, goal, clip  = webtest.Noon, webtest.Team, webtest.Match, webtest.Goal, webtest.Clip
	makeClip, text, browser, inTab = webtest.MakeClip, webtest.Text, webtest.Browser, webtest.InTab
)

const (
	adminToken   = webtest.AdminToken
	faultsScript = webtest.FaultsScript
)

type tab = webtest.Tab

type testServer struct{ *webtest.Server }

func newTestServer(t testing.TB, change ...func(*web.Options)) *testServer {
	t.Helper()
	return &testServer{webtest.New(t, change...)}
}

func js[T any](b tab, expression string) T {
	b.T.Helper()
	return webtest.JS[T](b, expression)
}
