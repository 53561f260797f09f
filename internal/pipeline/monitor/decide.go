package monitor

import (
	"context"
	"slices"
	"strconv"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
)

// Decide is the activity of this name, as workflows call it.
var Decide = policy.Define[DecideInput, Todo]("process_fixture_events", policy.Row{Queue: policy.QueueMain, Timeout: 90 * time.Second, Heartbeat: 20 * time.Second, Tries: 3,
	Why: "one write per changed fixture, a heartbeat each"})

// Decide lets one poll vote. Each fixture stands alone: one that fails is reported and the others go on.
func (a *Activities) Decide(ctx context.Context, in DecideInput) (Todo, error) {
	var todo Todo
	if err := a.noteTrouble(ctx, in); err != nil {
		return todo, err
	}
	live, err := a.latest(ctx, in.Changed)
	if err != nil {
		return todo, err
	}
	for _, id := range in.Changed {
		activity.RecordHeartbeat(ctx, id)
		snap, ok := live[id]
		if !ok || snap.poll != in.Poll {
			continue // a later poll wrote over it: that one decides
		}
		if err := a.decideOne(ctx, in, snap.Snapshot, &todo); err != nil {
			todo.Failed++
			activity.GetLogger(ctx).Error("fixture not decided", "module", "monitor", "action", "decide", "fixture_id", id, "error", err)
		}
	}
	newestFirst(todo.Searches)
	return todo.bounded(), nil
}

func (a *Activities) decideOne(ctx context.Context, in DecideInput, s footy.Snapshot, todo *Todo) (err error) {
	defer func() { // a fixture that breaks a rule must not stop the others
		if p := recover(); p != nil {
			err = footy.Errorf(footy.CodeInvalid, "decide fixture", "%v", p)
		}
	}()
	poll := debounce.Poll{ID: in.Poll, Now: a.Now().UTC(), Distrusted: in.Distrusted, SecondLook: in.SecondLook}
	regressed := slices.Contains(in.Regressed, s.Match.ID)
	var decided cycle.Decision
	f, err := a.Store.Update(ctx, s.Match.ID, func(f *footy.Fixture) ([]footy.Entry, error) {
		asked := lifecycle.Noted(*f, poll.Now, a.Rules.Windows) // when it was asked decides when it is asked again
		decided = a.Rules.Decide(f, s, poll, regressed)
		var told []footy.Entry
		for _, d := range decided.Events {
			if !d.Repeat { // an hour of the same doubt is one row
				told = append(told, d.Entry)
			}
		}
		if m := decided.News; m.Kind != "" {
			told = append(told, m.Entry(f.ID, in.Poll, poll.Now))
		}
		if f.Trouble != nil && !regressed {
			told, decided.Changed = append(told, a.endTrouble(f, in.Poll, poll.Now)...), true
		}
		if !decided.Changed && !asked && len(told) == 0 {
			return nil, store.ErrUnchanged
		}
		f.UpdatedAt = poll.Now
		return told, nil
	})
	if err != nil {
		return err
	}
	crashpoint.Here(crashpoint.VotesWritten)
	if lifecycle.LookAgain(f) {
		todo.Voting = append(todo.Voting, f.ID)
	}
	if begin := searches(f, poll.Now, 0); len(begin) > 0 {
		crashpoint.Here(crashpoint.IDsMinted)
		todo.Searches = append(todo.Searches, begin...)
	}
	todo.Ahead = append(todo.Ahead, ahead(f, in.Poll)...)
	if move := decided.Move; move.To != "" {
		if err := a.move(ctx, f.ID, in.Poll, move); err != nil {
			return err
		}
		if move.To == footy.StageCompleted {
			todo.Completed++
		}
	}
	if decided.Changed && !decided.Withheld {
		a.Page.Publish(ctx, "fixture", strconv.FormatInt(f.ID, 10))
	}
	return nil
}

// searches lists the events that wait for a search for at least the given time.
func searches(f footy.Fixture, now time.Time, waiting time.Duration) []Search {
	var out []Search
	for _, e := range f.Events {
		if e.Certain() && !e.Removed && !e.Round.TakenUp() && !e.DownloadComplete && now.Sub(e.Round.OpenedAt) >= waiting {
			out = append(out, searchOf(f, e))
		}
	}
	return out
}

func searchOf(f footy.Fixture, e footy.Event) Search {
	return Search{Input: inputOf(f, e), WorkflowID: e.Round.Workflow, Running: e.Round.Before, Label: labelOf(f, e), scored: e.ScoredAt()}
}

func inputOf(f footy.Fixture, e footy.Event) policy.EventInput {
	return policy.EventInput{FixtureID: f.ID, EventUID: e.UID}
}

// ahead lists the events that are searched for because a poll saw them, although they are not certain yet.
func ahead(f footy.Fixture, poll string) []Ahead {
	var out []Ahead
	for _, e := range f.Events {
		if n, ok := round.Ahead(&e, poll); ok {
			out = append(out, Ahead{search.AheadInput{Input: inputOf(f, e), Sighting: n, Label: labelOf(f, e)}, round.AheadID(e, n)})
		}
	}
	return out
}

// newestFirst puts the searches that everybody waits for before those of goals that are caught up.
func newestFirst(list []Search) {
	slices.SortStableFunc(list, func(a, b Search) int { return b.scored.Compare(a.scored) })
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
		return []footy.Entry{m.Entry(id, poll, now)}, nil
	})
	if err == nil {
		a.Page.Publish(ctx, "fixture", strconv.FormatInt(id, 10))
	}
	return err
}
