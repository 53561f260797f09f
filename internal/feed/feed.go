// Package feed is where fixtures and their events come from.
package feed

import (
	"context"
	"maps"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// MaxIDs is the most fixtures one by-id call can return.
const MaxIDs = 20

// Feed is the port. An answer that cannot be trusted is an error, never an empty list.
type Feed interface {
	// Day returns the fixtures of one UTC date, without events. A date that the plan does not reach is CodeNotInPlan.
	Day(ctx context.Context, date time.Time) ([]footy.Snapshot, error)
	// ByIDs returns at most MaxIDs fixtures with their events, in one call. Fixtures that the answer failed to return, or returned
	// without an events list, are in Failed with the reason: theirs is a failed poll, the others' is not. A plan that does not allow
	// to ask for several matches at once is CodeNotInPlan.
	ByIDs(ctx context.Context, ids []int64) (Answer, error)
	// ByID returns one fixture with its events, on plans that do not allow ByIDs, too.
	ByID(ctx context.Context, id int64) (Answer, error)
	// Live returns every fixture under way with its events, in one call. It tells nothing of a fixture that it lacks; entries that
	// cannot be trusted are in Failed.
	Live(ctx context.Context) (Answer, error)
	// Account asks about the plan; that costs none of its calls.
	Account(ctx context.Context) (Account, error)
	// Quota tells what the vendor last said of the calls left.
	Quota() Quota
}

// Finder looks up what people call teams and leagues. Nobody found is an empty list; could not look is an error, and so is a name of
// fewer than three letters (CodeInvalid). What is found may only resemble the name.
type Finder interface {
	Teams(ctx context.Context, name string) ([]footy.Team, error)
	Leagues(ctx context.Context, name string) ([]footy.League, error)
}

// Answer is the result of one call.
type Answer struct {
	Snapshots []footy.Snapshot
	Failed    map[int64]string
}

// Absent is in Answer.Failed of a fixture that the feed does not have.
const Absent = "the answer does not contain it"

// Named returns fixtures by their ids on every plan: MaxIDs in a call, or one by one where the plan allows no more. It ends at the
// first call that fails.
func Named(ctx context.Context, f Feed, ids []int64) (Answer, error) {
	all, single := Answer{Failed: map[int64]string{}}, false
	for len(ids) > 0 {
		n, ask := min(len(ids), MaxIDs), f.ByIDs
		if single {
			n, ask = 1, func(ctx context.Context, ids []int64) (Answer, error) { return f.ByID(ctx, ids[0]) }
		}
		a, err := ask(ctx, ids[:n])
		if !single && footy.CodeOf(err) == footy.CodeNotInPlan {
			single = true
			continue
		}
		if err != nil {
			return all, err
		}
		all.Snapshots = append(all.Snapshots, a.Snapshots...)
		maps.Copy(all.Failed, a.Failed)
		ids = ids[n:]
	}
	return all, nil
}

// Quota is the vendor's own count; fields are -1 where unknown.
type Quota struct {
	DayLimit        int       `json:"day_limit"`
	DayRemaining    int       `json:"day_remaining"`
	MinuteLimit     int       `json:"minute_limit"`
	MinuteRemaining int       `json:"minute_remaining"`
	At              time.Time `json:"at"`
}

// AsOf is what of the count still holds later: after midnight UTC the day's calls are whole again.
func (q Quota) AsOf(now time.Time) Quota {
	if q.At.IsZero() {
		return q
	}
	if !sameDay(q.At, now) {
		q.DayRemaining = q.DayLimit
	}
	if now.Sub(q.At) >= time.Minute {
		q.MinuteRemaining = q.MinuteLimit
	}
	return q
}

// News reports whether the count moved so far from an earlier one that others should know: a hundredth of the plan, its end, a
// new day or a new plan.
func (q Quota) News(was Quota) bool {
	moved := was.DayRemaining - q.DayRemaining
	return was.At.IsZero() || q.DayLimit != was.DayLimit || q.MinuteLimit != was.MinuteLimit || !sameDay(was.At, q.At) ||
		(q.DayRemaining == 0) != (was.DayRemaining == 0) || max(moved, -moved) >= max(1, q.DayLimit/100)
}

func sameDay(a, b time.Time) bool {
	return a.UTC().Format(time.DateOnly) == b.UTC().Format(time.DateOnly)
}

// Account is what the vendor says of the plan.
type Account struct {
	Plan     string
	DayLimit int
	Used     int
}
