package monitor

import (
	"context"
	"errors"
	"time"

	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/cleanup"
	"github.com/found-footy/found-footy/internal/pipeline/fault"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/rule/cycle"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/validate"
)

// Workflows answers how a workflow is doing.
type Workflows interface {
	// Status of the latest run under this id; Missing if there never was one or it is forgotten.
	Status(ctx context.Context, workflowID string) (round.WorkflowStatus, error)
}

// Activities of a cycle.
type Activities struct {
	Store     store.Store
	Feed      feed.Feed
	Reader    validate.Reader // nil: no model is set up
	Workflows Workflows
	Rules     cycle.Rules
	Cycle     time.Duration // between two polls of active fixtures, scaled
	Cleanup   *cleanup.Activities
	Ingest    *ingest.Input // what to fetch where today's list is missing; nil: there is no feed to ask
	Delays    ledger.Delays // scaled
	Page      footy.Publisher
	Now       func() time.Time

	kept    noted
	answers answers
}

// startGrace is how long a workflow that was asked for may need to be seen. It is never scaled.
const startGrace = 10 * time.Second

// Plan activates fixtures whose kickoff is near and says whom to ask.
func (a *Activities) Plan(ctx context.Context, poll string) (Plan, error) {
	now := a.Now().UTC()
	open, err := a.Store.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageStaging, footy.StageActive}})
	if err != nil {
		return Plan{}, err
	}
	pace, err := a.pace(ctx, open, now)
	if err != nil {
		return Plan{}, err
	}
	live := lifecycle.Turn(now, a.Cycle, pace.Live)
	var plan Plan
	var due []int64
	for _, f := range open {
		ask := f.Stage == footy.StageActive && live && lifecycle.PollDue(f, now, a.Rules.Windows)
		if f.Stage == footy.StageStaging {
			if move := lifecycle.Plan(f, now, a.Rules.Windows); move.To == footy.StageActive {
				if err := a.move(ctx, f.ID, poll, move); err != nil {
					return plan, err
				}
				plan.Activated++
				ask = live
			} else {
				ask = lifecycle.StagingDue(f, now, a.Rules.Windows.StagingSlot*time.Duration(pace.Staging))
			}
		}
		plan.Open = plan.Open || f.Stage == footy.StageActive && len(f.Events) > 0
		if ask {
			due = append(due, f.ID)
		}
	}
	plan.Sweep = a.Cleanup.SweepDue(ctx, now)
	if plan.Ingest, err = a.listMissing(ctx, now); err != nil {
		return plan, err
	}
	if !plan.Open { // matches that are over may have something open, too
		if plan.Open, err = a.anythingOpen(ctx, now); err != nil {
			return plan, err
		}
	}
	for len(due) > 0 {
		n := min(len(due), feed.MaxIDs)
		plan.Chunks = append(plan.Chunks, due[:n])
		due = due[n:]
	}
	return plan, nil
}

// listMissing says what to fetch where today's list is missing and nobody asked for it for a while; nil where it is there.
func (a *Activities) listMissing(ctx context.Context, now time.Time) (*ingest.Input, error) {
	if a.Ingest == nil {
		return nil, nil //nolint:nilnil // nothing to start is no fault
	}
	var last ingest.LastIngest
	if err := a.Store.State(ctx, ingest.StateKey, &last); err != nil && !footy.IsNotFound(err) {
		return nil, err
	}
	if !lifecycle.ListDue(last.Date, last.Tried, now, a.Rules.Windows) {
		return nil, nil //nolint:nilnil // idem
	}
	return a.Ingest, nil
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

// Poll asks the feed about one chunk, keeps the answers in the live buffer and reports what needs a decision.
func (a *Activities) Poll(ctx context.Context, in Chunk) (PollResult, error) {
	ans, err := a.Feed.ByIDs(ctx, in.IDs)
	if noted := errors.Join(a.keepQuota(ctx), a.noteAnswer(ctx, err)); err == nil {
		err = noted
	} else {
		err = fault.Final(err) // the feed tried as often as one cycle may; the next one comes anyway
	}
	if err != nil {
		return PollResult{}, err
	}
	known, err := a.Store.List(ctx, store.FixtureQuery{IDs: in.IDs})
	if err != nil {
		return PollResult{}, err
	}
	before, err := a.Store.LatestSnapshots(ctx, in.IDs)
	if err != nil {
		return PollResult{}, err
	}
	for i := range ans.Snapshots {
		ans.Snapshots[i].Before = answeredBefore(before, ans.Snapshots[i].Match.ID, in.Poll)
	}
	if err := a.Store.PutSnapshots(ctx, in.Poll, ans.Snapshots); err != nil {
		return PollResult{}, err
	}
	crashpoint.Here(crashpoint.PollStored)
	byID := make(map[int64]footy.Fixture, len(known))
	for _, f := range known {
		byID[f.ID] = f
	}
	out := PollResult{Answered: len(ans.Snapshots)}
	for _, s := range ans.Snapshots {
		f, ok := byID[s.Match.ID]
		if !ok {
			continue
		}
		trust := cycle.TrustOf(f, previous(before, f.ID, in.Poll), s)
		if len(trust.Regressed) > 0 {
			out.Regressed = append(out.Regressed, f.ID)
		}
		out.Vanished += len(trust.Missing)
		if a.Rules.Due(f, s, a.Now().UTC()) {
			out.Changed = append(out.Changed, f.ID)
			if f.Stage == footy.StageStaging && s.Match.Status.Pre() {
				out.Rare = append(out.Rare, f.ID)
			}
		}
	}
	for _, id := range in.IDs { // in the order asked, so that a repeat answers the same
		if why, failed := ans.Failed[id]; failed {
			out.Failed = append(out.Failed, Failure{ID: id, Why: why})
		}
	}
	return out, nil
}

// answeredBefore is when the feed answered about a fixture before this poll.
func answeredBefore(live map[int64]store.LatestSnapshot, id int64, poll string) time.Time {
	if was, ok := live[id]; ok && was.PollID == poll {
		return was.Snapshot.Before // this poll is repeated
	}
	return live[id].Snapshot.Answered
}

// previous is the answer before this poll's; a repeated poll must not be compared with itself.
func previous(live map[int64]store.LatestSnapshot, id int64, poll string) *footy.Snapshot {
	if was, ok := live[id]; ok && was.PollID != poll {
		return &was.Snapshot
	}
	return nil
}
