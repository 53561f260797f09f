package discover

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/rule/attribution"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/store"
	"go.temporal.io/sdk/activity"
)

// Notifier tells readers that something changed.
type Notifier interface {
	Notify(ctx context.Context, entity string, ids ...string)
}

// Activities of the search.
type Activities struct {
	Store  store.Store
	Source source.Source
	Notify Notifier
	Now    func() time.Time
}

// Ref names an event and, where it matters, the workflow that acts.
type Ref struct {
	FixtureID  int64  `json:"fixture_id"`
	EventUID   string `json:"event_uid"`
	WorkflowID string `json:"workflow_id,omitempty"`
}

// Begun says what the search needs to know at its start.
type Begun struct {
	Label       string     `json:"label"` // for the Temporal UI
	Team        footy.Team `json:"team"`
	Country     string     `json:"country,omitempty"`
	National    bool       `json:"national,omitempty"`
	NeedAliases bool       `json:"need_aliases"`
}

// Try asks for one search.
type Try struct {
	Ref
	Number int           `json:"number"`
	Timing policy.Timing `json:"timing"`
}

// Found is the outcome of one search.
type Found struct {
	State      source.State  `json:"state"`
	Usable     bool          `json:"usable"`
	Free       bool          `json:"free,omitempty"`     // costs no try: waiting for a login or for budget
	Download   string        `json:"download,omitempty"` // workflow id of the batch to start
	Registered int           `json:"registered"`
	Enough     bool          `json:"enough,omitempty"`
	End        footy.Reason  `json:"end,omitempty"` // the round is over for this reason
	RetryAfter time.Duration `json:"retry_after,omitempty"`
}

// Ending closes a round.
type Ending struct {
	Ref
	Why      footy.Reason `json:"why,omitempty"`
	Attempts int          `json:"attempts"`
}

// Begin marks the round as taken up and reads the cached aliases into the event.
func (a *Activities) Begin(ctx context.Context, in Ref) (Begun, error) {
	now := a.Now()
	var out Begun
	_, err := a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) error {
		e := f.Event(in.EventUID)
		if e == nil {
			return footy.Errorf(footy.CodeNotFound, "begin search", "no event %s", in.EventUID)
		}
		out = Begun{Team: e.Team, Country: f.League.Country, National: national(f.League), Label: label(f, e)}
		known, err := a.Store.Aliases(ctx, e.Team.ID)
		switch {
		case footy.IsNotFound(err):
			out.NeedAliases = true
		case err != nil:
			return err
		default:
			e.TwitterAliases = known.Aliases
		}
		if !round.Begin(e, in.WorkflowID) {
			return nil
		}
		return a.Store.Append(ctx, footy.Entry{
			Key: fmt.Sprintf("%s/searching/r%d/%s", e.UID, e.Round, in.WorkflowID), FixtureID: f.ID, EventUID: e.UID, At: now,
			Kind: footy.EntrySearching, Text: fmt.Sprintf("Searching for clips of %s (round %d)", footy.Label(*e), e.Round),
			Data: map[string]any{"workflow": in.WorkflowID, "aliases": e.TwitterAliases},
		})
	})
	if err == nil {
		a.Notify.Notify(ctx, "event", in.EventUID)
	}
	return out, err
}

// Search makes one search and, if it was usable, gives its candidates their Download number.
func (a *Activities) Search(ctx context.Context, in Try) (Found, error) {
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if err != nil {
		return Found{}, err
	}
	e := f.Event(in.EventUID)
	if done := over(e, in.Timing, a.Now()); done != nil {
		return *done, nil
	}
	if d := allocated(e, in.Number); d != "" {
		return Found{State: source.StateResults, Usable: true, Download: d, Registered: len(e.DownloadWorkflows)}, nil
	}
	q, err := a.query(ctx, e, in)
	if err != nil {
		return Found{}, err
	}
	stop := heartbeat(ctx)
	res, err := a.Source.Search(ctx, q)
	stop()
	if err != nil {
		row := queryRow(f.ID, e, in, q, source.Result{State: source.StateUpstreamError, Detail: err.Error()}, a.Now())
		row.Key += fmt.Sprintf("/unreachable%d", activity.GetInfo(ctx).Attempt)
		row.Reason = footy.ReasonUnavailable
		row.Text = "The search service could not be reached"
		if logErr := a.Store.Append(ctx, row); logErr != nil {
			return Found{}, logErr
		}
		return Found{}, err
	}
	return a.take(ctx, in, q, res)
}

// take writes down what a search found and allocates its batch.
func (a *Activities) take(ctx context.Context, in Try, q source.Query, res source.Result) (Found, error) {
	now := a.Now()
	out := Found{State: res.State, Usable: res.State.Usable(), RetryAfter: res.RetryAfter,
		Free: res.State == source.StateRateLimited || res.State == source.StateLoginRequired}
	f, err := a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) error {
		e := f.Event(in.EventUID)
		if e == nil || e.Removed {
			out.End = footy.ReasonEventGone
			return store.ErrUnchanged
		}
		out.Registered = len(e.DownloadWorkflows)
		if !out.Usable {
			row := queryRow(f.ID, e, in, q, res, now)
			if out.Free { // several waits may share one try number
				row.Key += "/" + now.UTC().Format("150405.000")
			}
			if err := a.Store.Append(ctx, row); err != nil {
				return err
			}
			return store.ErrUnchanged
		}
		found := append(append([]footy.Candidate{}, e.Offered...), res.Candidates...)
		chosen, passed := round.Choose(found, e.DiscoveredVideos, in.Timing.BatchSize)
		e.Tries = max(e.Tries, in.Number)
		batch := round.Allocate(e, in.Number, chosen, now, func(n int) string { return attribution.DownloadID(*e, n) })
		out.Download = batch.Download
		return a.Store.Append(ctx, takeRows(f.ID, e, in, q, res, chosen, passed, now)...)
	})
	if err != nil {
		return out, err
	}
	if e := f.Event(in.EventUID); e != nil && out.Usable {
		a.Notify.Notify(ctx, "event", e.UID)
	}
	return out, nil
}

// End closes the round and completes the event if nothing is owed any more.
func (a *Activities) End(ctx context.Context, in Ending) error {
	now := a.Now()
	_, err := a.Store.Update(ctx, in.FixtureID, func(f *footy.Fixture) error {
		e := f.Event(in.EventUID)
		if e == nil || e.Removed {
			return store.ErrUnchanged
		}
		ended := round.End(e, in.Why, now)
		if round.Complete(e, in.Attempts, now) {
			return a.Store.Append(ctx, footy.CompletedEntry(f.ID, *e, now))
		}
		if !ended {
			return store.ErrUnchanged
		}
		return nil
	})
	if footy.IsNotFound(err) {
		return nil
	}
	if err == nil {
		a.Notify.Notify(ctx, "event", in.EventUID)
	}
	return err
}
