package reddit_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
)

// row is a post as the archive has it.
type row = map[string]any

// second is an archive beside a Reddit that refuses; it serves its rows as asked, unless answer says something else.
type second struct {
	*httptest.Server
	front  *rssSite
	open   bool // Reddit answers
	rows   []row
	answer http.HandlerFunc
	asked  []*http.Request
}

func newSecond(t *testing.T) *second {
	t.Helper()
	a := &second{}
	a.front = newRSS(t, func(w http.ResponseWriter, _ *http.Request) {
		if !a.open {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		fmt.Fprint(w, `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>t3_daily</id><title>Daily Discussion</title><published>2026-11-21T03:00:00+00:00</published></entry></feed>`)
	})
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.asked = append(a.asked, r)
		if a.answer != nil {
			a.answer(w, r)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": a.page(r), "error": nil})
	}))
	t.Cleanup(a.Close)
	return a
}

// page is what the real one lists: posts after a second, oldest first.
func (a *second) page(r *http.Request) []row {
	q := r.URL.Query()
	out := []row{}
	if ids := q.Get("ids"); ids != "" {
		for _, p := range a.rows {
			if "t3_"+fmt.Sprint(p["id"]) == ids {
				out = append(out, p)
			}
		}
		return out
	}
	at := func(p row) float64 { v, _ := strconv.ParseFloat(fmt.Sprint(p["created_utc"]), 64); return v }
	after, _ := strconv.ParseFloat(q.Get("after"), 64)
	limit, _ := strconv.Atoi(q.Get("limit"))
	all := slices.Clone(a.rows)
	slices.SortStableFunc(all, func(x, y row) int { return int(at(x) - at(y)) })
	for _, p := range all {
		if at(p) > after && len(out) < limit {
			out = append(out, p)
		}
	}
	return out
}

func (a *second) source(c *clock) *reddit.Source {
	return a.front.source(c, func(o *reddit.Options) { o.ArchiveURL = a.URL })
}

func at(t time.Time) int64 { return t.Unix() }

// chatter is a post that no goal is in.
func chatter(id string, t time.Time) row {
	return row{"id": id, "title": "Who is your man of the match?", "created_utc": at(t), "url": "https://www.reddit.com/r/soccer/comments/" + id + "/x/", "permalink": "/r/soccer/comments/" + id + "/x/", "author": "fan"}
}

// shot is a post of the goal that goal() wants.
func shot(id string, t time.Time) row {
	return row{"id": id, "title": "Ajax 0 - [1] Celtic - R. MacAllan 60' &amp; more", "created_utc": at(t), "url": "https://clips.example/v/1?a=1&amp;b=2",
		"permalink": "/r/soccer/comments/" + id + "/goal/", "author": "fan"}
}

func TestTheArchiveIsAskedWhileRedditRefuses(t *testing.T) {
	t.Parallel()
	a, c := newSecond(t), fixed()
	posted := c.at.Add(-3 * time.Minute)
	a.rows = []row{chatter("old", c.at.Add(-5*time.Minute)), shot("1host", posted), chatter("new", c.at.Add(-40*time.Second))}
	src := a.source(c)
	q := source.Query{Goal: goal(), Since: c.at.Add(-4 * time.Minute)}
	r, err := src.Search(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, source.StateResults, r.State, "%+v", r)
	require.Len(t, r.Candidates, 1)
	got := r.Candidates[0]
	require.Equal(t, "t3_1host", got.PostID, "the name that it has by every door")
	require.Equal(t, "https://www.reddit.com/r/soccer/comments/1host/goal/", got.URL)
	require.Equal(t, "Ajax 0 - [1] Celtic - R. MacAllan 60' & more", got.Text)
	require.Equal(t, posted, got.PostedAt)
	require.Equal(t, 30*time.Second, r.RetryAfter)

	asked := a.asked[0].URL.Query()
	require.Equal(t, "/api/posts/search", a.asked[0].URL.Path)
	require.Equal(t, "soccer", asked.Get("subreddit"))
	require.Equal(t, "asc", asked.Get("sort"))
	require.Equal(t, "100", asked.Get("limit"))
	require.Equal(t, strconv.FormatInt(c.at.Add(-10*time.Minute).Unix(), 10), asked.Get("after"), "a shorter list could be empty where nothing is wrong")
	require.Equal(t, "found-footy/test (+https://github.com/found-footy/found-footy)", a.asked[0].UserAgent())

	q.Exclude = []string{"t3_1host"}
	for range 29 {
		c.at = c.at.Add(time.Second)
		r, err = src.Search(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, source.StateEmpty, r.State)
	}
	require.Len(t, a.asked, 1, "thirty seconds have passed only then")
	require.EqualValues(t, 1, a.front.asked.Load(), "and Reddit is asked at its own pace")
	c.at = c.at.Add(time.Second)
	_, err = src.Search(t.Context(), q)
	require.NoError(t, err)
	require.Len(t, a.asked, 2)

	h, err := src.Health(t.Context())
	require.NoError(t, err)
	require.True(t, h.Ready)
	require.Equal(t, &source.Door{URL: a.URL, Since: fixed().at, Why: "Reddit refuses its public list to this machine (HTTP 403)", Asked: c.at, Age: "1m10s"}, h.Door)

	a.open = true
	c.at = c.at.Add(time.Minute)
	r, err = src.Search(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, source.StateEmpty, r.State)
	require.Len(t, a.asked, 2, "Reddit answers again")
	h, err = src.Health(t.Context())
	require.NoError(t, err)
	require.True(t, h.Ready)
	require.Nil(t, h.Door)
}

func TestOnlyThePublicListHasASecondDoor(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*reddit.Options){"an address of one's own": mine, "turned off": func(o *reddit.Options) { o.ArchiveURL = "" }} {
		a, c := newSecond(t), fixed()
		a.rows = []row{chatter("new", c.at.Add(-40*time.Second))}
		src := a.front.source(c, func(o *reddit.Options) { o.ArchiveURL = a.URL; change(o) })
		r, err := src.Search(t.Context(), source.Query{Goal: goal()})
		require.NoError(t, err)
		require.Equal(t, source.StateLoginRequired, r.State, name)
		require.Empty(t, a.asked, name)
	}
}

func TestOutagesOfRedditOpenNoSecondDoor(t *testing.T) {
	t.Parallel()
	a, c := newSecond(t), fixed()
	a.rows = []row{chatter("new", c.at.Add(-40*time.Second))}
	s := newRSS(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	src := s.source(c, func(o *reddit.Options) { o.ArchiveURL = a.URL })
	r, err := src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Equal(t, source.StateUpstreamError, r.State)
	require.Empty(t, a.asked)
}

// TestWhatTheArchiveAnswersBadlyIsNotNothingFound: the search waits as for Reddit's own refusal, and says what is wrong with both.
func TestWhatTheArchiveAnswersBadlyIsNotNothingFound(t *testing.T) {
	t.Parallel()
	says := func(code int, header, value, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if header != "" {
				w.Header().Set(header, value)
			}
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}
	}
	const slow = `{"data":null,"error":"Timeout. Maybe slow down a bit"}`
	now := fixed().at
	old, _ := json.Marshal(map[string]any{"data": []row{chatter("old", now.Add(-11*time.Minute))}})
	ahead, _ := json.Marshal(map[string]any{"data": []row{chatter("ahead", now.Add(time.Hour)), chatter("old", now.Add(-time.Hour))}})
	for name, tc := range map[string]struct {
		answer http.HandlerFunc
		says   string
		pause  time.Duration // until it is asked again
	}{
		"slow down, 200":   {says(200, "", "", slow), "slow down", time.Minute},
		"slow down, 422":   {says(422, "", "", slow), "slow down", time.Minute},
		"slow down, 400":   {says(400, "", "", slow), "slow down", time.Minute},
		"429":              {says(429, "Retry-After", "240", "busy"), "HTTP 429", 4 * time.Minute},
		"429, counted":     {says(429, "X-RateLimit-Reset", "90", "{}"), "HTTP 429", 90 * time.Second},
		"429, until":       {says(429, "X-RateLimit-Reset", strconv.FormatInt(now.Add(2*time.Minute).Unix(), 10), "{}"), "HTTP 429", 2 * time.Minute},
		"429, for ever":    {says(429, "Retry-After", "99999999", "{}"), "HTTP 429", time.Hour},
		"403":              {says(403, "", "", "<html>blocked</html>"), "HTTP 403", time.Minute},
		"an outage":        {says(502, "", "", "<html>bad gateway</html>"), "HTTP 502", time.Minute},
		"garbage":          {says(200, "", "", "<html>hello</html>"), "no list", time.Minute},
		"an error, 200":    {says(200, "", "", `{"data":[],"error":"under maintenance"}`), "under maintenance", time.Minute},
		"no data":          {says(200, "", "", `{"data":null}`), "no list", time.Minute},
		"an object":        {says(200, "", "", `{"data":{"posts":[]}}`), "no list", time.Minute},
		"half an answer":   {says(200, "", "", `{"data":[{"id":"a"`), "no list", time.Minute},
		"elsewhere":        {says(302, "Location", "http://169.254.169.254/", ""), "leads elsewhere", time.Minute},
		"nothing":          {says(200, "", "", `{"data":[]}`), "no post of the last ten minutes", 30 * time.Second},
		"a stale list":     {says(200, "", "", string(old)), "newest post is 11m0s old", 30 * time.Second},
		"from the future":  {says(200, "", "", string(ahead)), "newest post is 1h0m0s old", 30 * time.Second},
		"posts of nothing": {says(200, "", "", `{"data":[{"title":"x"},7,null,"x"]}`), "no post in the archive's list has its name", 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, c := newSecond(t), fixed()
			a.answer = tc.answer
			src := a.source(c)
			r, err := src.Search(t.Context(), source.Query{Goal: goal()})
			require.NoError(t, err)
			require.Equal(t, source.StateLoginRequired, r.State, "could not look")
			require.Equal(t, footy.ReasonRedditPublic, r.Reason)
			require.Contains(t, r.Detail, "HTTP 403")
			require.Contains(t, r.Detail, tc.says)
			require.Equal(t, min(tc.pause, time.Minute), r.RetryAfter, "Reddit itself is asked again in a minute")
			h, err := src.Health(t.Context())
			require.NoError(t, err)
			require.False(t, h.Ready)
			require.Contains(t, h.Door.Fault, tc.says)
			c.at = c.at.Add(tc.pause - time.Second)
			_, err = src.Search(t.Context(), source.Query{Goal: goal()})
			require.NoError(t, err)
			require.Len(t, a.asked, 1, "nobody asks in the pause")
			c.at = c.at.Add(time.Second)
			_, err = src.Search(t.Context(), source.Query{Goal: goal()})
			require.NoError(t, err)
			require.Len(t, a.asked, 2)
		})
	}
}

func TestAPostAtTheEndOfAPageIsNotLost(t *testing.T) {
	t.Parallel()
	a, c := newSecond(t), fixed()
	begin := c.at.Add(-8 * time.Minute).Truncate(time.Second)
	for i := range 230 { // three posts in each of the seconds, of which pages break one
		a.rows = append(a.rows, chatter("p"+strconv.Itoa(i), begin.Add(time.Duration(i/3)*time.Second)))
	}
	for i := range 120 { // and a second that no page holds
		a.rows = append(a.rows, chatter("q"+strconv.Itoa(i), begin.Add(90*time.Second)))
	}
	slices.Reverse(a.rows[:100])
	a.rows = append(a.rows, shot("1host", begin.Add(76*time.Second)), chatter("new", c.at.Add(-10*time.Second)))
	src := a.source(c)
	q := source.Query{Goal: goal(), Since: c.at.Add(-8 * time.Minute)}
	var r source.Result
	for range 20 {
		var err error
		if r, err = src.Search(t.Context(), q); r.State == source.StateEmpty {
			break
		}
		require.NoError(t, err)
		if r.State == source.StateResults {
			q.Exclude = []string{r.Candidates[0].PostID}
			continue
		}
		require.Contains(t, r.Detail, "still being read", "what is not read yet is not nothing")
		require.LessOrEqual(t, r.RetryAfter, 20*time.Second)
		c.at = c.at.Add(r.RetryAfter)
	}
	require.Equal(t, source.StateEmpty, r.State, r.Detail)
	require.Equal(t, []string{"t3_1host"}, q.Exclude)
	require.Less(t, len(a.asked), 8)
	seen := map[string]bool{}
	for _, req := range a.asked {
		for _, p := range a.page(req) {
			seen[fmt.Sprint(p["id"])] = true
		}
		q := req.URL.Query()
		require.False(t, seen[q.Encode()], "no page twice")
		seen[q.Encode()] = true
	}
	for i := range 230 {
		require.True(t, seen["p"+strconv.Itoa(i)], i)
	}
}

func TestAPostThatComesLateIsFound(t *testing.T) {
	t.Parallel()
	a, c := newSecond(t), fixed()
	a.rows = []row{chatter("new", c.at.Add(-10*time.Second))}
	src := a.source(c)
	q := source.Query{Goal: goal(), Since: c.at.Add(-4 * time.Minute)}
	r, err := src.Search(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, source.StateEmpty, r.State)
	a.rows = append(a.rows, shot("1host", c.at.Add(-2*time.Minute)))
	c.at = c.at.Add(30 * time.Second)
	r, err = src.Search(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, source.StateResults, r.State)
}

// TestPostsOfTheArchiveAreThoseOfOtherDoors: a video of Reddit's own is asked for at Reddit, wherever the archive says that it lies.
func TestPostsOfTheArchiveAreThoseOfOtherDoors(t *testing.T) {
	t.Parallel()
	now := fixed().at
	reel := func(to string) row {
		return row{"reddit_video": row{"fallback_url": to + "/CMAF_720.mp4?source=fallback", "dash_url": to + "/DASHPlaylist.mpd?a=1", "width": 1280, "height": 720, "duration": 31, "is_gif": false}}
	}
	for name, change := range map[string]func(row){
		"by its page alone":     func(p row) { p["url"] = "https://v.redd.it/abc" },
		"with a query":          func(p row) { p["url"] = "https://v.redd.it/abc?x=1" },
		"in media":              func(p row) { p["url"], p["media"] = "https://v.redd.it/abc", reel("https://v.redd.it/abc") },
		"in secure_media":       func(p row) { p["secure_media"] = reel("https://v.redd.it/abc") },
		"crosspost":             func(p row) { p["crosspost_parent_list"] = []row{{"secure_media": reel("https://v.redd.it/abc")}} },
		"with a foreign file":   func(p row) { p["url"], p["media"] = "https://v.redd.it/abc", reel("http://169.254.169.254") },
		"created as a float":    func(p row) { p["url"], p["created_utc"] = "https://v.redd.it/abc", float64(at(now))-60.5 },
		"created in quotes":     func(p row) { p["url"], p["created_utc"] = "https://v.redd.it/abc", strconv.FormatInt(at(now)-60, 10) },
		"media of another kind": func(p row) { p["url"], p["media"] = "https://v.redd.it/abc", "video" },
		"without much": func(p row) {
			p["url"] = "https://v.redd.it/abc"
			delete(p, "author")
			delete(p, "permalink")
		},
		"with its full name": func(p row) { p["url"], p["name"] = "https://v.redd.it/abc", "t3_1video"; delete(p, "id") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, c := newSecond(t), fixed()
			p := shot("1video", now.Add(-time.Minute))
			p["url"] = "https://www.reddit.com/r/soccer/comments/1video/goal/"
			change(p)
			body, err := json.Marshal(map[string]any{"data": []any{row{"id": "x", "title": 7}, p, nil}})
			require.NoError(t, err)
			a.answer = func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }
			src := a.source(c)
			r, err := src.Search(t.Context(), source.Query{Goal: goal()})
			require.NoError(t, err)
			require.Len(t, r.Candidates, 1, "%+v", r)
			require.Equal(t, "t3_1video", r.Candidates[0].PostID)
			require.True(t, strings.HasPrefix(r.Candidates[0].URL, "https://www.reddit.com/"))
			err = source.Probe(t.Context(), reddit.NewFetcher(src, xtweet.Options{}, a.front.Client()), r.Candidates[0])
			require.Error(t, err, "Reddit refuses the play-list here, too")
			require.Equal(t, "/v/abc/DASHPlaylist.mpd", a.front.last.Load())
		})
	}
}

func TestALinkOfTheArchiveLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	a, c := newSecond(t), fixed()
	p := shot("1host", c.at.Add(-time.Minute))
	p["permalink"] = "https://example.com/log-in"
	a.rows = []row{p}
	r, err := a.source(c).Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Equal(t, "https://www.reddit.com/comments/1host/", r.Candidates[0].URL)
}

// TestAPostThatAnotherProcessFoundIsLookedUp: what the archive lacks is not gone.
func TestAPostThatAnotherProcessFoundIsLookedUp(t *testing.T) {
	t.Parallel()
	a, c := newSecond(t), fixed()
	p := shot("1video", c.at.Add(-time.Minute))
	p["url"] = "https://v.redd.it/abc"
	a.rows = []row{p}
	src := a.source(c)
	_, err := src.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	f := reddit.NewFetcher(src, xtweet.Options{}, a.front.Client())
	err = source.Probe(t.Context(), f, footy.Candidate{PostID: "t3_other"})
	require.Equal(t, footy.CodeRateLimited, footy.CodeOf(err), "one call in twenty seconds altogether")
	c.at = c.at.Add(20 * time.Second)
	err = source.Probe(t.Context(), f, footy.Candidate{PostID: "t3_other"})
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
	require.Equal(t, "/api/posts/ids", a.asked[1].URL.Path)
	a.rows = append(a.rows, row{"id": "other", "title": "Ajax 0 - [1] Celtic", "created_utc": at(c.at), "url": "https://clips.example/v/2", "author": "[deleted]"})
	c.at = c.at.Add(20 * time.Second)
	err = source.Probe(t.Context(), f, footy.Candidate{PostID: "t3_other"})
	require.Equal(t, footy.ReasonDeleted, footy.ReasonOf(err), "the archive has it: %v", err)
}

func TestSeveralSubredditsTakeTurnsInTheArchive(t *testing.T) {
	t.Parallel()
	a, c := newSecond(t), fixed()
	a.rows = []row{chatter("new", c.at.Add(-40*time.Second))}
	src := a.front.source(c, func(o *reddit.Options) { o.ArchiveURL, o.Subreddits = a.URL, []string{"soccer", "MLS"} })
	r, err := src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Equal(t, source.StateLoginRequired, r.State, "one was not looked through yet")
	c.at = c.at.Add(20 * time.Second)
	r, err = src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Equal(t, source.StateEmpty, r.State, r.Detail)
	c.at = c.at.Add(30 * time.Second)
	_, err = src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	var names []string
	for _, r := range a.asked {
		names = append(names, r.URL.Query().Get("subreddit"))
	}
	require.Equal(t, []string{"soccer", "MLS", "soccer"}, names)
}

// TestASlowOrEndlessArchiveIsLeft: the search goes on waiting as without it.
func TestASlowOrEndlessArchiveIsLeft(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		says   string
	}{
		"slow": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "does not answer within 2s"},
		"endless": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9999999999")
			w.WriteHeader(http.StatusOK)
		}, "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, c := newSecond(t), fixed()
			a.answer = tc.answer
			src := a.front.source(c, func(o *reddit.Options) { o.ArchiveURL, o.Timeout = a.URL, 2*time.Second })
			r, err := src.Search(t.Context(), source.Query{Goal: goal()})
			require.NoError(t, err)
			require.Equal(t, footy.ReasonRedditPublic, r.Reason)
			require.Contains(t, r.Detail, tc.says)
		})
	}
}

// TestAnArchiveWithNoCallsLeftIsGivenTime: also where it answered.
func TestAnArchiveWithNoCallsLeftIsGivenTime(t *testing.T) {
	t.Parallel()
	a, c := newSecond(t), fixed()
	rows, _ := json.Marshal(map[string]any{"data": []row{chatter("new", c.at.Add(-time.Minute))}})
	a.answer = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset", "120")
		_, _ = w.Write(rows)
	}
	src := a.source(c)
	r, err := src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Equal(t, source.StateEmpty, r.State)
	require.Equal(t, 2*time.Minute, r.RetryAfter)
	c.at = c.at.Add(119 * time.Second)
	_, err = src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Len(t, a.asked, 1)
}

func TestAnArchiveAtAPrivateAddressIsNotAsked(t *testing.T) {
	t.Parallel()
	a, c := newSecond(t), fixed()
	name := strings.Replace(a.URL, "127.0.0.1", "localhost", 1)
	src := a.front.source(c, func(o *reddit.Options) { o.ArchiveURL = name })
	r, err := src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Contains(t, r.Detail, "is not public", "a name that leads there was not written by its owner")
	require.Empty(t, a.asked)
}

// TestHealthAsksNoMoreThanSearchesDo: a list that was good when no goal needed another is not called old.
func TestHealthAsksNoMoreThanSearchesDo(t *testing.T) {
	t.Parallel()
	a, c := newSecond(t), fixed()
	src := a.source(c)
	for _, pause := range []time.Duration{0, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute} {
		c.at = c.at.Add(pause)
		a.rows = []row{chatter("new", c.at.Add(-40*time.Second))}
		_, err := src.Search(t.Context(), source.Query{Goal: goal()})
		require.NoError(t, err)
	}
	require.Len(t, a.asked, 5)
	asked := c.at
	c.at = c.at.Add(12 * time.Minute)
	h, err := src.Health(t.Context())
	require.NoError(t, err)
	require.Len(t, a.asked, 5, "Reddit itself is due in sixteen minutes")
	require.True(t, h.Ready, "%+v", h.Door)
	require.Equal(t, "40s", h.Door.Age)
	require.Equal(t, asked, h.Door.Asked)
	r, err := src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Len(t, a.asked, 6, "a search asks")
	require.Contains(t, r.Detail, "newest post is 12m40s old")
}
