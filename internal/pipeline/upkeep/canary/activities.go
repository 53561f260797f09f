package canary

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// StateKey is where the last finding lies in the store's service state.
const StateKey = "canary"

// Activities of the canary.
type Activities struct {
	Store   store.Store
	Source  source.Source
	Fetcher source.Fetcher
	Page    footy.Publisher
	Now     func() time.Time
}

// Look is one check.
type Look struct {
	source.Canary
	Nothing bool `json:"nothing,omitempty"` // no source searches X's page
}

// again tells whether a later look may see more.
func (l Look) again() bool { return !l.OK && !l.Drift && !l.Nothing }

// RunCanary is Run, as workflows call it. Goals go first.
var RunCanary = policy.Define[policy.Nothing, Look]("run_canary", policy.Row{Queue: policy.QueueSearch, Priority: 5, Timeout: 90 * time.Second, Tries: 2, Pause: 30 * time.Second,
	Why: "one browser search; the workflow looks again later"})

// Run makes the checks: a post of each place that was fetched before, down to its first bytes, and a search, which takes one call of the
// account.
func (a *Activities) Run(ctx context.Context) (Look, error) {
	for _, at := range source.Places {
		if err := a.fetch(ctx, at); err != nil {
			return Look{}, err
		}
	}
	c, err := source.CanaryOf(ctx, a.Source)
	if errors.Is(err, source.ErrNoCanary) {
		return Look{Nothing: true, Canary: source.Canary{Detail: err.Error()}}, nil
	}
	return Look{Canary: c}, err
}

// fetch looks whether a known post of a place can still be had and notes it where the health page and every worker look.
func (a *Activities) fetch(ctx context.Context, at source.Place) error {
	var h source.FetchHealth
	if err := a.Store.State(ctx, at.FetchHealthKey(), &h); err != nil && !footy.IsNotFound(err) {
		return err
	}
	if h.Known == nil {
		return nil // nothing was fetched yet
	}
	known, failure := source.ProbeKnown(ctx, a.Fetcher, h)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	why := footy.ReasonOf(failure)
	if failure != nil {
		known = *h.Known
		why = cmp.Or(why, footy.ReasonFetchFailed)
	}
	_, err := store.ChangeState(ctx, a.Store, at.FetchHealthKey(), func(h *source.FetchHealth) error {
		*h = fetchhealth.Note(*h, known.PostID, why, known, a.Now())
		return nil
	})
	return err
}

// SaveCanary is Save, as workflows call it.
var SaveCanary = policy.Define[source.Canary, policy.Nothing]("save_canary", policy.Row{Queue: policy.QueueMain, Timeout: 30 * time.Second,
	Why: "one write; an alert depends on it"})

// Save keeps a finding. A look that could not be had does not take back that X has changed: only a good one does.
func (a *Activities) Save(ctx context.Context, found source.Canary) error {
	var before source.Canary
	err := a.Store.State(ctx, StateKey, &before)
	if err != nil && !footy.IsNotFound(err) {
		return err
	}
	if before.Drift && !found.OK && !found.Drift {
		return nil
	}
	if err := a.Store.PutState(ctx, StateKey, found); err != nil {
		return err
	}
	a.Page.Publish(ctx, "health")
	return nil
}
