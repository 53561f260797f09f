package check_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

// aMatch has a goal with a clip proven by its clock and one by a model, and a post that was refused.
func aMatch(t *testing.T, id int64, kickoff time.Time) func(*app.App) {
	t.Helper()
	return func(a *app.App) {
		uid := fmt.Sprintf("g%d", id)
		goal := footy.Event{UID: uid, ID: uid, DownloadComplete: true, Clips: []footy.Clip{{ID: "clip1", Verified: true}, {ID: "clip2", Verified: true}, {ID: "clip3"}, {ID: "clip4"}}}
		require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: id, Stage: footy.StageCompleted, Match: footy.Match{Kickoff: kickoff}, Events: []footy.Event{goal}}))
		require.NoError(t, a.Store.AddPosts(t.Context(), []footy.Post{
			{EventUID: uid, PostID: "1", FixtureID: id, State: footy.PostPublished, Media: &footy.Media{Digest: "clip1"}, Verdict: &footy.Verdict{Proof: footy.ProofClock, Readings: []footy.Reading{{Soccer: true}}}},
			{EventUID: uid, PostID: "2", FixtureID: id, State: footy.PostPublished, Media: &footy.Media{Digest: "clip2"}, Verdict: &footy.Verdict{Readings: []footy.Reading{{Clock: "66:58"}}}},
			{EventUID: uid, PostID: "3", FixtureID: id, State: footy.PostRefused, Reason: footy.ReasonNoClock},
		}))
	}
}

func TestHealthTellsWhatClipsAreProvenBy(t *testing.T) {
	t.Parallel()
	model, now := healthyModel(t), time.Now().UTC()
	yesterday := now.AddDate(0, 0, -1)
	for name, c := range map[string]struct {
		model string
		proof string
		with  func(*app.App)
		state health.State
		says  string
	}{
		"nothing yet":               {model, "clock,model", nil, health.StateOK, "first the running clock, then the model (PROOF=clock,model)"},
		"the share of each":         {model, "model,clock", aMatch(t, 1, yesterday), health.StateOK, "first the model, then the running clock (PROOF=model,clock)"},
		"a match of longer ago":     {model, "model", aMatch(t, 1, now.AddDate(0, 0, -8)), health.StateOK, "the model alone (PROOF=model)"},
		"no model":                  {"", "clock,model", nil, health.StateOK, "the running clock alone, for there is no model (PROOF=clock,model)"},
		"no model and nothing else": {"", "model", nil, health.StateMissing, "nothing, for there is no model: no clip is shown (PROOF=model)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := parsed(t, map[string]string{"LLAMA_URL": c.model, "PROOF": c.proof})
			if c.with != nil {
				a := opened(t, cfg)
				c.with(a)
				require.NoError(t, a.Close())
			}
			f := examined(t, cfg, "proof")
			require.Equal(t, c.state, f.State)
			require.Contains(t, f.Reason, c.says)
			if c.state == health.StateMissing {
				require.Contains(t, examined(t, cfg, "model").Reason, "no clip is shown")
			}
		})
	}
}

// TestHealthCountsAnewWhatChanged, and only that: the posts of a week are many.
func TestHealthCountsAnewWhatChanged(t *testing.T) {
	t.Parallel()
	a := opened(t, parsed(t, nil))
	aMatch(t, 1, time.Now().Add(-time.Hour))(a)
	look := check.New(check.Options{Config: a.Config, Store: a.Store})
	facts := func() map[string]any { return look.Proof(t.Context()).Facts }
	require.Equal(t, health.Share{Clips: 1, Share: .25}, facts()["proven_model"])
	body, err := json.Marshal(facts()["proven_model"])
	require.NoError(t, err)
	require.JSONEq(t, `{"clips":1,"share":0.25}`, string(body))

	require.NoError(t, a.Docs.Delete(t.Context(), store.PostsColl, store.Filter{Group: "1"}))
	require.Equal(t, health.Share{Clips: 1, Share: .25}, facts()["proven_model"], "the match is as it was")
	_, err = a.Store.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Events[0].Clips = f.Events[0].Clips[:2]
		return nil, nil
	})
	require.NoError(t, err)
	require.Equal(t, health.Share{Clips: 2, Share: 1}, facts()["proven_not_kept"])
	require.Equal(t, 2, facts()["clips_shown"])
}
