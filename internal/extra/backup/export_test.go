package backup

import "context"

// Dying calls fn at each step.
func (t Target) Dying(fn func(step string)) Target {
	t.died = fn
	return t
}

// Look is one look of Run.
func (k Keeper) Look(ctx context.Context) { k.look(ctx) }

// Note notes that a backup was made by other tools.
var Note = note

// KeeperOf is that of a process.
var KeeperOf = keeper
