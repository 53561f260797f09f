// Package feed is where fixtures and their events come from.
package feed

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// MaxIDs is the most fixtures one by-id call can return.
const MaxIDs = 20

// Feed is the port. An answer that cannot be trusted is an error, never an empty list.
type Feed interface {
	// Day returns the fixtures of one UTC date, without events.
	Day(ctx context.Context, date time.Time) ([]footy.Snapshot, error)
	// ByIDs returns at most MaxIDs fixtures with their events. Fixtures that the answer failed to return, or returned
	// without an events list, are in Failed with the reason: theirs is a failed poll, the others' is not.
	ByIDs(ctx context.Context, ids []int64) (Answer, error)
	// Quota tells what the vendor last said of the calls left.
	Quota() Quota
}

// Answer is the result of one by-id call.
type Answer struct {
	Snapshots []footy.Snapshot
	Failed    map[int64]string
}

// Quota is the vendor's own count; fields are -1 where unknown.
type Quota struct {
	DayLimit, DayRemaining       int
	MinuteLimit, MinuteRemaining int
	At                           time.Time
}
