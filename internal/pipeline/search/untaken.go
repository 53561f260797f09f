package search

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// UntakenInput is a search that lay in the queue since a time and was taken by nobody.
type UntakenInput struct {
	SearchInput
	Since time.Time `json:"since"`
}

// NoteUntaken is Untaken, as workflows call it.
var NoteUntaken = policy.Define[UntakenInput, SearchResult]("note_untaken_search", policy.Row{Queue: policy.QueueMain, Timeout: 30 * time.Second,
	Why: "one write, and a look at who searches"})

// Untaken notes why nobody takes a search: the round's time stands still meanwhile, and one row tells it.
func (a *Activities) Untaken(ctx context.Context, in UntakenInput) (SearchResult, error) {
	why, err := a.whyUntaken(ctx)
	if err != nil {
		return SearchResult{}, err
	}
	now := a.Now()
	out := SearchResult{State: why, Free: true, Untaken: true}
	e, err := in.Change(ctx, a.Store, func(f *footy.Fixture, e *footy.Event) ([]footy.Entry, error) {
		if !e.Removed && e.Round.Number == in.Round && round.Block(e, string(why), in.Since) {
			row := queryRow(f.ID, e, in.SearchInput, source.Query{}, source.Result{State: why}, now)
			row.Try = 0
			row.Key += "/" + string(why) // each cause once, however often they take turns
			return []footy.Entry{row}, nil
		}
		if done := roundOver(e, in.SearchInput, now); done.Over || done.NewRound {
			out = done
		}
		return nil, store.ErrUnchanged
	})
	if e == nil {
		return SearchResult{Over: true, End: footy.ReasonEventGone}, err
	}
	if out.Untaken {
		a.Page.Publish(ctx, "event", in.EventUID)
	}
	return out, err
}

// whyUntaken asks the browsers that take searches, as far as they told; who else polls the queue is busy.
func (a *Activities) whyUntaken(ctx context.Context) (source.State, error) {
	all, err := store.Fact[source.Searchers](ctx, a.Store, source.SearchersKey)
	if err != nil {
		return "", err
	}
	if present := all.Present(a.Now()); len(present) > 0 {
		return source.WhyUntaken(present), nil
	}
	if polled, err := a.Polled(ctx); err != nil || polled {
		return footy.SearchBusy, err
	}
	return footy.SearchUnreachable, nil
}
