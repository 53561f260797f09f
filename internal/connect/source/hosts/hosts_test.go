package hosts_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

func table(t *testing.T) hosts.Table {
	t.Helper()
	all, err := hosts.Load(t.TempDir())
	require.NoError(t, err)
	return all
}

// answers is a host that was asked for one page.
func answers(t *testing.T, page string, status int, body string) func(string) (hosts.Asked, error) {
	t.Helper()
	return func(asked string) (hosts.Asked, error) {
		require.Equal(t, page, asked)
		return hosts.Asked{Status: status, Body: []byte(body)}, nil
	}
}

func TestWhereHostsKeepTheirFiles(t *testing.T) {
	t.Parallel()
	const player = `<html><div class="more"><img data-preview-src="https://cdn.streamain.com/wrong.mp4"></div><video id=v controls data-link="https://media.sportits.com/guests/a_1.mp4?x=1&amp;y=2"></video>`
	for address, c := range map[string]struct{ host, id, page, body, file string }{
		"https://streamain.com/Ab3_x":             {"streamain", "Ab3_x", "https://streamain.com/embed/Ab3_x", player, "https://media.sportits.com/guests/a_1.mp4?x=1&y=2"},
		"https://streamain.com/en/Ab3_x/watch":    {"streamain", "Ab3_x", "https://streamain.com/embed/Ab3_x", player, "https://media.sportits.com/guests/a_1.mp4?x=1&y=2"},
		"http://streama.in/Ab3_x/":                {"streamain", "Ab3_x", "https://streamain.com/embed/Ab3_x", player, "https://media.sportits.com/guests/a_1.mp4?x=1&y=2"},
		"https://streamin.fun/v/d5e7":             {"streamin", "d5e7", "", "", "https://w-cdn.streamin.top/uploads/d5e7.mp4"},
		"https://streamff.pro/c/0c9e":             {"streamff", "0c9e", "https://ffedge.streamff.com/share/0c9e", `[{"external_url":"https://cdn.streamff.com/0c9e.mp4"}]`, "https://cdn.streamff.com/0c9e.mp4"},
		"https://dubz.link/c/q1":                  {"dubz", "q1", "", "", "https://cdn.makevos.com/videos/q1.mp4"},
		"https://dubz.live/v/q1":                  {"dubz-guest", "q1", "", "", "https://cdn.squeelab.com/guest/videos/q1.mp4"},
		"https://dropr.co/v/k2":                   {"dropr", "k2", "https://dropr.co/v/k2", `<meta content="https://cdn.dropr.co/f/k2.mov" property="og:video"/>`, "https://cdn.dropr.co/f/k2.mov"},
		"https://STREAMABLE.com/e/moo?autoplay=1": {"streamable", "moo", "https://api.streamable.com/videos/moo", `{"status":2,"files":{"mp4":{"url":"//cdn.streamable.com/moo.mp4?t=1"}}}`, "https://cdn.streamable.com/moo.mp4?t=1"},
	} {
		a, err := table(t).Resolve(address, answers(t, c.page, http.StatusOK, c.body))
		require.NoError(t, err, address)
		require.Equal(t, []string{c.host, c.id, c.file, ""}, []string{a.Host, a.ID, a.File, a.Gone}, address)
		require.NotEmpty(t, a.Steps)
	}
}

func TestAClipThatIsGoneIsAFact(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		address, page, body string
		status              int
	}{
		"nothing there":       {"https://dropr.co/v/k2", "https://dropr.co/v/k2", "", http.StatusNotFound},
		"taken away":          {"https://streamable.com/moo", "https://api.streamable.com/videos/moo", "", http.StatusGone},
		"an empty list":       {"https://streamff.com/v/x", "https://ffedge.streamff.com/share/x", " []\n", http.StatusOK},
		"a film in its place": {"https://streamff.com/v/x", "https://ffedge.streamff.com/share/x", `[{"external_url":"https://cloudflare-terms-of-service-abuse.com/stub.mp4"}]`, http.StatusOK},
	} {
		a, err := table(t).Resolve(c.address, answers(t, c.page, c.status, c.body))
		require.NoError(t, err, name)
		require.NotEmpty(t, a.Gone, name)
		require.Empty(t, a.File, name)
	}
}

// TestTroubleOfAHostIsNoFact: neither is our own list of those who may serve files.
func TestTroubleOfAHostIsNoFact(t *testing.T) {
	t.Parallel()
	const api, page = "https://api.streamable.com/videos/moo", "https://streamable.com/moo"
	for want, c := range map[string]struct {
		body   string
		status int
	}{
		"status 503": {"", http.StatusServiceUnavailable},
		"status 403": {"", http.StatusForbidden},
		`status is "1" and not "2": it is still being encoded`:                                {`{"status":1}`, http.StatusOK},
		"has no field files.mp4.url":                                                          {`{"status":2,"files":{}}`, http.StatusOK},
		"it lies at https://evil.example, and the row streamable names others that may serve": {`{"status":2,"files":{"mp4":{"url":"https://evil.example/x.mp4"}}}`, http.StatusOK},
		"it lies at http://cdn.streamable.com":                                                {`{"status":2,"files":{"mp4":{"url":"http://cdn.streamable.com/x.mp4"}}}`, http.StatusOK},
	} {
		a, err := table(t).Resolve(page, answers(t, api, c.status, c.body))
		require.ErrorContains(t, err, want)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), want)
		require.Empty(t, a.Gone, want)
	}
	_, err := table(t).Resolve(page, func(string) (hosts.Asked, error) { return hosts.Asked{}, errors.New("no route") })
	require.ErrorContains(t, err, "no route")
	for _, unknown := range []string{"https://example.com/x", "https://streamable.com/", "https://dubz.link/x/y"} {
		_, err = table(t).Resolve(unknown, nil)
		require.Equal(t, footy.CodeNotFound, footy.CodeOf(err), unknown)
		require.ErrorContains(t, err, "add one to hosts.json in STATE_DIR")
	}
	_, err = table(t).Resolve("streamable", nil)
	require.ErrorContains(t, err, "is no address of a page")
}

func TestAPersonsRowsGoFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	own := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, hosts.File), []byte(text), 0o600))
	}
	own(`{"hosts":[{"name":"dubz","hosts":["dubz.link"],"paths":["^/c/(\\w+)$"],"find":{"pattern":"https://new.example/{id}.mp4"},"files":[".new.example"]},
		{"name":"nova","hosts":["nova.example"],"paths":["^/(\\w+)$"],"page":"https://nova.example/p/{id}","find":{"meta":"og:video"},"files":["nova.example"]}]}`)
	all, err := hosts.Load(dir)
	require.NoError(t, err)
	a, err := all.Resolve("https://dubz.link/c/q1", nil)
	require.NoError(t, err)
	require.Equal(t, "https://new.example/q1.mp4", a.File, "its row replaces ours")
	_, _, err = all.Lookup("https://nova.example/abc")
	require.NoError(t, err)
	_, _, err = all.Lookup("https://streamable.com/moo")
	require.NoError(t, err, "the others are kept")

	for text, want := range map[string]string{
		`{"hosts":[{"name":"x"}]}`: "hosts is empty",
		`{"hosts":[{"name":"x","hosts":["x.example"],"paths":["^/x$"],"find":{"pattern":"y"},"files":["x.example"]}]}`:          "a group, which is the id",
		`{"hosts":[{"name":"x","hosts":["x.example"],"paths":["("]}]}`:                                                          "missing closing )",
		`{"hosts":[{"name":"x","hosts":["x.example"],"paths":["^/(x)$"],"find":{},"files":["x.example"]}]}`:                     "find needs one of",
		`{"hosts":[{"name":"x","hosts":["x.example"],"paths":["^/(x)$"],"find":{"json":"a"},"files":["x.example"]}]}`:           "page is missing",
		`{"hosts":[{"name":"x","hosts":["x.example"],"paths":["^/(x)$"],"find":{"json":"a"},"page":"https://x.example/{id}"}]}`: "files is empty",
		`{"hosts":[{"nane":"x"}]}`: `unknown field "nane"`,
	} {
		own(text)
		_, err = hosts.Load(dir)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, filepath.Join(dir, hosts.File))
	}
}

func TestRecordedPagesOfHosts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ address, file string }{
		"streamable-moo-2018.json":                    {"https://streamable.com/moo", "https://cdn-b-west.streamable.com/video/"},
		"streamable-uhoe7l-original-without-url.json": {"https://streamable.com/uhoe7l", "https://cdn-cf-east.streamable.com/video/mp4/uhoe7l.mp4"},
		"streamain-embed-20260922.html":               {"https://streamain.com/a", "https://media.sportits.com/guests/"},
		"streamain-embed-oldcdn-datalink.html":        {"https://streamain.com/a", "https://cdn.streamain.com/guests/"},
		"streamff-share-external.json":                {"https://streamff.com/v/a", "https://cdn.hostedhost.top/"},
		"streamff-share-purged.json":                  {"https://streamff.com/v/a", ""},
	} {
		for _, path := range devtest.Recorded(t, filepath.Join("samples", "hosts", name)) {
			a, err := table(t).Resolve(c.address, func(string) (hosts.Asked, error) {
				body, err := os.ReadFile(path)
				return hosts.Asked{Status: http.StatusOK, Body: body}, err
			})
			require.NoError(t, err, name)
			require.Contains(t, a.File, c.file, name)
			require.Equal(t, c.file == "", a.Gone != "", name)
		}
	}
}

func TestATableThatOthersMayWriteIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), hosts.File)
	require.NoError(t, os.WriteFile(path, []byte(`{"hosts":[]}`), 0o600))
	_, err := hosts.Load(filepath.Dir(path))
	require.NoError(t, err)
	require.NoError(t, os.Chmod(path, 0o666))
	_, err = hosts.Load(filepath.Dir(path))
	require.ErrorContains(t, err, "every user may change")
	require.ErrorContains(t, err, path)
}
