package engine

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	asideKept = 3 // databases that were set aside
	// AsideFor is how long people are reminded of a damaged one.
	AsideFor = 24 * time.Hour
)

// begin launches an engine of ours. A database that cannot be used is set aside first, or once the engine has found that out.
func begin(ctx context.Context, o Options, port int, anew fault) (*devstack, error) {
	if info, err := os.Stat(filepath.Join(o.StateDir, database)); err == nil && info.Size() == 0 {
		o.Log.Error("workflow engine's database is damaged: the file is empty", "module", "engine", "action", "anew")
		anew = damaged
	}
	for {
		if anew != "" {
			if err := o.setAside(anew); err != nil {
				return nil, err
			}
		}
		run, err := launch(ctx, o, port)
		if !errors.Is(err, errDamaged) {
			return run, err
		}
		o.Log.Error("workflow engine's database is damaged: "+footy.UserMessage(err), "module", "engine", "action", "anew")
		if anew == damaged { // the new one, too: that is the disk's
			return nil, err
		}
		anew = damaged
	}
}

// setAside moves the database away under a name that has the time, and removes all but the newest that were.
func (o Options) setAside(why fault) error {
	const op = "set the engine's database aside"
	db := filepath.Join(o.StateDir, database)
	aside := db + "." + string(why) + "-" + o.Now().UTC().Format(asideForm)
	for _, end := range []string{"", "-wal", "-shm"} { // what SQLite appends
		if err := os.Rename(db+end, aside+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return footy.Errorf(footy.CodeUnavailable, op, "%w; move %s away yourself", err, o.StateDir)
		}
	}
	o.Log.Error("workflow engine begins a new database; nothing is lost, all workflows begin again", "module", "engine", "action", "anew", "former", aside)
	all := asides(o.StateDir)
	for _, a := range all[:max(0, len(all)-asideKept)] {
		for _, end := range []string{"", "-wal", "-shm"} {
			_ = os.RemoveAll(a.File + end) // what stays takes room only
		}
	}
	return nil
}

// Aside is a database that was set aside.
type Aside struct {
	File string
	At   time.Time
	why  fault
}

// asides are those of an engine, the oldest first.
func asides(dir string) []Aside {
	files, _ := filepath.Glob(filepath.Join(dir, database+".*-*Z")) // the pattern is right
	var out []Aside
	for _, f := range files {
		why, at, _ := strings.Cut(strings.TrimPrefix(filepath.Base(f), database+"."), "-")
		if t, err := time.Parse(asideForm, at); err == nil {
			out = append(out, Aside{f, t, fault(why)})
		}
	}
	slices.SortFunc(out, func(a, b Aside) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.File, b.File)) })
	return out
}

// Damaged is the damaged database that the engine of dir set aside last, within AsideFor; nil if there is none. Who removes the file has
// seen it.
func Damaged(dir string, now time.Time) *Aside {
	for _, a := range slices.Backward(asides(dir)) {
		if age := now.Sub(a.At); a.why == damaged && age.Abs() < AsideFor {
			return &a
		}
	}
	return nil
}
