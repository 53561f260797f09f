package pipeline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// TestPostsOfARemovedGoalStopBeforeModelAndBytes: what was known when VAR took a goal away was still fetched, judged and stored.
func TestPostsOfARemovedGoalStopBeforeModelAndBytes(t *testing.T) {
	t.Parallel()
	for done, before := range []string{"it is taken", "it is fetched", "it is judged", "it is stored"} {
		t.Run("removed before "+before, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			in := b.open("1")
			for n, step := range []func(){
				func() { must[download.RegisterResult](b, download.RegisterDownload, in) },
				func() {
					must[download.DownloadResult](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"1"}})
				},
				func() {
					must[download.ValidateResult](b, download.Validate, download.ValidateInput{Input: in, Posts: []string{"1"}})
				},
				func() {
					up := upload.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}
					require.Equal(t, upload.Saved{}, must[upload.Saved](b, upload.UploadVideos, upload.SaveInput{Input: up, Download: in.Download}))
				},
			} {
				if n == done {
					b.changeEvent(oneGoal, func(e *footy.Event) { e.Removed, e.RemovedAt = true, b.now() })
				}
				step()
			}
			for range 10 {
				require.Empty(t, b.cycle().Downloads)
				b.pass(30 * time.Second)
			}
			require.Equal(t, map[string]string{"1": "waiting goal_removed"}, b.states(oneGoal))
			require.Len(t, b.rows(oneGoal, footy.EntryWaiting), 1, "told once")
			require.Len(t, b.x.fetched, min(max(done-1, 0), 1))
			require.Len(t, b.model.asked, min(max(done-2, 0), 1))
			require.Empty(t, b.blob.keys(t.Context(), blob.ClipPrefix))

			b.changeEvent(oneGoal, func(e *footy.Event) { e.Removed, e.RemovedAt = false, time.Time{} })
			b.over(oneGoal)
			b.settle(10 * time.Minute)
			require.Equal(t, map[string]string{"1": "published"}, b.states(oneGoal))
			require.Equal(t, []string{"1"}, b.x.fetched, "what was done is not done again")
			require.Equal(t, map[string]int{"1": 1}, b.model.asked)
			require.True(t, b.event(oneGoal).DownloadComplete)
		})
	}
}

// TestARemovedGoalIsSearchedNoMore until it is reinstated; then its round goes on.
func TestARemovedGoalIsSearchedNoMore(t *testing.T) {
	t.Parallel()
	removed := func(is bool) func(*footy.Event) { return func(e *footy.Event) { e.Removed = is } }
	over := search.SearchResult{Over: true, End: footy.ReasonEventGone}
	for name, find := range map[string]func(b *bench) func(source.Query) (source.Result, error){
		"before the search": func(b *bench) func(source.Query) (source.Result, error) {
			b.changeEvent(oneGoal, removed(true))
			return nil
		},
		"while nobody answers": func(b *bench) func(source.Query) (source.Result, error) {
			return func(source.Query) (source.Result, error) {
				b.changeEvent(oneGoal, removed(true))
				return source.Result{State: source.StateTimeout}, nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.x.find = find(b)
			require.Equal(t, over, b.searches(1))
			require.Zero(t, b.event(oneGoal).Round.Tries)
			require.Equal(t, b.x.find == nil, len(b.x.queries) == 0)
			e := b.event(oneGoal)
			must[any](b, search.EndSearch, search.EndInput{Input: search.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Round: e.Round.Number, Why: over.End})
			b.engine.set(e.Round.Workflow, round.Done)
			require.Empty(t, b.reconcile().Searches)
			b.changeEvent(oneGoal, removed(false))
			require.Len(t, b.reconcile().Searches, 1)
		})
	}
}
