package pipeline_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
)

var changed = source.Canary{Drift: true, Detail: "3 of 3 posts have no author", Sample: "canary/1.json"}

func TestCanaryKeepsWhatItSaw(t *testing.T) {
	t.Parallel()
	for name, found := range map[string]source.Canary{"as expected": {OK: true}, "changed": changed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := setup(t)
			env.OnActivity(canary.RunCanary.Name(), anything).Return(canary.Look{Canary: found}, nil).Once()
			on(env, canary.SaveCanary, found).Return(nil).Once()
			env.ExecuteWorkflow(canary.Workflow.Name(), canary.Defaults())
			require.NoError(t, env.GetWorkflowError())
			var got source.Canary
			require.NoError(t, env.GetWorkflowResult(&got))
			require.Equal(t, found, got)
		})
	}
}

func TestCanaryLooksAgainWhereItCouldNotLook(t *testing.T) {
	t.Parallel()
	env := setup(t)
	began := env.Now()
	env.OnActivity(canary.RunCanary.Name(), anything).Return(canary.Look{}, temporal.NewNonRetryableApplicationError("down", "unavailable", nil)).Once()
	env.OnActivity(canary.RunCanary.Name(), anything).Return(canary.Look{Canary: source.Canary{Detail: "could not look: rate_limited"}}, nil).Once()
	env.OnActivity(canary.RunCanary.Name(), anything).Return(canary.Look{Canary: source.Canary{OK: true}}, nil).Once()
	on(env, canary.SaveCanary, source.Canary{OK: true}).Return(nil).Once()
	env.ExecuteWorkflow(canary.Workflow.Name(), canary.Defaults())
	require.NoError(t, env.GetWorkflowError())
	require.GreaterOrEqual(t, env.Now().Sub(began), 20*time.Minute)
}

func TestCanaryThatNeverCouldLookIsNoAlert(t *testing.T) {
	t.Parallel()
	env := setup(t)
	env.OnActivity(canary.RunCanary.Name(), anything).Return(canary.Look{}, errors.New("connection refused"))
	var kept source.Canary
	on(env, canary.SaveCanary, anything).Return(func(_ context.Context, c source.Canary) error { kept = c; return nil }).Once()
	env.ExecuteWorkflow(canary.Workflow.Name(), canary.Defaults())
	require.NoError(t, env.GetWorkflowError())
	require.False(t, kept.OK)
	require.False(t, kept.Drift)
	require.Equal(t, "could not look: connection refused", kept.Detail)
	require.False(t, kept.At.IsZero())
}

func TestCanaryWithoutAPageHasNothingToDo(t *testing.T) {
	t.Parallel()
	env := setup(t)
	env.OnActivity(canary.RunCanary.Name(), anything).Return(canary.Look{Nothing: true}, nil).Once()
	env.ExecuteWorkflow(canary.Workflow.Name(), canary.Defaults())
	require.NoError(t, env.GetWorkflowError())
}

type prober struct {
	source.None
	found source.Canary
	err   error
}

func (p prober) Canary(context.Context) (source.Canary, error) { return p.found, p.err }

type noted []string

func (n *noted) Publish(_ context.Context, entity string, _ ...string) { *n = append(*n, entity) }

func TestCanaryActivities(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(b)
	t.Cleanup(func() { _ = s.Close() })
	told := &noted{}
	a := &canary.Activities{Store: s, Source: source.None{}, Page: told}
	kept := func() (c source.Canary) {
		require.NoError(t, s.State(ctx, canary.StateKey, &c))
		return c
	}

	got, err := a.Run(ctx)
	require.NoError(t, err)
	require.True(t, got.Nothing, "a source without a page")
	a.Source = source.NewChain(source.ChainOptions{}, source.None{})
	got, err = a.Run(ctx)
	require.NoError(t, err)
	require.True(t, got.Nothing, "a chain without a page")
	a.Source = source.NewChain(source.ChainOptions{}, source.None{}, prober{found: changed})
	got, err = a.Run(ctx)
	require.NoError(t, err)
	require.Equal(t, changed, got.Canary)
	a.Source = prober{err: errors.New("down")}
	_, err = a.Run(ctx)
	require.ErrorContains(t, err, "down")

	require.NoError(t, a.Save(ctx, changed))
	require.Equal(t, changed, kept())
	require.NoError(t, a.Save(ctx, source.Canary{Detail: "could not look"}))
	require.Equal(t, changed, kept(), "X does not change back by hiding")
	require.NoError(t, a.Save(ctx, source.Canary{OK: true}))
	require.True(t, kept().OK)
	require.Equal(t, noted{"health", "health"}, *told)
}

// TestTheCanaryFetchesAKnownPost: a blocked address is seen although nobody searches, and its end, too.
func TestTheCanaryFetchesAKnownPost(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	posts := &knownPost{err: &footy.Error{Code: footy.CodeGeoBlocked, Reason: footy.ReasonGeoBlocked}}
	a := &canary.Activities{Store: s, Source: source.None{}, Fetcher: posts, Page: &noted{}, Now: func() time.Time { return now }}
	health := func() (h source.FetchHealth) {
		_, err := a.Run(t.Context())
		require.NoError(t, err)
		if err := s.State(t.Context(), source.OnX.FetchHealthKey(), &h); !footy.IsNotFound(err) {
			require.NoError(t, err)
		}
		return h
	}
	require.Zero(t, health(), "nothing was fetched yet, so there is nothing to look at")
	require.Empty(t, posts.asked)

	require.NoError(t, s.PutState(t.Context(), source.OnX.FetchHealthKey(), source.FetchHealth{LastOK: now.Add(-time.Hour), Known: &footy.Candidate{PostID: "7"}}))
	h := health()
	require.Equal(t, []string{"7"}, posts.asked)
	require.Equal(t, footy.ReasonGeoBlocked, h.Reason)
	require.Equal(t, "7", h.Known.PostID)

	posts.err, posts.asked = nil, nil
	require.NoError(t, s.PutState(t.Context(), source.OnReddit.FetchHealthKey(), source.FetchHealth{Failed: []string{"t3_8"}, Known: &footy.Candidate{PostID: "t3_7"}}))
	h = health()
	require.Equal(t, []string{"7", "t3_7"}, posts.asked, "one of each place")
	require.Empty(t, h.Reason)
	require.Equal(t, now, h.LastOK)
	var reddit source.FetchHealth
	require.NoError(t, s.State(t.Context(), source.OnReddit.FetchHealthKey(), &reddit))
	require.Empty(t, reddit.Failed)
}

type knownPost struct {
	source.Fetcher
	err   error
	asked []string
}

func (k *knownPost) Fetch(_ context.Context, c footy.Candidate, w io.Writer) (source.Fetched, error) {
	k.asked = append(k.asked, c.PostID)
	if k.err != nil {
		return source.Fetched{}, k.err
	}
	_, err := io.WriteString(w, "a film")
	return source.Fetched{}, err
}
