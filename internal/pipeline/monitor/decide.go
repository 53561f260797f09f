package monitor

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/debounce"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/store"
	"go.temporal.io/sdk/activity"
)

// Decide lets one poll vote. Each fixture stands alone: one that fails is reported and the others go on.
func (a *Activities) Decide(ctx context.Context, in DecideInput) (Todo, error) {
	var todo Todo
	if err := a.trouble(ctx, in); err != nil {
		return todo, err
	}
	live, err := a.Store.LatestSnapshots(ctx, in.Changed)
	if err != nil {
		return todo, err
	}
	for _, id := range in.Changed {
		activity.RecordHeartbeat(ctx, id)
		snap, ok := live[id]
		if !ok || snap.PollID != in.Poll {
			continue // a later poll wrote over it: that one decides
		}
		if err := a.decideOne(ctx, in, snap.Snapshot, &todo); err != nil {
			todo.Failed++
			activity.GetLogger(ctx).Error("fixture not decided", "module", "monitor", "action", "decide", "fixture_id", id, "error", err)
		}
	}
	return todo, nil
}

func (a *Activities) decideOne(ctx context.Context, in DecideInput, s footy.Snapshot, todo *Todo) (err error) {
	defer func() { // a fixture that breaks a rule must not stop the others
		if p := recover(); p != nil {
			err = footy.Errorf(footy.CodeInvalid, "decide fixture", "%v", p)
		}
	}()
	now := a.Now().UTC()
	doubtful, news := false, false
	f, err := a.Store.Update(ctx, s.Match.ID, func(f *footy.Fixture) ([]footy.Entry, error) {
		doubtful = in.Distrusted && (slices.Contains(in.Regressed, f.ID) || debounce.Contradicts(*f, s))
		news = lifecycle.Changed(*f, s)
		asked := lifecycle.Rare(*f, now, a.Windows) // when it was asked decides when it is asked again
		before := f.Match.Kickoff
		if doubtful {
			lifecycle.Touch(f, now)
		} else {
			lifecycle.Merge(f, s, in.Poll, now)
		}
		decisions, changed := debounce.Decide(f, s, debounce.Poll{ID: in.Poll, Now: now, Distrusted: in.Distrusted}, a.Options)
		told := rows(f.ID, in.Poll, decisions, now)
		if m := lifecycle.NewDate(*f, before, a.Windows); m.Kind != "" {
			told = append(told, moved(f.ID, in.Poll, m, now))
		}
		if f.Trouble != nil && !slices.Contains(in.Regressed, f.ID) {
			told, changed = append(told, a.over(f, in.Poll, now)...), true
		}
		news = changed || news && !doubtful
		if !news && !asked && len(told) == 0 {
			return nil, store.ErrUnchanged
		}
		f.UpdatedAt = now
		return told, nil
	})
	if err != nil {
		return err
	}
	crashpoint.Here(crashpoint.VotesWritten)
	if begin := searches(f, now, 0); len(begin) > 0 {
		crashpoint.Here(crashpoint.IDsMinted)
		todo.Searches = append(todo.Searches, begin...)
	}
	if doubtful {
		return nil
	}
	lifecycle.Merge(&f, s, in.Poll, now) // an answer that was not worth a write still counts for the stage
	if move := lifecycle.Plan(f, now, a.Windows); move.To != "" && move.To != f.Stage {
		if err := a.move(ctx, f.ID, in.Poll, move); err != nil {
			return err
		}
		if move.To == footy.StageCompleted {
			todo.Completed++
		}
	}
	if news {
		a.Page.Publish(ctx, "fixture", strconv.FormatInt(f.ID, 10))
	}
	return nil
}

// searches lists the events that wait for a search for at least the given time.
func searches(f footy.Fixture, now time.Time, waiting time.Duration) []Search {
	var out []Search
	for _, e := range f.Events {
		if e.Certain() && !e.Removed && !e.MonitorComplete && !e.DownloadComplete && now.Sub(e.RoundOpenedAt) >= waiting {
			out = append(out, Search{FixtureID: f.ID, EventUID: e.UID, WorkflowID: e.TwitterWorkflow, Running: e.SearchedBy,
				Label: footy.MatchLabel(f, e)})
		}
	}
	return out
}

// move takes a fixture to another stage, with the reason.
func (a *Activities) move(ctx context.Context, id int64, poll string, m lifecycle.Move) error {
	now := a.Now().UTC()
	_, err := a.Store.Update(ctx, id, func(f *footy.Fixture) ([]footy.Entry, error) {
		if f.Stage == m.To {
			return nil, store.ErrUnchanged
		}
		f.UpdatedAt = now
		lifecycle.Apply(f, m, now)
		return []footy.Entry{moved(id, poll, m, now)}, nil
	})
	if err == nil {
		a.Page.Publish(ctx, "fixture", strconv.FormatInt(id, 10))
	}
	return err
}

func moved(id int64, poll string, m lifecycle.Move, now time.Time) footy.Entry {
	return footy.Entry{Key: fmt.Sprintf("%d/%s/%s", id, m.Kind, poll), FixtureID: id, At: now, Kind: m.Kind, Reason: m.Reason, Data: m.Evidence}
}

func rows(fixture int64, poll string, ds []debounce.Decision, now time.Time) []footy.Entry {
	out := make([]footy.Entry, 0, len(ds))
	for _, d := range ds {
		if d.Repeat {
			continue // an hour of the same doubt is one row
		}
		out = append(out, footy.Entry{
			Key: fmt.Sprintf("%s/%s/%s/%s", d.EventUID, d.Kind, d.Reason, poll), FixtureID: fixture, EventUID: d.EventUID, At: now,
			Kind: d.Kind, Reason: d.Reason, Data: d.Data,
		})
	}
	return out
}
