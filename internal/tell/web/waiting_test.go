package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
	"github.com/found-footy/found-footy/internal/tell/web"
)

const szoboszlai = "5001_40_702_Goal_1"

const rawError = `ask model: unavailable: Post "http://10.0.0.7:8081/v1": dial tcp 10.0.0.7:8081: connection refused`

// wait adds a post that waits.
func (s *testServer) wait(event, post string, cause footy.Reason, since time.Duration, detail string) {
	s.T.Helper()
	p := footy.Post{EventUID: event, PostID: post, FixtureID: 5001, State: footy.PostWaiting, Reason: cause, Detail: detail, Tries: 4, FirstSeen: noon.Add(-since - time.Minute),
		ChangedAt: noon.Add(-since), WaitingSince: noon.Add(-since), NextTry: noon.Add(3 * time.Minute),
		Candidate: footy.Candidate{PostID: post, URL: "https://x.com/lfc_fan/status/" + post, Author: "lfc_fan", Text: "WHAT A GOAL"}}
	require.NoError(s.T, s.Store.AddPosts(s.T.Context(), []footy.Post{p}))
	s.Log(footy.Entry{Key: event + "/waiting/" + post, FixtureID: 5001, EventUID: event, PostID: post, At: p.WaitingSince, Kind: footy.EntryWaiting, Reason: cause,
		Data: footy.Evidence{URL: p.Candidate.URL, Detail: detail}})
}

// withWaitingPosts is the demo day with posts of two goals that wait for two causes.
func withWaitingPosts(t *testing.T, change ...func(*web.Options)) *testServer {
	s := newTestServer(t, change...)
	s.DemoDay([]byte("mp4"), []byte("jpg"))
	s.wait("5001-3", "31", footy.ReasonModelUnreachable, 80*time.Minute, rawError)
	s.wait("5001-3", "32", footy.ReasonModelUnreachable, 20*time.Minute, rawError)
	s.wait("5001-1", "11", footy.ReasonStorage, 2*time.Minute, "put clips/ab.mp4: 503 Slow Down")
	return s
}

func TestReadersSeeWhatWaitsWithoutErrors(t *testing.T) {
	t.Parallel()
	s := withWaitingPosts(t)
	page := text(t, s.Get("/waiting"))
	for _, want := range []string{"3 posts wait.", "Waits for the model, which cannot be reached", "Waits for the clip storage", "/g/" + szoboszlai, "1\u00a0h\u00a020\u00a0min\u00a0ago", "at least every 15 min", "footy waiting retry --cause"} {
		require.Contains(t, page, want)
	}
	for _, secret := range []string{"10.0.0.7", "Slow Down", "Give up", "csrf", "/status/31"} {
		require.NotContains(t, page, secret)
	}
	got := decode(t, s.Get("/api/v1/waiting"))
	require.EqualValues(t, 3, got["waiting"])
	first := got["causes"].([]any)[0].(map[string]any)
	require.Equal(t, "model_unreachable", first["cause"])
	require.EqualValues(t, 2, first["count"])
	require.Equal(t, []any{szoboszlai}, first["event_ids"])
	require.NotContains(t, first, "posts")
}

func TestARemovedGoalIsNotNamedToReaders(t *testing.T) {
	t.Parallel()
	s := withWaitingPosts(t)
	s.Update(5001, func(f *footy.Fixture) { f.Event("5001-3").Removed = true })
	require.NotContains(t, text(t, s.Get("/waiting")), szoboszlai)
	require.NotContains(t, text(t, s.Get("/api/v1/waiting")), szoboszlai)
	require.Contains(t, text(t, s.Get("/waiting", "Cookie", s.signIn())), "no longer stands")
}

func TestOperatorsSeeEachPostAndAct(t *testing.T) {
	t.Parallel()
	s := withWaitingPosts(t)
	s.Commands.Posts = 2
	cookie := s.signIn()
	page := text(t, s.Get("/waiting", "Cookie", cookie))
	for _, want := range []string{"10.0.0.7", "4 tries", "next try at", "Try all 2 now", "Give up all 2", "https://x.com/lfc_fan/status/31", "data-confirm"} {
		require.Contains(t, page, want)
	}
	csrf := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(page)[1]
	for _, a := range []string{"retry", "give-up"} {
		res := s.post("/admin/waiting/"+a, url.Values{"csrf": {csrf}, "cause": {"model_unreachable"}}, "Cookie", cookie)
		require.Equal(t, http.StatusSeeOther, res.StatusCode)
		require.Equal(t, "/waiting?done="+a, res.Header.Get("Location"))
		require.Equal(t, http.StatusSeeOther, s.post("/admin/waiting/"+a, url.Values{"csrf": {csrf}, "event": {"5001-1"}, "post": {"11"}}, "Cookie", cookie).StatusCode)
	}
	require.Equal(t, []string{"retry   model_unreachable", "retry 5001-1 11 ", "give up   model_unreachable", "give up 5001-1 11 "}, s.Commands.Done)
	require.Contains(t, text(t, s.Get("/waiting?done=give-up", "Cookie", cookie)), "Given up")
	s.Commands.Posts = 0
	require.Equal(t, "/waiting?done=nothing", s.post("/admin/waiting/retry", url.Values{"csrf": {csrf}, "cause": {"machine"}}, "Cookie", cookie).Header.Get("Location"))
}

func TestActsOnWaitingPostsAreRefused(t *testing.T) {
	t.Parallel()
	s := withWaitingPosts(t)
	cookie := s.signIn()
	csrf := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(text(t, s.Get("/waiting", "Cookie", cookie)))[1]
	all := url.Values{"cause": {"storage"}}
	form := url.Values{"csrf": {csrf}, "cause": {"storage"}}
	for name, res := range map[string]*http.Response{
		"401 without a session":      s.post("/admin/waiting/retry", all),
		"401 without the form token": s.post("/admin/waiting/retry", all, "Cookie", cookie),
		"403 from another site":      s.post("/admin/waiting/retry", form, "Cookie", cookie, "Sec-Fetch-Site", "cross-site"),
		"404 of an unknown kind":     s.post("/admin/waiting/explode", form, "Cookie", cookie),
		"400 of nothing":             s.post("/admin/waiting/give-up", url.Values{"csrf": {csrf}}, "Cookie", cookie),
		"401 API with the cookie":    s.Do(http.MethodPost, "/api/v1/waiting/retry", []byte(`{"cause":"storage"}`), "Cookie", cookie),
		"401 API with another token": s.Do(http.MethodPost, "/api/v1/waiting/give-up", []byte(`{"cause":"storage"}`), "Authorization", "Bearer a-token-of-another-program"),
	} {
		require.Equal(t, name[:3], res.Status[:3], name)
	}
	for body, says := range map[string]string{
		`{}`: "name an event and a post, or a cause", `{"cause":"weather"}`: "causes are storage, fetch_failed", `{"event_id":"5001-1"}`: "belong together",
		`{"posts":["1"]}`: "known are event_id, post_id and cause", `{"cause":3}`: "must be a string",
	} {
		res := s.Do(http.MethodPost, "/api/v1/waiting/give-up", []byte(body), "Authorization", "Bearer "+adminToken)
		require.Equal(t, http.StatusBadRequest, res.StatusCode, body)
		require.Contains(t, decode(t, res)["error"].(map[string]any)["message"], says, body)
	}
	require.Empty(t, s.Commands.Done)
}

func TestTheAPIActsOnWaitingPosts(t *testing.T) {
	t.Parallel()
	s := withWaitingPosts(t)
	s.Commands.Posts = 1
	bearer := []string{"Authorization", "Bearer " + adminToken}
	first := decode(t, s.Get("/api/v1/waiting", bearer...))["causes"].([]any)[0].(map[string]any)
	post := first["posts"].([]any)[0].(map[string]any)
	require.Equal(t, rawError, post["detail"])
	res := s.Do(http.MethodPost, "/api/v1/waiting/retry", []byte(`{"event_id":"`+szoboszlai+`","post_id":"31"}`), bearer...)
	require.Equal(t, http.StatusAccepted, res.StatusCode)
	require.Equal(t, map[string]any{"action": "retry", "posts": 1.0}, decode(t, res))
	require.Equal(t, []string{"retry " + szoboszlai + " 31 "}, s.Commands.Done)
}

func TestWaitingPostsAreToldAsWaiting(t *testing.T) {
	t.Parallel()
	s := withWaitingPosts(t)
	page := text(t, s.Get("/g/"+szoboszlai))
	for _, want := range []string{`<span class="outcome warn">waits</span> Waits for the model, which cannot be reached`, "waits since 15:00:00, 4 tries", "next try 16:23:00", "2 posts wait for the vision model"} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, "10.0.0.7")
	require.NotContains(t, page, ">refused<")
	// The next try got further: its row is as old as before, and the ledger knows better.
	storetest.ChangePost(t, s.Store, "5001-3", "31", func(p *footy.Post) {
		p.State, p.Reason, p.WaitingSince, p.Media = footy.PostFetched, "", time.Time{}, &footy.Media{}
	})
	require.Contains(t, text(t, s.Get("/g/"+szoboszlai)), "Fetched; it is being checked")
}

func TestRestoreSaysWhatItDid(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	s.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").Removed, f.Event("5001-1").RemovedAt = true, noon })
	cookie := s.signIn()
	page := text(t, s.Get("/g/"+salah, "Cookie", cookie))
	require.NotContains(t, page, "Search again now", "a goal that does not stand is not searched for")
	csrf := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(page)[1]
	hide := func(all bool) {
		s.Update(5001, func(f *footy.Fixture) {
			for i := range f.Event("5001-1").Clips {
				f.Event("5001-1").Clips[i].Hidden = all || i == 0
			}
		})
	}
	show := func(string, string) {
		s.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").Clips[0].Hidden = false })
	}
	for _, c := range []struct {
		goal, bare, searching bool
		undo                  func(event, clip string)
		want                  string
	}{
		{goal: true, want: "Its clips are visible again."},
		{goal: true, bare: true, want: "It has no clip to show."},
		{goal: true, bare: true, searching: true, want: "It has no clip yet; one is searched for once it is certain."},
		{undo: show, want: "Visible again."},
		{want: "it is a copy of a clip that ranks in its place"},
	} {
		hide(c.bare)
		s.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").DownloadComplete = !c.searching })
		s.Commands.Goal, s.Commands.Undo = c.goal, c.undo
		want := c.want
		res := s.post("/admin/events/5001-1/restore", url.Values{"csrf": {csrf}}, "Cookie", cookie)
		require.Contains(t, text(t, s.Get(res.Header.Get("Location"), "Cookie", cookie)), want)
	}
	hide(false)
	s.Commands.Goal = true
	require.Equal(t, "restore-goal", decode(t, s.Do(http.MethodPost, "/api/v1/events/5001-1/actions/restore", nil, "Authorization", "Bearer "+adminToken))["effect"])
	s.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").Swept = true })
	require.Contains(t, text(t, s.Get("/g/"+salah, "Cookie", cookie)), "it cannot be restored")
	require.Equal(t, http.StatusConflict, s.Do(http.MethodPost, "/api/v1/events/5001-1/actions/restore", nil, "Authorization", "Bearer "+adminToken).StatusCode)
}
