package state

import (
	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
)

// Room says why nothing big may be written to the disk of STATE_DIR: the database needs what is left of it.
func Room(cfg config.Config) func() error {
	dir, mark := cfg.State.Dir, cfg.Media.MinFree
	return func() error {
		if free, known := scratch.Free(dir); known && free>>20 < uint64(mark) { //nolint:gosec // config refuses what is negative
			return footy.Errorf(footy.CodeUnavailable, "look at the disk", "%d MB are left on the disk of %s, and MIN_FREE_MB keeps %d", free>>20, dir, mark)
		}
		return nil
	}
}
