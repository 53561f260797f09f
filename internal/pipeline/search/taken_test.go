package search_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/store/sqlite"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"
)

type answers struct{ source.Result }

func (a answers) Search(context.Context, source.Query) (source.Result, error) { return a.Result, nil }

func (answers) Name() string { return "answers" }

func (answers) Health(context.Context) (source.Health, error) { return source.Health{}, nil }

type silent struct{}

func (silent) Publish(context.Context, string, ...string) {}

// TestPostsOfASearchThatDiedAreDiscovered: posts go into the ledger first, then into the event. A worker that died in between
// left posts that _discovered_videos never had, because the next try knew them already.
func TestPostsOfASearchThatDiedAreDiscovered(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"), sqlite.Options{})
	require.NoError(t, err)
	s := store.New(db, store.Options{})
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now := time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)
	e := footy.Event{UID: "1-1", ID: "1_40_7_Goal_1", Kind: footy.KindGoal, FirstSeen: now, CertainAt: now, Round: 1, RoundOpenedAt: now,
		Team: footy.Team{ID: 40, Name: "Liverpool"}, Player: footy.Person{ID: 7, Name: "Salah"}}
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, Events: []footy.Event{e}}))
	post := func(id string, try int) footy.Post {
		return footy.Post{EventUID: e.UID, PostID: id, FixtureID: 1, State: footy.PostOffered, Round: 1, Try: try, FirstSeen: now, ChangedAt: now, NextTry: now}
	}
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{post("100", 1), post("101", 0)}))

	found := answers{source.Result{State: source.StateResults, Candidates: []footy.Candidate{{PostID: "100"}, {PostID: "102"}}}}
	acts := &search.Activities{Store: s, Source: found, Page: silent{}, Now: func() time.Time { return now }}
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(acts)
	_, err = env.ExecuteActivity(acts.Search, search.SearchInput{Ref: search.Ref{FixtureID: 1, EventUID: e.UID}, Round: 1, Try: 1, Timing: policy.Defaults()})
	require.NoError(t, err)

	f, err := s.Fixture(t.Context(), 1)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"100", "102"}, f.Events[0].DiscoveredVideos, "101 was offered by another goal: no search found it")
}
