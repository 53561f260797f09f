package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// AheadInput names an event that is not certain yet, and which of its sightings it is.
type AheadInput struct {
	Input
	Sighting int    `json:"sighting"`
	Label    string `json:"label"`
}

// AheadWorkflow makes one search at a sighting of an event that is not certain yet, and has what it finds fetched. Monitor starts one for
// each sighting: it ends at once, so that nobody has to tell it that the event is certain, or gone.
var AheadWorkflow = policy.DefineWorkflow("AheadWorkflow", 15*time.Minute, ahead)

func ahead(ctx workflow.Context, in AheadInput) (SearchResult, error) {
	found, err := SearchAhead.Do(ctx, in, fmt.Sprintf("search at sighting %d", in.Sighting))
	if policy.Untaken(err) {
		return found, nil // every account has others to search for
	}
	return found, err
}

// SearchAhead is Ahead, as workflows call it.
var SearchAhead = policy.Define[AheadInput, SearchResult]("search_ahead", policy.Row{Queue: policy.QueueSearch, Priority: policy.Lowest, Timeout: 100 * time.Second, Heartbeat: 20 * time.Second, Tries: 1,
	Why: "as a search, behind those of certain events; the next sighting searches anyway"})

// Ahead searches for an event that is not certain yet, and writes what it found into the ledger. It counts for no round.
func (a *Activities) Ahead(ctx context.Context, in AheadInput) (SearchResult, error) {
	f, e, err := in.Event(ctx, a.Store)
	if err != nil || e == nil || e.Removed || e.Certain() { // its round searches, or none does
		return SearchResult{}, err
	}
	s := SearchInput{Input: in.Input, Try: in.Sighting, ahead: in.Sighting}
	q, res, err := a.look(ctx, f, e, s)
	if errors.Is(err, source.ErrNotHere) {
		return SearchResult{State: footy.SearchUnreachable}, nil
	}
	if err != nil {
		return SearchResult{}, err
	}
	now := a.Now()
	fresh, id, err := a.addPosts(ctx, *e, s, "download-"+round.AheadID(*e, in.Sighting), res.Candidates, now)
	if err != nil {
		return SearchResult{}, err
	}
	row := queryRow(f.ID, e, s, q, res, now)
	row.Key, row.Kind, row.Data.New = fmt.Sprintf("%s/%s/%02d", e.UID, footy.EntryAhead, in.Sighting), footy.EntryAhead, fresh
	if err := a.Store.Append(ctx, row); err != nil {
		return SearchResult{}, err
	}
	return SearchResult{State: res.State, Usable: res.State.Usable(), Download: id}, a.startDownload(ctx, in.Input, id, in.Label)
}
