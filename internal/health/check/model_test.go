package check_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/health/check"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/validate"
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

func examined(t *testing.T, c config.Config, name string) check.Finding {
	t.Helper()
	for _, f := range app.Doctor(t.Context(), c, "test") {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("doctor does not look at %s", name)
	return check.Finding{}
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
		"junk":                   {validate.Condition{Reason: footy.ReasonModelJunk, At: now, LastOK: now.Add(-time.Hour)}, health.StateDown, "nobody can read", "schema"},
		"junk for one clip":      {validate.Condition{Reason: footy.ReasonModelJunk, At: now, LastOK: now.Add(-time.Minute)}, health.StateDegraded, "nobody can read", "schema"},
		"slow":                   {validate.Condition{Reason: footy.ReasonModelSlow, At: now}, health.StateDown, "no answer in time", "smaller model"},
		"another model":          {validate.Condition{Reason: footy.ReasonModelUnreachable, Detail: "model m not found", At: now}, health.StateDown, "model m not found", "LLAMA_MODEL"},
		"back after an outage":   {validate.Condition{Reason: footy.ReasonModelUnreachable, At: now.Add(-time.Hour)}, health.StateOK, "", ""},
		"set up since":           {validate.Condition{Reason: footy.ReasonNoModel, At: now}, health.StateOK, "", ""},
		"shown less, context":    {validate.Condition{At: now, LastOK: now, Showing: validate.Showing{Lines: 360, Corners: true, Alone: true, Reduced: footy.ReasonModelContext}}, health.StateDegraded, "shown less: frames of up to 360 lines, one a question, with their corners enlarged", "12,288 tokens"},
		"shown less, slow":       {validate.Condition{At: now, LastOK: now, Showing: validate.Showing{Lines: 360, Corners: true, Reduced: footy.ReasonModelSlow}}, health.StateDegraded, "no answer in time to frames in full size", "MODEL_FRAME_LINES"},
		"shown everything":       {validate.Condition{At: now, LastOK: now, Showing: validate.Showing{Lines: 1080, Corners: true}}, health.StateOK, "", ""},
		"slow, but no match yet": {validate.Condition{At: now, LastOK: now, SecondsPerClip: 100}, health.StateOK, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := examined(t, kept(t, model, map[string]any{validate.ConditionKey: c.last}), "model")
			require.Equal(t, c.state, f.State, "%+v", f)
			require.Contains(t, f.Reason, c.says)
			require.Contains(t, f.Remedy, c.remedy)
		})
	}
	require.Equal(t, health.StateMissing, examined(t, kept(t, "", nil), "model").State)
	gone := examined(t, kept(t, "http://127.0.0.1:1", map[string]any{validate.ConditionKey: validate.Condition{Reason: footy.ReasonModelBlind, At: now}}), "model")
	require.Equal(t, health.StateDown, gone.State)
	require.Equal(t, "the model at http://127.0.0.1:1 does not answer", gone.Reason, "an error chain is for the log")
	require.NotContains(t, gone.Reason, "model_unreachable", "codes are for programs")
}

func TestHealthSaysWhenTheModelIsTooSlowForTheDay(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC()
	f := examined(t, kept(t, healthyModel(t), map[string]any{
		validate.ConditionKey: validate.Condition{At: now, LastOK: now, SecondsPerClip: 100},
		ingest.StateKey:       ingest.LastIngest{Date: now.Format(time.DateOnly)},
	}, func(a *app.App) {
		for id := range int64(6) {
			require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: 5000 + id, Stage: footy.StageStaging, Match: footy.Match{Kickoff: now.Truncate(time.Second)}}))
		}
	}), "model")
	require.Equal(t, health.StateDegraded, f.State)
	require.Contains(t, f.Reason, "too slow for today's goals: 100 s a clip is about 36 clips an hour, and 6 matches at once")
	require.Contains(t, f.Remedy, "LLAMA_SLOTS")
}

func TestHealthSaysWhenPostsCannotBeFetched(t *testing.T) {
	t.Parallel()
	now := time.Now()
	ids := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}
	for name, c := range map[string]struct {
		last  source.FetchHealth
		state health.State
		says  string
	}{
		"nothing yet":      {source.FetchHealth{}, health.StateOK, ""},
		"it works":         {source.FetchHealth{LastOK: now}, health.StateOK, ""},
		"some are gone":    {source.FetchHealth{LastOK: now, Failed: ids[:4], Reason: footy.ReasonDeleted}, health.StateOK, ""},
		"many are gone":    {source.FetchHealth{LastOK: now, Failed: ids[:6], Reason: footy.ReasonDeleted}, health.StateDegraded, "every post that it is gone: 6 in a row"},
		"blocked":          {source.FetchHealth{Failed: ids, Reason: footy.ReasonGeoBlocked, RestingSince: now}, health.StateDown, "refuses every post to this address"},
		"no way out":       {source.FetchHealth{Failed: ids, Reason: footy.ReasonFetchFailed, RestingSince: now}, health.StateDown, "no post can be fetched"},
		"alike, who knows": {source.FetchHealth{Failed: ids, Reason: footy.ReasonNoVideo, RestingSince: now}, health.StateDown, "The post has no video"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := examined(t, kept(t, "", map[string]any{source.FetchHealthKey: c.last}), "fetch")
			require.Equal(t, c.state, f.State, "%+v", f)
			require.Contains(t, f.Reason, c.says)
		})
	}
}
