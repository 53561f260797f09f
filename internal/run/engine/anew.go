package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// fault is why an engine of ours begins a new database: nothing is lost with the former, the ledger begins all workflows again.
type fault string

const (
	damaged    fault = "damaged"
	clockAhead fault = "clock"
)

const (
	asideForm = "20060102T150405Z"
	// AsideFor is how long people are reminded of a damaged one.
	AsideFor = 24 * time.Hour
)

// begin launches an engine of ours. A database that cannot be used is set aside first, or once the engine has found that out.
func begin(ctx context.Context, o Options, port int, anew fault) (*devstack, error) {
	if info, err := os.Stat(filepath.Join(o.StateDir, database)); err == nil && info.Size() == 0 {
		o.Log.Error("workflow engine's database is damaged: the file is empty", "module", "engine", "action", "anew")
		anew = damaged
	}
	_, err := os.Stat(filepath.Join(o.StateDir, database))
	old := err == nil && anew == "" // it was in use, so that it may be at fault
	former := ""
	for {
		if anew != "" {
			if former, err = o.setAside(anew); err != nil {
				return nil, err
			}
		}
		run, err := launch(ctx, o, port)
		if err == nil && old {
			if err = o.serves(ctx, run); errors.Is(err, errGone) { // how is for who waits for it
				return run, nil
			} else if err != nil {
				run.signal(syscall.SIGKILL)
				_ = run.wait()
			}
		}
		if !errors.Is(err, errDamaged) && (!old || !errors.Is(err, errUnusable)) {
			return run, err
		}
		if anew == damaged {
			return nil, o.notItsFault(err, former, old)
		}
		o.Log.Error("workflow engine's database is damaged: "+footy.UserMessage(err), "module", "engine", "action", "anew")
		anew = damaged
	}
}

// notItsFault puts a database that was set aside back, where the engine fails in the same way without it.
func (o Options) notItsFault(err error, former string, old bool) error {
	if !old || errors.Is(err, errDamaged) { // the new one is damaged: that is the disk's
		return err
	}
	const op = "start the workflow engine"
	db := filepath.Join(o.StateDir, database)
	for _, end := range sqliteFiles {
		_ = os.Remove(db + end)
		if bad := os.Rename(former+end, db+end); bad != nil && !errors.Is(bad, fs.ErrNotExist) {
			return footy.Errorf(footy.CodeUnavailable, op, "%w; nor does it with a new database, and the former stays at %s: %w", err, former, bad)
		}
	}
	return footy.Errorf(footy.CodeUnavailable, op, "%w; nor does it with a new database, so that %s is in its place again; see %s", err, db, logOf(o.StateDir))
}

// sqliteFiles are what SQLite appends to the name of a database.
var sqliteFiles = []string{"", "-wal", "-shm"}

// setAside moves the database away under a name that has the time, in place of the last one that was set aside for the same reason: a disk
// that fails again and again is not filled.
func (o Options) setAside(why fault) (aside string, err error) {
	const op = "set the engine's database aside"
	db := filepath.Join(o.StateDir, database)
	before, _ := filepath.Glob(asideOf(o.StateDir, why) + "*")
	for _, f := range before {
		_ = os.RemoveAll(f) // what stays takes room only
	}
	aside = asideOf(o.StateDir, why) + o.Now().UTC().Format(asideForm)
	for _, end := range sqliteFiles {
		if err := os.Rename(db+end, aside+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", footy.Errorf(footy.CodeUnavailable, op, "%w; move %s away yourself", err, o.StateDir)
		}
	}
	o.Log.Error("workflow engine begins a new database; nothing is lost, all workflows begin again", "module", "engine", "action", "anew", "former", aside)
	return aside, nil
}

// asideOf is the beginning of the names of databases that were set aside.
func asideOf(dir string, why fault) string { return filepath.Join(dir, database+"."+string(why)+"-") }

// Aside is a database that was set aside.
type Aside struct {
	File string
	At   time.Time
}

// Damaged is the damaged database that the engine of dir set aside last, within AsideFor; nil if there is none, or if a person removed it.
func Damaged(dir string, now time.Time) *Aside {
	files, _ := filepath.Glob(asideOf(dir, damaged) + "*Z")
	for _, f := range files {
		at, err := time.Parse(asideForm, strings.TrimPrefix(f, asideOf(dir, damaged)))
		if err == nil && now.Sub(at).Abs() < AsideFor {
			return &Aside{f, at}
		}
	}
	return nil
}
