// Package feed is where fixtures and their events come from.
package feed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// MaxIDs is the most fixtures one by-id call can return.
const MaxIDs = 20

// Feed is the port. An answer that cannot be trusted is an error, never an empty list.
type Feed interface {
	// Day returns the fixtures of one UTC date, without events. A date that the plan does not reach is CodeNotInPlan.
	Day(ctx context.Context, date time.Time) ([]footy.Snapshot, error)
	// ByIDs returns at most MaxIDs fixtures with their events. Fixtures that the answer failed to return, or returned without an events
	// list, are in Failed with the reason: theirs is a failed poll, the others' is not. Where the plan answers about one match by its id
	// (Quota.Single), some may be neither: they were not asked about.
	ByIDs(ctx context.Context, ids []int64) (Answer, error)
	// Parse reads what was Said of one match in an earlier answer.
	Parse(said []byte, answered time.Time) (footy.Snapshot, error)
	// WithIDs is what was Said, with the ids of our events beside the events of its Snapshot; "" where there is none.
	WithIDs(said []byte, ids []string) (json.RawMessage, error)
	// Account asks about the plan; that costs none of its calls.
	Account(ctx context.Context) (Account, error)
	// Quota tells what the vendor last said of the calls left.
	Quota() Quota
}

// What is looked up by name.
type What string

// What settings name.
const (
	Team   What = "team"
	League What = "league"
)

// Found is a team or a league.
type Found struct {
	ID                  int64
	Name, Country, Logo string
}

// Finder looks up what people call teams and leagues.
type Finder interface {
	// Find gives those that resemble a name. Nobody found is an empty list; could not look is an error, and so is a name of fewer than three
	// letters (ErrShortName).
	Find(ctx context.Context, what What, name string) ([]Found, error)
	// ByID is CodeNotFound where the feed knows none of this id.
	ByID(ctx context.Context, what What, id int64) (Found, error)
}

// Answer is what was answered about fixtures.
type Answer struct {
	Snapshots []footy.Snapshot
	Failed    map[int64]string
}

// Has reports whether a fixture is in it, with events or failed.
func (a Answer) Has(id int64) bool {
	return a.Failed[id] != "" || slices.ContainsFunc(a.Snapshots, func(s footy.Snapshot) bool { return s.Match.ID == id })
}

// ErrDaySpent is in the chain of errors that say that the plan's calls of this day are used up: the vendor's day ends at midnight UTC.
var ErrDaySpent = errors.New("the day's calls are used up; they come back at 00:00 UTC")

// ErrWrongAddress is in the chain of errors that say that whoever answered is not the vendor.
var ErrWrongAddress = errors.New("that is not API-Football")

// ErrShortName is in the chain of errors that say that a name is too short to search for.
var ErrShortName = errors.New("the feed finds nothing by fewer than three letters in a row")

// Absent is in Answer.Failed of a fixture that the feed does not have.
const Absent = "the answer does not contain it"

// Named returns fixtures by their ids on every plan. It ends at the first call that fails, or before one that the minute does not allow, with
// what was answered until then and the ids that are left.
func Named(ctx context.Context, f Feed, ids []int64) (all Answer, left []int64, err error) {
	all, left = Answer{Failed: map[int64]string{}}, slices.Clone(ids)
	for len(left) > 0 {
		n := min(len(left), MaxIDs)
		if f.Quota().Single {
			n = 1
		}
		a, err := f.ByIDs(ctx, left[:n])
		if err != nil {
			return all, left, err
		}
		all.Snapshots = append(all.Snapshots, a.Snapshots...)
		maps.Copy(all.Failed, a.Failed)
		left = slices.DeleteFunc(left, a.Has)
		if q := f.Quota(); len(left) > 0 && q.MinuteLimit > 0 && q.MinuteRemaining >= 0 && q.MinuteRemaining <= leftForPolls {
			spent := footy.Errorf(footy.CodeRateLimited, "ask fixtures", "the plan's calls of this minute are used up")
			spent.RetryAfter = time.Minute
			return all, left, spent
		}
	}
	return all, nil, nil
}

// leftForPolls is how many calls of a minute are left to polls of live matches; a call that is refused counts, too.
const leftForPolls = 1

// Quota is the vendor's own count; fields are -1 where unknown.
type Quota struct {
	DayLimit        int       `json:"day_limit"`
	DayRemaining    int       `json:"day_remaining"`
	MinuteLimit     int       `json:"minute_limit"`
	MinuteRemaining int       `json:"minute_remaining"`
	At              time.Time `json:"at"`
	Single          bool      `json:"single,omitempty"` // the plan answers about one match by its id, and about all that are under way
}

// UnknownQuota is the count of a vendor that has not told, or does not count.
func UnknownQuota() Quota {
	return Quota{DayLimit: -1, DayRemaining: -1, MinuteLimit: -1, MinuteRemaining: -1}
}

// AsOf is what of the count still holds later: after midnight UTC the day's calls are whole again, and the plan may be another.
func (q Quota) AsOf(now time.Time) Quota {
	if q.At.IsZero() {
		return q
	}
	if !sameDay(q.At, now) {
		q.DayRemaining, q.Single = q.DayLimit, false
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
	return was.At.IsZero() || q.DayLimit != was.DayLimit || q.MinuteLimit != was.MinuteLimit || q.Single != was.Single || !sameDay(was.At, q.At) ||
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

// Object opens what a feed said of one match. What a database cannot hold is replaced: a number of too many digits by its text, a NUL by nothing.
func Object(said []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(said))
	dec.UseNumber()
	var object map[string]any
	if err := dec.Decode(&object); err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "open what the feed said", err)
	}
	if object == nil {
		return nil, footy.Errorf(footy.CodeInvalid, "open what the feed said", "it is no object")
	}
	return storable(object).(map[string]any), nil // what an object becomes
}

func storable(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, each := range v {
			delete(v, name)
			v[strings.ReplaceAll(name, "\x00", "")] = storable(each)
		}
	case []any:
		for i := range v {
			v[i] = storable(v[i])
		}
	case string:
		return strings.ReplaceAll(v, "\x00", "")
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return v
		}
		if _, err := strconv.ParseFloat(v.String(), 64); err != nil || !strings.ContainsAny(v.String(), ".eE") {
			return v.String()
		}
	}
	return v
}

// SetIDs puts the id of each of our events beside the one that the feed listed; "" where there is none.
func SetIDs(events []any, ids []string) {
	for i := range min(len(events), len(ids)) {
		if e, ok := events[i].(map[string]any); ok && ids[i] != "" {
			e["_event_id"] = ids[i]
		}
	}
}
