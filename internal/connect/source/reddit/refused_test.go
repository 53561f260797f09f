package reddit_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
)

const (
	emptyFeed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>reddit</title></feed>`
	someFeed  = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>t3_daily</id><title>Daily Discussion</title><published>2026-11-21T03:00:00+00:00</published></entry></feed>`
)

func replies(code int, to, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if to != "" {
			w.Header().Set("Location", to)
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// TestAnEmptyAnswerOfARefusingRedditIsNoFactAboutThePost: nothing but a list that comes says that Reddit does answer.
func TestAnEmptyAnswerOfARefusingRedditIsNoFactAboutThePost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		byID, list http.HandlerFunc
		deleted    bool
	}{
		"no posts, and the list is refused":      {replies(200, "", emptyFeed), replies(403, "", ""), false},
		"no posts, and the list has none":        {replies(200, "", emptyFeed), replies(200, "", emptyFeed), false},
		"no posts, and an outage":                {replies(200, "", emptyFeed), replies(502, "", ""), false},
		"no posts, and too many":                 {replies(200, "", emptyFeed), replies(429, "", ""), false},
		"no posts, and the list comes":           {replies(200, "", emptyFeed), replies(200, "", someFeed), true},
		"another post, and the list comes":       {replies(200, "", someFeed), replies(200, "", someFeed), true},
		"another post, and the list is refused":  {replies(200, "", someFeed), replies(403, "", ""), false},
		"404, and the list comes":                {replies(404, "", ""), replies(200, "", someFeed), true},
		"404, and the list is refused":           {replies(404, "", ""), replies(403, "", ""), false},
		"an empty body":                          {replies(200, "", ""), replies(200, "", someFeed), false},
		"a page in its place":                    {replies(200, "", "<!doctype html><html>whoa there"), replies(200, "", someFeed), false},
		"words in its place":                     {replies(200, "", "Blocked"), replies(200, "", someFeed), false},
		"JSON in its place":                      {replies(200, "", `{"message": "Forbidden", "error": 403}`), replies(200, "", someFeed), false},
		"403":                                    {replies(403, "", ""), replies(200, "", someFeed), false},
		"429":                                    {replies(429, "", ""), replies(200, "", someFeed), false},
		"led to log in":                          {replies(302, "https://www.reddit.com/login/?dest=x", ""), replies(200, "", someFeed), false},
		"500":                                    {replies(500, "", ""), replies(200, "", someFeed), false},
		"half a feed":                            {replies(200, "", "<feed"), replies(200, "", someFeed), false},
		"a feed of another kind":                 {replies(200, "", "<rss><channel></channel></rss>"), replies(200, "", someFeed), false},
		"451, which is a fact about the country": {replies(451, "", ""), replies(200, "", someFeed), false},
	} {
		for way, change := range map[string]func(*reddit.Options){"feed": mine, "public": func(*reddit.Options) {}} {
			s := newRSS(t, func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/by_id/") {
					c.byID(w, r)
				} else {
					c.list(w, r)
				}
			})
			err := source.Probe(t.Context(), reddit.NewFetcher(s.source(fixed(), change), xtweet.Options{}, s.Client()), footy.Candidate{PostID: "t3_1"})
			require.Error(t, err)
			require.Equal(t, c.deleted, footy.ReasonOf(err) == footy.ReasonDeleted, "%s by %s: %v", name, way, err)
			require.Equal(t, strings.HasPrefix(name, "451"), footy.ReasonOf(err) == footy.ReasonGeoBlocked, "%s: %v", name, err)
		}
	}
}

// TestWhatRedditAnswersHasItsOwnRemedy: which is told by the status; a refusal has a reason beside it.
func TestWhatRedditAnswersHasItsOwnRemedy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		list    http.HandlerFunc
		status  int
		refused bool
		says    string
	}{
		"404":                        {replies(404, "", ""), 404, false, "no such subreddit"},
		"led to a search":            {replies(302, "https://www.reddit.com/subreddits/search?q=socer", ""), 404, false, "no such subreddit"},
		"led to a relative search":   {replies(302, "/subreddits/search?q=socer", ""), 404, false, "no such subreddit"},
		"500":                        {replies(500, "", ""), 500, false, "HTTP 500"},
		"502":                        {replies(502, "", "<html>bad gateway"), 502, false, "HTTP 502"},
		"503":                        {replies(503, "", ""), 503, false, "HTTP 503"},
		"451":                        {replies(451, "", ""), 451, false, "this country"},
		"403":                        {replies(403, "", ""), 403, true, "HTTP 403"},
		"401":                        {replies(401, "", ""), 401, true, "HTTP 401"},
		"429":                        {replies(429, "", ""), 429, true, "HTTP 429"},
		"led to log in":              {replies(302, "https://www.reddit.com/login", ""), 302, true, "log-in page"},
		"led to log in, compact":     {replies(302, "https://www.reddit.com/login.compact?x", ""), 302, true, "log-in page"},
		"led to an account's log-in": {replies(307, "https://www.reddit.com/account/login/", ""), 307, true, "log-in page"},
		"asked for an age":           {replies(302, "https://www.reddit.com/over18?dest=x", ""), 302, true, "log-in page"},
		"a quarantined subreddit":    {replies(302, "https://www.reddit.com/quarantine?dest=x", ""), 302, true, "log-in page"},
		"led elsewhere":              {replies(301, "https://www.reddit.com/r/soccer/new.rss", ""), 301, false, "HTTP 301"},
		"words":                      {replies(200, "", "Too many requests"), 0, true, "in place of the list"},
		"JSON":                       {replies(200, "", `{"reason": "private", "error": 403}`), 0, true, "in place of the list"},
		"a page":                     {replies(200, "", "\ufeff\n<!DOCTYPE HTML><title>Reddit</title>"), 0, true, "in place of the list"},
		"a page of blanks":           {replies(200, "", " \n"), 0, true, "an empty answer"},
		"a feed with a mark":         {replies(200, "", "\ufeff"+someFeed), 0, false, ""},
	} {
		s := newRSS(t, c.list)
		src := s.source(fixed(), nil)
		r, err := src.Search(t.Context(), source.Query{})
		require.NoError(t, err, name)
		require.Equal(t, c.refused, r.Reason == footy.ReasonRedditPublic, "%s: %+v", name, r)
		require.Equal(t, c.says == "", r.State.Usable(), "%s: %+v", name, r)
		require.Contains(t, r.Detail, c.says, name)
		h, err := src.Health(t.Context())
		require.NoError(t, err)
		require.Equal(t, c.status, h.Status, name)
		require.Equal(t, c.says == "", h.Ready, name)
	}
}

// TestPagesThatAreStillToBeReadAreNoFault of the archive: searches wait for them, Health does not call it down.
func TestPagesThatAreStillToBeReadAreNoFault(t *testing.T) {
	t.Parallel()
	a, c := newSecond(t), fixed()
	for i := range 250 {
		a.rows = append(a.rows, chatter(fmt.Sprintf("p%d", i), c.at.Add(-40*time.Minute+time.Duration(i)*9*time.Second)))
	}
	src := a.source(c)
	q := source.Query{Goal: goal(), Since: c.at.Add(-40 * time.Minute)}
	for page := range 3 {
		r, err := src.Search(t.Context(), q)
		require.NoError(t, err)
		h, err := src.Health(t.Context())
		require.NoError(t, err)
		require.Empty(t, h.Door.Fault, page)
		require.True(t, h.Ready, page)
		require.Equal(t, page == 2, r.State.Usable(), "page %d: %+v", page, r)
		c.at = c.at.Add(20 * time.Second)
	}
	a.answer = replies(503, "", "")
	c.at = c.at.Add(time.Minute)
	_, err := src.Search(t.Context(), q)
	require.NoError(t, err)
	h, err := src.Health(t.Context())
	require.NoError(t, err)
	require.False(t, h.Ready)
	require.Contains(t, h.Door.Fault, "HTTP 503")
}

// TestAnswersOfTheArchive that are lists, though they look odd, and such that are none.
func TestAnswersOfTheArchive(t *testing.T) {
	t.Parallel()
	now := fixed().at
	one, _ := json.Marshal([]row{shot("1host", now.Add(-time.Minute))})
	for body, says := range map[string]string{
		`{"data":%s}`: "", `{"data":%s,"error":null}`: "", `{"data":%s,"error":""}`: "", `{"data":%s,"error":false}`: "",
		`{"metadata":{"n":1},"data":%s}`: "", " \n{\"data\":%s}\n": "",
		`{"data":%s,"error":"partial"}`: "partial", `{"data":%s,"error":{"code":5}}`: "code", `{"data":%s,"error":true}`: "true", `{"data":%s`: "no list", `%s`: "no list",
		`{"posts":%s}`: "no list", `"%.0s"`: "no list", `%.0s`: "no list", `Just a moment... %.0s`: "no list", `{"data":"%.0s"}`: "no list", `{"error":"Timeout, slow down"}%.0s`: "slow down",
		`{"data":[[]]}%.0s`: "no post in the archive", `{"data":[{}]}`: "no post in the archive", `{"data":[{"id":"UPPER","title":"x","created_utc":1}]}`: "no post in the archive",
	} {
		a, c := newSecond(t), fixed()
		a.answer = func(w http.ResponseWriter, _ *http.Request) {
			if strings.Contains(body, "%") {
				_, _ = fmt.Fprintf(w, body, one)
			} else {
				_, _ = io.WriteString(w, body)
			}
		}
		r, err := a.source(c).Search(t.Context(), source.Query{Goal: goal()})
		require.NoError(t, err)
		require.Equal(t, says == "", r.State == source.StateResults, "%s: %+v", body, r)
		if says != "" {
			require.Contains(t, r.Detail, says, body)
		}
	}
}
