package search_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/search"
)

type answers struct{ source.Result }

func (a answers) Search(context.Context, source.Query) (source.Result, error) { return a.Result, nil }

func (answers) Name() string { return "answers" }

func (answers) Health(context.Context) (source.Health, error) { return source.Health{}, nil }

type silent struct{}

func (silent) Publish(context.Context, string, ...string) {}

// starts is an engine that starts what it is asked for.
type starts struct{ client.Client }

func (starts) ExecuteWorkflow(context.Context, client.StartWorkflowOptions, any, ...any) (client.WorkflowRun, error) {
	return nil, nil
}

// searched is a store with one goal that is certain since then, and its first search.
func searched(t *testing.T, certain time.Time) (store.Store, search.SearchInput) {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	e := footy.Event{UID: "1-1", ID: "1_40_7_Goal_1", Kind: footy.KindGoal, FirstSeen: certain, CertainAt: certain, Round: footy.Round{Number: 1, OpenedAt: certain},
		Team: footy.Team{ID: 40, Name: "Liverpool"}, Player: footy.Person{ID: 7, Name: "Salah"}}
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, Events: []footy.Event{e}}))
	return s, search.SearchInput{Input: search.Input{FixtureID: 1, EventUID: e.UID, Timing: policy.Defaults()}, Round: 1, Try: 1}
}

func result(t *testing.T, acts *search.Activities, in search.SearchInput) (got search.SearchResult) {
	t.Helper()
	env := enginetest.Activity()
	env.RegisterActivity(acts)
	val, err := env.ExecuteActivity(acts.Search, in)
	require.NoError(t, err)
	require.NoError(t, val.Get(&got))
	return got
}

// TestASearchWhoseWorkerDiedTakesItsPostsAnew: posts go into the ledger first, then the search is counted.
func TestASearchWhoseWorkerDiedTakesItsPostsAnew(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)
	s, in := searched(t, now)
	post := func(id string, try int) footy.Post {
		return footy.Post{EventUID: in.EventUID, PostID: id, FixtureID: 1, State: footy.PostOffered, Round: 1, Try: try, FirstSeen: now, ChangedAt: now, NextTry: now}
	}
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{post("100", 1), post("101", 0)}))

	found := answers{source.Result{State: source.StateResults, Candidates: []footy.Candidate{{PostID: "100"}, {PostID: "102"}}}}
	acts := &search.Activities{Store: s, Source: found, Temporal: starts{}, Page: silent{}, Now: func() time.Time { return now }}
	got := result(t, acts, in)

	f, err := s.Fixture(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, 1, f.Events[0].Round.Searches)
	posts, err := s.Posts(t.Context(), store.PostQuery{EventUID: in.EventUID})
	require.NoError(t, err)
	require.Len(t, posts, 3)
	require.NotEmpty(t, got.Download, "the Download of its posts is started")
}

// TestAGoalKeepsTheWordsOfATeamThatIsLookedUpWhileItsSearchRuns: they were written only if they were known when the search began.
func TestAGoalKeepsTheWordsOfATeamThatIsLookedUpWhileItsSearchRuns(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)
	s, in := searched(t, now)
	acts := &search.Activities{Store: s, Source: answers{source.Result{State: source.StateEmpty}}, Temporal: starts{}, Page: silent{}, Now: func() time.Time { return now }}
	words := func() []string {
		result(t, acts, in)
		in.Try++
		f, err := s.Fixture(t.Context(), 1)
		require.NoError(t, err)
		return f.Events[0].TwitterAliases
	}
	require.Empty(t, words())
	require.NoError(t, s.PutAliases(t.Context(), footy.TeamAliases{TeamID: 40, Team: "Liverpool", Aliases: []string{"liverpool", "lfc", "reds"}}))
	require.Equal(t, []string{"liverpool", "lfc", "reds"}, words())
}

// TestAWantOfMoneyTakesNoTry: 402 of X's paid API was a failure of X, of which a goal has 15.
func TestAWantOfMoneyTakesNoTry(t *testing.T) {
	t.Parallel()
	for _, why := range []source.State{footy.SearchNoCredits, footy.SearchMonthlyCap, footy.SearchDayCap} {
		now := time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)
		s, in := searched(t, now)
		acts := &search.Activities{Store: s, Source: answers{source.Result{State: why, RetryAfter: time.Minute}}, Temporal: starts{}, Page: silent{}, Now: func() time.Time { return now }}
		got := result(t, acts, in)
		require.Equal(t, search.SearchResult{State: why, Free: true, RetryAfter: time.Minute}, got)
		f, err := s.Fixture(t.Context(), 1)
		require.NoError(t, err)
		require.Zero(t, f.Events[0].Round.Tries)
		require.Equal(t, string(why), f.Events[0].Round.Blocked.By)
	}
}

// TestARefusalThatAPersonCanEndIsTold: the row of a search and the goal say that Reddit refuses, not that X does.
func TestARefusalThatAPersonCanEndIsTold(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 14, 15, 32, 0, 0, time.UTC)
	s, in := searched(t, now)
	for _, state := range []source.State{source.StateLoginRequired, source.StateEmpty} {
		acts := &search.Activities{Store: s, Temporal: starts{}, Page: silent{}, Now: func() time.Time { return now },
			Source: answers{source.Result{State: state, Reason: footy.ReasonRedditPublic, RetryAfter: time.Minute}}}
		got := result(t, acts, in)
		require.Equal(t, state == source.StateLoginRequired, got.Free, "nobody could look: no try is spent")
		if got.Free {
			f, err := s.Fixture(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, string(footy.ReasonRedditPublic), f.Events[0].Round.Blocked.By)
		}
	}
	rows, err := s.Entries(t.Context(), store.LogQuery{FixtureID: 1, Kinds: []footy.EntryKind{footy.EntryQuery}})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	for _, r := range rows {
		require.Equal(t, footy.ReasonRedditPublic, r.Reason)
	}
}

// TestASearchThatNobodyTakesIsToldAndItsTimeDoesNotCount: goals in the queue looked as if their next search was due.
func TestASearchThatNobodyTakesIsToldAndItsTimeDoesNotCount(t *testing.T) {
	t.Parallel()
	scored := time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)
	now := scored.Add(2 * time.Minute)
	s, in := searched(t, scored)
	polled := false
	acts := &search.Activities{Store: s, Temporal: starts{}, Page: silent{}, Now: func() time.Time { return now },
		Polled: func(context.Context) (bool, error) { return polled, nil }}
	untaken := search.UntakenInput{SearchInput: in, Since: scored}
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
			got, err := acts.Untaken(t.Context(), untaken)
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
	require.Len(t, rows, 4, "one row for each reason, also for one that comes back")

	now = scored.Add(5 * time.Hour)
	got, err := acts.Untaken(t.Context(), untaken)
	require.NoError(t, err)
	require.Empty(t, got.End, "the round's time stands still")
	now = scored.Add(7 * time.Hour)
	got, err = acts.Untaken(t.Context(), untaken)
	require.NoError(t, err)
	require.Equal(t, footy.ReasonWindowOver, got.End, "for six hours")
}

// TestASearchSaysWhenTheNextIsDue: also where its answer got lost and it is made again.
func TestASearchSaysWhenTheNextIsDue(t *testing.T) {
	t.Parallel()
	certain := time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)
	s, in := searched(t, certain)
	now := certain.Add(12 * time.Second)
	acts := &search.Activities{Store: s, Source: answers{source.Result{State: source.StateEmpty}}, Temporal: starts{}, Page: silent{}, Now: func() time.Time { return now }}
	wait := in.Timing.SearchAt[1] - 12*time.Second
	require.Positive(t, wait)
	require.Equal(t, wait, result(t, acts, in).Next)
	require.Equal(t, wait, result(t, acts, in).Next)
}
