package reddit_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

const secret = "t0ken0fMine"

// rssSite is Reddit without an app; it answers all paths with the same.
type rssSite struct {
	*httptest.Server
	asked atomic.Int64
	last  atomic.Value // the last request's address
}

func newRSS(t *testing.T, f http.HandlerFunc) *rssSite {
	t.Helper()
	s := &rssSite{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		s.last.Store(r.URL.String())
		f(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// clock is a clock that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func (s *rssSite) source(c *clock, change func(*reddit.Options)) *reddit.Source {
	o := reddit.Options{URL: s.URL, VideoURL: s.URL + "/v", Version: "test", Now: c.now}
	if change != nil {
		change(&o)
	}
	return reddit.New(o, s.Client())
}

func mine(o *reddit.Options) { o.FeedUser, o.FeedToken = "ada", secret }

func fixed() *clock { return &clock{time.Date(2026, 11, 21, 15, 25, 0, 0, time.UTC)} }

func sample(t *testing.T) []byte {
	t.Helper()
	raw, err := os.ReadFile(devtest.Payloads(t, "samples/reddit-rss/r-soccer-new.xml")[0])
	require.NoError(t, err)
	return raw
}

func TestAListByRSSIsRead(t *testing.T) {
	t.Parallel()
	raw := sample(t)
	s := newRSS(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(raw) })
	src := s.source(fixed(), mine)
	r, err := src.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	require.Equal(t, "/r/soccer/new/.rss?feed="+secret+"&limit=100&user=ada", s.last.Load())
	at := time.Date(2026, 11, 21, 15, 20, 31, 0, time.UTC)
	require.Equal(t, []footy.Candidate{
		{PostID: "t3_1host", URL: "https://www.reddit.com/r/soccer/comments/1host/goal/", Author: "fan", Text: "Brighton & Hove Albion 0 - [1] Celtic - R. MacAllan 60'", PostedAt: at},
		{PostID: "t3_1video", URL: "https://www.reddit.com/r/soccer/comments/1video/goal/", Author: "fan", Text: "Ajax 0 - [1] Celtic - R. MacAllan 60'", PostedAt: at},
	}, r.Candidates, "of a video of Reddit's own no duration is known, and the link that the author wrote is not the post's")
	r, err = src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Len(t, r.Candidates, 1)
	require.Equal(t, []string{"teams", "score", "scorer", "minute"}, r.Candidates[0].Title.Agrees)
	require.EqualValues(t, 1, s.asked.Load(), "one list serves all goals")

	require.Equal(t, []string{"https://v.redd.it/abc123xyz", "https://clips.example/v/1?a=1&b=2", "https://www.reddit.com/r/soccer/comments/1self/goal/"}, reddit.Links(src, raw))

	plain := s.source(fixed(), nil)
	_, err = plain.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	require.Equal(t, "/r/soccer/new/.rss?limit=100", s.last.Load(), "everybody's list")
}

func TestRecordedListsByRSSAreRead(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"r-neovim-top-20250112-6of23.xml", "r-pics-20251230-1.xml"} {
		for _, path := range devtest.Recorded(t, "samples/reddit-rss/"+name) {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			s := newRSS(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(raw) })
			src := s.source(fixed(), nil)
			require.NotEmpty(t, reddit.Links(src, raw), name)
			r, err := src.Search(t.Context(), source.Query{})
			require.NoError(t, err, name)
			require.Equal(t, source.StateEmpty, r.State, "pictures and texts: %s: %+v", name, r)
			c, err := src.Canary(t.Context())
			require.NoError(t, err)
			require.True(t, c.OK, name)
		}
	}
}

func TestARefusedListWaitsWithGrowingPauses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer http.HandlerFunc
		change func(*reddit.Options)
		state  source.State
		reason footy.Reason
	}{
		"too many":         {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }, nil, source.StateRateLimited, footy.ReasonRedditPublic},
		"blocked":          {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, nil, source.StateLoginRequired, footy.ReasonRedditPublic},
		"a token that was": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, mine, source.StateLoginRequired, footy.ReasonRedditFeed},
		"broken":           {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, nil, source.StateUpstreamError, ""},
		"no list at all":   {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>whoa there, pardner!<br></html>") }, nil, source.StateLoginRequired, footy.ReasonRedditPublic},
		"a log-in page": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<!DOCTYPE html>\n<html lang=en><title>Log in</title>")
		}, mine, source.StateLoginRequired, footy.ReasonRedditFeed},
		"led to log in": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://old.reddit.com/login/?dest=x", http.StatusFound)
		}, nil, source.StateLoginRequired, footy.ReasonRedditPublic},
		"nothing": {func(http.ResponseWriter, *http.Request) {}, nil, source.StateLoginRequired, footy.ReasonRedditPublic},
		"without posts": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>newest submissions : soccer</title></feed>`)
		}, nil, source.StateLoginRequired, footy.ReasonRedditPublic},
		"half a list": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `<feed xmlns="http://www.w3.org/2005/Atom"><entry>`)
		}, nil, source.StateUpstreamError, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := newRSS(t, tc.answer), fixed()
			src := s.source(c, tc.change)
			pauses := []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute}
			if name == "broken" { // an outage, which no asking makes worse
				pauses = []time.Duration{time.Minute, time.Minute, time.Minute}
			}
			for i, pause := range pauses {
				r, err := src.Search(t.Context(), source.Query{Goal: goal()})
				require.NoError(t, err)
				require.Equal(t, tc.state, r.State, "could not look, never nothing found")
				require.Equal(t, tc.reason, r.Reason)
				require.Equal(t, pause, r.RetryAfter)
				c.at = c.at.Add(pause - time.Second)
				r, err = src.Search(t.Context(), source.Query{Goal: goal()})
				require.NoError(t, err)
				require.Equal(t, time.Second, r.RetryAfter, "what is left of the pause")
				h, err := src.Health(t.Context())
				require.NoError(t, err)
				require.False(t, h.Ready)
				require.NotEmpty(t, h.Detail)
				require.EqualValues(t, i+1, s.asked.Load(), "nobody asks in the pause")
				c.at = c.at.Add(time.Second)
			}
		})
	}
}

func TestAfterARefusalTheListIsReadAgain(t *testing.T) {
	t.Parallel()
	raw, c := sample(t), fixed()
	var refuse atomic.Bool
	refuse.Store(true)
	s := newRSS(t, func(w http.ResponseWriter, _ *http.Request) {
		if refuse.Load() {
			w.Header().Set("Retry-After", "300")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = w.Write(raw)
	})
	src := s.source(c, nil)
	h, err := src.Health(t.Context())
	require.NoError(t, err)
	require.False(t, h.Ready, "health asks where nobody has")
	require.Equal(t, string(reddit.Public), h.By)
	r, err := src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Equal(t, 5*time.Minute, r.RetryAfter, "Reddit's own word is kept")
	refuse.Store(false)
	c.at = c.at.Add(5 * time.Minute)
	r, err = src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Equal(t, source.StateResults, r.State)
	h, err = src.Health(t.Context())
	require.NoError(t, err)
	require.True(t, h.Ready)
}

func TestATokenIsNeverTold(t *testing.T) {
	t.Parallel()
	away := newRSS(t, func(http.ResponseWriter, *http.Request) {})
	s := newRSS(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, away.URL, http.StatusFound) })
	c := fixed()
	src := s.source(c, mine)
	r, err := src.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	require.Equal(t, source.StateUpstreamError, r.State)
	require.Zero(t, away.asked.Load(), "it goes to Reddit alone")
	s.Close()
	c.at = c.at.Add(time.Hour)
	_, err = src.Search(t.Context(), source.Query{})
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.NotContains(t, err.Error(), secret)
	_, again := src.Search(t.Context(), source.Query{})
	require.Equal(t, err, again, "in the pause the same is said")
	h, err := src.Health(t.Context())
	require.Error(t, err)
	require.NotContains(t, fmt.Sprint(h, err), secret)
	require.Equal(t, "ada", h.Account)
}

func TestACallerThatGivesUpSaysNothingOfReddit(t *testing.T) {
	t.Parallel()
	raw := sample(t)
	ctx, cancel := context.WithCancel(t.Context())
	s := newRSS(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		_, _ = w.Write(raw)
	})
	src := s.source(fixed(), nil)
	if _, err := src.Search(ctx, source.Query{}); err == nil {
		return // it was quicker
	}
	r, err := src.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	require.Equal(t, source.StateResults, r.State, "no pause")
}

// TestListsComeAsOftenAsTheWayAllows: searches in between share the last one, and say when the next may have something new.
func TestListsComeAsOftenAsTheWayAllows(t *testing.T) {
	t.Parallel()
	for way, every := range map[reddit.Way]time.Duration{reddit.ByApp: 20 * time.Second, reddit.ByFeed: 30 * time.Second, reddit.Public: time.Minute} {
		c := fixed()
		raw := sample(t)
		lists := 0
		s := newRSS(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				fmt.Fprint(w, `{"access_token": "a", "expires_in": 86400}`)
				return
			}
			lists++
			_, _ = w.Write(raw)
		})
		src := s.source(c, func(o *reddit.Options) {
			switch o.APIURL = s.URL; way {
			case reddit.ByApp:
				o.ClientID, o.Secret = "app", "secret"
			case reddit.ByFeed:
				mine(o)
			}
		})
		for range 25 { // two minutes
			r, err := src.Search(t.Context(), source.Query{})
			require.NoError(t, err)
			require.Equal(t, source.StateResults, r.State)
			require.LessOrEqual(t, r.RetryAfter, every, way)
			require.Positive(t, r.RetryAfter, way)
			c.at = c.at.Add(5 * time.Second)
		}
		require.EqualValues(t, 2*time.Minute/every+1, lists, way)
	}
}

func TestTenCallsAMinuteAreKept(t *testing.T) {
	t.Parallel()
	c := fixed()
	s := newRSS(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Ratelimit-Remaining", "96.0")
		w.Header().Set("X-Ratelimit-Reset", "500")
		fmt.Fprint(w, `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>t3_daily</id><title>Daily Discussion</title><published>2026-11-21T03:00:00+00:00</published></entry></feed>`)
	})
	src := s.source(c, mine)
	f := reddit.NewFetcher(src, xtweet.Options{}, s.Client())
	for range 8 {
		require.Equal(t, footy.ReasonDeleted, footy.ReasonOf(source.Probe(t.Context(), f, footy.Candidate{PostID: "t3_nobody"})))
	}
	err := source.Probe(t.Context(), f, footy.Candidate{PostID: "t3_nobody"})
	require.Equal(t, footy.CodeRateLimited, footy.CodeOf(err), "nobody looked, so nothing is said of the post")
	require.EqualValues(t, 9, s.asked.Load(), "with the list that says that Reddit answers")
	for n := range 2 {
		c.at = c.at.Add(time.Duration(n) * 30 * time.Second)
		r, err := src.Search(t.Context(), source.Query{})
		require.NoError(t, err)
		require.Equal(t, source.StateEmpty, r.State, "look-ups leave the minute's lists their calls")
	}
	require.EqualValues(t, 10, s.asked.Load())

	public := s.source(c, nil)
	f = reddit.NewFetcher(public, xtweet.Options{}, s.Client())
	_, err = public.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	require.Equal(t, footy.ReasonDeleted, footy.ReasonOf(source.Probe(t.Context(), f, footy.Candidate{PostID: "t3_nobody"})), "after the list the second of two calls is free")
	require.Equal(t, footy.CodeRateLimited, footy.CodeOf(source.Probe(t.Context(), f, footy.Candidate{PostID: "t3_nobody"})))
	s.asked.Store(10)
	c.at = c.at.Add(time.Minute)
	r, err := src.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	require.Equal(t, source.StateEmpty, r.State)
	require.EqualValues(t, 11, s.asked.Load())
}

// TestWhatWasListedIsGivenInAPause: the goal became certain after the list that has its post, and the next one is refused.
func TestWhatWasListedIsGivenInAPause(t *testing.T) {
	t.Parallel()
	raw, c := sample(t), fixed()
	var refuse atomic.Bool
	s := newRSS(t, func(w http.ResponseWriter, _ *http.Request) {
		if refuse.Load() {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = w.Write(raw)
	})
	src := s.source(c, nil)
	_, err := src.Search(t.Context(), source.Query{})
	require.NoError(t, err)
	refuse.Store(true)
	c.at = c.at.Add(time.Minute)
	r, err := src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Equal(t, source.StateResults, r.State)
	require.Len(t, r.Candidates, 1)
	r, err = src.Search(t.Context(), source.Query{Goal: goal(), Exclude: []string{r.Candidates[0].PostID}})
	require.NoError(t, err)
	require.Equal(t, source.StateRateLimited, r.State, "of what came since, nobody knows")
}

const videoTracks = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period>
<AdaptationSet contentType="video"><Representation bandwidth="800000" mimeType="video/mp4"><BaseURL>CMAF_360.mp4</BaseURL></Representation>
<Representation bandwidth="2400000" mimeType="video/mp4"><BaseURL>CMAF_720.mp4</BaseURL></Representation></AdaptationSet>
<AdaptationSet contentType="audio"><Representation bandwidth="9000000" mimeType="audio/mp4"><BaseURL>CMAF_AUDIO_64.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`

func TestAVideoOfRedditsOwnIsFoundByItsPlaylist(t *testing.T) {
	t.Parallel()
	raw := sample(t)
	for name, tc := range map[string]struct {
		status int
		code   footy.Code
		reason footy.Reason
	}{
		"it is there":    {http.StatusOK, "", ""},
		"it is gone":     {http.StatusNotFound, footy.CodeRejected, footy.ReasonDeleted},
		"nobody may ask": {http.StatusForbidden, footy.CodeUnavailable, footy.ReasonFetchFailed},
	} {
		for _, known := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, listed before: %t", name, known), func(t *testing.T) {
				t.Parallel()
				s := newRSS(t, func(w http.ResponseWriter, r *http.Request) {
					switch {
					case r.URL.Path == "/v/abc123xyz/DASHPlaylist.mpd":
						w.WriteHeader(tc.status)
						fmt.Fprint(w, videoTracks)
					case r.URL.Path == "/v/abc123xyz/CMAF_720.mp4":
						w.Header().Set("Content-Type", "video/mp4")
						fmt.Fprint(w, "a video")
					case strings.HasSuffix(r.URL.Path, "/new/.rss") && known, r.URL.Path == "/by_id/t3_1video/.rss":
						_, _ = w.Write(raw)
					default:
						w.WriteHeader(http.StatusTeapot)
					}
				})
				src := s.source(fixed(), mine)
				if known {
					_, err := src.Search(t.Context(), source.Query{})
					require.NoError(t, err)
				}
				f := reddit.NewFetcher(src, xtweet.Options{AllowedHosts: []string{strings.TrimPrefix(s.URL, "http://")}}, s.Client())
				var out bytes.Buffer
				_, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1video"}, &out)
				require.Equal(t, tc.reason, footy.ReasonOf(err), "%v", err)
				if tc.code == "" {
					require.NoError(t, err)
					require.Equal(t, "a video", out.String())
					return
				}
				require.Equal(t, tc.code, footy.CodeOf(err))
			})
		}
	}
}
