package app_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
)

// TestTheEngineHearsOfABeatBeforeItGivesTheTaskToAnother: see policy.BeatPause.
func TestTheEngineHearsOfABeatBeforeItGivesTheTaskToAnother(t *testing.T) {
	t.Parallel()
	require.Equal(t, policy.BeatPause, app.BeatPause())
}

// slowSource answers a search when it is told to.
type slowSource struct {
	source.None
	asked   chan struct{}
	release chan struct{}
}

func (s slowSource) Search(context.Context, source.Query) (source.Result, error) {
	s.asked <- struct{}{}
	<-s.release
	id := snowflake.At(time.Now(), 1)
	return source.Result{State: source.StateResults, CallsUsed: 1, Candidates: []footy.Candidate{{PostID: id, URL: "https://x.com/fan/status/" + id, PostedAt: time.Now()}}}, nil
}

// TestAWorkerThatIsToldToStopFinishesWhatItHasBegun: the answer of a search that was under way is kept, and no other worker makes it again.
func TestAWorkerThatIsToldToStopFinishesWhatItHasBegun(t *testing.T) {
	t.Parallel()
	at := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "temporal.db"), "--ui-port", "-1").Address
	s := &shop{t: t, base: map[string]string{"TEMPORAL_ADDRESS": at, "STATE_DIR": t.TempDir(), "TIME_SCALE": "30", "WIKIDATA_URL": "http://127.0.0.1:1"}}
	a, err := app.New(t.Context(), s.settings(nil), slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	t.Cleanup(func() { _ = a.Close() })
	slow := slowSource{asked: make(chan struct{}, 10), release: make(chan struct{})}
	a.Source = slow
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ready, ended := make(chan client.Client, 1), make(chan error, 1)
	go func() {
		ended <- a.Run(ctx, app.Roles{Worker: true, Queues: []string{"found-footy", "found-footy-search"}, Ready: func(r app.Ready) { ready <- r.Client }})
	}()
	select {
	case s.c = <-ready:
	case err := <-ended:
		require.NoError(t, err)
	}
	s.store = a.Store
	s.stock()
	s.score(1)
	<-slow.asked
	cancel()
	close(slow.release)
	require.NoError(t, <-ended)
	require.Equal(t, 1, s.answered(), "written down before the process ended")
	require.Empty(t, slow.asked, "nobody asked again")
}

// TestStoppingTakesLongerThanAnyHeartbeat: else a container is killed while the engine still waits for its word.
func TestStoppingTakesLongerThanAnyHeartbeat(t *testing.T) {
	t.Parallel()
	for _, a := range (pipeline.Activities{}).All() {
		require.Less(t, a.Row.Heartbeat, app.Drain(t, map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:1"}), a.Name)
	}
	require.Less(t, app.Drain(t, map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:1"})+8*time.Second, policy.StopGrace, "room for the last words")
	require.Less(t, app.Drain(t, nil), 10*time.Second, "the engine of its own ends with it, and a person waits")
}
