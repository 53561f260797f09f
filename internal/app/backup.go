package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/backup"
	"github.com/found-footy/found-footy/internal/blob/dir"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/telemetry"
	"github.com/found-footy/found-footy/internal/web"
)

const (
	// documentSchema is the form of the stored documents that this program writes.
	documentSchema = store.SchemaVersion
	// backupStateKey is where the last try is noted, so that the page of another process can tell of it.
	backupStateKey = "backup"
	// backupLate is the age at which the last backup is no daily one any more.
	backupLate = 36 * time.Hour
)

// lastBackup is what is known of the backups in BACKUP_DIR.
type lastBackup struct {
	At      time.Time `json:"at,omitzero"` // of the last one that succeeded
	Bytes   int64     `json:"bytes,omitempty"`
	Failed  string    `json:"failed,omitempty"` // why the last try failed
	TriedAt time.Time `json:"tried_at"`
}

// BackupOnce is footy backup: it copies the state that the settings name to a directory (Backup). Where there is none it
// makes none: a copy of nothing would pass for a backup.
func BackupOnce(ctx context.Context, c config.Config, log *slog.Logger, version, to string) (backup.Manifest, error) {
	for _, own := range config.OwnDirs {
		if to != "" && config.Inside(filepath.Join(c.State.Dir, own), to) {
			return backup.Manifest{}, footy.Errorf(footy.CodeInvalid, "back up", "DIR=%s is inside %s of STATE_DIR, which footy clears or copies itself; choose another directory, best on another disk", to, own)
		}
	}
	if err := needDatabase(c, "back up"); err != nil {
		return backup.Manifest{}, err
	}
	a, err := New(ctx, c, log, version)
	if err != nil {
		return backup.Manifest{}, err
	}
	defer a.Close() //nolint:errcheck // what was to be written is written
	if a.noBlob != nil {
		return backup.Manifest{}, a.noBlob
	}
	return a.Backup(ctx, to)
}

// needDatabase refuses where opening would make a new database: what is asked of an empty one has no true answer.
func needDatabase(c config.Config, op string) error {
	if c.State.MongoURI != "" {
		return nil
	}
	if _, err := os.Lstat(restoreMarker(c)); err == nil {
		return nil // opening it says more
	}
	if _, err := os.Stat(databaseFile(c)); errors.Is(err, fs.ErrNotExist) {
		return footy.Errorf(footy.CodeNotFound, op, "there is no database in %s; set STATE_DIR to the directory that footy up uses", c.State.Dir)
	}
	return nil
}

// Backup copies the state to a directory; "" is BACKUP_DIR, where old ones are removed and health looks. The state may be
// in use.
func (a *App) Backup(ctx context.Context, to string) (backup.Manifest, error) {
	if to == "" {
		return a.backUp(ctx, false)
	}
	return backup.Make(ctx, a.docs, a.Blob, backup.Options{Dir: to, Schema: documentSchema, Version: a.Version, Now: time.Now()})
}

// backUp makes a backup in BACKUP_DIR and notes what came of it.
func (a *App) backUp(ctx context.Context, daily bool) (backup.Manifest, error) {
	c := a.Config.Backup
	if c.Dir == "" {
		return backup.Manifest{}, footy.Errorf(footy.CodeInvalid, "back up", "no directory is named: footy backup DIR, or set BACKUP_DIR")
	}
	m, err := backup.Make(ctx, a.docs, a.Blob, backup.Options{Dir: c.Dir, Keep: c.Keep, Daily: daily, Schema: documentSchema, Version: a.Version, Now: time.Now()})
	if ctx.Err() != nil || footy.CodeOf(err) == footy.CodeConflict { // whoever makes one just now notes it
		return m, err
	}
	if noted := a.noteBackup(ctx, m, err); err == nil {
		err = noted
	}
	return m, err
}

func (a *App) noteBackup(ctx context.Context, m backup.Manifest, failed error) error {
	var last lastBackup
	if err := a.Store.State(ctx, backupStateKey, &last); err != nil && !footy.IsNotFound(err) {
		return err
	}
	last.TriedAt, last.Failed = time.Now().UTC(), ""
	if failed != nil {
		last.Failed = Plain(failed)
	} else {
		last.At, last.Bytes = m.Made, m.Bytes
	}
	return a.Store.PutState(ctx, backupStateKey, last)
}

// backUpDaily looks every hour whether the backup of the day (UTC) is there. Of several processes with the same directory
// one makes it.
func (a *App) backUpDaily(ctx context.Context) {
	log := telemetry.Module(a.Log, "backup")
	for first := true; first || wait(ctx, time.Hour) == nil; first = false {
		m, err := a.backUp(ctx, true)
		switch {
		case ctx.Err() != nil, footy.CodeOf(err) == footy.CodeConflict: // it is there, or somebody is at it
		case err != nil:
			log.Error("no backup was made: "+Plain(err), "action", "backup")
		default:
			log.Info("backup made", "action", "backup", "path", m.Path, "objects", m.Objects, "copied_objects", m.CopiedObjects, "copied_bytes", m.CopiedBytes)
		}
	}
}

// backup tells how old the last backup is. It asks the state, not the directory, which only the worker may see.
func (h *health) backup(ctx context.Context) web.Component {
	c := web.Component{Name: "backup", State: web.StateOK}
	var last lastBackup
	if err := h.app.Store.State(ctx, backupStateKey, &last); err != nil {
		if !footy.IsNotFound(err) {
			c.State, c.Reason, c.Remedy = web.StateDegraded, "when the last backup was made cannot be read: "+Plain(err), "Bring the database back."
		}
		return c // none yet: the worker makes the first one as it starts
	}
	if !last.At.IsZero() {
		c.Facts = map[string]any{"last_backup": last.At, "bytes_kept": last.Bytes}
	}
	switch age := time.Since(last.At).Round(time.Hour); {
	case last.Failed != "":
		c.State, c.Reason, c.Remedy = web.StateDown, "the last backup failed: "+last.Failed, "Put that right, then run footy backup, or wait: it is tried every hour."
	case age > backupLate:
		c.State, c.Reason, c.Remedy = web.StateDown, fmt.Sprintf("the last backup is %d hours old", int(age.Hours())), "Is a worker running, with BACKUP_DIR set? Run footy backup by hand."
	}
	return c
}

// backupFinding is doctor's look at the backups.
func backupFinding(ctx context.Context, h *health) Finding {
	to := h.app.Config.Backup.Dir
	if to == "" {
		return Finding{Name: "backup", State: "missing", Reason: "BACKUP_DIR is not set: a lost disk loses everything", Remedy: "Set it to a directory on another disk (docs/backup.md)."}
	}
	if h.app.Store == nil {
		return Finding{Name: "backup", State: "ok", Reason: to}
	}
	return finding(h.backup(ctx), false, to)
}

// Restoration says what Restore brings back, and where to.
type Restoration struct {
	From  string // a backup, or a directory of which the newest is taken
	Into  string // a state directory; "" is wherever the settings keep the state
	Force bool   // replace what is there
}

// VerifyBackup reads every byte of a backup and compares it with its digest.
func VerifyBackup(ctx context.Context, from string) (backup.Manifest, error) {
	return backup.Verify(ctx, from)
}

// Restore brings back a backup. No footy may use the target meanwhile.
func Restore(ctx context.Context, c config.Config, r Restoration) (backup.Manifest, error) {
	if r.Into != "" && config.Inside(r.From, r.Into) {
		return backup.Manifest{}, footy.Errorf(footy.CodeInvalid, "restore", "--into=%s is inside the backup %s, which would be written to; choose a directory outside of it", r.Into, r.From)
	}
	if r.Into != "" { // an embedded state, whatever the settings use
		c.State.Dir, c.State.MongoURI, c.S3.Endpoint = r.Into, "", ""
	}
	embedded := c.State.MongoURI == ""
	held, err := claimState(ctx, c.State.Dir)
	if footy.CodeOf(err) == footy.CodeConflict {
		return backup.Manifest{}, footy.Errorf(footy.CodeConflict, "restore", "%s is in use by another footy; stop it first", c.State.Dir)
	}
	if err != nil {
		return backup.Manifest{}, err
	}
	defer held.release()
	to := backup.Target{Open: openFile, Schema: documentSchema, Force: r.Force, Marker: restoreMarker(c)}
	if c.S3.Endpoint == "" {
		to.Blob, err = dir.Open(filepath.Join(c.State.Dir, "clips"))
	} else {
		to.Blob, err = openBlob(ctx, c)
	}
	if err != nil {
		return backup.Manifest{}, err
	}
	if embedded {
		to.File = databaseFile(c)
		return backup.Restore(ctx, r.From, to)
	}
	if to.Store, err = openAnyDocuments(ctx, c); err != nil {
		return backup.Manifest{}, err
	}
	m, err := backup.Restore(ctx, r.From, to)
	return m, errors.Join(err, to.Store.Close())
}
