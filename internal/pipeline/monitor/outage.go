package monitor

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// OutageKey is where an outage of the feed is kept, so that every process can tell of it.
const OutageKey = "feed_outage"

// Outage of the feed; zero while it answers.
type Outage struct {
	Since time.Time  `json:"since,omitzero"` // zero: too few calls failed to speak of one
	Code  footy.Code `json:"code,omitempty"`
	Why   string     `json:"why,omitempty"`
	// Calls that failed in a row until it was one, in all processes, and the first of them.
	Failed      int       `json:"failed,omitempty"`
	FirstFailed time.Time `json:"first_failed,omitzero"`
}

// outageAfter so many calls that failed in a row are an outage; one or two are the vendor's daily life.
const outageAfter = 3

// noteAnswer keeps the beginning and the end of an outage; in between nothing is written.
func (a *Activities) noteAnswer(ctx context.Context, failure error) error {
	_, err := store.ChangeState(ctx, a.Store, OutageKey, func(o *Outage) error {
		switch {
		case failure == nil && *o == (Outage{}), failure != nil && !o.Since.IsZero():
			return store.ErrUnchanged
		case failure == nil:
			*o = Outage{}
			return nil
		}
		if o.Failed++; o.Failed == 1 {
			o.FirstFailed = a.Now().UTC()
		}
		if o.Failed >= outageAfter {
			o.Since, o.Code, o.Why = o.FirstFailed, footy.CodeOf(failure), footy.RootCause(failure)
		}
		return nil
	})
	return err
}
