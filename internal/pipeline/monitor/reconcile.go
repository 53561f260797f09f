package monitor

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/completion"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/found-footy/found-footy/internal/store"
	"go.temporal.io/sdk/activity"
)

// Reconcile goes on with what no workflow works at: it begins dead searches and batches again, gives posts whose time has come
// to a new batch, and completes events of which nothing is open.
func (a *Activities) Reconcile(ctx context.Context, in ReconcileInput) (Todo, error) {
	r := reconciler{Activities: a, in: in, now: a.Now().UTC()}
	posts, err := a.Store.Posts(ctx, store.PostQuery{Due: r.now})
	if err != nil {
		return r.todo, err
	}
	r.due, r.gone = map[string][]footy.Post{}, map[string]bool{}
	ids := []int64{}
	for _, p := range posts {
		r.due[p.EventUID], r.gone[p.EventUID] = append(r.due[p.EventUID], p), true
		ids = append(ids, p.FixtureID)
	}
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{Open: true}) // also of matches that are over: somebody may search again
	if err != nil {
		return r.todo, err
	}
	for _, f := range fixtures {
		ids = slices.DeleteFunc(ids, func(id int64) bool { return id == f.ID })
	}
	if len(ids) > 0 { // nothing else is open there than posts that wait
		slices.Sort(ids)
		over, err := a.Store.List(ctx, store.FixtureQuery{IDs: slices.Compact(ids)})
		if err != nil {
			return r.todo, err
		}
		fixtures = append(fixtures, over...)
	}
	for _, f := range fixtures {
		activity.RecordHeartbeat(ctx, f.ID)
		r.todo.Searches = append(r.todo.Searches, searches(f, r.now, startGrace)...)
		for i := range f.Events {
			delete(r.gone, f.Events[i].UID)
			if err := r.event(ctx, f, &f.Events[i]); err != nil {
				r.todo.Failed++
				activity.GetLogger(ctx).Error("event not reconciled", "module", "monitor", "action", "reconcile", "event_id", f.Events[i].ID, "error", err)
			}
		}
	}
	for uid := range r.gone {
		if store.HasDamage(a.Store, store.FixturesColl, strconv.FormatInt(r.due[uid][0].FixtureID, 10)) {
			continue // its match is there and cannot be read: the goal may stand
		}
		if err := r.giveUp(ctx, uid); err != nil {
			return r.todo, err
		}
	}
	newestFirst(r.todo.Searches)
	return r.todo, nil
}

// giveUp ends the posts of an event that no longer exists.
func (r *reconciler) giveUp(ctx context.Context, uid string) error {
	for _, p := range r.due[uid] {
		_, err := r.Store.UpdatePost(ctx, p.EventUID, p.PostID, func(p *footy.Post) ([]footy.Entry, error) {
			if p.Ended() {
				return nil, store.ErrUnchanged
			}
			ledger.Refuse(p, footy.ReasonEventGone, "", r.now)
			return nil, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// reconciler is the state of one reconcile step.
type reconciler struct {
	*Activities
	in    ReconcileInput
	now   time.Time
	due   map[string][]footy.Post // by event
	gone  map[string]bool         // events with due posts that no fixture has
	ready *bool                   // whether the model answers; asked once, where it matters
	todo  Todo
}

func (r *reconciler) event(ctx context.Context, f footy.Fixture, e *footy.Event) error {
	if e.Certain() && !e.Removed {
		if err := r.search(ctx, f, e); err != nil {
			return err
		}
	}
	for _, b := range e.Batches {
		if err := r.batch(ctx, f, *e, b); err != nil {
			return err
		}
	}
	if err := r.posts(ctx, f, *e); err != nil {
		return err
	}
	if e.Removed || !e.Certain() || e.DownloadComplete || len(e.Batches) > 0 {
		return nil
	}
	complete, err := completion.Complete(ctx, r.Store, f.ID, e.UID, r.in.Timing.Searches, r.now)
	if complete && err == nil {
		r.Page.Publish(ctx, "event", e.UID)
	}
	return err
}

// search begins a dead search again, or ends the round whose time is up.
func (r *reconciler) search(ctx context.Context, f footy.Fixture, e *footy.Event) error {
	if e.DownloadComplete || !e.SearchTakenUp || !e.SearchEndedAt.IsZero() {
		return nil
	}
	status, err := r.Workflows.Status(ctx, e.SearchedBy)
	if err != nil {
		return err
	}
	t := r.in.Timing
	plan := round.PlanSearch(e, status, t.Searches, t.SearchWindow(), r.now)
	if plan == round.SearchLeave {
		return nil
	}
	was := e.SearchedBy
	updated, err := r.Store.Update(ctx, f.ID, func(f *footy.Fixture) ([]footy.Entry, error) {
		ev := f.Event(e.UID)
		if ev == nil || ev.SearchedBy != was || round.PlanSearch(ev, status, t.Searches, t.SearchWindow(), r.now) != plan {
			return nil, store.ErrUnchanged
		}
		if plan == round.SearchRestart {
			round.RestartSearch(ev)
			return nil, nil
		}
		round.End(ev, ev.Round, footy.ReasonWindowOver, r.now)
		return nil, nil
	})
	if err != nil {
		return err
	}
	if ev := updated.Event(e.UID); ev != nil {
		*e = *ev
	}
	if plan == round.SearchRestart && !e.SearchTakenUp {
		r.todo.Searches = append(r.todo.Searches, Search{FixtureID: f.ID, EventUID: e.UID, WorkflowID: e.TwitterWorkflow, Label: footy.MatchLabel(f, *e), scored: e.ScoredAt()})
	}
	return nil
}

// batch begins a batch again that no workflow works at any more.
func (r *reconciler) batch(ctx context.Context, f footy.Fixture, e footy.Event, b footy.Batch) error {
	if r.now.Sub(b.At) < startGrace {
		return nil
	}
	status, err := r.Workflows.Status(ctx, b.WorkflowID())
	if err == nil && status == round.Done { // it has told Upload, which may be at it
		status, err = r.Workflows.Status(ctx, e.UploadWorkflow)
	}
	if err != nil {
		return err
	}
	if status == round.Running {
		return r.hold(ctx, b)
	}
	restarted := false
	_, err = r.Store.Update(ctx, f.ID, func(f *footy.Fixture) ([]footy.Entry, error) {
		ev := f.Event(e.UID)
		if ev == nil {
			return nil, store.ErrUnchanged
		}
		if b, restarted = round.RestartBatch(ev, b, r.now); !restarted {
			return nil, store.ErrUnchanged
		}
		return nil, nil
	})
	if err == nil && restarted {
		r.todo.Downloads = append(r.todo.Downloads, Download{FixtureID: f.ID, EventUID: e.UID, Batch: b.Key, WorkflowID: b.WorkflowID(), Label: footy.MatchLabel(f, e)})
	}
	return err
}

// hold leaves the posts of a batch alone that is worked at.
func (r *reconciler) hold(ctx context.Context, b footy.Batch) error {
	for _, posts := range r.due {
		for _, p := range posts {
			if p.Batch != b.Key {
				continue
			}
			_, err := r.Store.UpdatePost(ctx, p.EventUID, p.PostID, func(p *footy.Post) ([]footy.Entry, error) {
				if p.Ended() || p.Batch != b.Key || p.State == footy.PostWaiting {
					return nil, store.ErrUnchanged
				}
				ledger.ExtendLease(p, r.now, r.Delays)
				return nil, nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// posts opens a batch for posts whose time has come and that no open batch has. Posts that only wait for a model that still
// does not answer go on waiting without one.
func (r *reconciler) posts(ctx context.Context, f footy.Fixture, e footy.Event) error {
	if e.Swept && e.Removed {
		return r.giveUp(ctx, e.UID)
	}
	free := 0
	for _, p := range r.due[e.UID] {
		if !ledger.Free(p, e.Batches, r.now) {
			continue
		}
		if ledger.NextStep(p) == ledger.StepJudge && !r.modelReady(ctx) {
			if err := r.wait(ctx, p); err != nil {
				return err
			}
			continue
		}
		free++
	}
	if !round.NeedsBatch(&e, free) {
		return nil
	}
	var opened *footy.Batch
	_, err := r.Store.Update(ctx, f.ID, func(f *footy.Fixture) ([]footy.Entry, error) {
		ev := f.Event(e.UID)
		if opened = nil; ev == nil || !round.NeedsBatch(ev, free) {
			return nil, store.ErrUnchanged
		}
		if ev.UploadWorkflow == "" { // not certain yet; a sibling goal offers it a post
			round.Mint(ev)
		}
		b := round.OpenBatch(ev, 0, r.now, func(n int) string { return round.DownloadID(*ev, n) })
		opened = &b
		return nil, nil
	})
	if err == nil && opened != nil {
		crashpoint.Here(crashpoint.WaitingOffered)
		r.todo.Downloads = append(r.todo.Downloads, Download{FixtureID: f.ID, EventUID: e.UID, Batch: opened.Key, WorkflowID: opened.WorkflowID(), Label: footy.MatchLabel(f, e)})
	}
	return err
}

func (r *reconciler) modelReady(ctx context.Context) bool {
	if r.ready == nil {
		ok := r.Reader != nil && r.Reader.Ready(ctx) == nil
		r.ready = &ok
	}
	return *r.ready
}

func (r *reconciler) wait(ctx context.Context, p footy.Post) error {
	cause := footy.ReasonModelUnreachable
	if r.Reader == nil {
		cause = footy.ReasonNoModel
	}
	_, err := r.Store.UpdatePost(ctx, p.EventUID, p.PostID, func(now *footy.Post) ([]footy.Entry, error) {
		if now.Revision != p.Revision {
			return nil, store.ErrUnchanged
		}
		ledger.Wait(now, cause, now.Detail, r.now, r.Delays)
		return nil, nil
	})
	return err
}
