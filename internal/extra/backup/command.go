package backup

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port/command"
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
		err := NoteBackup(ctx, p.Config)
		if err == nil {
			fmt.Println("noted: Health shows a backup of now")
		}
		return err
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
		err := NoteRestored(ctx, cfg)
		if err == nil {
			fmt.Println("noted: goals that were scored before now are not notified again")
		}
		return err
	}
	from, err := dirArgument("restore", "DIR", c.Dir)
	if err != nil {
		return err
	}
	if from == "" {
		return footy.Errorf(footy.CodeInvalid, "restore", "no backup is named: footy restore DIR")
	}
	if i, err := os.Stat(from); err != nil || !i.IsDir() {
		return footy.Errorf(footy.CodeNotFound, "restore", "DIR=%s is no directory; name a backup or a directory of backups", from)
	}
	into, err := dirArgument("restore", "--into", c.Into)
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

// size writes a number of bytes for people.
func size(n int64) string { return cmp.Or(explain.Size(n), "0 kB") }
