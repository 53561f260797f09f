package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Cmd is footy backup.
type Cmd struct {
	Dir  *string `arg:"" optional:"" help:"Directory to keep the backup in; none is removed there (default: BACKUP_DIR, which keeps BACKUP_KEEP)."`
	Note bool    `help:"Copy nothing: note that a backup was made now by other tools, which Health shows. The last command of a job with pg_dump or mongodump."`
}

// Run copies database and clips; whatever uses them goes on.
func (c Cmd) Run(ctx context.Context, p command.Process) error {
	dir, err := dirArgument("back up", "DIR", c.Dir)
	if err != nil {
		return err
	}
	if c.Note {
		return Noted(ctx, p.Config, note, "noted: Health shows a backup of now")
	}
	m, err := BackUp(ctx, p, dir)
	if err != nil {
		return err
	}
	fmt.Printf("backup of database and %d clips and pictures (%s), of which %d (%s) were new:\n  %s\n",
		m.Objects, size(m.Bytes), m.CopiedObjects, size(m.CopiedBytes), m.Path)
	return nil
}

// RestoreCmd is footy restore.
type RestoreCmd struct {
	Dir    *string `arg:"" optional:"" help:"A backup, or a directory of backups, of which the newest is taken."`
	Into   *string `help:"State directory to restore into (default: wherever the settings keep the state)." placeholder:"DIR"`
	Force  bool    `help:"Replace what is there."`
	Verify bool    `help:"Only check every byte of the backup."`
	Note   bool    `help:"Restore nothing: note that the database was brought back by its own tools just now. Goals from before are not notified again."`
}

// Run checks the whole backup before it touches anything.
func (c RestoreCmd) Run(ctx context.Context, cfg config.Config) error {
	if c.Note {
		return Noted(ctx, cfg, store.NoteRestored, "noted: goals that were scored before now are not notified again")
	}
	from, err := dirArgument(restores, "DIR", c.Dir)
	if err != nil {
		return err
	}
	if from == "" {
		return footy.Errorf(footy.CodeInvalid, restores, "no backup is named: footy restore DIR")
	}
	if i, err := os.Stat(from); err != nil || !i.IsDir() {
		return footy.Errorf(footy.CodeNotFound, restores, "DIR=%s is no directory; name a backup or a directory of backups", from)
	}
	into, err := dirArgument(restores, "--into", c.Into)
	if err != nil {
		return err
	}
	if c.Verify {
		m, err := Verify(ctx, from)
		if err != nil {
			return err
		}
		passedOver(m)
		fmt.Printf("sound: %s, made %s, %d clips and pictures (%s)\n", m.Path, m.Made.Format("2006-01-02 15:04 UTC"), m.Objects, size(m.Bytes))
		return nil
	}
	m, err := BringBack(ctx, cfg, RestoreOptions{From: from, Into: into, Force: c.Force, Chosen: passedOver})
	if err != nil {
		return err
	}
	fmt.Printf("restored %s, made %s: database, %d clips and pictures (%s)\n", m.Path, m.Made.Format("2006-01-02 15:04 UTC"), m.Objects, size(m.Bytes))
	if m.Kept != "" {
		fmt.Printf("the database that was there is kept as %s; delete it once you do not need it\n", m.Kept)
	}
	return nil
}

// passedOver tells that another backup would have been the newest by its date.
func passedOver(m Manifest) {
	for _, path := range m.PassedOver {
		fmt.Fprintf(os.Stderr, "note: passed over: %s is dated later than this machine's clock says; name it to take it\n", path)
	}
}

// dirArgument is the directory that an argument names; "" where it was left out. An empty one is mostly a variable that was not
// set, and must not pass for the directory footy was started in.
func dirArgument(op, field string, value *string) (string, error) {
	if value == nil {
		return "", nil
	}
	if strings.TrimSpace(*value) == "" {
		return "", footy.Errorf(footy.CodeInvalid, op, "%s=%q names no directory; write its path, or . for this one", field, *value)
	}
	return kong.ExpandPath(*value), nil
}

func size(n int64) string { return cmp.Or(explain.Size(n), "0 kB") }

// BackUp copies the embedded state to a directory; "" is BACKUP_DIR, where old ones are removed and health looks. The state may be in
// use. A database server has its own tools.
func BackUp(ctx context.Context, p command.Process, to string) (Manifest, error) {
	const op = "back up"
	if own := ownDir(p.State.Dir, to); own != "" {
		return Manifest{}, footy.Errorf(footy.CodeInvalid, op, "DIR=%s is inside %s of STATE_DIR, which footy clears or copies itself; choose another directory, best on another disk", to, own)
	}
	if !p.State.Embedded() {
		return Manifest{}, footy.Errorf(footy.CodeInvalid, op, "the database is a server: %s", serverRemedy)
	}
	s, err := state.OpenExisting(ctx, p.Config, op)
	if err != nil {
		return Manifest{}, err
	}
	defer s.Close() //nolint:errcheck // what was to be written is written
	k := keeper(port.Core{Config: p.Config, Version: p.Version, Log: p.Log, Store: s.Store, Docs: s.Docs, Blob: s.Blob, Remade: p.Remade})
	if to != "" {
		k.Dir, k.Keep, k.Now = to, 0, time.Now()
		return Make(ctx, k.Docs, k.Blob, k.Options)
	}
	if k.Dir == "" {
		return Manifest{}, footy.Errorf(footy.CodeInvalid, op, "no directory is named: footy backup DIR, or set BACKUP_DIR")
	}
	return k.Make(ctx, false)
}

// Noted writes down what other tools did just now with the database.
func Noted(ctx context.Context, c config.Config, write func(context.Context, store.State, time.Time) error, says string) error {
	s, err := state.OpenExistingStore(ctx, c, "note what was done")
	if err != nil {
		return err
	}
	if err = errors.Join(write(ctx, s, time.Now()), s.Close()); err == nil {
		fmt.Println(says)
	}
	return err
}

// keeper makes the backups of an embedded state in BACKUP_DIR.
func keeper(core port.Core) Keeper {
	set := config.Own[Settings](core.Config)
	room := Room{Keep: uint64(core.Config.Media.MinFree) << 20, Free: scratch.Free} //nolint:gosec // config refuses what is negative
	return Keeper{Options: Options{Dir: set.Dir, Keep: set.Keep, Version: core.Version, Room: room, Remade: core.Remade},
		Store: core.Store, Docs: core.Docs.(Source), Blob: core.Blob, Log: core.Log, Clock: time.Now}
}

// RestoreOptions say what BringBack brings back, and where to.
type RestoreOptions struct {
	From  string // a backup, or a directory of which the newest is taken
	Into  string // a state directory; "" is wherever the settings keep the state
	Force bool   // replace what is there

	Chosen func(Manifest) // is called before anything is touched
}

// BringBack restores a backup. It refuses a target that other processes use, and none starts on it meanwhile.
func BringBack(ctx context.Context, c config.Config, r RestoreOptions) (Manifest, error) {
	if r.Into != "" && inside(r.From, r.Into) {
		return Manifest{}, footy.Errorf(footy.CodeInvalid, restores, "--into=%s is inside the backup %s, which would be written to; choose a directory outside of it", r.Into, r.From)
	}
	if r.Into != "" { // a SQLite file and a directory, whatever the settings use
		c.State.Dir, c.State.Postgres, c.State.MongoURI, c.S3.Endpoint = r.Into, "", "", ""
	}
	if !c.State.Embedded() {
		return Manifest{}, footy.Errorf(footy.CodeInvalid, restores, "the database is a server, which is restored by its own tools (%s); --into DIR restores into a directory", manual)
	}
	free, err := sqlite.Alone(state.DatabaseFile(c))
	if err != nil {
		return Manifest{}, err
	}
	defer free()
	lock, err := engine.LockState(ctx, c.State.Dir)
	if footy.CodeOf(err) == footy.CodeConflict {
		return Manifest{}, footy.Errorf(footy.CodeConflict, restores, "%s is in use by another footy; stop it first", c.State.Dir)
	}
	if err != nil {
		return Manifest{}, err
	}
	defer lock.Release()
	to := Target{File: state.DatabaseFile(c), Force: r.Force, Now: time.Now(), Chosen: r.Chosen}
	if c.S3.Endpoint == "" {
		to.Blob, err = dir.Open(state.ClipDir(c))
	} else {
		to.Blob, err = state.OpenBlob(ctx, c)
	}
	if err != nil {
		return Manifest{}, err
	}
	return Restore(ctx, r.From, to)
}
