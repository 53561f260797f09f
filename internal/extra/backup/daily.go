package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/durable"
	"github.com/found-footy/found-footy/internal/keep/private"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// stateKey is where the last try is noted, so that the page of another process can tell of it.
const stateKey = "backup"

// Last is what is known of the backups in the directory of the daily ones.
type Last struct {
	At      time.Time `json:"at,omitzero"` // of the last one that succeeded
	Bytes   int64     `json:"bytes,omitempty"`
	Failed  string    `json:"failed,omitempty"` // why the last try failed
	TriedAt time.Time `json:"tried_at"`
	Dir     string    `json:"dir,omitempty"` // the directory, once it has its marker
}

// LastOf reads what was noted last; an error of code not_found says that none was tried.
func LastOf(ctx context.Context, s store.Store) (last Last, err error) {
	return last, s.State(ctx, stateKey, &last)
}

// serverRemedy is how the state of a database server is backed up.
const serverRemedy = "dump it with pg_dump or mongodump, copy the clips, then run footy backup --note (internal/extra/backup/README.md)"

func note(ctx context.Context, s store.State, now time.Time) error {
	_, err := store.ChangeState(ctx, s, stateKey, func(last *Last) error {
		*last = Last{At: now.UTC(), TriedAt: now.UTC(), Dir: last.Dir}
		return nil
	})
	return err
}

// Keeper makes backups in one directory and notes in the state what came of each. Of several processes with the same
// directory one makes the backup of a day.
type Keeper struct {
	Options
	Store store.Store
	Docs  Source // below Store
	Blob  blob.Store
	Log   *slog.Logger
	Clock func() time.Time
}

// Make makes a backup; daily: unless there is one of today (UTC).
func (k Keeper) Make(ctx context.Context, daily bool) (m Manifest, err error) {
	k.Now, k.Daily = k.Clock(), daily
	if err = k.claim(ctx); err == nil {
		m, err = Make(ctx, k.Docs, k.Blob, k.Options)
	}
	there := footy.CodeOf(err) == footy.CodeConflict
	if there && m.Path == "" || ctx.Err() != nil { // the process that makes one now notes it
		return m, err
	}
	// One of the day that is there may be news to this database, which is a copy of before.
	noted := k.change(ctx, func(last *Last) error {
		if there && !last.At.Before(m.Made) {
			return store.ErrUnchanged
		}
		if last.TriedAt, last.Failed = k.Now.UTC(), ""; err != nil && !there {
			last.Failed = footy.UserMessage(err)
			return nil
		}
		last.At, last.Bytes = m.Made, m.Bytes
		return nil
	})
	if err == nil {
		err = noted
	}
	return m, err
}

// markerFile lies in the directory of the daily backups. Where it is missing the disk is not mounted.
const markerFile = ".found-footy-backups"

// claim marks a new directory, and refuses one that has lost its marker.
func (k Keeper) claim(ctx context.Context) error {
	const op = "open the backup directory"
	last, err := LastOf(ctx, k.Store)
	if err != nil && !footy.IsNotFound(err) {
		return err
	}
	path := filepath.Join(k.Dir, markerFile)
	if last.Dir == k.Dir {
		_, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return footy.Errorf(footy.CodeInvalid, op, "BACKUP_DIR=%s has lost %s, so it is not where the earlier backups are: is its disk mounted? Mount it, or make an empty file %s to begin anew here", k.Dir, markerFile, path)
		}
		return inDir(op, k.Dir, err)
	}
	unlock, err := lock(k.Dir) // makes the directory
	if err != nil {
		return err
	}
	defer unlock()
	if err := errors.Join(private.File(path), durable.Sync(k.Dir)); err != nil {
		return inDir(op, k.Dir, err)
	}
	return k.change(ctx, func(last *Last) error { last.Dir = k.Dir; return nil })
}

func (k Keeper) change(ctx context.Context, fn func(*Last) error) error {
	_, err := store.ChangeState(ctx, k.Store, stateKey, fn)
	return err
}

// Run looks every hour whether the backup of the day is there, until ctx ends.
func (k Keeper) Run(ctx context.Context) {
	for ok := true; ok; ok = network.Pause(ctx, time.Hour) == nil {
		k.look(ctx)
	}
}

// look makes the backup of the day if it is not there.
func (k Keeper) look(ctx context.Context) {
	m, err := k.Make(ctx, true)
	switch {
	case ctx.Err() != nil, footy.CodeOf(err) == footy.CodeConflict: // it is there, or another process makes it
	case err != nil:
		k.Log.Error("no backup was made: "+footy.UserMessage(err), "action", "backup")
	default:
		k.Log.Info("backup made", "action", "backup", "path", m.Path, "objects", m.Objects, "copied_objects", m.CopiedObjects, "copied_bytes", m.CopiedBytes)
	}
}

// part is its name in Health.
const part = "backup"

// late is the age at which the last backup is no daily one any more.
const late = 36 * time.Hour

// looks are the part of Health and doctor's row.
func looks(core port.Core) []check.Look {
	to, server := config.Own[Settings](core.Config).Dir, !core.Config.State.Embedded()
	l := check.Look{Name: part, Title: "Backup", Subject: "The daily backup", Where: to, At: func(ctx context.Context) health.Part { return look(ctx, core.Store, server) }}
	missing := func(why, remedy string) func(context.Context) health.Part {
		return func(context.Context) health.Part {
			return health.Part{Name: part, State: health.StateMissing, Reason: why, Remedy: remedy}
		}
	}
	switch {
	case server:
		l.Where = "noted by footy backup --note"
		if core.Store != nil {
			if _, err := LastOf(context.Background(), core.Store); footy.IsNotFound(err) {
				l.Doctor = missing("no backup was noted", explain.UpperFirst(serverRemedy)+".")
			}
		}
	case to == "":
		l.Off, l.Doctor = true, missing("BACKUP_DIR is not set: a lost disk loses everything", "Set it to a directory on another disk ("+manual+").")
	}
	return []check.Look{l}
}

// look reports how old the last backup is. It asks the state, not the directory, which only the worker may see.
func look(ctx context.Context, s store.Store, server bool) health.Part {
	p := health.Part{Name: part, State: health.StateOK}
	if s == nil {
		return p
	}
	last, err := LastOf(ctx, s)
	if err != nil {
		if !footy.IsNotFound(err) {
			p.State, p.Reason, p.Remedy = health.StateDegraded, "when the last backup was made cannot be read: "+footy.UserMessage(err), "Bring the database back."
		} else if server {
			p.Reason = "no backup was noted (" + manual + ")"
		}
		return p // none yet: the worker makes the first one as it starts
	}
	if !last.At.IsZero() {
		p.Facts = map[string]any{"last_backup": last.At}
		if last.Bytes > 0 {
			p.Facts["bytes_kept"] = last.Bytes
		}
	}
	switch age := time.Since(last.At).Round(time.Hour); {
	case last.Failed != "":
		p.State, p.Reason, p.Remedy = health.StateDown, "the last backup failed: "+last.Failed, "Put that right, then run footy backup, or wait: it is tried again every hour."
	case last.At.IsZero(): // as above
		p.Reason = "no backup was made yet"
	case age < -time.Hour:
		p.State, p.Reason, p.Remedy = health.StateDegraded, "the last backup is dated ahead, "+last.At.UTC().Format("2006-01-02 15:04 UTC")+": the clock was wrong", "Look whether this machine's clock is right; the next daily backup puts this right."
	case age > late:
		p.State, p.Reason, p.Remedy = health.StateDown, fmt.Sprintf("the last backup is %d hours old", int(age.Hours())), "Is a worker running, with BACKUP_DIR set? Run footy backup by hand."
		if server {
			p.Remedy = explain.UpperFirst(serverRemedy) + "."
		}
	}
	return p
}
