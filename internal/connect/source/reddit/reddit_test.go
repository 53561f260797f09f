package reddit_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/sourcetest"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
	"github.com/found-footy/found-footy/tools/devtest"
)

// site is Reddit as far as a test needs it.
type site struct {
	*httptest.Server
	lists   atomic.Int64
	tokens  atomic.Int64
	agent   atomic.Value
	refuse  atomic.Int64 // answer so many calls with 401
	mu      sync.Mutex
	answers func(path, query string) (status int, header map[string]string, body string)
}

func (s *site) answer(f func(path, query string) (int, map[string]string, string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = f
}

func newSite(t *testing.T, f func(path, query string) (int, map[string]string, string)) *site {
	t.Helper()
	s := &site{answers: f}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.agent.Store(r.UserAgent())
		if r.URL.Path == "/api/v1/access_token" {
			n := s.tokens.Add(1)
			if id, secret, _ := r.BasicAuth(); id != "app" || secret != "secret" {
				http.Error(w, `{"error": 401}`, http.StatusUnauthorized)
				return
			}
			_, _ = fmt.Fprintf(w, `{"access_token": "t%d", "token_type": "bearer", "expires_in": 86400, "scope": "*"}`, n)
			return
		}
		if s.refuse.Add(-1) >= 0 || !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer t") {
			http.Error(w, `{"error": 401}`, http.StatusUnauthorized)
			return
		}
		s.lists.Add(1)
		s.mu.Lock()
		answers := s.answers
		s.mu.Unlock()
		status, header, body := answers(r.URL.Path, r.URL.RawQuery)
		for k, v := range header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) options() reddit.Options {
	return reddit.Options{ClientID: "app", Secret: "secret", URL: s.URL, APIURL: s.URL, Version: "test"}
}

func (s *site) source() *reddit.Source { return reddit.New(s.options(), s.Client()) }

// listed is a list of posts as Reddit writes it.
func listed(posts ...map[string]any) string {
	children := []any{}
	for _, p := range posts {
		children = append(children, map[string]any{"kind": "t3", "data": p})
	}
	raw, _ := json.Marshal(map[string]any{"kind": "Listing", "data": map[string]any{"after": nil, "children": children}}) // plain values always encode
	return string(raw)
}

func video(id, text string, at time.Time) map[string]any {
	lies := "https://v.redd.it/" + strings.TrimPrefix(id, "t3_")
	return map[string]any{"name": id, "title": text, "author": "fan", "permalink": "/r/soccer/comments/" + id + "/goal/", "created_utc": float64(at.UnixMilli()) / 1000,
		"url": lies, "secure_media": map[string]any{"reddit_video": map[string]any{"fallback_url": lies + "/CMAF_720.mp4?source=fallback", "width": 1280, "height": 720, "duration": 21}}}
}

func whole(body string) func(string, string) (int, map[string]string, string) {
	return func(string, string) (int, map[string]string, string) { return http.StatusOK, nil, body }
}

func TestSourceIsConforming(t *testing.T) {
	t.Parallel()
	sourcetest.RunLister(t, func(t *testing.T, script *sourcetest.Script) sourcetest.Bench {
		s := newSite(t, func(path, _ string) (int, map[string]string, string) {
			a := script.Next(path)
			var posts []map[string]any
			for _, c := range a.Posts {
				p := video(c.PostID, c.Text, c.PostedAt)
				p["permalink"] = c.URL
				if c.DurationMS == 0 {
					p["secure_media"].(map[string]any)["reddit_video"].(map[string]any)["duration"] = 0
				}
				posts = append(posts, p)
			}
			switch {
			case a.Junk:
				return http.StatusOK, nil, "<html>whoa there, pardner!</html>"
			case a.State == source.StateRateLimited:
				return http.StatusTooManyRequests, map[string]string{"Retry-After": "7"}, "<html>Too Many Requests</html>"
			case a.State == source.StateUpstreamError:
				return http.StatusServiceUnavailable, nil, ""
			case a.State == source.StateLoginRequired:
				return http.StatusForbidden, nil, `{"message": "Forbidden", "error": 403}`
			}
			return http.StatusOK, nil, listed(posts...)
		})
		return sourcetest.Bench{Source: s.source(), Stop: s.Close}
	})
}

func goal() *title.Wanted {
	home, away := 0, 1
	return &title.Wanted{Day: title.NewDay([]title.Match{
		{Home: title.TeamName{Name: "Ajax"}, Away: title.TeamName{Name: "Celtic"}, Goals: []title.Goal{{Score: footy.Score{Home: &home, Away: &away},
			Side: footy.SideAway, Scorer: "R. MacAllan", Minute: footy.Minute{Elapsed: 60}}}},
		{Home: title.TeamName{Name: "Brighton"}, Away: title.TeamName{Name: "Fulham"}},
	})}
}

func TestOnlyPostsOfTheGoalAreTaken(t *testing.T) {
	t.Parallel()
	now := time.Now()
	removed := video("t3_gone", "Ajax 0 - [1] Celtic - MacAllan 60'", now)
	removed["removed_by_category"] = "moderator"
	elsewhere := map[string]any{"name": "t3_else", "title": "Ajax 0-1 Celtic - R. MacAllan 71'", "permalink": "/r/soccer/comments/else/", "created_utc": now.Unix(), "url": "https://clips.example/v/1"}
	unknown := map[string]any{"name": "t3_host", "title": "Ajax 0-1 Celtic - R. MacAllan 60'", "permalink": "/r/soccer/comments/host/", "created_utc": now.Unix(), "url": "https://elsewhere.example/v/1"}
	never := map[string]any{"name": "t3_tube", "title": "Ajax 0-1 Celtic - R. MacAllan 60'", "permalink": "/r/soccer/comments/tube/", "created_utc": now.Unix(), "url": "https://www.youtube.com/watch?v=1"}
	s := newSite(t, whole(listed(never, video("t3_it", "Ajax 0 - [1] Celtic - Ross MacAllan 60'", now), video("t3_other", "Feyenoord 0 - [1] Rangers - R. MacAllan 60'", now),
		video("t3_shout", "Ajax 0 - [1] Celtic - MacAllan penalty shout 60'", now), video("t3_old", "Ajax 0 - [1] Celtic - R. MacAllan 60'", now.Add(-time.Hour)), removed, elsewhere, unknown)))
	r, err := s.source().Search(t.Context(), source.Query{Goal: goal(), Since: now.Add(-3 * time.Minute)})
	require.NoError(t, err)
	require.Equal(t, source.StateResults, r.State)
	says := map[string]footy.TitleEvidence{}
	for _, c := range r.Candidates {
		says[c.PostID] = *c.Title
	}
	require.Equal(t, map[string]footy.TitleEvidence{
		"t3_it":   {Source: "Reddit", Agrees: []string{"teams", "score", "scorer", "minute"}},
		"t3_host": {Source: "Reddit", Agrees: []string{"teams", "score", "scorer", "minute"}},
		"t3_else": {Source: "Reddit", Agrees: []string{"teams", "score", "scorer"}, Differs: []string{"minute"}},
	}, says)
	require.Contains(t, s.agent.Load(), "server:found-footy:test")
}

func TestOneListServesAllGoals(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	s := newSite(t, whole(listed(video("t3_1", "Ajax 0 - [1] Celtic - MacAllan 60'", now))))
	o := s.options()
	o.Now = func() time.Time { return now }
	src := reddit.New(o, s.Client())
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			r, err := src.Search(t.Context(), source.Query{Goal: goal()})
			if err != nil || len(r.Candidates) != 1 {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, s.lists.Load())
	s.answer(whole(listed(video("t3_2", "Ajax 0 - [1] Celtic - R. MacAllan 60'", now))))
	now = now.Add(time.Minute)
	r, err := src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Len(t, r.Candidates, 2, "what was listed before is remembered")
	require.EqualValues(t, 2, s.lists.Load())
	require.EqualValues(t, 1, s.tokens.Load(), "a token lasts a day")
}

func TestListsReachBackToTheGoal(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := newSite(t, func(_, query string) (int, map[string]string, string) {
		if strings.Contains(query, "after=t3_new") {
			return http.StatusOK, nil, listed(video("t3_goal", "Ajax 0 - [1] Celtic - R. MacAllan 60'", now.Add(-20*time.Minute)))
		}
		first := strings.Replace(listed(video("t3_new", "Another [1] - 0 Match - Bee 3'", now)), `"after":null`, `"after":"t3_new"`, 1)
		return http.StatusOK, nil, first
	})
	r, err := s.source().Search(t.Context(), source.Query{Goal: goal(), Since: now.Add(-25 * time.Minute)})
	require.NoError(t, err)
	require.Len(t, r.Candidates, 1)
}

func TestATokenThatEndedIsReplaced(t *testing.T) {
	t.Parallel()
	s := newSite(t, whole(listed()))
	s.refuse.Store(1)
	r, err := s.source().Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Equal(t, source.StateEmpty, r.State)
	require.EqualValues(t, 2, s.tokens.Load())
}

func TestTheBudgetIsKept(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(string, string) (int, map[string]string, string) {
		return http.StatusOK, map[string]string{"X-Ratelimit-Remaining": "41.0", "X-Ratelimit-Reset": "300", "X-Ratelimit-Used": "959"}, listed()
	})
	o := s.options()
	now := time.Now()
	o.Now = func() time.Time { return now }
	src := reddit.New(o, s.Client())
	_, err := src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	h, err := src.Health(t.Context())
	require.NoError(t, err)
	require.True(t, h.Ready)
	require.Equal(t, 41, h.BudgetLeft)
	now = now.Add(time.Minute)
	r, err := src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Equal(t, source.StateRateLimited, r.State, "the last calls are for the files of posts that were found")
	require.InDelta(t, 240, r.RetryAfter.Seconds(), 5)
	require.EqualValues(t, 1, s.lists.Load())
}

func TestHealthSaysWhatHelps(t *testing.T) {
	t.Parallel()
	s := newSite(t, whole(`{"kind": "Listing", "data": {"children": [{"kind": "t3", "data": {"name": "t3_1"}}]}}`))
	o := s.options()
	o.Secret = "wrong"
	h, err := reddit.New(o, s.Client()).Health(t.Context())
	require.NoError(t, err)
	require.False(t, h.Ready)
	require.Contains(t, h.Detail, "id and secret")

	src := s.source()
	c, err := src.Canary(t.Context())
	require.NoError(t, err)
	require.True(t, c.Drift)
	require.Contains(t, c.Detail, "lacks its name, its title or its time")
	h, err = src.Health(t.Context())
	require.NoError(t, err)
	require.True(t, h.Canary.Drift)
	s.answer(whole(listed()))
	c, err = src.Canary(t.Context())
	require.NoError(t, err)
	require.True(t, c.OK)
}

func TestRecordedListsAreRead(t *testing.T) {
	t.Parallel()
	own := listed(video("t3_1", "Ajax 0 - [1] Celtic - MacAllan 60'", time.Now()))
	lists := map[string]string{"of our own": own}
	for _, name := range []string{"r_soccer_new_2026-06-23_reassembled.json", "listing_popular_2026-04_page1.json", "listing_empty_2016.json", "listing_best_2018.json", "listing_video_2023_escaped.json"} {
		for _, path := range devtest.Recorded(t, "samples/reddit/"+name) {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			lists[name] = string(raw)
		}
	}
	for name, body := range lists {
		r, err := newSite(t, whole(body)).source().Search(t.Context(), source.Query{})
		require.NoError(t, err, name)
		require.True(t, r.State.Usable(), "%s: %+v", name, r)
		require.Equal(t, strings.Contains(body, "fallback_url"), len(r.Candidates) > 0, name)
	}
}

// TestAClipIsOneCandidate however posts bring it: the same video of Reddit's own, or the same clip of a host.
func TestAClipIsOneCandidate(t *testing.T) {
	t.Parallel()
	at := time.Now().Add(-time.Minute)
	fallback := func(gif bool) map[string]any {
		return map[string]any{"reddit_video": map[string]any{"fallback_url": "https://v.redd.it/ab12/CMAF_720.mp4?source=fallback", "dash_url": "https://v.redd.it/ab12/DASHPlaylist.mpd?a=1", "duration": 9, "is_gif": gif}}
	}
	brings := []map[string]any{
		{"url": "https://v.redd.it/ab12", "secure_media": fallback(false)},
		{"url": "https://v.redd.it/ab12", "media": fallback(true)},
		{"url": "https://v.redd.it/ab12?utm_source=share"},
		{"url": "https://v.redd.it/ab12/DASH_720.mp4"},
		{"url": "https://v.redd.it/ab12/HLSPlaylist.m3u8?f=sd"},
		{"url": "https://old.reddit.com/link/9zz/video/ab12/player"},
		{"url": "https://packaged-media.redd.it/ab12/pb/m2-res_480p.mp4?m=x"},
		{"url": "/r/football/comments/9zz/goal/", "url_overridden_by_dest": "https://v.redd.it/ab12"},
		{"url": "https://www.reddit.com/r/football/comments/9zz/goal/", "crosspost_parent_list": []map[string]any{{"url": "https://v.redd.it/ab12", "media": fallback(false)}}},
		{"url": "https://www.reddit.com/r/football/comments/9zz/goal/", "crosspost_parent_list": []map[string]any{{"url": "https://v.redd.it/ab12/"}}},
		{"url": "https://streamin.me/v/q1"}, {"url": "http://www.streamin.top/v/q1/?x=1"},
		{"url": "https://www.reddit.com/r/football/comments/8zz/goal/", "crosspost_parent_list": []map[string]any{{"url": "https://streamin.one/v/q1"}}},
	}
	var posts []map[string]any
	for i, b := range brings {
		b["name"], b["title"], b["author"] = fmt.Sprintf("t3_%d", i), "Ajax 0 - [1] Celtic - R. MacAllan 60'", "fan"
		b["permalink"], b["created_utc"] = fmt.Sprintf("/r/soccer/comments/%d/goal/", i), at.Add(time.Duration(i)*time.Second).Unix()
		s := newSite(t, whole(listed(b)))
		o := s.options()
		o.Table = tableOfHosts(t)
		r, err := reddit.New(o, s.Client()).Search(t.Context(), source.Query{Goal: goal()})
		require.NoError(t, err)
		require.Len(t, r.Candidates, 1, "alone: %v", b)
		posts = append(posts, b)
	}
	s := newSite(t, whole(listed(posts...)))
	o := s.options()
	o.Table = tableOfHosts(t)
	src := reddit.New(o, s.Client())
	r, err := src.Search(t.Context(), source.Query{Goal: goal()})
	require.NoError(t, err)
	require.Len(t, r.Candidates, 2)
	require.Equal(t, []string{"t3_10", "t3_0"}, []string{r.Candidates[0].PostID, r.Candidates[1].PostID}, "the oldest of each")
	r, err = src.Search(t.Context(), source.Query{Goal: goal(), Exclude: []string{"t3_0"}})
	require.NoError(t, err)
	require.Len(t, r.Candidates, 1, "a clip that is known is not offered by its next post")
}

func tableOfHosts(t *testing.T) hosts.Table {
	t.Helper()
	table, err := hosts.Load(t.TempDir())
	require.NoError(t, err)
	return table
}
