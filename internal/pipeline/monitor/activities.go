package monitor

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// Activities of a cycle.
type Activities struct {
	Store  store.Store
	Feed   feed.Feed
	Reader validate.Reader // nil: no model is set up
	// Status of the latest run under an id; Missing if there never was one or it is forgotten.
	Status  func(ctx context.Context, workflowID string) (round.WorkflowStatus, error)
	Rules   cycle.Rules
	Cycle   time.Duration // between two polls of active fixtures, scaled
	Cleanup *cleanup.Activities
	Ingest  *ingest.Input              // what to fetch where today's list is missing; nil: there is no feed to ask
	Online  func(context.Context) bool // whether a way leads to the feed again; nil: not known
	Delays  ledger.Delays              // scaled
	Page    footy.Publisher
	Now     func() time.Time

	kept    noted
	account accountAsked
}

// startGrace is how long a workflow that was asked for may need to be seen. It is never scaled.
const startGrace = 10 * time.Second

// PlanCycle is Plan, as workflows call it.
var PlanCycle = policy.Define[string, Plan]("pre_activate_upcoming_fixtures", policy.Row{Queue: policy.QueueMain, Local: true, Timeout: 30 * time.Second, Tries: 2,
	Why: "reads the open fixtures; the next cycle comes anyway"})

// Plan activates fixtures whose kickoff is near and says whom to ask, and how.
func (a *Activities) Plan(ctx context.Context, poll string) (Plan, error) {
	now := a.Now().UTC()
	open, err := a.Store.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageStaging, footy.StageActive}})
	if err != nil {
		return Plan{}, err
	}
	if err := a.right(ctx, open, now); err != nil {
		return Plan{}, err
	}
	var plan Plan
	for i, f := range open {
		if f.Stage == footy.StageStaging {
			if move := lifecycle.Plan(f, now, a.Rules.Windows); move.To == footy.StageActive {
				if err := a.move(ctx, f.ID, poll, move); err != nil {
					return plan, err
				}
				plan.Activated++
				lifecycle.Apply(&open[i], move, now)
			}
		}
		plan.Open = plan.Open || f.Stage == footy.StageActive && len(f.Events) > 0
	}
	if err := a.choose(ctx, &plan, open, now); err != nil {
		return plan, err
	}
	if err := a.Store.Renew(ctx); err != nil {
		return plan, err
	}
	plan.Sweep = a.Cleanup.SweepDue(ctx, now)
	if plan.Ingest, err = a.listMissing(ctx, now); err != nil {
		return plan, err
	}
	if !plan.Open { // matches that are over may have something open, too
		plan.Open, err = a.anythingOpen(ctx, now)
	}
	return plan, err
}

// choose decides which matches to ask about, live ones first, and whether there is a second look.
func (a *Activities) choose(ctx context.Context, out *Plan, open []footy.Fixture, now time.Time) error {
	if len(open) == 0 || a.Feed == nil {
		_, err := a.turn(ctx, a.Cycle, now)
		return err
	}
	quota, err := a.quota(ctx, now)
	if err != nil {
		return err
	}
	var live, waiting []int64
	for _, f := range open {
		switch {
		case !lifecycle.Due(f, now, a.Rules.Windows, quota.Single):
		case f.Stage == footy.StageActive:
			live = append(live, f.ID)
		default:
			waiting = append(waiting, f.ID)
		}
	}
	cost := len(chunks(live))
	every := func(calls int) time.Duration {
		return lifecycle.Every(a.Cycle, a.untilMidnight(now), quota.DayRemaining, calls)
	}
	if polls, err := a.turn(ctx, every(cost), now); err != nil || !polls {
		return err
	}
	out.Calls, out.Waiting = chunks(append(live, waiting...)), waiting
	out.SecondLook = lifecycle.SecondLook(a.Rules.Windows, a.Cycle, every(cost+1))
	return nil
}

// listMissing says what to fetch where today's list is missing and nobody asked for it for a while; nil where it is there.
func (a *Activities) listMissing(ctx context.Context, now time.Time) (*ingest.Input, error) {
	if a.Ingest == nil {
		return nil, nil //nolint:nilnil // nothing to start is no fault
	}
	last, err := store.Fact[ingest.LastIngest](ctx, a.Store, ingest.StateKey)
	if err != nil {
		return nil, err
	}
	due := lifecycle.ListDue(last.Tries(), now, a.Rules.Windows)
	if last.Offline && last.Date != now.UTC().Format(time.DateOnly) && a.Online != nil { // nothing is asked before the network is back, and then at once
		due = a.Online(ctx)
	}
	if !due {
		return nil, nil //nolint:nilnil // nor is this
	}
	return a.Ingest, nil
}

// Idle reports whether today's list is there and nothing is Near.
func Idle(ctx context.Context, s store.Store, w lifecycle.Windows, now time.Time) (bool, error) {
	last, err := store.Fact[ingest.LastIngest](ctx, s, ingest.StateKey)
	if err != nil {
		return false, err
	}
	near, err := Near(ctx, s, w, now)
	return err == nil && !near && last.Date == now.UTC().Format(time.DateOnly), err
}

// Near reports whether a match is under way or begins within an hour, or something of one that is over is left to do before the next of the rarer
// cycles.
func Near(ctx context.Context, s store.Store, w lifecycle.Windows, now time.Time) (bool, error) {
	for _, q := range []store.FixtureQuery{{Open: true, Limit: 1}, {Stages: []footy.Stage{footy.StageActive}},
		{Stages: []footy.Stage{footy.StageStaging}, From: now.Add(-w.PostponedReturn), To: now.Add(w.IdleAhead), Limit: 1}} {
		list, err := s.List(ctx, q)
		if err != nil {
			return false, err
		}
		for _, f := range list {
			if f.Stage != footy.StageActive || q.Open || !lifecycle.Rare(f, now, w) {
				return true, nil
			}
		}
	}
	due, err := s.Posts(ctx, store.PostQuery{Due: now.Add(w.IdlePoll), Limit: 1})
	return len(due) > 0, err
}

// anythingOpen tells whether reconcile would find anything.
func (a *Activities) anythingOpen(ctx context.Context, now time.Time) (bool, error) {
	due, err := a.Store.Posts(ctx, store.PostQuery{Due: now, Limit: 1})
	if err != nil || len(due) > 0 {
		return len(due) > 0, err
	}
	open, err := a.Store.List(ctx, store.FixtureQuery{Open: true, Limit: 1})
	return len(open) > 0, err
}
