package ingest

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// StateKey is where LastIngest is kept.
const StateKey = "ingest"

// LastIngest tells whether today's list is there, and why not: Monitor asks again by it, Health shows it.
type LastIngest struct {
	Date   string     `json:"date"`             // of the newest list that was read on its own day (UTC)
	At     time.Time  `json:"at"`               // when
	Until  string     `json:"until,omitempty"`  // the latest date that was listed
	Beyond string     `json:"beyond,omitempty"` // the first date that the plan does not list
	Since  time.Time  `json:"since,omitzero"`   // of the first try that failed since a list of the day was read; zero if none did
	Tried  time.Time  `json:"tried,omitzero"`   // of the last such try
	Code   footy.Code `json:"code,omitempty"`
	Why    string     `json:"why,omitempty"`
}

// note keeps what came of the list of one date.
func (a *Activities) note(ctx context.Context, date time.Time, s Stored, failure error, now time.Time) error {
	day, today := date.UTC().Format(time.DateOnly), now.Format(time.DateOnly)
	if day < today || failure != nil && day != today {
		return nil // what is missing of another day is asked for again tomorrow
	}
	var l LastIngest
	if err := a.Store.State(ctx, StateKey, &l); err != nil && !footy.IsNotFound(err) {
		return err
	}
	switch {
	case failure != nil:
		if l.Since.IsZero() {
			l.Since = now
		}
		l.Tried, l.Code, l.Why = now, footy.CodeOf(failure), footy.UserMessage(failure)
	case s.Beyond:
		if l.Beyond == "" || day < l.Beyond {
			l.Beyond = day
		}
	case day == today:
		l = LastIngest{Date: day, At: now, Until: day}
	default:
		l.Until = max(l.Until, day)
	}
	return a.Store.PutState(ctx, StateKey, l)
}

func sameDay(a, b time.Time) bool {
	return a.UTC().Format(time.DateOnly) == b.UTC().Format(time.DateOnly)
}
