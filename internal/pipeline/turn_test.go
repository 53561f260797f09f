package pipeline_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// TestOldGoalsTakeNoTurnFromNewOnes: a start in mid-match finds goals that fell long before. Everything that goals share is asked for
// with a priority: searches, downloads, the model.
func TestOldGoalsTakeNoTurnFromNewOnes(t *testing.T) {
	t.Parallel()

	t.Run("a goal that fell before we looked is as old as it is", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		scored := kickoff.Add(20 * time.Minute)
		for caughtUp, want := range map[bool]time.Time{true: scored, false: b.event(oneGoal).FirstSeen} {
			b.changeEvent(oneGoal, func(e *footy.Event) { e.HappenedAt, e.CaughtUp = scored, caughtUp })
			begun := must[search.Beginning](b, search.BeginSearch, search.BeginInput{Input: search.Input{FixtureID: matchID, EventUID: oneGoal}, WorkflowID: "w"})
			require.True(t, begun.Since.Equal(want), "%s", begun.Since)
		}
	})

	t.Run("its searches wait for those of young goals", func(t *testing.T) {
		t.Parallel()
		for age, want := range map[time.Duration]int{0: 1, 2 * time.Minute: 1, 4 * time.Minute: 2, 12 * time.Minute: 5, time.Hour: 5} {
			turns := turns{}
			env := setup(t, turns.noted())
			env.SetStartTime(noon)
			on(env, search.BeginSearch, anything).Return(search.Beginning{Round: 1, Since: noon.Add(-age)}, nil)
			on(env, search.Search, anything).Return(search.SearchResult{Over: true}, nil)
			on(env, search.EndSearch, anything).Return(nil)
			env.ExecuteWorkflow(search.Workflow.Name(), search.Input{Timing: policy.Defaults()})
			require.NoError(t, env.GetWorkflowError())
			require.Equal(t, []int{want}, turns[search.Search.Name()], age)
		}
	})

	t.Run("so do its posts, before those that are tried again", func(t *testing.T) {
		t.Parallel()
		for name, c := range map[string]struct {
			retry, old, first bool
			want              int
		}{"first": {false, false, true, 2}, "next": {false, false, false, 4}, "old": {false, true, true, 4}, "tried again": {true, true, true, 5}} {
			turns := turns{}
			env := setup(t, turns.noted())
			on(env, download.RegisterDownload, anything).Return(download.RegisterResult{Old: c.old, First: c.first, Posts: []download.OpenPost{{PostID: "1", Step: ledger.StepFetch}}}, nil)
			on(env, download.DownloadVideo, anything).Return(fetchesAll(download.FetchResult{Step: ledger.StepJudge}))
			on(env, download.Validate, anything).Return(download.ValidateResult{Accepted: 1}, nil)
			on(env, download.QueueUpload, anything).Return(nil)
			env.ExecuteWorkflow(download.Workflow.Name(), download.Input{EventInput: policy.EventInput{Timing: policy.Defaults()}, Retry: c.retry})
			require.NoError(t, env.GetWorkflowError())
			require.Equal(t, []int{c.want}, turns[download.DownloadVideo.Name()], name)
			require.Equal(t, []int{c.want}, turns[download.Validate.Name()], name)
		}
	})

	t.Run("of a goal without a clip one post goes before those of other goals", func(t *testing.T) {
		t.Parallel()
		fetch, there := download.OpenPost{PostID: "1", Step: ledger.StepFetch}, download.OpenPost{PostID: "2", Step: ledger.StepJudge}
		for name, c := range map[string]struct {
			again   bool
			posts   []download.OpenPost
			fetched []int
			later   int
		}{
			"nothing is there":                {false, []download.OpenPost{fetch, fetch, fetch}, []int{2, 4, 4}, 4},
			"one was fetched before already":  {false, []download.OpenPost{fetch, there}, []int{4}, 4},
			"one waited, one was not fetched": {true, []download.OpenPost{fetch, there}, []int{5}, 5},
		} {
			turns := turns{}
			env := setup(t, turns.noted())
			on(env, download.RegisterDownload, anything).Return(download.RegisterResult{First: true, Posts: c.posts}, nil)
			on(env, download.DownloadVideo, anything).Return(fetchesAll(download.FetchResult{Step: ledger.StepJudge}))
			on(env, download.Validate, anything).Return(func(_ context.Context, in download.ValidateInput) (download.ValidateResult, error) {
				require.Equal(t, len(turns[download.Validate.Name()]) == 1, in.First, name)
				return download.ValidateResult{Accepted: 1, Left: in.Posts[1:]}, nil
			})
			on(env, download.QueueUpload, anything).Return(nil)
			env.ExecuteWorkflow(download.Workflow.Name(), download.Input{EventInput: policy.EventInput{Timing: policy.Defaults()}, Retry: c.again})
			require.NoError(t, env.GetWorkflowError())
			require.Equal(t, c.fetched, turns[download.DownloadVideo.Name()], name)
			judged := turns[download.Validate.Name()]
			require.Greater(t, len(judged), 1)
			require.Equal(t, 2, judged[0], name)
			for _, later := range judged[1:] {
				require.Equal(t, c.later, later, "%s: its first clip is there", name)
			}
		}
	})

	t.Run("before the goal is certain its first post goes after those of certain goals, and before their second", func(t *testing.T) {
		t.Parallel()
		turns := turns{}
		env := setup(t, turns.noted())
		fetch := download.OpenPost{PostID: "1", Step: ledger.StepFetch}
		on(env, download.RegisterDownload, anything).Return(download.RegisterResult{First: true, Ahead: true, Posts: []download.OpenPost{fetch, fetch}}, nil)
		on(env, download.DownloadVideo, anything).Return(fetchesAll(download.FetchResult{Waiting: true}))
		on(env, download.QueueUpload, anything).Return(nil)
		env.ExecuteWorkflow(download.Workflow.Name(), download.Input{EventInput: policy.EventInput{Timing: policy.Defaults()}})
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, []int{3, 5}, turns[download.DownloadVideo.Name()])
	})

	t.Run("the first that is accepted ends the turn", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.model.clock["1"] = "30:1"
		in := b.open("1", "2", "3", "4")
		must[any](b, download.RegisterDownload, in)
		for _, id := range []string{"1", "2", "3", "4"} {
			must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{id}})
		}
		got := must[download.ValidateResult](b, download.Validate, download.ValidateInput{Input: in, Posts: []string{"1", "2", "3", "4"}, First: true})
		require.Equal(t, download.ValidateResult{Rejected: 1, Accepted: 1, Left: []string{"3", "4"}, Queued: true}, got)
		got = must[download.ValidateResult](b, download.Validate, download.ValidateInput{Input: in, Posts: got.Left})
		require.Equal(t, download.ValidateResult{Accepted: 2, Queued: true}, got)
	})

	t.Run("what was found is shown before anything more is fetched", func(t *testing.T) {
		t.Parallel()
		turns := turns{}
		env := setup(t, turns.noted())
		on(env, upload.UploadVideos, anything).Return(upload.Saved{}, nil)
		on(env, upload.MarkComplete, anything).Return(false, nil)
		env.RegisterDelayedCallback(func() {
			env.SignalWorkflow(policy.SignalAddVideos, upload.Handover{Download: "b"})
		}, 0)
		env.ExecuteWorkflow(upload.Workflow.Name(), upload.Input{Timing: policy.Defaults()})
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, []int{1}, turns[upload.UploadVideos.Name()], "both share the media queue, and fetching never ends on a busy afternoon")
	})

	t.Run("a batch knows whether its goal is old", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		old := func(scored time.Time, caughtUp bool) bool {
			b.changeEvent(oneGoal, func(e *footy.Event) { e.HappenedAt, e.CaughtUp = scored, caughtUp })
			return must[download.RegisterResult](b, download.RegisterDownload, b.open(scored.Format("150405"))).Old
		}
		require.False(t, old(b.now().Add(-time.Minute), true), "it has just been scored")
		require.True(t, old(b.now().Add(-40*time.Minute), true))
		require.False(t, old(b.now().Add(-41*time.Minute), false), "the feed's clock stood still while we watched")
	})

	t.Run("a batch knows whether it is all there is of its goal", func(t *testing.T) {
		t.Parallel()
		first := func(b *bench, posts ...string) bool {
			return must[download.RegisterResult](b, download.RegisterDownload, b.open(posts...)).First
		}
		b := newBench(t)
		require.True(t, first(b, "1", "2"))
		require.False(t, first(b, "3"), "two others are on their way")
		b = newBench(t)
		b.changeEvent(oneGoal, func(e *footy.Event) { e.Clips = []footy.Clip{{ID: "c"}} })
		require.False(t, first(b, "1"), "there is a clip to see")
	})
}

// fetchesAll answers that each post came so far.
func fetchesAll(each download.FetchResult) func(context.Context, download.DownloadInput) (out download.DownloadResult, err error) {
	return func(_ context.Context, in download.DownloadInput) (out download.DownloadResult, err error) {
		for _, id := range in.Posts {
			each.PostID = id
			out.Posts = append(out.Posts, each)
		}
		return out, nil
	}
}

// turns notes the priorities that each activity is asked for with; the test environment does not pass it on.
type turns map[string][]int

// outbound puts something between each workflow and what it asks the engine for.
type outbound struct {
	interceptor.WorkerInterceptorBase
	between func(interceptor.WorkflowOutboundInterceptor) interceptor.WorkflowOutboundInterceptor
}

func (o *outbound) InterceptWorkflow(_ workflow.Context, next interceptor.WorkflowInboundInterceptor) interceptor.WorkflowInboundInterceptor {
	in := &outboundOf{between: o.between}
	in.Next = next
	return in
}

type outboundOf struct {
	interceptor.WorkflowInboundInterceptorBase
	between func(interceptor.WorkflowOutboundInterceptor) interceptor.WorkflowOutboundInterceptor
}

func (o *outboundOf) Init(next interceptor.WorkflowOutboundInterceptor) error {
	return o.Next.Init(o.between(next))
}

func (t turns) noted() *outbound {
	return &outbound{between: func(next interceptor.WorkflowOutboundInterceptor) interceptor.WorkflowOutboundInterceptor {
		out := &turnOutbound{turns: t}
		out.Next = next
		return out
	}}
}

type turnOutbound struct {
	interceptor.WorkflowOutboundInterceptorBase
	turns
}

func (o *turnOutbound) ExecuteActivity(ctx workflow.Context, activity string, args ...any) workflow.Future {
	o.turns[activity] = append(o.turns[activity], workflow.GetActivityOptions(ctx).Priority.PriorityKey)
	return o.Next.ExecuteActivity(ctx, activity, args...)
}
