package hosts_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
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

// video is how a file begins that is one.
const video = "\x00\x00\x00\x18ftypmp42 and so on"

// web answers by address: a body, or a status; what it does not have is a 404.
type web map[string]string

func (w web) ask(address string, _ bool) (hosts.Asked, error) {
	body, ok := w[address]
	switch status, err := strconv.Atoi(body); {
	case !ok:
		return hosts.Asked{Status: http.StatusNotFound}, nil
	case err == nil:
		return hosts.Asked{Status: status}, nil
	case strings.HasPrefix(body, "! "):
		return hosts.Asked{}, errors.New(body[2:])
	}
	return hosts.Asked{Status: http.StatusOK, Body: []byte(body), Kind: source.KindOf([]byte(body))}, nil
}

func (w web) resolve(t *testing.T, address, first string) (hosts.Answer, error) {
	t.Helper()
	return table(t).Resolve(address, first, false, w.ask)
}

func TestWhereHostsKeepTheirFiles(t *testing.T) {
	t.Parallel()
	const player = `<html><div class="more"><img data-preview-src="https://cdn.streamain.com/wrong.mp4"></div><video id=v controls data-link="https://media.sportits.com/guests/a_1.mp4?x=1&amp;y=2"></video>`
	for address, c := range map[string]struct{ host, id, page, body, file string }{
		"https://streamain.com/Ab3_x":             {"streamain", "Ab3_x", "https://streamain.com/embed/Ab3_x", player, "https://media.sportits.com/guests/a_1.mp4?x=1&y=2"},
		"https://streamain.com/en/Ab3_x/watch":    {"streamain", "Ab3_x", "https://streamain.com/embed/Ab3_x", player, "https://media.sportits.com/guests/a_1.mp4?x=1&y=2"},
		"http://streama.in/Ab3_x/":                {"streamain", "Ab3_x", "https://streamain.com/embed/Ab3_x", player, "https://media.sportits.com/guests/a_1.mp4?x=1&y=2"},
		"https://streamin.fun/v/d5e7":             {"streamin", "d5e7", "", "", "https://c-cdn.streamin.top/uploads/d5e7.mp4"},
		"https://www.streamin.me/v/d5e7":          {"streamin", "d5e7", "", "", "https://w-cdn.streamin.top/uploads/d5e7.mp4"},
		"http://streamin.one/v/d5e7/":             {"streamin", "d5e7", "https://streamin.one/v/d5e7/", `<meta content="https://z.new-cdn.example/up/d5e7.mp4?2daysago&amp;x" property="og:video">`, "https://z.new-cdn.example/up/d5e7.mp4?2daysago&x"},
		"https://streamff.pro/c/0c9e":             {"streamff", "0c9e", "https://ffedge.streamff.com/share/0c9e", `[{"external_url":"https://cdn.streamff.com/0c9e.mp4"}]`, "https://cdn.streamff.com/0c9e.mp4"},
		"https://streamff.live/v/0c9e":            {"streamff", "0c9e", "https://ffedge.streamff.com/share/0c9e", `[{"external_url":"https://cdn.moved.example/0c9e.mp4"}]`, "https://cdn.moved.example/0c9e.mp4"},
		"https://streamff.co/v/0c9e":              {"streamff", "0c9e", "https://ffedge.streamff.com/share/0c9e", `[{"external_url":"https://cdn.streamff.com/0c9e.mp4"}]`, "https://cdn.streamff.com/0c9e.mp4"},
		"https://dubz.link/c/q1":                  {"dubz", "q1", "", "", "https://cdn.makevos.com/videos/q1.mp4"},
		"https://dubz.live/v/q1":                  {"dubz-guest", "q1", "", "", "https://cdn.squeelab.com/guest/videos/q1.mp4"},
		"https://dropr.co/v/k2":                   {"dropr", "k2", "https://dropr.co/v/k2", `<meta content="https://cdn.dropr.co/f/k2.mov" property="og:video"/>`, "https://cdn.dropr.co/f/k2.mov"},
		"https://STREAMABLE.com/e/moo?autoplay=1": {"streamable", "moo", "https://api.streamable.com/videos/moo", `{"status":2,"files":{"mp4":{"url":"//cdn.streamable.com/moo.mp4?t=1"}}}`, "https://cdn.streamable.com/moo.mp4?t=1"},
		"https://v.redd.it/ab12/DASH_720.mp4?x=1": {"v.redd.it", "ab12", "https://v.redd.it/ab12/DASHPlaylist.mpd", `<MPD><Period><AdaptationSet contentType="video"><Representation bandwidth="1"><BaseURL>CMAF_220.mp4</BaseURL></Representation><Representation bandwidth="9"><BaseURL>CMAF_720.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`, "https://v.redd.it/ab12/CMAF_720.mp4"},
		"https://nova.example/clip/1":             {"nova.example", "", "https://nova.example/clip/1", `<meta property="og:video" content="/f/1.mp4">`, "https://nova.example/f/1.mp4"},
		"https://nova.example/clip/1.mp4":         {"nova.example", "", "", "", "https://nova.example/clip/1.mp4"},
	} {
		there := web{c.file: video}
		if c.page != "" {
			there[c.page] = c.body
		}
		a, err := there.resolve(t, address, "")
		require.NoError(t, err, address)
		require.Equal(t, []string{c.host, c.id, c.file, ""}, []string{a.Host, a.ID, a.File, a.Gone}, address)
		require.NotEmpty(t, a.Steps)
		require.NotEmpty(t, a.Way)
		if c.page == "" {
			continue
		}
		a, err = table(t).Read(address, []byte(c.body))
		require.NoError(t, err, address)
		require.Equal(t, []string{c.host, c.id, c.file, ""}, []string{a.Host, a.ID, a.File, a.Gone}, address)
	}
}

func TestTheWaysOfARowAreAskedInTurnAndTheOneThatWorkedLastBeforeAllOthers(t *testing.T) {
	t.Parallel()
	const c, w, link = "https://c-cdn.streamin.top/uploads/a1.mp4", "https://w-cdn.streamin.top/uploads/a1.mp4", "https://streamin.link/v/a1"
	there := web{c: video, w: video}
	a, err := there.resolve(t, link, "")
	require.NoError(t, err)
	require.Equal(t, []hosts.Asking{{How: "address", Address: c}, {How: "address", Address: w}, {How: "page", Address: link}}, a.Ways)
	require.Equal(t, c, a.File)
	delete(there, c)
	a, err = there.resolve(t, link, "")
	require.NoError(t, err)
	require.Equal(t, w, a.File)
	there[c] = video
	a, err = there.resolve(t, link, a.Way)
	require.NoError(t, err)
	require.Equal(t, w, a.File)
	require.Equal(t, w, a.Ways[0].Address)
	require.Len(t, a.Ways, 3)
}

// TestAGuessThatIsWrongIsNoFactAboutTheClip: as long as a way is left that was not asked, or could not be.
func TestAGuessThatIsWrongIsNoFactAboutTheClip(t *testing.T) {
	t.Parallel()
	const c, w, link = "https://c-cdn.streamin.top/uploads/a1.mp4", "https://w-cdn.streamin.top/uploads/a1.mp4", "https://streamin.link/v/a1"
	const og, at = `<meta property="og:video" content="https://d-cdn.streamin.top/a1.mp4">`, "https://d-cdn.streamin.top/a1.mp4"
	for name, one := range map[string]struct {
		there web
		file  string
		gone  string
		says  string
	}{
		"404 at both guesses, the page is right":        {web{link: og, at: video}, at, "", ""},
		"403 at a guess":                                {web{c: "403", w: video}, w, "", ""},
		"a page at a guess":                             {web{c: "<html>not here", w: video}, w, "", ""},
		"a small picture at a guess":                    {web{c: "GIF89a", w: video}, w, "", ""},
		"a guess does not answer, another does":         {web{c: "! no route", w: video}, w, "", ""},
		"404 at guesses, 503 at the page":               {web{link: "503"}, "", "", "streamin.link answers 503; c-cdn.streamin.top answers 404"},
		"404 at guesses, 403 at the page":               {web{link: "403"}, "", "", "streamin.link answers 403"},
		"404 at guesses, 429 at the page":               {web{link: "429"}, "", "", "streamin.link answers 429"},
		"one guess could not be asked, the rest is 404": {web{w: "! connection refused"}, "", "", "connection refused"},
		"5xx at a guess and no file in the page":        {web{c: "500", link: "<html></html>"}, "", "", "answers 500"},
		"miss on every way":                             {web{}, "", "streamin.link answers 404", ""},
		"guesses 404, and a page without its file":      {web{link: "<html></html>"}, "", "has no meta element og:video", ""},
		"guesses 404, and the page's file, too":         {web{link: og}, "", "d-cdn.streamin.top answers 404", ""},
		"the page points at a page":                     {web{link: og, at: "<html>log in"}, "", "", "where its page points at a video"},
		"a video in the page where the row has another": {web{link: `<video><source data-src="//d-cdn.streamin.top/a1.mp4"></video>`, at: video}, at, "", ""},
		"a page that says so, whatever the guesses say": {web{link: "<p>This video has been removed by the uploader.</p>"}, "", "video has been removed", ""},
		"a film that stands in its place":               {web{link: `<meta property="og:video" content="https://cloudflare-terms-of-service-abuse.com/stub.mp4">`}, "", "another film", ""},
		"its page names a play-list of pieces, no file": {web{link: `<meta property="og:video" content="https://d-cdn.streamin.top/a1.m3u8">`}, "", "", "play-list of pieces"},
	} {
		a, err := one.there.resolve(t, link, "")
		require.Equal(t, one.file, a.File, name)
		require.Equal(t, one.gone != "", a.Gone != "", "%s: %s", name, a.Gone)
		require.Contains(t, a.Gone, one.gone, name)
		require.Equal(t, one.says != "", err != nil, "%s: %v", name, err)
		if err != nil {
			require.ErrorContains(t, err, one.says, name)
			require.NotEqual(t, footy.CodeRejected, footy.CodeOf(err), name)
			require.Equal(t, footy.ReasonHostFailed, footy.ReasonOf(err), name)
		}
	}
}

func TestAClipThatIsGoneIsASuspicion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		address string
		there   web
	}{
		"nothing there":       {"https://dropr.co/v/k2", web{}},
		"taken away":          {"https://streamable.com/moo", web{"https://api.streamable.com/videos/moo": "410"}},
		"an empty list":       {"https://streamff.com/v/x", web{"https://ffedge.streamff.com/share/x": " []\n"}},
		"a film in its place": {"https://streamff.com/v/x", web{"https://ffedge.streamff.com/share/x": `[{"external_url":"https://cloudflare-terms-of-service-abuse.com/stub.mp4"}]`}},
		"of an unknown host":  {"https://nova.example/v/x", web{"https://nova.example/v/x": "410"}},
		"says so in words":    {"https://nova.example/v/x", web{"https://nova.example/v/x": "<title>Nova</title><h1>Sorry</h1><p>The clip you want was deleted</p>"}},
	} {
		a, err := c.there.resolve(t, c.address, "")
		require.NoError(t, err, name)
		require.NotEmpty(t, a.Gone, name)
		require.Empty(t, a.File, name)
	}
}

// TestTroubleOfAHostIsNoFact: neither is it one that a file may not be asked for.
func TestTroubleOfAHostIsNoFact(t *testing.T) {
	t.Parallel()
	const api, page = "https://api.streamable.com/videos/moo", "https://streamable.com/moo"
	for want, body := range map[string]string{
		"api.streamable.com answers 503":                       "503",
		"api.streamable.com answers 403":                       "403",
		"no route":                                             "! no route",
		`status is "1" and not "2": it is still being encoded`: `{"status":1}`,
		"has no field files.mp4.url":                           `{"status":2,"files":{}}`,
		"cdn.streamable.com answers 403":                       `{"status":2,"files":{"mp4":{"url":"https://cdn.streamable.com/x.mp4"}}}`,
		"api.streamable.com has no field":                      `{"status":2,"files":{"mp4":{"url":"http://cdn.streamable.com/x.mp4"}}}`,
	} {
		a, err := web{api: body, "https://cdn.streamable.com/x.mp4": "403"}.resolve(t, page, "")
		require.ErrorContains(t, err, want)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), want)
		require.Empty(t, a.Gone, want)
		require.Empty(t, a.File, want)
	}
	for _, bad := range []string{"streamable", "ftp://streamable.com/moo", "https://", "https://user:pass@streamable.com/moo", "::"} {
		_, err := table(t).Resolve(bad, "", false, nil)
		require.ErrorContains(t, err, "is no address of a page", bad)
	}
}

// TestAPageThatNamesNoVideo of a host that no row knows is a fact, unless it has a player whose file only a script knows.
func TestAPageThatNamesNoVideo(t *testing.T) {
	t.Parallel()
	const page = "https://nova.example/v/x"
	for body, want := range map[string]footy.Reason{
		"<h1>Ajax 0 - 1 Celtic</h1><p>A report</p>":                            footy.ReasonNoVideo,
		`<meta property="og:video" content="https://cdn.nova.example/x.m3u8">`: footy.ReasonNoVideo,
		`<video src="https://cdn.nova.example/x.m3u8"></video>`:                footy.ReasonNoVideo,
		`<meta property="og:video" content="https://www.youtube.com/embed/x">`: footy.ReasonNoVideo,
		"GIF89a":                         footy.ReasonNoVideo,
		"{}":                             footy.ReasonNoVideo,
		`<video id="player"></video>`:    footy.ReasonUnknownHost,
		`<video src="blob:https://x/y">`: footy.ReasonUnknownHost,
		"503":                            footy.ReasonHostFailed,
		"403":                            footy.ReasonHostFailed,
		"! connection refused":           footy.ReasonHostFailed,
	} {
		a, err := web{page: body}.resolve(t, page, "")
		require.Equal(t, want, footy.ReasonOf(err), "%s: %v", body, err)
		require.Equal(t, want == footy.ReasonNoVideo, footy.CodeOf(err) == footy.CodeRejected, body)
		require.Empty(t, a.File, body)
		require.Empty(t, a.Gone, body)
	}
}

func TestAVideoOfRedditsOwnHasOneIDByAnyAddress(t *testing.T) {
	t.Parallel()
	for address, id := range map[string]string{
		"https://v.redd.it/ab12":                                                    "ab12",
		"http://v.redd.it/ab12/":                                                    "ab12",
		"https://V.REDD.IT/ab12?utm_source=share#t":                                 "ab12",
		"https://v.redd.it/ab12/DASH_720.mp4?source=fallback":                       "ab12",
		"https://v.redd.it/ab12/CMAF_720.mp4":                                       "ab12",
		"https://v.redd.it/ab12/HLSPlaylist.m3u8?a=1%2Cb&v=1&f=sd":                  "ab12",
		"https://v.redd.it/ab12/DASHPlaylist.mpd?a=1":                               "ab12",
		"https://v.redd.it/link/1xyz/asset/ab12/DASHPlaylist.mpd?a=1":               "ab12",
		"https://www.reddit.com/link/1xyz/video/ab12/player":                        "ab12",
		"https://old.reddit.com/link/1xyz/video/ab12/player/":                       "ab12",
		"https://new.reddit.com/link/1xyz/video/ab12":                               "ab12",
		"https://np.reddit.com/video/ab12":                                          "ab12",
		"https://reddit.com/link/1xyz/video/ab12/player?x=1":                        "ab12",
		"https://packaged-media.redd.it/ab12/pb/m2-res_720p.mp4?m=DASHPlaylist.mpd": "ab12",
		"https://i.redd.it/ab12.png":                                                "",
		"https://v.redd.it/":                                                        "",
		"https://v.redd.it/a.b":                                                     "",
		"https://www.reddit.com/r/soccer/comments/ab12/goal/":                       "",
		"https://v.redd.it.evil.example/ab12":                                       "",
		"https://evilreddit.com/link/1/video/ab12/player":                           "",
		"ftp://v.redd.it/ab12":                                                      "",
	} {
		require.Equal(t, id, hosts.RedditVideo(address), address)
	}
}

func TestWhatSurelyIsNoClipIsNotAsked(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://www.reddit.com/r/soccer/comments/1/x/": true, "https://i.redd.it/a.png": true, "https://x.com/a/status/1": true, "https://youtu.be/a": true,
		"https://m.youtube.com/watch?v=1": true, "https://www.instagram.com/p/1": true, "https://www.bbc.co.uk/sport/1": false, "https://nova.example/a.JPG": true, "https://nova.example/a.pdf": true,
		"ftp://nova.example/a": true, "https://10.0.0.1/a": true, "https://localhost/a": true, "https://nas.local/a": true, "https://2130706433/a": true, "https://127.1/a": true,
		"https://[::1]/a": true, "https://a:b@nova.example/x": true, "": true,
		"https://nova.example/v/1": false, "https://nova.example/a.mp4": false, "https://nova.example/a.html": false, "http://nova.example/a.php?id=1": false, "https://93.184.216.34/v/1": false,
		"https://notx.com/v/1": false,
	} {
		require.Equal(t, want, hosts.Never(address), address)
	}
}

func TestTheRowOfAHostThatGaveClipsIsReadyToCopy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const link = "https://nova.example/watch/v1/Ab_1?x=1"
	there := web{link: `<video src="//cdn.nova.example/1.mp4">`, "https://cdn.nova.example/1.mp4": video}
	a, err := there.resolve(t, link, "")
	require.NoError(t, err)
	r := hosts.Record{}.Noted(hosts.Outcome{Page: link, Way: a.Way}, time.Now())
	require.NoError(t, os.WriteFile(filepath.Join(dir, hosts.File), []byte(r.Suggested("nova.example")), 0o600))
	own, err := hosts.Load(dir)
	require.NoError(t, err)
	row, id, err := own.Lookup("https://nova.example/watch/v1/Cd_2")
	require.NoError(t, err)
	require.True(t, row.Known())
	require.Equal(t, []string{"nova.example", "Cd_2"}, []string{row.Name, id})
	again, err := own.Resolve(link, "", false, there.ask)
	require.NoError(t, err)
	require.Equal(t, a.File, again.File)
	require.Empty(t, hosts.Record{}.Suggested("nova.example"))
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
	a, err := all.Resolve("https://dubz.link/c/q1", "", false, web{"https://new.example/q1.mp4": video}.ask)
	require.NoError(t, err)
	require.Equal(t, "https://new.example/q1.mp4", a.File, "its row replaces ours")
	for address, known := range map[string]bool{"https://nova.example/abc": true, "https://streamable.com/moo": true, "https://other.example/moo": false, "https://dubz.link/x/y": false} {
		row, _, err := all.Lookup(address)
		require.NoError(t, err)
		require.Equal(t, known, row.Known(), address)
	}
	a, err = all.Resolve("https://nova.example/abc", "", false, web{"https://nova.example/p/abc": `<meta property=og:video content=https://else.example/abc.mp4>`, "https://else.example/abc.mp4": video}.ask)
	require.ErrorContains(t, err, "https://else.example, and the row nova names others that may serve it; change its files in hosts.json")
	require.Equal(t, footy.ReasonUnknownHost, footy.ReasonOf(err))
	require.Empty(t, a.File, "a row that names who may serve its files means it")

	for text, want := range map[string]string{
		`{"hosts":[{"name":"x"}]}`: "hosts is empty",
		`{"hosts":[{"name":"x","hosts":["x.example"],"paths":["^/x$"],"find":{"pattern":"y"},"files":["x.example"]}]}`:         "a group, which is the id",
		`{"hosts":[{"name":"x","hosts":["x.example"],"paths":["("]}]}`:                                                         "missing closing )",
		`{"hosts":[{"name":"x","hosts":["x.example"],"paths":["^/(x)$"],"find":{},"files":["x.example"]}]}`:                    "find needs one of",
		`{"hosts":[{"name":"x","hosts":["x.example"],"paths":["^/(x)$"],"find":{"json":"a"},"files":["x.example"]}]}`:          "page is missing",
		`{"hosts":[{"name":"x","hosts":["x.example"],"paths":["^/(x)$"],"ways":[{"find":{"meta":"a","json":"b"}}]}]}`:          "find needs one of",
		`{"hosts":[{"name":"x","hosts":["x.example"],"paths":["^/(x)$"],"ways":[{"find":{"pattern":"http://x.example/a"}}]}]}`: "give an address that begins with https://",
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
		"streamin-ogvideo-reversed-attrs.html":        {"https://streamin.top/v/d5e74811", "https://c-cdn.streamin.top/uploads/d5e74811.mp4?one=1&two=2"},
	} {
		for _, path := range devtest.Recorded(t, filepath.Join("samples", "hosts", name)) {
			body, err := os.ReadFile(path)
			require.NoError(t, err)
			a, err := table(t).Read(c.address, body)
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
