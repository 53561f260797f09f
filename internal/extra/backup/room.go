package backup

import (
	"context"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

// Room is how much of a disk a backup leaves free: what else lies there, perhaps the database, must go on.
type Room struct {
	Keep uint64                                      // bytes
	Free func(dir string) (bytes uint64, known bool) // nil: not asked
}

// holds refuses to write so many bytes to the disk of dir.
func (r Room) holds(dir string, size int64) error {
	if r.Free == nil {
		return nil
	}
	free, known := r.Free(dir)
	if need := uint64(max(size, 0)); known && free < need+r.Keep { //nolint:gosec // not negative
		return footy.Errorf(footy.CodeUnavailable, "back up", "%d MB are left on the disk of %s: %d MB are to be written, and MIN_FREE_MB keeps %d; free some space or choose another BACKUP_DIR",
			free>>20, dir, (need+1<<20-1)>>20, r.Keep>>20)
	}
	return nil
}

// fits refuses, before anything is written, a backup for which the disk has no room.
func (o Options) fits(ctx context.Context, docs Source, objects blob.Store) error {
	if o.Room.Free == nil {
		return nil
	}
	c, err := newCopies(o)
	if err != nil {
		return err
	}
	need, err := c.missing(ctx, objects)
	if err != nil {
		return err
	}
	size, err := docs.Size(ctx)
	if err != nil {
		return err
	}
	return o.Room.holds(o.Dir, need+size)
}
