package store

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// restoredKey is where the last restore is noted.
const restoredKey = "restored"

type restored struct {
	At time.Time `json:"at"`
}

// NoteRestored notes that the database is a copy from before now: what was notified after that copy is not known.
func NoteRestored(ctx context.Context, s State, now time.Time) error {
	return s.PutState(ctx, restoredKey, restored{now.UTC()})
}

// Restored is when this database was last brought back; zero if it never was. Where that cannot be read it counts as now: what was
// scored before is not notified twice.
func Restored(ctx context.Context, s State) (time.Time, error) {
	var last restored
	err := s.State(ctx, restoredKey, &last)
	if footy.IsNotFound(err) {
		return time.Time{}, nil
	}
	if err != nil {
		last.At = time.Now().UTC()
		err = Mend(ctx, s, restoredKey, last, err)
	}
	return last.At, err
}

// restoringKey is there while a database server is filled from a backup. It has no lock that holds through every pooler.
const restoringKey = "restoring"

// BeginRestore refuses a database that holds anything, and keeps other processes from opening it until EndRestore, also where the restore dies.
func BeginRestore(ctx context.Context, b Backend) error {
	for _, c := range Collections {
		docs, err := b.Select(ctx, c, Filter{Limit: 2, Bare: true})
		if err != nil {
			return err
		}
		if len(docs) > 1 || len(docs) == 1 && docs[0].ID != restoringKey {
			return footy.Errorf(footy.CodeConflict, "restore", "the database (%s) is not empty: a database server is restored by its own tools (internal/extra/backup/README.md); a backup is moved only into an empty schema or database", c)
		}
	}
	return New(b).PutState(ctx, restoringKey, struct{}{})
}

// EndRestore lets processes open the database.
func EndRestore(ctx context.Context, b Backend) error {
	return b.Delete(ctx, ServiceState, Filter{IDs: []string{restoringKey}})
}

// Restoring refuses a database that a restore fills, or left half.
func Restoring(ctx context.Context, s State) error {
	var value struct{}
	switch err := s.State(ctx, restoringKey, &value); {
	case footy.IsNotFound(err):
		return nil
	case footy.CodeOf(err) == footy.CodeUnavailable:
		return err
	}
	return footy.Errorf(footy.CodeConflict, "open database", "a restore into it is under way or was interrupted: wait until it has ended, or empty the database and restore again (internal/extra/backup/README.md)")
}
