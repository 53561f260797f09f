package owner

import (
	"errors"
	"time"

	"github.com/found-footy/found-footy/internal/decide/keeping"
)

// Refusal says that a clip store is not this installation's.
type Refusal struct {
	Whose keeping.Whose
	Since time.Time // of its mark
}

// Error implements error.
func (r *Refusal) Error() string { return r.Reason() }

// Reason says what is wrong.
func (r *Refusal) Reason() string {
	if r.Whose == keeping.Unknown {
		return "the clip storage holds clips that this database knows nothing of: nothing is written there or deleted"
	}
	by := "the clip storage belongs to another installation, or to a database that was here before"
	if !r.Since.IsZero() {
		by += " (since " + r.Since.UTC().Format("2006-01-02 15:04 UTC") + ")"
	}
	return by + ": nothing is written there or deleted"
}

// Remedy says what an operator can do.
func (r *Refusal) Remedy() string {
	return "One of three. If the database is the wrong or a new one, set STATE_DIR, POSTGRES_SCHEMA or MONGODB_DB right, or footy restore a backup. " +
		"If the clips are another installation's, set another S3_BUCKET, or another STATE_DIR. If they are yours and stay with this database, footy clips adopt. Goals wait meanwhile."
}

// Refused finds a Refusal in the chain of an error; nil if there is none.
func Refused(err error) *Refusal {
	var r *Refusal
	if errors.As(err, &r) {
		return r
	}
	return nil
}
