package state

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/backup"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
)

// Backup copies the embedded state to a directory; "" is BACKUP_DIR, where old ones are removed and health looks. The state may be in
// use. A database server has its own tools.
func Backup(ctx context.Context, c config.Config, version, to string) (backup.Manifest, error) {
	const op = "back up"
	for _, own := range config.OwnDirs {
		if to != "" && config.Inside(filepath.Join(c.State.Dir, own), to) {
			return backup.Manifest{}, footy.Errorf(footy.CodeInvalid, op, "DIR=%s is inside %s of STATE_DIR, which footy clears or copies itself; choose another directory, best on another disk", to, own)
		}
	}
	if !c.State.Embedded() {
		return backup.Manifest{}, footy.Errorf(footy.CodeInvalid, op, "the database is a server: %s", backup.ServerRemedy)
	}
	s, err := OpenExisting(ctx, c, op)
	if err != nil {
		return backup.Manifest{}, err
	}
	defer s.Close() //nolint:errcheck // what was to be written is written
	if to != "" {
		return backup.Make(ctx, s.Docs.(backup.Source), s.Blob, backup.Options{Dir: to, Schema: store.SchemaVersion, Version: version, Now: time.Now(), Room: room(c)})
	}
	if c.Backup.Dir == "" {
		return backup.Manifest{}, footy.Errorf(footy.CodeInvalid, op, "no directory is named: footy backup DIR, or set BACKUP_DIR")
	}
	return s.Keeper(c, version, nil).Make(ctx, false)
}

// NoteBackup notes that a backup was made by other tools.
func NoteBackup(ctx context.Context, c config.Config) error {
	s, err := OpenExistingStore(ctx, c, "note a backup")
	if err != nil {
		return err
	}
	return errors.Join(backup.Note(ctx, s, time.Now()), s.Close())
}

// NoteRestored notes that the database was brought back by other tools.
func NoteRestored(ctx context.Context, c config.Config) error {
	s, err := OpenExistingStore(ctx, c, "note a restore")
	if err != nil {
		return err
	}
	return errors.Join(store.NoteRestored(ctx, s, time.Now()), s.Close())
}

// Keeper makes the backups of an embedded state in BACKUP_DIR.
func (s State) Keeper(c config.Config, version string, log *slog.Logger) backup.Keeper {
	return backup.Keeper{Store: s.Store, Docs: s.Docs.(backup.Source), Blob: s.Blob, Dir: c.Backup.Dir, Keep: c.Backup.Keep, Room: room(c), Version: version, Log: log, Now: time.Now,
		Open: openCopy}
}

// room is what a backup leaves free.
func room(c config.Config) backup.Room {
	return backup.Room{Keep: uint64(c.Media.MinFree) << 20, Free: scratch.Free} //nolint:gosec // config refuses what is negative
}

// RestoreOptions say what Restore brings back, and where to.
type RestoreOptions struct {
	From  string // a backup, or a directory of which the newest is taken
	Into  string // a state directory; "" is wherever the settings keep the state
	Force bool   // replace what is there

	Chosen func(backup.Manifest) // is called before anything is touched
}

// Restore brings back a backup. It refuses a target that other processes use, and none starts on it meanwhile.
func Restore(ctx context.Context, c config.Config, r RestoreOptions) (backup.Manifest, error) {
	if r.Into != "" && config.Inside(r.From, r.Into) {
		return backup.Manifest{}, footy.Errorf(footy.CodeInvalid, "restore", "--into=%s is inside the backup %s, which would be written to; choose a directory outside of it", r.Into, r.From)
	}
	if r.Into != "" { // an embedded state, whatever the settings use
		c.State.Dir, c.State.Postgres, c.State.MongoURI, c.S3.Endpoint = r.Into, "", "", ""
	}
	embedded := c.State.Embedded()
	if embedded {
		free, err := sqlite.Alone(DatabaseFile(c))
		if err != nil {
			return backup.Manifest{}, err
		}
		defer free()
	}
	lock, err := engine.LockState(ctx, c.State.Dir)
	if footy.CodeOf(err) == footy.CodeConflict {
		return backup.Manifest{}, footy.Errorf(footy.CodeConflict, "restore", "%s is in use by another footy; stop it first", c.State.Dir)
	}
	if err != nil {
		return backup.Manifest{}, err
	}
	defer lock.Release()
	to := backup.Target{Open: openCopy, AsIs: openAsIs, Force: r.Force, Marker: restoreMarker(c), Now: time.Now(), Chosen: r.Chosen}
	if c.S3.Endpoint == "" {
		to.Blob, err = dir.Open(ClipDir(c))
	} else {
		to.Blob, err = OpenBlob(ctx, c)
	}
	if err != nil {
		return backup.Manifest{}, err
	}
	if embedded {
		to.File = DatabaseFile(c)
		return backup.Restore(ctx, r.From, to)
	}
	if to.Store, err = openAnyDocuments(ctx, c); err != nil {
		return backup.Manifest{}, err
	}
	m, err := backup.Restore(ctx, r.From, to)
	return m, errors.Join(err, to.Store.Close())
}

// openCopy opens a file on its way into the target or out of a backup.
func openCopy(path string) (store.Backend, error) { return sqlite.OpenUnshared(path) }

func openAsIs(path string) (store.Backend, error) { return sqlite.OpenAsIs(path) }
