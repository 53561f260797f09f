package backup

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// part is its name in Health.
const part = "backup"

// late is the age at which the last backup is no daily one any more.
const late = 36 * time.Hour

// looks are the part of Health and doctor's row.
func looks(core port.Core) []check.Look {
	to, server := config.Own[Settings](core.Config).Dir, !core.Config.State.Embedded()
	l := check.Look{Name: part, Title: "Backup", Subject: "The daily backup", Where: to, At: func(ctx context.Context) health.Part { return look(ctx, core.Store, server) }}
	missing := func(why, remedy string) func(context.Context) []check.Finding {
		return func(context.Context) []check.Finding {
			return []check.Finding{{Part: health.Part{Name: part, State: health.StateMissing, Reason: why, Remedy: remedy}}}
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
		p.State, p.Reason, p.Remedy = health.StateDown, "the last backup failed: "+last.Failed, "Put that right, then run footy backup, or wait: the next try is "+last.NextTry.UTC().Format("2006-01-02 15:04 UTC")+"."
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
