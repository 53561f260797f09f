package check

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/backup"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// backupLate is the age at which the last backup is no daily one any more.
const backupLate = 36 * time.Hour

// Backup tells how old the last backup is. It asks the state, not the directory, which only the worker may see.
func (c *Checker) Backup(ctx context.Context) health.Part {
	p := health.Part{Name: health.Backup, State: health.StateOK}
	last, err := backup.LastOf(ctx, c.opt.Store)
	if err != nil {
		if !footy.IsNotFound(err) {
			p.State, p.Reason, p.Remedy = health.StateDegraded, "when the last backup was made cannot be read: "+footy.UserMessage(err), "Bring the database back."
		} else if !c.opt.Config.State.Embedded() {
			p.Reason = "no backup was noted (docs/backup.md)"
		}
		return p // none yet: the worker makes the first one as it starts
	}
	if !last.At.IsZero() {
		p.Facts = map[string]any{"last_backup": last.At, "bytes_kept": last.Bytes}
	}
	switch age := time.Since(last.At).Round(time.Hour); {
	case last.Failed != "":
		p.State, p.Reason, p.Remedy = health.StateDown, "the last backup failed: "+last.Failed, "Put that right, then run footy backup, or wait: the next try is "+last.NextTry.UTC().Format("2006-01-02 15:04 UTC")+"."
	case last.At.IsZero(): // as above
		p.Reason = "no backup was made yet"
	case age > backupLate && !c.opt.Config.State.Embedded():
		p.State, p.Reason, p.Remedy = health.StateDown, fmt.Sprintf("the last backup is %d hours old", int(age.Hours())), explain.UpperFirst(backup.ServerRemedy)+"."
	case age < -time.Hour:
		p.State, p.Reason, p.Remedy = health.StateDegraded, "the last backup is dated ahead, "+last.At.UTC().Format("2006-01-02 15:04 UTC")+": the clock was wrong", "Look whether this machine's clock is right; the next daily backup puts this right."
	case age > backupLate:
		p.State, p.Reason, p.Remedy = health.StateDown, fmt.Sprintf("the last backup is %d hours old", int(age.Hours())), "Is a worker running, with BACKUP_DIR set? Run footy backup by hand."
	}
	return p
}

// backupFinding is doctor's look at the backups.
func (c *Checker) backupFinding(ctx context.Context) Finding {
	to := c.opt.Config.Backup.Dir
	if !c.opt.Config.State.Embedded() {
		if c.opt.Store == nil {
			return Finding{Part: health.Part{Name: health.Backup, State: health.StateOK, Reason: "noted by footy backup --note"}}
		}
		f := finding(c.Backup(ctx), false, "noted by footy backup --note")
		if last, err := backup.LastOf(ctx, c.opt.Store); footy.IsNotFound(err) || err == nil && last.At.IsZero() {
			f.State, f.Reason, f.Remedy = health.StateMissing, "no backup was noted", explain.UpperFirst(backup.ServerRemedy)+"."
		}
		return f
	}
	if to == "" {
		return Finding{Part: health.Part{Name: health.Backup, State: health.StateMissing, Reason: "BACKUP_DIR is not set: a lost disk loses everything",
			Remedy: "Set it to a directory on another disk (docs/backup.md)."}}
	}
	if c.opt.Store == nil {
		return Finding{Part: health.Part{Name: health.Backup, State: health.StateOK, Reason: to}}
	}
	return finding(c.Backup(ctx), false, to)
}
