package monitor

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/calls"
)

// OutageKey is where an outage of the feed is kept, so that every process can tell of it.
const OutageKey = "feed_outage"

// Outage of the feed; zero while it answers.
type Outage struct {
	Since time.Time  `json:"since,omitzero"`
	Code  footy.Code `json:"code,omitempty"`
	Why   string     `json:"why,omitempty"`
}

// outageAfter so many calls that failed in a row are an outage; one or two are the vendor's daily life.
const outageAfter = 3

// answers counts what the feed's calls came to in this process.
type answers struct {
	sync.Mutex
	failed int
	since  time.Time
	known  bool // the store holds what down says
	down   bool
}

// innermost is the text of the error that all the others are wrapped around.
func innermost(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// noteAnswer keeps the beginning and the end of an outage; in between nothing is written. A plan that refuses one kind of call is none:
// there is another kind, up to the last.
func (a *Activities) noteAnswer(ctx context.Context, k calls.Kind, failure error) error {
	if footy.CodeOf(failure) == footy.CodeNotInPlan && k != calls.ID {
		return nil
	}
	a.answers.Lock()
	defer a.answers.Unlock()
	s, now := &a.answers, a.Now().UTC()
	if !s.known {
		var was Outage
		if err := a.Store.State(ctx, OutageKey, &was); err != nil && !footy.IsNotFound(err) {
			return err
		}
		s.known, s.down = true, !was.Since.IsZero()
	}
	is := Outage{}
	if failure != nil {
		if s.failed++; s.failed == 1 {
			s.since = now
		}
		if s.down || s.failed < outageAfter {
			return nil
		}
		is = Outage{Since: s.since, Code: footy.CodeOf(failure), Why: innermost(failure)}
	} else if s.failed = 0; !s.down {
		return nil
	}
	if err := a.Store.PutState(ctx, OutageKey, is); err != nil {
		return err
	}
	s.down = failure != nil
	return nil
}
