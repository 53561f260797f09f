// Package backup copies a whole state, the SQLite file and the objects, into a directory, checks such copies by digest and brings them
// back. Database servers have their own tools.
package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/filelock"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/durable"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/private"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Format is the layout of a backup's directory that this program writes; it reads no later one.
const Format = 1

// What lies in the directory of one backup. The bytes of all backups lie beside them, by digest, each once.
const (
	manifestFile = "manifest.json"
	sumsFile     = "SHA256SUMS" // of all files below, as sha256sum -c reads it; written last
	databaseFile = "footy.db"
	objectsFile  = "objects.jsonl"

	bytesDir = "objects"
	lockFile = "backup.lock"
	partial  = ".partial-" // begins the name of what is not complete
)

// formSQLite is a copy of the database file. Version 1.1 made others of database servers.
const formSQLite = "sqlite"

// Manifest says what a backup holds.
type Manifest struct {
	Format  int       `json:"format"`
	Schema  int       `json:"schema"` // of the stored documents
	Made    time.Time `json:"made"`
	Version string    `json:"version"` // of the program that made it
	Form    string    `json:"form"`
	Objects int       `json:"objects"`
	Bytes   int64     `json:"bytes"` // of the objects
	// Installation is the id in the documents; "" where they have none yet.
	Installation string `json:"installation,omitempty"`
	Empty        bool   `json:"empty,omitempty"` // neither matches nor clips are in it

	// What this backup had to copy; the rest was there from those before.
	CopiedObjects int   `json:"copied_objects"`
	CopiedBytes   int64 `json:"copied_bytes"`

	Path       string   `json:"-"` // of its directory
	PassedOver []string `json:"-"` // backups beside it that are dated later than the clock says
	Kept       string   `json:"-"` // where a restore keeps the database file that it replaced; "": there was none
}

// Options of a backup.
type Options struct {
	Dir     string // of all backups
	Keep    int    // older ones than the newest so many are removed; 0 keeps all
	Daily   bool   // refuse (conflict) if the one of the day (UTC) is there
	Version string
	Now     time.Time
	Room    Room
	Remade  []string // key prefixes of objects that are left out: they can be made again
}

// Source is a database that can copy itself into a file while it is in use.
type Source interface {
	store.Backend
	Size(ctx context.Context) (int64, error) // about how long the copy is
	BackupTo(ctx context.Context, path string) error
}

// Make makes one backup. It exists under its name only once it is complete and checked; after an error nothing of it is
// left. The state may be in use.
func Make(ctx context.Context, docs Source, objects blob.Store, o Options) (Manifest, error) {
	const op = "back up"
	unlock, err := lock(o.Dir)
	if err != nil {
		return Manifest{}, err
	}
	defer unlock()
	if o.Daily { // asked while locked: of several processes one makes it
		all, err := List(o.Dir)
		if err != nil {
			return Manifest{}, err
		}
		today := o.Now.UTC().Format(time.DateOnly)
		is, err := installation(ctx, docs)
		if err != nil {
			return Manifest{}, err
		}
		for _, m := range all { // one of a later day was made while the clock was ahead, and stands for no day
			if m.Made.UTC().Format(time.DateOnly) == today && m.Installation == is {
				return m, footy.Errorf(footy.CodeConflict, op, "%s is there", m.Path)
			}
		}
	}
	if o.Keep > 0 { // one of a database that is lost, or the wrong one, would push out a good one
		if err := blob.Writable(ctx, objects); err != nil {
			return Manifest{}, err
		}
	}
	if err := clean(o.Dir); err != nil {
		return Manifest{}, inDir(op, o.Dir, err)
	}
	m, err := build(ctx, docs, objects, o)
	if err != nil {
		return Manifest{}, errors.Join(inDir(op, o.Dir, err), clean(o.Dir))
	}
	return m, inDir("remove old backups", o.Dir, prune(m, o))
}

// installation is the id in the documents; "" where they have none, or one that cannot be read.
func installation(ctx context.Context, docs store.Backend) (string, error) {
	is, err := owner.InstallationOf(ctx, store.New(docs))
	if footy.CodeOf(err) != footy.CodeUnavailable {
		err = nil
	}
	return is.ID, err
}

// build writes a backup under a temporary name and renames it.
func build(ctx context.Context, docs Source, objects blob.Store, o Options) (Manifest, error) {
	m := Manifest{Format: Format, Form: formSQLite, Schema: store.SchemaVersion, Made: o.Now.UTC().Truncate(time.Second), Version: o.Version}
	var err error
	if m.Path, err = durable.FreeName(filepath.Join(o.Dir, m.Made.Format(durable.TimeForm))); err != nil {
		return m, err
	}
	at := filepath.Join(o.Dir, partial+filepath.Base(m.Path))
	if err := os.Mkdir(at, 0o700); err != nil {
		return m, err
	}
	// Objects are written before the documents that name them and deleted after. So they are looked at before and after
	// the documents are copied: what the documents name was there at one of the two times.
	if m.Installation, err = installation(ctx, docs); err != nil {
		return m, err
	}
	objects = owner.Hide(objects)
	c, err := newCopies(o)
	if err != nil {
		return m, err
	}
	if err := c.add(ctx, objects); err != nil {
		return m, err
	}
	size, err := docs.Size(ctx)
	if err == nil {
		err = o.Room.holds(o.Dir, size)
	}
	if err != nil {
		return m, err
	}
	if err := docs.BackupTo(ctx, filepath.Join(at, databaseFile)); err != nil {
		return m, err
	}
	if err := c.add(ctx, objects); err != nil {
		return m, err
	}
	m.CopiedObjects, m.CopiedBytes = c.copied, c.copiedBytes
	if m.Objects, m.Bytes, err = c.write(filepath.Join(at, objectsFile)); err != nil {
		return m, err
	}
	matches, err := docs.Select(ctx, store.FixturesColl, store.Filter{Limit: 1})
	if err != nil {
		return m, err
	}
	m.Empty = m.Objects == 0 && len(matches) == 0
	if err := writeJSON(filepath.Join(at, manifestFile), m); err != nil {
		return m, err
	}
	if err := writeSums(ctx, at); err != nil {
		return m, err
	}
	if faults, err := checkFiles(ctx, at); err != nil || len(faults) > 0 {
		return m, errors.Join(err, damaged("check the new backup", faults))
	}
	if err := os.Rename(at, m.Path); err != nil {
		return m, err
	}
	return m, durable.Sync(o.Dir)
}

// lock lets one process at a time change the backups of dir, and creates it. The kernel frees the lock of one that died.
func lock(dir string) (unlock func(), err error) {
	const op = "open the backup directory"
	if err := hide(dir); err != nil {
		return nil, inDir(op, dir, err)
	}
	f, err := filelock.Open(filepath.Join(dir, lockFile))
	if err != nil {
		return nil, inDir(op, dir, err)
	}
	ours, err := filelock.Try(f)
	if err == nil && !ours {
		err = footy.Errorf(footy.CodeConflict, op, "another footy makes a backup in %s just now; wait for it", dir)
	}
	if err != nil {
		_ = f.Close()
		return nil, inDir(op, dir, err)
	}
	return func() { filelock.Free(f) }, nil
}

// hide makes the directory, and keeps it and the backups in it from others: documents hold keys.
func hide(dir string) error {
	if err := errors.Join(private.Dir(dir), private.Dir(filepath.Join(dir, bytesDir)), private.Existing(filepath.Join(dir, markerFile))); err != nil {
		return err
	}
	all, ours, err := list(dir) // the damaged ones, too; other files in it are other people's
	for _, m := range all {
		ours = append(ours, m.Path)
	}
	for _, path := range ours {
		err = errors.Join(err, private.Below(path))
	}
	return err
}

// inDir makes one line of an error of the file system; errors of the ports say enough themselves.
func inDir(op, dir string, err error) error {
	_, own := errors.AsType[*footy.Error](err)
	switch {
	case err == nil || own:
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &footy.Error{Code: footy.CodeUnavailable, Op: op, Err: err}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return footy.Errorf(footy.CodeUnavailable, op, "the disk of %s is full: free some space or choose another BACKUP_DIR (%w)", dir, err)
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.EROFS):
		return footy.Errorf(footy.CodeInvalid, op, "%w; give this user write permission or choose another BACKUP_DIR", err)
	}
	return footy.Errorf(footy.CodeUnavailable, op, "%w", err)
}

func writeJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(path, bytes.NewReader(append(b, '\n')))
}

// writeFile brings a new file to the disk.
func writeFile(path string, content io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(f, content); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

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
