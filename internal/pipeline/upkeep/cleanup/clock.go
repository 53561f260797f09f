package cleanup

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// ClockKey is where Clock is kept.
const ClockKey = "retention_clock"

// Clock is what retention believes of the time: a clock that is days ahead would make everything old.
type Clock struct {
	At      time.Time `json:"at"`               // of the last look that was believed
	Doubted time.Time `json:"doubted,omitzero"` // of the last one, if it was not
}

// JumpBelieved is how far the clock may have gone on between two looks without an answer of the feed that bears it out.
const JumpBelieved = 3 * 24 * time.Hour

// clock reports whether an earlier look, or a match that the feed calls under way or played, bears out that it is now; nothing is
// deleted where neither does. The first look of a database counts as if one had been when it began, and one that cannot be read or
// is lost as none: then only the feed is believed.
func (a *Activities) clock(ctx context.Context, now time.Time) (known bool, err error) {
	var c Clock
	err = a.Store.State(ctx, ClockKey, &c)
	if err != nil && !footy.IsNotFound(err) && !errors.Is(err, store.ErrDamaged) {
		return false, err
	}
	if footy.IsNotFound(err) {
		is, err := owner.InstallationOf(ctx, a.Store)
		if err != nil && !footy.IsNotFound(err) {
			return false, err
		}
		if c.At = is.Began; err != nil { // no clip store was opened yet for it: there is nothing to delete
			c.At = now
		}
	}
	known = !errors.Is(err, store.ErrDamaged) && now.Sub(c.At) <= JumpBelieved
	if !known {
		if known, err = a.played(ctx, now); err != nil {
			return false, err
		}
	}
	if known {
		return true, a.Store.PutState(ctx, ClockKey, Clock{At: now})
	}
	if c.Doubted.IsZero() {
		activity.GetLogger(ctx).Warn("the clock has jumped ahead; nothing old is deleted", "action", "cleanup", "before", c.At, "now", now)
	}
	return false, a.Store.PutState(ctx, ClockKey, Clock{At: c.At, Doubted: now})
}

// played reports whether the feed says of a match that should have begun in the last days that it has.
func (a *Activities) played(ctx context.Context, now time.Time) (bool, error) {
	list, err := a.Store.List(ctx, store.FixtureQuery{From: now.Add(-JumpBelieved), To: now})
	for _, f := range list {
		if f.Match.Status.Info().Order > 1 {
			return true, err
		}
	}
	return false, err
}
