package state

import (
	"context"
	"log/slog"
	"maps"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Hosts keeps how fetches from the hosts of clips went, for all processes that share the database.
type Hosts struct {
	Store store.State
	Log   *slog.Logger
}

var _ hosts.Ledger = Hosts{}

// All are the records of all hosts, by row.
func (h Hosts) All(ctx context.Context) (map[string]hosts.Record, error) {
	return store.Fact[map[string]hosts.Record](ctx, h.Store, hosts.StateKey)
}

// Record implements hosts.Ledger.
func (h Hosts) Record(ctx context.Context, row string) (hosts.Record, error) {
	all, err := h.All(ctx)
	return all[row], err
}

// Note implements hosts.Ledger.
func (h Hosts) Note(ctx context.Context, row string, o hosts.Outcome) {
	_, err := store.ChangeState(ctx, h.Store, hosts.StateKey, func(all *map[string]hosts.Record) error {
		if *all == nil {
			*all = map[string]hosts.Record{}
		}
		now := time.Now().UTC()
		(*all)[row] = (*all)[row].Noted(o, now)
		maps.DeleteFunc(*all, func(_ string, r hosts.Record) bool { return r.Stale(now) })
		return nil
	})
	if err != nil {
		h.Log.Warn("a fetch from a host of clips could not be counted", "module", "state", "action", "note", "host", row, "error", err)
	}
}
