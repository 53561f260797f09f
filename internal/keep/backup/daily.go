package backup

import (
	"context"
	"log/slog"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// stateKey is where the last try is noted, so that the page of another process can tell of it.
const stateKey = "backup"

// Last is what is known of the backups in the directory of the daily ones.
type Last struct {
	At      time.Time `json:"at,omitzero"` // of the last one that succeeded
	Bytes   int64     `json:"bytes,omitempty"`
	Failed  string    `json:"failed,omitempty"` // why the last try failed
	TriedAt time.Time `json:"tried_at"`
}

// LastOf reads what was noted last; an error of code not_found says that none was tried.
func LastOf(ctx context.Context, s store.Store) (last Last, err error) {
	return last, s.State(ctx, stateKey, &last)
}

// Keeper makes backups in one directory and notes in the state what came of each. Of several processes with the same
// directory one makes the backup of a day.
type Keeper struct {
	Store   store.Store
	Docs    store.Backend // below Store
	Blob    blob.Store
	Dir     string
	Keep    int
	Version string
	Log     *slog.Logger
}

// Make makes a backup; daily: unless there is one of today (UTC).
func (k Keeper) Make(ctx context.Context, daily bool) (Manifest, error) {
	m, err := Make(ctx, k.Docs, k.Blob, Options{Dir: k.Dir, Keep: k.Keep, Daily: daily, Schema: store.SchemaVersion, Version: k.Version, Now: time.Now()})
	if ctx.Err() != nil || footy.CodeOf(err) == footy.CodeConflict { // whoever makes one just now notes it
		return m, err
	}
	if noted := k.note(ctx, m, err); err == nil {
		err = noted
	}
	return m, err
}

func (k Keeper) note(ctx context.Context, m Manifest, failed error) error {
	last, err := LastOf(ctx, k.Store)
	if err != nil && !footy.IsNotFound(err) {
		return err
	}
	last.TriedAt, last.Failed = time.Now().UTC(), ""
	if failed != nil {
		last.Failed = footy.UserMessage(failed)
	} else {
		last.At, last.Bytes = m.Made, m.Bytes
	}
	return k.Store.PutState(ctx, stateKey, last)
}

// Run looks every hour whether the backup of the day is there, until ctx ends.
func (k Keeper) Run(ctx context.Context) {
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		m, err := k.Make(ctx, true)
		switch {
		case ctx.Err() != nil, footy.CodeOf(err) == footy.CodeConflict: // it is there, or somebody is at it
		case err != nil:
			k.Log.Error("no backup was made: "+footy.UserMessage(err), "action", "backup")
		default:
			k.Log.Info("backup made", "action", "backup", "path", m.Path, "objects", m.Objects, "copied_objects", m.CopiedObjects, "copied_bytes", m.CopiedBytes)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
