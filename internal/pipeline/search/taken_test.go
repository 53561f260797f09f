package search_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/stretchr/testify/require"
)

type answers struct{ source.Result }

func (a answers) Search(context.Context, source.Query) (source.Result, error) { return a.Result, nil }

func (answers) Name() string { return "answers" }

func (answers) Health(context.Context) (source.Health, error) { return source.Health{}, nil }

type silent struct{}

func (silent) Publish(context.Context, string, ...string) {}

// TestASearchWhoseWorkerDiedTakesItsPostsAnew: posts go into the ledger first, then the search is counted.
func TestASearchWhoseWorkerDiedTakesItsPostsAnew(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now := time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)
	e := footy.Event{UID: "1-1", ID: "1_40_7_Goal_1", Kind: footy.KindGoal, FirstSeen: now, CertainAt: now, Round: footy.Round{Number: 1, OpenedAt: now},
		Team: footy.Team{ID: 40, Name: "Liverpool"}, Player: footy.Person{ID: 7, Name: "Salah"}}
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, Events: []footy.Event{e}}))
	post := func(id string, try int) footy.Post {
		return footy.Post{EventUID: e.UID, PostID: id, FixtureID: 1, State: footy.PostOffered, Round: 1, Try: try, FirstSeen: now, ChangedAt: now, NextTry: now}
	}
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{post("100", 1), post("101", 0)}))

	found := answers{source.Result{State: source.StateResults, Candidates: []footy.Candidate{{PostID: "100"}, {PostID: "102"}}}}
	acts := &search.Activities{Store: s, Source: found, Page: silent{}, Now: func() time.Time { return now }}
	env := enginetest.New().NewTestActivityEnvironment()
	env.RegisterActivity(acts)
	val, err := env.ExecuteActivity(acts.Search, search.SearchInput{Ref: search.Ref{FixtureID: 1, EventUID: e.UID}, Round: 1, Try: 1, Timing: policy.Defaults()})
	require.NoError(t, err)
	var got search.SearchResult
	require.NoError(t, val.Get(&got))

	f, err := s.Fixture(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, 1, f.Events[0].Round.Searches)
	posts, err := s.Posts(t.Context(), store.PostQuery{EventUID: e.UID})
	require.NoError(t, err)
	require.Len(t, posts, 3)
	require.NotEmpty(t, got.Download, "the Download of its posts is started")
}

// TestASearchThatNobodyTakesIsToldAndItsTimeDoesNotCount: goals in the queue looked as if their next search was due.
func TestASearchThatNobodyTakesIsToldAndItsTimeDoesNotCount(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	scored := time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)
	now := scored.Add(2 * time.Minute)
	e := footy.Event{UID: "1-1", ID: "1_40_7_Goal_1", Kind: footy.KindGoal, FirstSeen: scored, CertainAt: scored, Round: footy.Round{Number: 1, OpenedAt: scored},
		Team: footy.Team{ID: 40, Name: "Liverpool"}, Player: footy.Person{ID: 7, Name: "Salah"}}
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, Events: []footy.Event{e}}))
	polled := false
	acts := &search.Activities{Store: s, Page: silent{}, Now: func() time.Time { return now },
		Polled: func(context.Context) (bool, error) { return polled, nil }}
	in := search.UntakenInput{SearchInput: search.SearchInput{Ref: search.Ref{FixtureID: 1, EventUID: e.UID}, Round: 1, Try: 1, Timing: policy.Defaults()}, Since: scored}
	for _, step := range []struct {
		waits          source.State
		nobody, polled bool
		want           source.State
	}{
		{nobody: true, want: footy.SearchUnreachable},
		{nobody: true, polled: true, want: footy.SearchBusy},
		{waits: source.StateLoginRequired, want: source.StateLoginRequired},
		{waits: source.StateRateLimited, want: source.StateRateLimited},
		{want: footy.SearchBusy},
	} {
		all := source.Searchers{}
		if !step.nobody {
			all = all.Put(source.Searcher{Name: "one", At: now, Waits: step.waits})
		}
		require.NoError(t, s.PutState(t.Context(), source.SearchersKey, all))
		polled = step.polled
		for range 2 {
			got, err := acts.Untaken(t.Context(), in)
			require.NoError(t, err)
			require.Equal(t, search.SearchResult{State: step.want, Free: true, Untaken: true}, got)
		}
		f, err := s.Fixture(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, string(step.want), f.Events[0].Round.Blocked.By)
		require.Equal(t, scored, f.Events[0].Round.Blocked.Since.UTC(), "since it was put into the queue")
		require.Zero(t, f.Events[0].Round.Tries)
		now = now.Add(time.Minute)
	}
	rows, err := s.Entries(t.Context(), store.LogQuery{FixtureID: 1})
	require.NoError(t, err)
	require.Len(t, rows, 5, "one row for each reason")

	now = scored.Add(5 * time.Hour)
	got, err := acts.Untaken(t.Context(), in)
	require.NoError(t, err)
	require.Empty(t, got.End, "the round's time stands still")
	now = scored.Add(7 * time.Hour)
	got, err = acts.Untaken(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, footy.ReasonWindowOver, got.End, "for six hours")
}
