package monitor

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/rule/attribution"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/found-footy/found-footy/internal/store"
	"go.temporal.io/sdk/activity"
)

// Reconcile restarts dead searches, settles batches that nobody will settle any more, offers owed batches again and
// sweeps what has lain long enough.
func (a *Activities) Reconcile(ctx context.Context, in Reconcile) (Todo, error) {
	var todo Todo
	now := a.Now().UTC()
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageActive}})
	if err != nil {
		return todo, err
	}
	if a.sweepDue(ctx, now) {
		recent, err := a.Store.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageCompleted}, From: now.Add(-48 * time.Hour)})
		if err != nil {
			return todo, err
		}
		fixtures = append(fixtures, recent...)
		if err := a.sweepStaging(ctx, now); err != nil {
			return todo, err
		}
	}
	healthy := a.Reader != nil && a.Reader.Ready(ctx) == nil
	for _, f := range fixtures {
		todo.Searches = append(todo.Searches, searches(f, now, a.Grace.Start)...)
		for _, e := range f.Events {
			if err := a.reconcileEvent(ctx, in, f, e, now, healthy, &todo); err != nil {
				todo.Failed++
				activity.GetLogger(ctx).Error("event not reconciled", "module", "monitor", "action", "reconcile", "event_id", e.ID, "error", err)
			}
		}
	}
	return todo, nil
}

func (a *Activities) reconcileEvent(ctx context.Context, in Reconcile, f footy.Fixture, e footy.Event, now time.Time, healthy bool, todo *Todo) error {
	if e.Removed {
		if !e.Swept && now.Sub(e.RemovedAt) >= a.Grace.Removed {
			return a.sweepRemoved(ctx, f.ID, e)
		}
		return nil
	}
	if healthy && owed(e) {
		return a.offerOwed(ctx, f, e, now, todo)
	}
	if !e.Certain() || e.DownloadComplete || !e.MonitorComplete {
		return nil
	}
	over, err := a.searchOver(ctx, in, f, e, now, todo)
	if err != nil || !over {
		return err
	}
	return a.settleLost(ctx, in.Timing, f, e, now)
}

// searchOver tells whether no further search will come. A search that died while its window is open is started again.
func (a *Activities) searchOver(ctx context.Context, in Reconcile, f footy.Fixture, e footy.Event, now time.Time, todo *Todo) (bool, error) {
	if !e.SearchEndedAt.IsZero() {
		return true, nil
	}
	st, err := a.Workflows.Status(ctx, e.SearchedBy)
	if err != nil || st == Running {
		return false, err
	}
	if st != Done && !round.WindowOver(&e, in.Timing.Window, now) && len(e.DownloadWorkflows) < in.Timing.Attempts {
		todo.Searches = append(todo.Searches, Search{FixtureID: f.ID, EventUID: e.UID, WorkflowID: e.SearchedBy, Label: footy.Label(e)})
		return false, nil
	}
	_, err = a.Store.Update(ctx, f.ID, func(f *footy.Fixture) error {
		if ev := f.Event(e.UID); ev == nil || !round.End(ev, footy.ReasonWindowOver, now) {
			return store.ErrUnchanged
		}
		return nil
	})
	return true, err
}

// settleLost closes batches whose Download and Upload are both gone, and completes the event if nothing else is open.
func (a *Activities) settleLost(ctx context.Context, t policy.Timing, f footy.Fixture, e footy.Event, now time.Time) error {
	var lost []string
	for _, at := range round.Open(&e) {
		if now.Sub(at.At) < a.Grace.Start {
			return nil
		}
		for _, id := range []string{at.Download, e.UploadWorkflow} {
			st, err := a.Workflows.Status(ctx, id)
			if err != nil || st == Running {
				return err
			}
		}
		lost = append(lost, at.Download)
	}
	_, err := a.Store.Update(ctx, f.ID, func(f *footy.Fixture) error {
		ev := f.Event(e.UID)
		if ev == nil || ev.DownloadComplete {
			return store.ErrUnchanged
		}
		var rows []footy.Entry
		for _, d := range lost {
			if round.Settled(ev, d) {
				continue
			}
			rows = append(rows, lostRows(f.ID, ev, d, now)...)
			round.Settle(ev, d, nil)
		}
		if round.Complete(ev, t.Attempts, now) {
			rows = append(rows, footy.CompletedEntry(f.ID, *ev, now))
		}
		if len(rows) == 0 {
			return store.ErrUnchanged
		}
		return a.Store.Append(ctx, rows...)
	})
	if err == nil {
		a.Notify.Notify(ctx, "event", e.UID)
	}
	return err
}

func lostRows(fixture int64, e *footy.Event, download string, now time.Time) []footy.Entry {
	row := footy.Entry{Key: fmt.Sprintf("%s/settled/%s/lost", e.UID, download), FixtureID: fixture, EventUID: e.UID, At: now,
		Kind: footy.EntrySettled, Reason: footy.ReasonUnavailable, Text: "A batch was lost: its workflow ended without handing it over"}
	out := []footy.Entry{row}
	for _, at := range e.Attempts {
		if at.Download != download {
			continue
		}
		for _, c := range at.Candidates {
			out = append(out, footy.Entry{Key: fmt.Sprintf("%s/rejected/%s/lost", e.UID, c.PostID), FixtureID: fixture, EventUID: e.UID, At: now,
				Kind: footy.EntryRejected, Reason: footy.ReasonUnavailable, Text: footy.Explain(footy.ReasonUnavailable), PostID: c.PostID,
				Data: map[string]any{"detail": "the batch was lost", "url": c.URL}})
		}
	}
	return out
}

func owed(e footy.Event) bool {
	for _, at := range e.Attempts {
		if at.Owed {
			return true
		}
	}
	return false
}

// offerOwed opens a batch again whose verdicts could not be had: the model is healthy now.
func (a *Activities) offerOwed(ctx context.Context, f footy.Fixture, e footy.Event, now time.Time, todo *Todo) error {
	var at *footy.Attempt
	_, err := a.Store.Update(ctx, f.ID, func(f *footy.Fixture) error {
		ev := f.Event(e.UID)
		if ev == nil {
			return store.ErrUnchanged
		}
		at = round.AllocateOwed(ev, now, func(n int) string { return attribution.DownloadID(*ev, n) })
		if at == nil {
			return store.ErrUnchanged
		}
		return nil
	})
	if err != nil || at == nil {
		return err
	}
	todo.Downloads = append(todo.Downloads, Owed{FixtureID: f.ID, EventUID: e.UID, Download: at.Download, Label: footy.Label(e)})
	return nil
}
