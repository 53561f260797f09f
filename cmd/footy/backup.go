package main

import (
	"context"
	"fmt"

	"github.com/found-footy/found-footy/internal/app"
)

type backupCmd struct {
	Dir string `arg:"" optional:"" type:"path" help:"Directory to keep the backup in; none is removed there (default: BACKUP_DIR, which keeps BACKUP_KEEP)."`
}

// Run copies database and clips; whatever uses them goes on.
func (c backupCmd) Run(ctx context.Context) error {
	cfg, log, err := settings()
	if err != nil {
		return err
	}
	m, err := app.BackupOnce(ctx, cfg, log, version, c.Dir)
	if err != nil {
		return err
	}
	fmt.Printf("backup of database and %d clips and pictures (%s), of which %d (%s) were new:\n  %s\n",
		m.Objects, size(m.Bytes), m.CopiedObjects, size(m.CopiedBytes), m.Path)
	return nil
}

type restoreCmd struct {
	Dir    string `arg:"" type:"existingdir" help:"A backup, or a directory of backups, of which the newest is taken."`
	Into   string `type:"path" help:"State directory to restore into (default: wherever the settings keep the state)." placeholder:"DIR"`
	Force  bool   `help:"Replace what is there."`
	Verify bool   `help:"Only check every byte of the backup."`
}

// Run checks the whole backup before it touches anything.
func (c restoreCmd) Run(ctx context.Context) error {
	if c.Verify {
		m, err := app.VerifyBackup(ctx, c.Dir)
		if err != nil {
			return err
		}
		fmt.Printf("sound: %s, made %s, %d clips and pictures (%s)\n", m.Path, m.Made.Format("2006-01-02 15:04 UTC"), m.Objects, size(m.Bytes))
		return nil
	}
	cfg, _, err := settings()
	if err != nil {
		return err
	}
	m, err := app.Restore(ctx, cfg, app.Restoration{From: c.Dir, Into: c.Into, Force: c.Force})
	if err != nil {
		return err
	}
	fmt.Printf("restored %s, made %s: database, %d clips and pictures (%s)\n", m.Path, m.Made.Format("2006-01-02 15:04 UTC"), m.Objects, size(m.Bytes))
	return nil
}

// size writes a number of bytes for people.
func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", (n+1023)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
