package owner

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/footy"
)

// Settings are the names of those that choose the database and the clip storage here.
type Settings struct{ Database, Clips string }

// Refusal says that a clip store is not this installation's, or not its alone.
type Refusal struct {
	Whose keeping.Whose
	Since time.Time // of its mark

	settings Settings
	unread   error
}

func (g *Guard) refuse(r *Refusal) error {
	r.settings = g.Settings
	return footy.Wrap(footy.CodeUnavailable, "", r)
}

// Error implements error.
func (r *Refusal) Error() string { return r.Reason() }

// Reason says what is wrong.
func (r *Refusal) Reason() string {
	by := "the clip storage belongs to another installation, or to a database that was here before"
	switch {
	case r.Whose == keeping.Unread:
		by = footy.UserMessage(r.unread)
	case r.Whose == keeping.Unknown:
		by = "the clip storage holds clips that this database knows nothing of"
	case r.Whose == keeping.Copied:
		return "another copy of this database uses this clip storage: what no record of this one names is not deleted there, it may be the other's"
	case !r.Since.IsZero():
		by += " (since " + r.Since.UTC().Format("2006-01-02 15:04 UTC") + ")"
	}
	return by + ": nothing is written there or deleted"
}

// Remedy says what an operator can do.
func (r *Refusal) Remedy() string {
	clips := cmp.Or(r.settings.Clips, "S3_BUCKET or STATE_DIR")
	switch r.Whose {
	case keeping.Unread:
		return "Goals wait. Restore a backup, or footy clips adopt if these clips are this database's."
	case keeping.Copied:
		return fmt.Sprintf("Stop the other copy, or give one of them other clip storage (%s). Then footy clips adopt makes this one this database's alone.", clips)
	}
	return fmt.Sprintf("Goals wait. Do one of three. If the database is the wrong or a new one, set %s right, or footy restore a backup. If the clips are another installation's, set another %s. "+
		"If they are yours and stay with this database, footy clips adopt.", cmp.Or(r.settings.Database, "STATE_DIR, POSTGRES_SCHEMA or MONGODB_DB"), clips)
}

// Refused finds a Refusal in the chain of an error; nil if there is none.
func Refused(err error) *Refusal {
	var r *Refusal
	switch {
	case errors.As(err, &r):
		return r
	case errors.Is(err, ErrUnread):
		return &Refusal{Whose: keeping.Unread, unread: err}
	}
	return nil
}
