package check_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// fakeReddit has the health that it is given.
type fakeReddit struct {
	source.Source
	health source.Health
	err    error
}

func (fakeReddit) Name() string { return "reddit" }

func (f fakeReddit) Health(context.Context) (source.Health, error) { return f.health, f.err }

func TestHealthTellsHowRedditStands(t *testing.T) {
	t.Parallel()
	look := func(h source.Health, err error) health.Part {
		h.BudgetLeft, h.BudgetLimit = 940, 1000
		return check.New(check.Options{Config: parsed(t, nil), Source: source.NewBeside(source.None{}, fakeReddit{health: h, err: err})}).Search(t.Context())
	}
	at := time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)
	p := look(source.Health{Ready: true, Canary: &source.Canary{At: at, OK: true}}, nil)
	require.Equal(t, health.StateOK, p.State)
	require.Equal(t, "940 of 1000 left", p.Facts["reddit_calls"])
	require.Equal(t, "2026-11-20 15:00 UTC, as it should be", p.Facts["reddit_list"])

	p = look(source.Health{Detail: "Reddit does not take the app's id and secret (HTTP 401)"}, nil)
	require.Equal(t, health.StateDown, p.State)
	require.Contains(t, p.Reason, "id and secret")
	require.Contains(t, p.Remedy, "REDDIT_CLIENT_SECRET")

	p = look(source.Health{By: "public", Detail: "Reddit refuses its public list to this machine (HTTP 429)"}, nil)
	require.Equal(t, health.StateDown, p.State)
	require.Contains(t, p.Remedy, "REDDIT_FEED")
	require.Equal(t, "the public list", p.Facts["reddit_by"])

	since := source.Door{URL: "https://archive.example", Since: at, Why: "Reddit refuses its public list to this machine (HTTP 429)", Asked: at.Add(time.Hour), Age: "40s"}
	p = look(source.Health{Ready: true, By: "public", Door: &since}, nil)
	require.Equal(t, health.StateOK, p.State)
	require.Contains(t, p.Reason, "(HTTP 429), so its posts are read from https://archive.example, which volunteers run")
	require.Equal(t, "a volunteers' archive, https://archive.example, since 2026-11-20 15:00 UTC: Reddit refuses its public list to this machine (HTTP 429)", p.Facts["reddit_by"])
	require.Equal(t, "2026-11-20 16:00 UTC, its newest post was 40s old", p.Facts["reddit_archive"])

	since.Fault = "the archive's newest post is 14m0s old"
	p = look(source.Health{By: "public", Detail: since.Why, Door: &since}, nil)
	require.Equal(t, health.StateDown, p.State)
	require.Contains(t, p.Reason, "(HTTP 429); the archive's newest post is 14m0s old")
	require.Contains(t, p.Remedy, "REDDIT_FEED")

	for status, remedy := range map[int]string{404: "Correct REDDIT_SUBREDDITS", 451: "where Reddit shows it", 500: "an outage of Reddit's", 503: "an outage of Reddit's", 403: "REDDIT_FEED"} {
		for _, by := range []string{"public", "feed"} {
			require.Contains(t, look(source.Health{By: by, Detail: "no", Status: status}, nil).Remedy, remedy, status)
		}
	}

	p = look(source.Health{By: "feed", Account: "ada", Detail: "Reddit refuses the address of REDDIT_FEED (HTTP 403)"}, nil)
	require.Contains(t, p.Remedy, "Copy the address of REDDIT_FEED again")
	require.Equal(t, "the RSS address of ada", p.Facts["reddit_by"])

	p = look(source.Health{}, footy.Errorf(footy.CodeUnavailable, "get a token", "connection refused"))
	require.Equal(t, health.StateDown, p.State)
	require.Contains(t, p.Reason, "Reddit does not answer")

	p = look(source.Health{Ready: true, Canary: &source.Canary{At: at, Drift: true, Detail: "what Reddit answers is no list of posts"}}, nil)
	require.Equal(t, health.StateDegraded, p.State)
	require.Contains(t, p.Reason, "Reddit has changed: what Reddit answers is no list of posts")
}

// TestRedditIsToldOfBesideBrowsersElsewhere: Health shows Reddit also where browsers are processes of their own.
func TestRedditIsToldOfBesideBrowsersElsewhere(t *testing.T) {
	t.Parallel()
	a := opened(t, parsed(t, map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:1", "REDDIT_CLIENT_ID": "an-app", "REDDIT_CLIENT_SECRET": "its-secret"}))
	require.NoError(t, a.Store.PutState(t.Context(), source.SearchersKey, source.Searchers{}.Put(source.Searcher{Name: "one :8888", At: time.Now(), Tabs: 2,
		Health: source.Health{Ready: true, Login: source.LoginOK, Account: "ada", BudgetLeft: 12, BudgetLimit: 40}})))
	look := func(h source.Health) health.Part {
		return check.New(check.Options{Config: a.Config, Store: a.Store, Source: source.NewBeside(source.None{}, fakeReddit{health: h})}).Search(t.Context())
	}
	well := look(source.Health{Ready: true, BudgetLeft: 900, BudgetLimit: 1000})
	require.Equal(t, health.StateOK, well.State, well.Reason)
	require.Equal(t, "ada", well.Facts["account"])
	require.Equal(t, "900 of 1000 left", well.Facts["reddit_calls"])
	ill := look(source.Health{Detail: "the app is not known"})
	require.Equal(t, health.StateDegraded, ill.State)
	require.Contains(t, ill.Reason, "Reddit: the app is not known")
}
