package check_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

// kept is a state directory in which workers left what they found.
func kept(t *testing.T, model string, state map[string]any, more ...func(*app.App)) config.Config {
	t.Helper()
	c := parsed(t, map[string]string{"LLAMA_URL": model})
	a := opened(t, c)
	for key, value := range state {
		require.NoError(t, a.Store.PutState(t.Context(), key, value))
	}
	for _, m := range more {
		m(a)
	}
	require.NoError(t, a.Close())
	return c
}

func examined(t *testing.T, c config.Config, name string) health.Part {
	t.Helper()
	for _, f := range app.Doctor(t.Context(), c, "test") {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("doctor does not look at %s", name)
	return health.Part{}
}

func healthyModel(t *testing.T) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"status":"ok"}`) }))
	t.Cleanup(srv.Close)
	return srv.URL
}

func TestHealthTellsTheModelsTroublesApart(t *testing.T) {
	t.Parallel()
	model, now := healthyModel(t), time.Now()
	brokenOff := &footy.Error{Code: footy.CodeUnavailable, Reason: footy.ReasonModelUnreachable, Err: syscall.ECONNRESET}
	for name, c := range map[string]struct {
		last   validate.Condition
		state  health.State
		says   string
		remedy string
	}{
		"never asked":            {validate.Condition{}, health.StateOK, "", ""},
		"it works":               {validate.Condition{At: now, LastOK: now, SecondsPerClip: 3}, health.StateOK, "", ""},
		"blind":                  {validate.Condition{Reason: footy.ReasonModelBlind, Detail: "you may need to provide the mmproj", At: now}, health.StateDown, "cannot see pictures: you may need", "--mmproj"},
		"small context":          {validate.Condition{Reason: footy.ReasonModelContext, At: now}, health.StateDown, "context is too small", "-np"},
		"junk":                   {validate.Condition{Reason: footy.ReasonModelJunk, At: now, LastOK: now.Add(-time.Hour)}, health.StateDown, "answers cannot be read", "schema"},
		"junk for one clip":      {validate.Condition{Reason: footy.ReasonModelJunk, At: now, LastOK: now.Add(-time.Minute)}, health.StateDegraded, "answers cannot be read", "schema"},
		"the only clip of a day": {validate.Condition{Reason: footy.ReasonModelJunk, At: now, LastOK: now.Add(-time.Hour), Clips: 1, OfOneClip: true}, health.StateDegraded, "answers cannot be read", "schema"},
		"one breaks it off":      {(validate.Condition{LastOK: now.Add(-time.Hour)}).Failed(brokenOff, now), health.StateDegraded, "", "LLAMA_URL"},
		"two break it off":       {(validate.Condition{LastOK: now.Add(-time.Hour)}).Failed(brokenOff, now).Failed(brokenOff, now), health.StateDown, "", "LLAMA_URL"},
		"blind for one clip":     {validate.Condition{Reason: footy.ReasonModelBlind, At: now, Clips: 1}, health.StateDown, "cannot see pictures", "--mmproj"},
		"slow":                   {validate.Condition{Reason: footy.ReasonModelSlow, At: now}, health.StateDown, "no answer in time", "smaller model"},
		"another model":          {validate.Condition{Reason: footy.ReasonModelUnreachable, Detail: "model m not found", At: now}, health.StateDown, "model m not found", "LLAMA_MODEL"},
		"back after an outage":   {validate.Condition{Reason: footy.ReasonModelUnreachable, At: now.Add(-time.Hour)}, health.StateOK, "", ""},
		"loaded since":           {validate.Condition{Reason: footy.ReasonModelLoading, At: now}, health.StateOK, "", ""},
		"set up since":           {validate.Condition{Reason: footy.ReasonNoModel, At: now}, health.StateOK, "", ""},
		"shown less, context":    {validate.Condition{At: now, LastOK: now, Showing: validate.Showing{Lines: 360, Corners: true, Alone: true, Reduced: footy.ReasonModelContext}}, health.StateDegraded, "shown less: frames of up to 360 lines, one a question, with their corners enlarged", "12,288 tokens"},
		"shown less, slow":       {validate.Condition{At: now, LastOK: now, Showing: validate.Showing{Lines: 360, Corners: true, Reduced: footy.ReasonModelSlow}}, health.StateDegraded, "no answer in time to frames in full size", "MODEL_FRAME_LINES"},
		"shown everything":       {validate.Condition{At: now, LastOK: now, Showing: validate.Showing{Lines: 1080, Corners: true}}, health.StateOK, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := examined(t, kept(t, model, map[string]any{validate.ConditionKey: c.last}), "model")
			require.Equal(t, c.state, f.State, "%+v", f)
			require.Contains(t, f.Reason, c.says)
			require.Contains(t, f.Remedy, c.remedy)
		})
	}
	never := examined(t, kept(t, model, nil), "model")
	require.Equal(t, "not asked yet", never.Word(), "that a server answers says nothing of whether it sees")
	require.Equal(t, "it answers at "+model+", and was not used yet; footy doctor --model tests whether it sees", never.Reason)
	require.Equal(t, "works", examined(t, kept(t, model, map[string]any{validate.ConditionKey: validate.Condition{At: now, LastOK: now}}), "model").Word())
	require.Equal(t, health.StateMissing, examined(t, kept(t, "", nil), "model").State)
	gone := examined(t, kept(t, "http://127.0.0.1:1", map[string]any{validate.ConditionKey: validate.Condition{Reason: footy.ReasonModelBlind, At: now}}), "model")
	require.Equal(t, health.StateDown, gone.State)
	require.Equal(t, "the model at http://127.0.0.1:1 does not answer", gone.Reason, "an error chain is for the log")
	require.NotContains(t, gone.Reason, "model_unreachable", "codes are for programs")
	loading := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"Loading model"}}`, http.StatusServiceUnavailable)
	}))
	t.Cleanup(loading.Close)
	soon := examined(t, kept(t, loading.URL, nil), "model")
	require.Equal(t, "the model is loading", soon.Reason)
	require.Contains(t, soon.Remedy, "Wait: ", "nobody is told to start a server that runs")
	require.NotContains(t, soon.Remedy, "LLAMA_URL")
}

// TestAModelIsNotBelievedWhilePostsWaitForIt: they wait for longer than the last failure is remembered, and health flapped with each try.
func TestAModelIsNotBelievedWhilePostsWaitForIt(t *testing.T) {
	t.Parallel()
	failed := time.Now().Add(-time.Hour)
	media := &footy.Media{Digest: "abc"}
	for name, c := range map[string]struct {
		post  footy.Post
		state health.State
	}{
		"one waits":          {footy.Post{State: footy.PostWaiting, Reason: footy.ReasonModelUnreachable}, health.StateDown},
		"one is being tried": {footy.Post{State: footy.PostFetched, Reason: footy.ReasonModelUnreachable}, health.StateDown},
		"one waits for X":    {footy.Post{State: footy.PostWaiting, Reason: footy.ReasonFetchFailed}, health.StateOK},
	} {
		c.post.EventUID, c.post.PostID, c.post.FixtureID, c.post.Media, c.post.WaitingSince, c.post.NextTry = "1-1", "7", 1, media, failed, time.Now()
		last := validate.Condition{Reason: footy.ReasonModelUnreachable, At: failed, LastOK: failed.Add(-time.Hour)}
		have := kept(t, healthyModel(t), map[string]any{validate.ConditionKey: last}, func(a *app.App) {
			require.NoError(t, a.Store.AddPosts(t.Context(), []footy.Post{c.post}))
		})
		require.Equal(t, c.state, examined(t, have, "model").State, name)
	}
}

func TestHealthTellsWhereNoPostCanBeFetched(t *testing.T) {
	t.Parallel()
	now := time.Now()
	blocked := source.FetchHealth{Failed: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}, Reason: footy.ReasonGeoBlocked, RestingSince: now}
	warned := source.FetchHealth{Failed: []string{"1", "2", "3", "4", "5"}, Reason: footy.ReasonFetchFailed}
	fine := source.FetchHealth{LastOK: now}
	for name, c := range map[string]struct {
		x, reddit  source.FetchHealth
		state      health.State
		says, does []string
	}{
		"both work":                  {fine, fine, health.StateOK, nil, nil},
		"X is blocked, Reddit works": {blocked, fine, health.StateDown, []string{"X refuses every post to this address"}, []string{"VPN"}},
		"Reddit's hosts are away":    {fine, warned, health.StateDegraded, []string{"no video of a post on Reddit can be fetched: 5 in a row"}, []string{"v.redd.it"}},
		"one is worse":               {warned, blocked, health.StateDown, []string{"no post of X can be fetched: 5 in a row; ", "that Reddit's posts link to is refused"}, []string{"twimg.com", "VPN"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := examined(t, kept(t, "", map[string]any{source.OnX.FetchHealthKey(): c.x, source.OnReddit.FetchHealthKey(): c.reddit}), "fetch")
			require.Equal(t, c.state, f.State, "%+v", f)
			for _, words := range c.says {
				require.Contains(t, f.Reason, words)
			}
			for _, words := range c.does {
				require.Contains(t, f.Remedy, words)
			}
			require.Equal(t, c.state == health.StateDown, !f.Since.IsZero())
		})
	}
}

// TestATokenThatNobodyUsedIsNotSaidToWork: whether X takes it shows with the first search.
func TestATokenThatNobodyUsedIsNotSaidToWork(t *testing.T) {
	t.Parallel()
	f := examined(t, parsed(t, map[string]string{"X_BEARER_TOKEN": "t"}), "search")
	require.Equal(t, "not asked yet", f.Word())
	require.Contains(t, f.Reason, "X_BEARER_TOKEN is set, and the paid API was not asked today")
}

func TestHealthSaysWhenPostsCannotBeFetched(t *testing.T) {
	t.Parallel()
	now := time.Now()
	ids := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}
	for name, c := range map[string]struct {
		last  source.FetchHealth // of X's posts
		state health.State
		says  string
	}{
		"nothing yet":      {source.FetchHealth{}, health.StateOK, ""},
		"it works":         {source.FetchHealth{LastOK: now}, health.StateOK, ""},
		"some are gone":    {source.FetchHealth{LastOK: now, Failed: ids[:4], Reason: footy.ReasonDeleted}, health.StateOK, ""},
		"many are gone":    {source.FetchHealth{LastOK: now, Failed: ids[:6], Reason: footy.ReasonDeleted}, health.StateDegraded, "every post that it is gone: 6 in a row"},
		"blocked":          {source.FetchHealth{Failed: ids, Reason: footy.ReasonGeoBlocked, RestingSince: now}, health.StateDown, "refuses every post to this address"},
		"no way out":       {source.FetchHealth{Failed: ids, Reason: footy.ReasonFetchFailed, RestingSince: now}, health.StateDown, "no post of X can be fetched"},
		"alike, who knows": {source.FetchHealth{Failed: ids, Reason: footy.ReasonNoVideo, RestingSince: now}, health.StateDown, "The post has no video"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := examined(t, kept(t, "", map[string]any{source.OnX.FetchHealthKey(): c.last}), "fetch")
			require.Equal(t, c.state, f.State, "%+v", f)
			require.Equal(t, name == "nothing yet", f.Word() == "not asked yet")
			require.Contains(t, f.Reason, c.says)
		})
	}
}
