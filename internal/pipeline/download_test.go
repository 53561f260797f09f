package pipeline_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

func TestDownload(t *testing.T) {
	t.Parallel()
	in := download.Input{EventInput: policy.EventInput{FixtureID: 5000, EventUID: "5000-1", Timing: policy.Defaults()}, Download: "download1-Liverpool-Salah"}
	type asked struct {
		fetched [][]string
		judged  [][]string
		handed  int
		out     download.Output
		failure error
	}
	run := func(t *testing.T, open download.RegisterResult, fetch func(id string) (download.FetchResult, error), judge func([]string) download.ValidateResult) asked {
		t.Helper()
		env := setup(t)
		var (
			a  asked
			mu sync.Mutex // posts are fetched side by side
		)
		on(env, download.RegisterDownload, anything).Return(open, nil)
		on(env, download.DownloadVideo, anything).Maybe().Return(func(_ context.Context, in download.DownloadInput) (download.DownloadResult, error) {
			mu.Lock()
			a.fetched = append(a.fetched, in.Posts)
			mu.Unlock()
			got, err := fetch(in.Posts[0])
			got.PostID = in.Posts[0]
			return download.DownloadResult{Posts: []download.FetchResult{got}}, err
		})
		on(env, download.Validate, anything).Maybe().Return(func(_ context.Context, in download.ValidateInput) (download.ValidateResult, error) {
			a.judged = append(a.judged, in.Posts)
			return judge(in.Posts), nil
		})
		on(env, download.QueueUpload, anything).Maybe().Return(func(_ context.Context, h download.Input) error {
			require.Equal(t, in.Download, h.Download)
			a.handed++
			return nil
		})
		env.ExecuteWorkflow(download.Workflow.Name(), in)
		if a.failure = env.GetWorkflowError(); a.failure == nil {
			require.NoError(t, env.GetWorkflowResult(&a.out))
		}
		return a
	}
	all := func(posts []string) download.ValidateResult { return download.ValidateResult{Accepted: len(posts)} }

	t.Run("each post goes on from where it stands", func(t *testing.T) {
		t.Parallel()
		a := run(t, download.RegisterResult{Posts: []download.OpenPost{{PostID: "1", Step: ledger.StepFetch}, {PostID: "2", Step: ledger.StepJudge},
			{PostID: "3", Step: ledger.StepPublish}}}, func(string) (download.FetchResult, error) {
			return download.FetchResult{Step: ledger.StepJudge}, nil
		}, all)
		require.NoError(t, a.failure)
		require.Equal(t, [][]string{{"1"}}, a.fetched)
		require.ElementsMatch(t, []string{"1", "2"}, slices.Concat(a.judged...))
		require.Equal(t, download.Output{Posts: 3, Fetched: 1, Accepted: 3}, a.out)
	})

	t.Run("a Download that accepts nothing is handed over, too: the event may be complete", func(t *testing.T) {
		t.Parallel()
		a := run(t, download.RegisterResult{Posts: []download.OpenPost{{PostID: "1", Step: ledger.StepFetch}, {PostID: "2", Step: ledger.StepFetch}}},
			func(id string) (download.FetchResult, error) {
				if id == "1" {
					return download.FetchResult{Reason: footy.ReasonTooShort}, nil
				}
				return download.FetchResult{Step: ledger.StepFetch, Waiting: true, Reason: footy.ReasonFetchFailed}, nil
			}, nil)
		require.NoError(t, a.failure)
		require.Empty(t, a.judged)
		require.Equal(t, 1, a.handed)
		require.Equal(t, 1, a.out.Waiting)
		require.Equal(t, [][]string{{"1", "2"}, {"2"}}, a.fetched, "what had no turn comes back for the next")
	})

	t.Run("a Download with nothing left to do ends at once", func(t *testing.T) {
		t.Parallel()
		a := run(t, download.RegisterResult{}, nil, nil)
		require.NoError(t, a.failure)
		require.Zero(t, a.handed)
	})

	t.Run("what had no turn at the model comes back for the next, until a turn brings no step forward", func(t *testing.T) {
		t.Parallel()
		a := run(t, download.RegisterResult{Posts: []download.OpenPost{{PostID: "1", Step: ledger.StepJudge}, {PostID: "2", Step: ledger.StepJudge}, {PostID: "3", Step: ledger.StepJudge}}},
			nil, func(posts []string) download.ValidateResult {
				if len(posts) == 1 {
					return download.ValidateResult{Left: posts}
				}
				return download.ValidateResult{Accepted: 1, Left: posts[1:], Queued: true}
			})
		require.NoError(t, a.failure)
		require.Equal(t, [][]string{{"1", "2", "3"}, {"2", "3"}, {"3"}}, a.judged)
		require.Equal(t, 1, a.handed, "the last turn did not")
	})

	t.Run("a slow host holds up nothing of a goal that has no clip: the first that is accepted is shown at once", func(t *testing.T) {
		t.Parallel()
		for name, c := range map[string]struct {
			later          bool   // the goal has a clip
			refused        string // what the model says no to
			judged, handed []time.Duration
		}{
			"the first is accepted":     {false, "", []time.Duration{10 * time.Second, 5 * time.Minute}, []time.Duration{10 * time.Second, 5 * time.Minute}},
			"the first is refused":      {false, "quick", []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute}, []time.Duration{time.Minute, 5 * time.Minute}},
			"it has a clip":             {true, "", []time.Duration{6*time.Minute + 10*time.Second}, []time.Duration{6*time.Minute + 10*time.Second}},
			"the model does not answer": {false, "blocked", []time.Duration{10 * time.Second, 5 * time.Minute}, []time.Duration{5 * time.Minute}},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				env := setup(t)
				began := env.Now()
				var judged, handed []time.Duration
				on(env, download.RegisterDownload, anything).Return(download.RegisterResult{First: !c.later, Posts: []download.OpenPost{
					{PostID: "slow", Step: ledger.StepFetch}, {PostID: "quick", Step: ledger.StepFetch}, {PostID: "late", Step: ledger.StepFetch}}}, nil)
				for post, after := range map[string]time.Duration{"slow": 5 * time.Minute, "quick": 10 * time.Second, "late": time.Minute} {
					is := mock.MatchedBy(func(in download.DownloadInput) bool { return in.Posts[0] == post })
					got := download.DownloadResult{Posts: []download.FetchResult{{PostID: post, Step: ledger.StepJudge}}}
					on(env, download.DownloadVideo, is).After(after).Return(got, nil)
				}
				on(env, download.Validate, anything).Return(func(_ context.Context, in download.ValidateInput) (download.ValidateResult, error) {
					judged = append(judged, env.Now().Sub(began))
					out := all(in.Posts)
					switch {
					case c.refused == "blocked":
						out = download.ValidateResult{Waiting: len(in.Posts)}
					case slices.Contains(in.Posts, c.refused):
						out = download.ValidateResult{Rejected: 1}
					}
					if out.Queued = out.Accepted > 0 || in.Last; out.Queued {
						handed = append(handed, env.Now().Sub(began))
					}
					return out, nil
				})
				env.ExecuteWorkflow(download.Workflow.Name(), in)
				require.NoError(t, env.GetWorkflowError())
				require.Equal(t, c.judged, judged)
				require.Equal(t, c.handed, handed)
			})
		}
	})

	t.Run("what cannot be tried again fails the workflow, and reconcile begins it anew", func(t *testing.T) {
		t.Parallel()
		a := run(t, download.RegisterResult{Posts: []download.OpenPost{{PostID: "1", Step: ledger.StepFetch}}}, func(string) (download.FetchResult, error) {
			return download.FetchResult{}, temporal.NewNonRetryableApplicationError("no such post", string(footy.CodeNotFound), nil)
		}, nil)
		require.Error(t, a.failure)
		require.Zero(t, a.handed)
	})
}
