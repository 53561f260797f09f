package pipeline_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
)

// searchRun is one TwitterWorkflow against a scripted search, with the times at which searches began.
type searchRun struct {
	out   search.Output
	at    []time.Duration
	tries []int
	ended []search.EndInput
}

func runSearch(t *testing.T, answer func(n int, in search.SearchInput) (search.SearchResult, error), also func(*testsuite.TestWorkflowEnvironment)) searchRun {
	t.Helper()
	return runSearchWith(t, policy.Defaults(), answer, also)
}

func runSearchWith(t *testing.T, timing policy.Timing, answer func(n int, in search.SearchInput) (search.SearchResult, error), also func(*testsuite.TestWorkflowEnvironment)) searchRun {
	t.Helper()
	env := setup(t)
	var r searchRun
	began := env.Now()
	on(env, search.Search, anything).Return(func(_ context.Context, in search.SearchInput) (search.SearchResult, error) {
		r.at, r.tries = append(r.at, env.Now().Sub(began)), append(r.tries, in.Try)
		return answer(len(r.at), in)
	})
	on(env, search.EndSearch, anything).Maybe().Return(func(_ context.Context, in search.EndInput) error {
		r.ended = append(r.ended, in)
		return nil
	})
	if also != nil {
		also(env)
	}
	on(env, search.BeginSearch, anything).Maybe().Return(search.Beginning{}, nil)
	env.ExecuteWorkflow(search.Workflow.Name(), search.Input{FixtureID: 5000, EventUID: "5000-1", Timing: timing})
	require.True(t, env.IsWorkflowCompleted())
	require.NoError(t, env.GetWorkflowError())
	require.NoError(t, env.GetWorkflowResult(&r.out))
	return r
}

func usable(n int) search.SearchResult {
	return search.SearchResult{State: source.StateEmpty, Usable: true, Registered: n - 1, Next: time.Minute}
}

// timesOut is a search without an answer; the fifteenth is the last.
func timesOut(_ int, in search.SearchInput) (search.SearchResult, error) {
	out := search.SearchResult{State: source.StateTimeout}
	if in.Try >= 15 {
		out.Over, out.End = true, footy.ReasonTriesUsed
	}
	return out, nil
}

// TestTheFirstActTakesTheGoalUp: where a search died before, Monitor finds the goal not taken up, and starts another.
func TestTheFirstActTakesTheGoalUp(t *testing.T) {
	t.Parallel()
	var acts []string
	runSearch(t, func(int, search.SearchInput) (search.SearchResult, error) {
		return search.SearchResult{Over: true, State: source.StateEmpty}, nil
	}, func(env *testsuite.TestWorkflowEnvironment) {
		note := func(info *activity.Info, _ context.Context) { acts = append(acts, info.ActivityType.Name) }
		env.SetOnActivityStartedListener(func(info *activity.Info, ctx context.Context, _ converter.EncodedValues) { note(info, ctx) })
		env.SetOnLocalActivityStartedListener(func(info *activity.Info, ctx context.Context, _ []any) { note(info, ctx) })
	})
	require.NotEmpty(t, acts)
	require.Equal(t, "set_monitor_complete", acts[0])
}

func TestSearch(t *testing.T) {
	t.Parallel()

	t.Run("ten usable searches when they are due", func(t *testing.T) {
		t.Parallel()
		r := runSearch(t, func(n int, _ search.SearchInput) (search.SearchResult, error) {
			if n > 10 {
				return search.SearchResult{Over: true, Registered: 10}, nil
			}
			out := usable(n)
			out.Next = time.Duration(n) * 20 * time.Second
			return out, nil
		}, nil)
		for i := range 10 {
			require.Equal(t, time.Duration(i*(i+1))*10*time.Second, r.at[i])
		}
		require.Equal(t, []search.EndInput{{Input: search.Input{FixtureID: 5000, EventUID: "5000-1", Timing: policy.Defaults()}}}, r.ended)
	})

	t.Run("one that is overdue is made after the shortest pause, or when its source can have news", func(t *testing.T) {
		t.Parallel()
		r := runSearch(t, func(n int, _ search.SearchInput) (search.SearchResult, error) {
			out := usable(n)
			out.Next = 0
			if n == 2 {
				out.RetryAfter = 45 * time.Second
			}
			out.Over = n == 3
			return out, nil
		}, nil)
		require.Equal(t, []time.Duration{0, 10 * time.Second, 55 * time.Second}, r.at)
	})

	t.Run("a search that began under an earlier release goes on once a minute", func(t *testing.T) {
		t.Parallel()
		timing := policy.Defaults()
		timing.SearchAt = nil
		r := runSearchWith(t, timing, func(n int, _ search.SearchInput) (search.SearchResult, error) {
			out := usable(n)
			out.Over = n == 3
			return out, nil
		}, nil)
		require.Equal(t, []time.Duration{0, time.Minute, 2 * time.Minute}, r.at)
	})

	t.Run("an unusable search uses a try and lengthens the wait", func(t *testing.T) {
		t.Parallel()
		r := runSearch(t, timesOut, nil)
		require.Len(t, r.at, 15)
		require.Greater(t, r.at[2]-r.at[1], r.at[1]-r.at[0])
		require.Equal(t, footy.ReasonTriesUsed, r.out.End)
		require.Equal(t, footy.ReasonTriesUsed, r.ended[0].Why)
	})

	t.Run("waiting for budget or a login uses no try and lasts as long as it is asked for", func(t *testing.T) {
		t.Parallel()
		r := runSearch(t, func(n int, in search.SearchInput) (search.SearchResult, error) {
			if n == 1 {
				return search.SearchResult{State: source.StateRateLimited, Free: true, RetryAfter: 7 * time.Minute}, nil
			}
			return search.SearchResult{Over: true, Registered: 10}, nil
		}, nil)
		require.Equal(t, []int{1, 1}, r.tries)
		require.Equal(t, 7*time.Minute, r.at[1])
	})

	t.Run("a goal that waited long for a login goes on soon after it", func(t *testing.T) {
		t.Parallel()
		r := runSearch(t, func(n int, in search.SearchInput) (search.SearchResult, error) {
			if n <= 20 {
				return search.SearchResult{State: source.StateLoginRequired, Free: true, RetryAfter: time.Minute}, nil
			}
			return search.SearchResult{Over: true, Registered: 10}, nil
		}, nil)
		require.Equal(t, 1, r.tries[20])
		require.Equal(t, time.Minute, r.at[20]-r.at[19])
	})

	t.Run("a search that nobody takes uses no try and goes into the queue again at once", func(t *testing.T) {
		t.Parallel()
		var noted []search.UntakenInput
		r := runSearch(t, func(n int, in search.SearchInput) (search.SearchResult, error) {
			if n <= 3 {
				return search.SearchResult{}, temporal.NewTimeoutError(enums.TIMEOUT_TYPE_SCHEDULE_TO_START, nil)
			}
			return search.SearchResult{Over: true, Registered: 10}, nil
		}, func(env *testsuite.TestWorkflowEnvironment) {
			on(env, search.NoteUntaken, anything).Return(func(_ context.Context, in search.UntakenInput) (search.SearchResult, error) {
				noted = append(noted, in)
				return search.SearchResult{State: source.StateRateLimited, Free: true, Untaken: true}, nil
			})
		})
		require.Equal(t, []int{1, 1, 1, 1}, r.tries)
		require.Zero(t, r.at[3])
		require.Len(t, noted, 3)
		require.Equal(t, 1, noted[0].Try)
		require.False(t, noted[0].Since.IsZero())
	})

	t.Run("a store of ours that is away costs no try, however long it takes", func(t *testing.T) {
		t.Parallel()
		r := runSearch(t, func(n int, _ search.SearchInput) (search.SearchResult, error) {
			if n < 10 { // the test environment tries no more often
				return search.SearchResult{}, errors.New("connection refused")
			}
			return search.SearchResult{Over: true, Registered: 10}, nil
		}, nil)
		require.Len(t, r.at, 10)
		require.Equal(t, 1, r.tries[9])
	})

	t.Run("a search that was begun again goes on counting its tries", func(t *testing.T) {
		t.Parallel()
		r := runSearch(t, timesOut, func(env *testsuite.TestWorkflowEnvironment) {
			on(env, search.BeginSearch, anything).Return(search.Beginning{Round: 1, Tries: 12}, nil)
		})
		require.Equal(t, []int{13, 14, 15}, r.tries)
		require.Equal(t, footy.ReasonTriesUsed, r.out.End)
	})

	t.Run("the round that ends is named, so that another is left alone", func(t *testing.T) {
		t.Parallel()
		r := runSearch(t, func(int, search.SearchInput) (search.SearchResult, error) {
			return search.SearchResult{Over: true, Registered: 10}, nil
		}, func(env *testsuite.TestWorkflowEnvironment) {
			on(env, search.BeginSearch, anything).Return(search.Beginning{Round: 3}, nil)
		})
		require.Equal(t, 3, r.ended[0].Round)
	})

	t.Run("a goal that no longer stands ends the search", func(t *testing.T) {
		t.Parallel()
		r := runSearch(t, func(n int, _ search.SearchInput) (search.SearchResult, error) {
			if n == 3 {
				return search.SearchResult{Over: true, End: footy.ReasonEventGone}, nil
			}
			return usable(n), nil
		}, nil)
		require.Len(t, r.at, 3)
		require.Equal(t, footy.ReasonEventGone, r.out.End)
	})

	t.Run("a corrected scorer opens a new round in the running search", func(t *testing.T) {
		t.Parallel()
		r := runSearch(t, func(n int, in search.SearchInput) (search.SearchResult, error) {
			if n > 5 {
				return search.SearchResult{Over: true, Registered: 10}, nil
			}
			return usable(n), nil
		}, func(env *testsuite.TestWorkflowEnvironment) {
			env.RegisterDelayedCallback(func() { env.SignalWorkflow(policy.SignalCorrected, "5000-1") }, 150*time.Second)
		})
		require.Equal(t, []int{1, 2, 3, 1, 2, 3}, r.tries)
		require.Equal(t, 150*time.Second, r.at[3], "the new round begins at once")
	})
}

func TestTheFirstSearchDoesNotWaitForTeamNames(t *testing.T) {
	t.Parallel()
	var looked time.Duration
	r := runSearch(t, func(n int, _ search.SearchInput) (search.SearchResult, error) {
		return search.SearchResult{Over: n == 3, State: source.StateEmpty, Usable: true, Next: time.Minute}, nil
	}, func(env *testsuite.TestWorkflowEnvironment) {
		began := env.Now()
		on(env, search.BeginSearch, anything).Return(search.Beginning{Round: 1, NeedAliases: true, Input: alias.Input{Team: footy.Team{ID: 40, Name: "Liverpool"}}}, nil)
		on(env, alias.ResolveAliases, anything).After(80 * time.Second).Return(func(context.Context, alias.Input) (footy.TeamAliases, error) {
			looked = env.Now().Sub(began)
			return footy.TeamAliases{}, nil
		})
	})
	require.Equal(t, []time.Duration{0, time.Minute, 2 * time.Minute}, r.at)
	require.Equal(t, 80*time.Second, looked, "they are looked up beside the searches")
}
