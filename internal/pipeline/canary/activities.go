package canary

import (
	"context"
	"errors"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/store"
)

// StateKey is where the last finding lies in the store's service state.
const StateKey = "canary"

// Notifier tells readers that something changed.
type Notifier interface {
	Notify(ctx context.Context, entity string, ids ...string)
}

// Activities of the canary.
type Activities struct {
	Store  store.Store
	Source source.Source
	Notify Notifier
}

// Look is one check.
type Look struct {
	source.Canary
	Nothing bool `json:"nothing,omitempty"` // no source searches X's page
}

// again tells whether a later look may see more.
func (l Look) again() bool { return !l.OK && !l.Drift && !l.Nothing }

// Run makes the check; it takes one search call of the account.
func (a *Activities) Run(ctx context.Context) (Look, error) {
	p, ok := a.Source.(source.Prober)
	if !ok {
		return Look{Nothing: true, Canary: source.Canary{Detail: source.ErrNoCanary.Error()}}, nil
	}
	c, err := p.Canary(ctx)
	if errors.Is(err, source.ErrNoCanary) {
		return Look{Nothing: true, Canary: source.Canary{Detail: err.Error()}}, nil
	}
	return Look{Canary: c}, err
}

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
	a.Notify.Notify(ctx, "health")
	return nil
}
