package budgets_test

import (
	"context"
	"fmt"
	"math"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Cycle is what one monitor cycle took.
type Cycle struct {
	Fixtures  int
	Wall      time.Duration
	Calls     int // of the feed
	Cost      Cost
	Writes    map[store.Collection]Tally
	Announced int // announcements to readers
	Output    monitor.Output
}

// Budget is how many activities a cycle over n fixtures may take: plan, decide, reconcile, once in a while sweep, and one for
// each 20.
func Budget(n int) int { return 4 + int(math.Ceil(float64(n)/20)) }

// FirstID is the lowest fixture id that Seed gives.
const FirstID = 1000

// Seed fills the store with n live matches as they stand after half a match: two goals each, found and done with.
func (r *Rig) Seed(ctx context.Context, f *Feed, n int) error {
	today := ingest.LastIngest{Date: time.Now().UTC().Format(time.DateOnly), At: time.Now()} // else the first cycle would fetch it
	if err := r.App.Store.PutState(ctx, ingest.StateKey, today); err != nil {
		return err
	}
	rules := cycle.Rules{Votes: debounce.Defaults(), Windows: lifecycle.Defaults()}
	for id := int64(FirstID); id < FirstID+int64(n); id++ {
		f.Know(id)
		fx := footy.Fixture{ID: id, Stage: footy.StageActive, IngestedAt: time.Now(), ActivatedAt: time.Now()}
		for i := range 3 {
			at := time.Now().UTC()
			env, err := apifootball.Open(f.Answer([]int64{id}), at)
			if err != nil {
				return err
			}
			snaps, _ := apifootball.Read(env, at, true).All()
			if len(snaps) != 1 {
				return fmt.Errorf("the simulated feed cannot be read: %d fixtures of 1", len(snaps))
			}
			rules.Decide(&fx, snaps[0], debounce.Poll{ID: fmt.Sprintf("seed-%d", i), Now: at}, false)
		}
		for i := range fx.Events {
			e := &fx.Events[i]
			if !e.Certain() {
				return fmt.Errorf("event %s is not certain after three polls", e.ID)
			}
			e.Round.TakenUpBy, e.DownloadComplete, e.CompletedAt = e.Round.Workflow, true, time.Now()
		}
		if err := r.App.Store.Add(ctx, fx); err != nil {
			return err
		}
	}
	r.Writes.Take()
	return nil
}

// Cycle runs one cycle and says what it took.
func (r *Rig) Cycle(ctx context.Context, f *Feed, id string, fixtures int) (Cycle, error) {
	c := Cycle{Fixtures: fixtures}
	f.Calls()
	r.Writes.Take()
	r.Announced.Take()
	began := time.Now()
	run, err := r.Client.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: id, TaskQueue: policy.QueueMain},
		monitor.Workflow.Name(), monitor.Input{Timing: policy.Defaults()})
	if err != nil {
		return c, err
	}
	if err := run.Get(ctx, &c.Output); err != nil {
		return c, err
	}
	c.Wall, c.Calls, c.Writes, c.Announced = time.Since(began), f.Calls(), r.Writes.Take(), r.Announced.Take()
	h, err := Fetch(ctx, r.Client, run.GetID(), run.GetRunID())
	if err != nil {
		return c, err
	}
	c.Cost = CostOf(h)
	return c, nil
}
