package reddit_test

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
)

func known(t *testing.T) hosts.Table {
	t.Helper()
	table, err := hosts.Load(t.TempDir())
	require.NoError(t, err)
	return table
}

// withClips is the table with a row of a person's own, whose pages may have any path.
func withClips(t *testing.T) hosts.Table {
	t.Helper()
	dir := t.TempDir()
	row := `{"hosts": [{"name": "clips", "hosts": ["clips.example"], "paths": ["^/(.+)$"], "find": {"any": true}}]}`
	require.NoError(t, os.WriteFile(filepath.Join(dir, hosts.File), []byte(row), 0o600))
	table, err := hosts.Load(dir)
	require.NoError(t, err)
	return table
}

func TestLinksOfComments(t *testing.T) {
	t.Parallel()
	src := reddit.New(reddit.Options{Table: withClips(t)}, http.DefaultClient)
	for body, want := range map[string]string{
		"https://streamff.pro/v/abc123":                                                             "https://streamff.pro/v/abc123",
		"[Mirror](https://streamff.pro/v/abc123)":                                                   "https://streamff.pro/v/abc123",
		"**[Mirror](https://streamff.pro/v/abc123)**, [AA](https://dubz.link/c/x1y2z3).":            "https://streamff.pro/v/abc123 https://dubz.link/c/x1y2z3",
		"[https://streamff.pro/v/abc123](https://streamff.pro/v/abc123)":                            "https://streamff.pro/v/abc123",
		"(see https://streamff.pro/v/abc123).":                                                      "https://streamff.pro/v/abc123",
		"<https://streamff.pro/v/abc123>":                                                           "https://streamff.pro/v/abc123",
		"mirror: streamff.pro/v/abc123!":                                                            "https://streamff.pro/v/abc123",
		"http://www.streamff.pro/v/abc123":                                                          "https://streamff.pro/v/abc123",
		"HTTPS://StreamFF.pro/v/abc123":                                                             "https://StreamFF.pro/v/abc123",
		`https://clips.example/v/x1\_y2`:                                                            "https://clips.example/v/x1_y2",
		"https://clips.example/v/x1%5Fy2":                                                           "https://clips.example/v/x1%5Fy2",
		"https://streamff.pro/v/abc123%20":                                                          "https://streamff.pro/v/abc123",
		"https://out.reddit.com/t3?url=https%3A%2F%2Fstreamff.pro%2Fv%2Fabc123":                     "https://streamff.pro/v/abc123",
		"https://streamable.com/abc12?src=player-page-share":                                        "https://streamable.com/abc12?src=player-page-share",
		"https://v.redd.it/k1x2":                                                                    "https://v.redd.it/k1x2",
		"https://v.redd.it/k1x2/DASH_720.mp4?source=fallback":                                       "https://v.redd.it/k1x2",
		"https://www.reddit.com/link/1abc/video/k1x2/player":                                        "https://v.redd.it/k1x2",
		"https://clips.example/watch?v=1&amp;b=2":                                                   "https://clips.example/watch?v=1&b=2",
		`<div class="md"><p><a href="https://streamff.pro/v/abc123">streamff.pro/v/…</a></p></div>`: "https://streamff.pro/v/abc123",
		`<div class="md"><p>bare streamff.pro/v/abc123</p></div>`:                                   "https://streamff.pro/v/abc123",
		`<p><a href="https://clips.example/w?v=1&amp;b=2">x</a></p>`:                                "https://clips.example/w?v=1&b=2",
		"https://streamable.com/":                                                                   "", // names no clip
		"https://elsewhere.example/v/abc":                                                           "",
		"https://www.reddit.com/r/soccer/comments/1abc/mirror/":                                     "",
		"[removed]":                         "",
		"what a goal. streamff.pro is down": "",
		"":                                  "",
	} {
		require.Equal(t, want, strings.Join(reddit.CommentLinks(src, body), " "), body)
	}
}

const below = `[{"kind":"Listing","data":{"children":[{"kind":"t3","data":{"name":"t3_1a","url":"https://streamff.pro/v/own"}}]}},
{"kind":"Listing","data":{"children":[
 {"kind":"t1","data":{"name":"t1_bot","author":"AutoModerator","body":"**Mirrors / Alternative Angles**","permalink":"/r/soccer/comments/1a/goal/bot/","created_utc":1795274700,
  "replies":{"kind":"Listing","data":{"children":[{"kind":"t1","data":{"name":"t1_two","author":"ada","body":"[Mirror](https://streamff.pro/v/mirror1) [AA](https://dubz.link/c/mirror2) again https://streamff.com/v/mirror1","permalink":"/r/soccer/comments/1a/goal/two/","created_utc":1795274760,"replies":""}}]}}}},
 {"kind":"t1","data":{"name":"t1_own","author":"bob","body":"https://streamff.pro/v/own","permalink":"/r/soccer/comments/1a/goal/own/","created_utc":1795274720,"replies":""}},
 {"kind":"more","data":{"children":["x"]}}]}}]`

// asking is a query for comments of one post.
func asking(of ...footy.Candidate) source.Query {
	return source.Query{Goal: goal(), Comments: &source.Comments{Of: of, Max: 10}}
}

func TestCommentsOfAPostAreReadThroughTheAPI(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(path, _ string) (int, map[string]string, string) {
		if strings.HasPrefix(path, "/r/soccer/comments/1a/goal") {
			return http.StatusOK, nil, below
		}
		return http.StatusOK, nil, `{"kind":"Listing","data":{"children":[]}}`
	})
	o := s.options()
	o.Table = known(t)
	src := reddit.New(o, s.Client())
	q := asking(footy.Candidate{PostID: "t3_1a", URL: "https://www.reddit.com/r/soccer/comments/1a/goal/"})
	r, err := src.Search(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, source.StateResults, r.State)
	require.Len(t, r.Candidates, 2, "the post's own link is none, and no clip comes twice: %+v", r.Candidates)
	require.Equal(t, footy.Candidate{PostID: "t1_two", URL: "https://www.reddit.com/r/soccer/comments/1a/goal/two/", Author: "ada", PostedAt: time.Unix(1795274760, 0).UTC(),
		Text: "[Mirror](https://streamff.pro/v/mirror1) [AA](https://dubz.link/c/mirror2) again https://streamff.com/v/mirror1",
		Link: "https://streamff.pro/v/mirror1", CommentOf: q.Comments.Of[0].URL}, r.Candidates[0])
	require.Equal(t, "t1_two.2", r.Candidates[1].PostID)
	require.Len(t, r.Comments, 1)
	require.Equal(t, footy.CommentsRead{Post: "t3_1a", At: r.Comments[0].At, Times: 1, Links: 2}, r.Comments[0])

	q.Exclude, q.Comments.Max = []string{"https://streamff.link/v/mirror1"}, 1
	r, err = src.Search(t.Context(), q)
	require.NoError(t, err)
	require.Len(t, r.Candidates, 1, "what is known is no news, on whichever of a host's names")
	require.Equal(t, "https://dubz.link/c/mirror2", r.Candidates[0].Link)
	require.Equal(t, 2, r.Comments[0].Links)
}

func TestCommentsAreReadBelowPostsOfTheGoalThatHaveNoClip(t *testing.T) {
	t.Parallel()
	list := `{"kind":"Listing","data":{"children":[
	 {"kind":"t3","data":{"name":"t3_1r","title":"Ajax 0 - [1] Celtic - R. MacAllan 60'","author":"[deleted]","permalink":"/r/soccer/comments/1r/goal/","created_utc":1795274400,"url":"https://streamff.pro/v/own","removed_by_category":"deleted"}},
	 {"kind":"t3","data":{"name":"t3_1u","title":"Ajax 0 - [1] Celtic - R. MacAllan 60' (angle)","author":"fan","permalink":"/r/soccer/comments/1u/goal/","created_utc":1795274410,"url":"https://unknown.example/v/own"}},
	 {"kind":"t3","data":{"name":"t3_1t","title":"Ajax 0 - [1] Celtic - R. MacAllan 60'","author":"fan","permalink":"/r/soccer/comments/1t/thread/","created_utc":1795274415,"is_self":true,"url":"https://www.reddit.com/r/soccer/comments/1t/thread/"}},
	 {"kind":"t3","data":{"name":"t3_1o","title":"Brighton 0 - [1] Porto - A. Silva 12'","author":"fan","permalink":"/r/soccer/comments/1o/goal/","created_utc":1795274420,"url":"https://unknown.example/v/2","removed_by_category":"deleted"}}]}}`
	s := newSite(t, func(path, _ string) (int, map[string]string, string) {
		if strings.Contains(path, "/comments/") {
			return http.StatusOK, nil, below
		}
		return http.StatusOK, nil, list
	})
	o := s.options()
	o.Table = known(t)
	src := reddit.New(o, s.Client())
	asked := func(c source.Comments) (out []string) {
		c.Max = 10
		r, err := src.Search(t.Context(), source.Query{Goal: goal(), Comments: &c})
		require.NoError(t, err)
		for _, read := range r.Comments {
			out = append(out, read.Post)
		}
		return out
	}
	require.Equal(t, []string{"t3_1r"}, asked(source.Comments{}), "the one that was removed, at once")
	require.Equal(t, []string{"t3_1r", "t3_1u"}, asked(source.Comments{Late: true}))
	require.Equal(t, []string{"t3_1u"}, asked(source.Comments{Late: true, Done: []string{"t3_1r"}}))
}

// feedOf is RSS of comments; "" is the post alone.
func feedOf(comments ...string) string {
	var b strings.Builder
	b.WriteString(`<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>t3_1a</id><title>goal</title><content type="html">&lt;a href="https://streamff.pro/v/own"&gt;[link]&lt;/a&gt;</content><updated>2026-11-21T15:20:00+00:00</updated></entry>`)
	for i, c := range comments {
		fmt.Fprintf(&b, `<entry><id>t1_%d</id><title>a comment</title><author><name>/u/ada</name></author><link href="https://www.reddit.com/r/soccer/comments/1a/goal/%d/"/><content type="html">%s</content><updated>2026-11-21T15:21:00+00:00</updated></entry>`,
			i, i, html.EscapeString(c))
	}
	return b.String() + "</feed>"
}

func TestCommentsByRSSAndWhyTheyCouldNotBeRead(t *testing.T) {
	t.Parallel()
	mirror := `<div class="md"><p><a href="https://streamff.pro/v/mirror1">Mirror</a> of <a href="https://streamff.pro/v/own">this</a></p></div>`
	for name, c := range map[string]struct {
		status int
		body   string
		want   footy.CommentsRead
		found  int
	}{
		"a mirror":              {200, feedOf(mirror), footy.CommentsRead{Times: 1, Links: 1}, 1},
		"none":                  {200, feedOf(`<p>what a goal</p>`), footy.CommentsRead{Times: 1}, 0},
		"no comment yet":        {200, feedOf(), footy.CommentsRead{Times: 1}, 0},
		"a page without a post": {200, `<feed xmlns="http://www.w3.org/2005/Atom"></feed>`, footy.CommentsRead{Failed: source.StateUpstreamError}, 0},
		"a log-in page":         {200, `<html><br>log in</html>`, footy.CommentsRead{Failed: source.StateLoginRequired}, 0},
		"too many":              {429, "", footy.CommentsRead{Failed: source.StateRateLimited}, 0},
		"blocked":               {403, "", footy.CommentsRead{Failed: source.StateLoginRequired}, 0},
		"down":                  {502, "", footy.CommentsRead{Failed: source.StateUpstreamError}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newRSS(t, func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.URL.Path, "/comments/") {
					w.WriteHeader(c.status)
					_, _ = w.Write([]byte(c.body))
					return
				}
				_, _ = w.Write([]byte(feedOf()))
			})
			src := s.source(fixed(), func(o *reddit.Options) { o.Table = known(t) })
			r, err := src.Search(t.Context(), asking(footy.Candidate{PostID: "t3_1a", URL: "https://www.reddit.com/r/soccer/comments/1a/goal/"}))
			require.NoError(t, err)
			require.Equal(t, "/r/soccer/comments/1a/goal/.rss?limit=100", s.last.Load())
			require.Len(t, r.Candidates, c.found)
			c.want.Post, c.want.At = "t3_1a", fixed().at
			require.Equal(t, []footy.CommentsRead{c.want}, r.Comments)
		})
	}
}

// TestCommentsTakeNoCallFromTheLists: they would keep every goal waiting for its posts.
func TestCommentsTakeNoCallFromTheLists(t *testing.T) {
	t.Parallel()
	refuse := false
	s := newRSS(t, func(w http.ResponseWriter, _ *http.Request) {
		if refuse {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = w.Write([]byte(feedOf()))
	})
	c := fixed()
	src := s.source(c, func(o *reddit.Options) { o.Table = known(t) })
	q := asking(footy.Candidate{PostID: "t3_1a"}, footy.Candidate{PostID: "t3_1b"}, footy.Candidate{PostID: "t3_1c"})
	r, err := src.Search(t.Context(), q)
	require.NoError(t, err)
	require.EqualValues(t, 2, s.asked.Load(), "the list, and one post's comments, in this minute")
	require.Len(t, r.Comments, 2, "the third was not asked for")
	require.Equal(t, source.StateRateLimited, r.Comments[1].Failed)
	c.at = c.at.Add(time.Minute)
	refuse = true
	r, err = src.Search(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, source.StateRateLimited, r.State)
	require.EqualValues(t, 3, s.asked.Load(), "where the list is refused, comments are not asked for")
	require.Equal(t, source.StateRateLimited, r.Comments[0].Failed)
	require.Len(t, r.Comments, 1)
}

// TestCommentsAreReadInTheArchiveWhileRedditRefuses: right after its list, whose call must be followed by a pause.
func TestCommentsAreReadInTheArchiveWhileRedditRefuses(t *testing.T) {
	t.Parallel()
	a := newSecond(t)
	a.answer = func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/comments/search" {
			fmt.Fprintf(w, `{"data":[{"id":"1a","title":"Ajax 0 - [1] Celtic - R. MacAllan 60'","created_utc":%d,"url":"https://streamff.pro/v/own","author":"fan"}]}`, time.Now().Unix())
			return
		}
		fmt.Fprint(w, `{"data":[{"id":"two","author":"ada","body":"[Mirror](https://streamff.pro/v/mirror1?a=1&amp;b=2) not https://streamff.pro/v/own","created_utc":1795274760,"permalink":"/r/soccer/comments/1a/goal/two/","link_id":"t3_1a"},
 {"id":"gone","author":"[deleted]","body":"[removed]","created_utc":"1795274761"}, {"body":1}]}`)
	}
	src := a.front.source(fixed(), func(o *reddit.Options) {
		o.ArchiveURL, o.Table, o.Every, o.Now = a.URL, known(t), 300*time.Millisecond, nil
	})
	r, err := src.Search(t.Context(), asking(footy.Candidate{PostID: "t3_1a"}, footy.Candidate{PostID: "t3_1b"}))
	require.NoError(t, err)
	require.Len(t, a.asked, 2)
	asked := a.asked[1].URL.Query()
	require.Equal(t, "t3_1a asc 100", asked.Get("link_id")+" "+asked.Get("sort")+" "+asked.Get("limit"))
	require.Len(t, r.Comments, 1, "one post's comments")
	require.Equal(t, footy.CommentsRead{Post: "t3_1a", At: r.Comments[0].At, Times: 1, Links: 1}, r.Comments[0])
	got := r.Candidates[len(r.Candidates)-1]
	require.Equal(t, "t1_two", got.PostID)
	require.Equal(t, "https://streamff.pro/v/mirror1?a=1&b=2", got.Link)
	require.Equal(t, "https://www.reddit.com/r/soccer/comments/1a/goal/two/", got.URL)

	a.answer = func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":"Maybe slow down a bit"}`, http.StatusTooManyRequests)
	}
	r, err = src.Search(t.Context(), asking(footy.Candidate{PostID: "t3_1b"}))
	require.NoError(t, err)
	require.Equal(t, source.StateRateLimited, r.Comments[0].Failed, "which is not that there are no links")
}

func TestWhatACommentLinksToIsFetched(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hosts/ffedge.streamff.com/share/mirror1":
			fmt.Fprint(w, `[{"path":"mirror1","external_url":"https://cdn.hostedhost.top/mirror1.mp4"}]`)
		case "/hosts/cdn.hostedhost.top/mirror1.mp4":
			w.Header().Set("Content-Type", "video/mp4")
			fmt.Fprint(w, film)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	src := reddit.New(reddit.Options{URL: site.URL, VideoURL: site.URL + "/v", Table: known(t), HostsURL: site.URL + "/hosts", Private: true}, site.Client())
	f := reddit.NewFetcher(src, xtweet.Options{Pause: time.Millisecond}, site.Client())
	var out bytes.Buffer
	_, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t1_two", Link: "https://streamff.pro/v/mirror1"}, &out)
	require.NoError(t, err)
	require.Equal(t, film, out.String(), "no post is looked up")
	require.NoError(t, source.Probe(t.Context(), f, footy.Candidate{PostID: "t1_two", Link: "https://streamff.pro/v/mirror1"}))
	_, err = f.Fetch(t.Context(), footy.Candidate{PostID: "t1_gone", Link: "https://v.redd.it/gone"}, &out)
	require.Equal(t, footy.ReasonDeleted, footy.ReasonOf(err))
}
