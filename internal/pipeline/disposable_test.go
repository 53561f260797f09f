package pipeline_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// TestWorkflowsAreDisposable ends the batch's workflow, and all that it started, after each of its steps: reconcile brings its
// posts to the same end.
func TestWorkflowsAreDisposable(t *testing.T) {
	t.Parallel()
	three := []string{"1", "2", "3"}
	steps := []func(*bench, download.Input){
		func(b *bench, in download.Input) { must[any](b, download.RegisterDownload, in) },
		func(b *bench, in download.Input) {
			must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"1"}})
		},
		func(b *bench, in download.Input) {
			must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"2"}})
			must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"3"}})
		},
		func(b *bench, in download.Input) {
			must[any](b, download.Validate, download.ValidateInput{Input: in, Posts: three[:1]})
		},
		func(b *bench, in download.Input) {
			must[any](b, download.Validate, download.ValidateInput{Input: in, Posts: three})
		},
		func(b *bench, in download.Input) {
			must[any](b, download.QueueUpload, in)
			b.engine.take() // the signal got lost with the engine's disk
			b.engine.set(b.event(oneGoal).UploadWorkflow, round.Dead)
		},
		func(b *bench, in download.Input) {
			must[any](b, upload.UploadVideos, upload.SaveInput{Input: upload.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Download: in.Download})
		},
	}
	for n := range len(steps) + 1 {
		for _, searching := range []bool{true, false} {
			t.Run(fmt.Sprintf("after %d steps, the search still running: %t", n, searching), func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				b.x.film = map[string]string{"2": "1"}
				in := b.open(three...)
				if !searching {
					b.over(oneGoal)
				}
				for _, step := range steps[:n] {
					step(b, in)
				}
				b.engine.set(in.Download, round.Dead)
				b.pass(20 * time.Second)
				b.settle(10 * time.Minute)
				e := b.event(oneGoal)
				require.Len(t, e.Clips, 2)
				require.Equal(t, map[string]string{"1": "published", "2": "merged", "3": "published"}, b.states(oneGoal))
				require.Equal(t, 2, e.Clip(footy.ClipID(digest("1"))).Popularity)
				require.Equal(t, map[string]int{"1": 1, "3": 1}, b.model.asked, "nothing is asked twice")
				require.Len(t, b.rows(oneGoal, footy.EntryClip), 2)
				require.Equal(t, !searching, e.DownloadComplete)
			})
		}
	}
}

// TestASearchFromBeginningToEnd runs the real search with the Downloads it starts.
func TestASearchFromBeginningToEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	require.NoError(t, b.store.PutAliases(t.Context(), footy.TeamAliases{TeamID: 40, Aliases: []string{"Reds"}, UpdatedAt: b.now()}))
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Round.TakenUpBy = "" })
	b.x.find = func(source.Query) (source.Result, error) {
		switch n := len(b.x.queries); {
		case n == 3:
			return source.Result{State: source.StateTimeout}, nil
		case n == 4:
			return source.Result{State: source.StateRateLimited, RetryAfter: time.Minute}, nil
		case n < 8:
			return finds(fmt.Sprint("post", n), "post1")(source.Query{})
		}
		return source.Result{State: source.StateEmpty}, nil
	}
	e := b.event(oneGoal)
	require.NoError(t, b.run(e.Round.Workflow, search.Workflow, search.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, nil))
	b.upload()
	b.settle(time.Minute)
	e = b.event(oneGoal)
	require.True(t, e.Round.TakenUp())
	require.Equal(t, 10, e.Round.Searches)
	require.Equal(t, 11, e.Round.Tries, "the search that failed used one; the wait for calls used none")
	require.Len(t, e.Clips, 5)
	require.True(t, e.DownloadComplete)
	require.Equal(t, "ok", e.Outcome().String())
	require.Len(t, b.rows(oneGoal, footy.EntryQuery), 12)
}

// TestAModelsTurnEnds: a slow model is shared; between two turns other goals have theirs.
func TestAModelsTurnEnds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1", "2", "3")
	must[any](b, download.RegisterDownload, in)
	for _, id := range []string{"1", "2", "3"} {
		must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{id}})
	}
	b.model.set(func(string) error { b.pass(100 * time.Second); return nil }, nil)
	got := must[download.ValidateResult](b, download.Validate, download.ValidateInput{Input: in, Posts: []string{"1", "2", "3"}})
	require.Equal(t, download.ValidateResult{Accepted: 2, Left: []string{"3"}, Queued: true}, got)
	got = must[download.ValidateResult](b, download.Validate, download.ValidateInput{Input: in, Posts: got.Left})
	require.Equal(t, download.ValidateResult{Accepted: 1, Queued: true}, got)
	require.Len(t, b.engine.take(), 2, "what was accepted is shown after each turn")
}

// TestAHostsTurnEnds: one that is slow keeps a slot from other goals for one post, not for all posts of a Download.
func TestAHostsTurnEnds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1", "2", "3")
	must[any](b, download.RegisterDownload, in)
	b.x.set(func(c footy.Candidate) error {
		if c.PostID == "2" {
			b.pass(time.Minute)
		}
		return nil
	}, nil)
	got := must[download.DownloadResult](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"1", "2", "3"}})
	fetched := func(id string) download.FetchResult { return download.FetchResult{PostID: id, Step: ledger.StepJudge} }
	require.Equal(t, download.DownloadResult{Posts: []download.FetchResult{fetched("1"), fetched("2")}}, got)
	require.Equal(t, map[string]string{"1": "fetched", "2": "fetched", "3": "fetching"}, b.states(oneGoal))
	again := must[download.DownloadResult](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"1", "2", "3"}})
	require.Equal(t, []download.FetchResult{fetched("1"), fetched("2"), fetched("3")}, again.Posts, "a try whose answer got lost")
	require.ElementsMatch(t, []string{"1", "2", "3"}, b.x.fetched, "each was fetched once")
}

// TestWhatTheModelIsShownIsKept: at once, so that health says so in whatever process.
func TestWhatTheModelIsShownIsKept(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	kept := func(id string) validate.Showing {
		in := b.open(id)
		b.batch(in.Download, in)
		var c validate.Condition
		require.NoError(t, b.store.State(t.Context(), validate.ConditionKey, &c))
		return c.Showing
	}
	for i, shows := range []validate.Showing{{Lines: 1080, Corners: true}, {Lines: 360, Corners: true, Alone: true, Reduced: footy.ReasonModelContext}} {
		b.model.shows = shows
		require.Equal(t, shows, kept(fmt.Sprint(i+1)))
	}
}

// TestAModelThatSeesNoPicturesIsAskedOnceABatch: a text-only model.
func TestAModelThatSeesNoPicturesIsAskedOnceABatch(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.model.set(func(string) error { return trouble(footy.ReasonModelBlind) }, nil) // it says of itself that it is ready
	b.together(b.open("1", "2", "3"), "1", "2", "3")
	asked := 0
	for _, n := range b.model.asked {
		asked += n
	}
	require.Equal(t, 1, asked)
	require.Equal(t, map[string]string{"1": "waiting model_blind", "2": "waiting model_blind", "3": "waiting model_blind"}, b.states(oneGoal))
	var c struct {
		Reason footy.Reason `json:"reason"`
	}
	require.NoError(t, b.store.State(t.Context(), validate.ConditionKey, &c))
	require.Equal(t, footy.ReasonModelBlind, c.Reason, "the health page says so")
}

// poison is a decoder that one film kills.
type poison struct{ filmed }

func (p poison) Decode(ctx context.Context, path string, probe footy.Probe, w media.Wants) (media.Decoded, error) {
	if filmOf(path) == "2" {
		panic("index out of range")
	}
	return p.filmed.Decode(ctx, path, probe, w)
}

// TestAFileThatBreaksOurDecoderHoldsUpNoOther: it waits, and is told.
func TestAFileThatBreaksOurDecoderHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.down.Decoder = poison{}
	in := b.open("1", "2", "3")
	b.over(oneGoal)
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"1": "published", "2": "waiting machine", "3": "published"}, b.states(oneGoal))
	require.Contains(t, b.post(oneGoal, "2").Detail, "index out of range")
	require.False(t, b.event(oneGoal).DownloadComplete)
	b.down.Decoder = filmed{}
	b.settle(10 * time.Minute)
	require.Len(t, b.event(oneGoal).Clips, 3)
}
