package pipeline_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// TestATryThatWasFrozenTakesNothingBack of what the try did that replaced it. It goes on until the engine tells it at its next heartbeat.
func TestATryThatWasFrozenTakesNothingBack(t *testing.T) {
	t.Parallel()
	no := trouble(footy.ReasonFetchFailed)
	slow := trouble(footy.ReasonModelSlow)
	for name, c := range map[string]struct {
		frozen, next           error // of the fetch
		frozenModel, nextModel error
		want                   string
	}{
		"the next one fetched it":         {frozen: no, want: "fetched"},
		"the next one could not fetch it": {next: no, want: "waiting fetch_failed"}, // what was fetched is fetched again
		"neither could":                   {frozen: no, next: no, want: "waiting fetch_failed"},
		"both could":                      {want: "fetched"},
		"the next one judged it":          {frozenModel: slow, want: "judged"},
		"the next one got no verdict":     {nextModel: slow, want: "waiting model_slow"}, // it is asked for again
		"neither got one":                 {frozenModel: slow, nextModel: slow, want: "waiting model_slow"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			in := b.open("1")
			b.over(oneGoal)
			must[download.RegisterResult](b, download.RegisterDownload, in)
			overlap := func(try func(), frozen, next error) func() error {
				tries := 0
				return func() error {
					if tries++; tries > 1 {
						return next
					}
					b.down = b.worker() // of another process
					try()
					return frozen
				}
			}
			fetch := func() {
				must[download.DownloadResult](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"1"}})
			}
			judge := func() {
				must[download.ValidateResult](b, download.Validate, download.ValidateInput{Input: in, Posts: []string{"1"}})
			}
			fetches := overlap(fetch, c.frozen, c.next)
			b.x.set(func(footy.Candidate) error { return fetches() }, nil)
			fetch()
			if c.frozenModel != nil || c.nextModel != nil {
				asks := overlap(judge, c.frozenModel, c.nextModel)
				b.model.readFirst = asks
				judge()
			}
			require.Equal(t, c.want, b.states(oneGoal)["1"])
			require.LessOrEqual(t, b.post(oneGoal, "1").Tries, 1, "a try that two made counts once")
			b.x.set(nil, nil)
			b.model.readFirst = nil
			b.settle(10 * time.Minute)
			require.Equal(t, "published", b.states(oneGoal)["1"])
		})
	}
}

// TestAnUploadThatWasFrozenTakesNothingBack: what it knew of the clips is older than what the ledger says by then.
func TestAnUploadThatWasFrozenTakesNothingBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, id := range []string{"2", "3", "4", "5"} {
		b.x.film[id] = "1/" + id // copies of one film
	}
	in := b.open("1")
	_ = b.run(in.Download, download.Workflow, in, nil)
	b.engine.take()
	reads := 0
	b.up.Store = stale{b.store, func() {
		if reads++; reads != 2 { // the one by which the posts are closed
			return
		}
		was := b.up
		b.up = &upload.Activities{Store: b.store, Blob: b.blob, Page: b.told, Delays: was.Delays, Now: b.now}
		more := b.open("2", "3", "4", "5")
		b.batch(more.Download, more)
		require.Equal(t, "merged", b.states(oneGoal)["1"])
		b.up = was
	}}
	must[upload.Saved](b, upload.UploadVideos, upload.SaveInput{Input: upload.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Download: in.Download})
	e := b.event(oneGoal)
	require.Equal(t, "merged", b.states(oneGoal)["1"])
	require.Equal(t, e.VisibleClips()[0].ID, b.post(oneGoal, "1").ClipID)
}

// stale is a store after whose reading of a match time passes.
type stale struct {
	store.Store
	then func()
}

func (s stale) Fixture(ctx context.Context, id int64) (footy.Fixture, error) {
	f, err := s.Store.Fixture(ctx, id)
	s.then()
	return f, err
}
