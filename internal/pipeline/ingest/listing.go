package ingest

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// StateKey is where LastIngest is kept.
const StateKey = "ingest"

// LastIngest tells whether today's list is there, and why not: Monitor asks again by it, Health shows it.
type LastIngest struct {
	Date          string           `json:"date"`               // of the newest list that was read on its own day (UTC)
	At            time.Time        `json:"at"`                 // when
	Followed      string           `json:"followed,omitempty"` // what was followed then, as lifecycle.Follow writes it
	follow.Choice                  // the same, with the names that are known
	Unknown       []follow.Unknown `json:"unknown,omitempty"` // ids in the settings that the feed does not know
	Until         string           `json:"until,omitempty"`   // the latest date that was listed
	Beyond        string           `json:"beyond,omitempty"`  // the first date that the plan does not list
	Since         time.Time        `json:"since,omitzero"`    // of the first try that failed since a list of the day was read; zero if none did
	Tried         time.Time        `json:"tried,omitzero"`    // of the last such try
	Code          footy.Code       `json:"code,omitempty"`
	Why           string           `json:"why,omitempty"`
	Unreached     bool             `json:"unreached,omitempty"` // the last try had no answer that a plan counts
	Offline       bool             `json:"offline,omitempty"`   // because this machine, or another worker's, had no network
}

// Tries are those for today's list.
func (l LastIngest) Tries() lifecycle.ListTries {
	return lifecycle.ListTries{Listed: l.Date, Since: l.Since, Tried: l.Tried, Unreached: l.Unreached}
}

// listing is what came of the list of one date.
type listing struct {
	date    time.Time
	follow  lifecycle.Follow
	choice  follow.Choice
	unknown []follow.Unknown
	stored  Stored
	failure error
}

// note keeps what came of a list.
func (a *Activities) note(ctx context.Context, of listing, now time.Time) error {
	day, today := of.date.UTC().Format(time.DateOnly), now.Format(time.DateOnly)
	if day < today || of.failure != nil && day != today {
		return nil // what is missing of another day is asked for again tomorrow
	}
	l, err := store.Fact[LastIngest](ctx, a.Store, StateKey)
	if err != nil {
		return err
	}
	switch {
	case of.failure != nil:
		if l.Since.IsZero() {
			l.Since = now
		}
		l.Tried, l.Code, l.Why = now, footy.CodeOf(of.failure), footy.UserMessage(of.failure)
		l.Offline = network.Offline(of.failure)
		l.Unreached = network.NoAnswer(of.failure) || l.Code == footy.CodeUnavailable && a.Feed.Quota().DayLimit < 0
	case of.stored.Beyond:
		if l.Beyond == "" || day < l.Beyond {
			l.Beyond = day
		}
	case day == today:
		if err := a.dropUnfollowed(ctx, l.Followed, of.follow); err != nil {
			return err
		}
		l = LastIngest{Date: day, At: now, Until: day, Followed: of.follow.String(), Choice: of.choice, Unknown: of.unknown}
	default:
		l.Until = max(l.Until, day)
	}
	return a.Store.PutState(ctx, StateKey, l)
}

// dropUnfollowed deletes the matches that wait and that a change of the settings leaves out: each would be asked about until its end.
// Those under way, and those that a person named, stay.
func (a *Activities) dropUnfollowed(ctx context.Context, before string, now lifecycle.Follow) error {
	if before == "" || before == now.String() {
		return nil
	}
	waiting, err := a.Store.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageStaging}})
	if err != nil {
		return err
	}
	for _, f := range waiting {
		if f.Named || len(f.Events) > 0 || lifecycle.Tracked(footy.Snapshot{League: f.League, Teams: f.Teams}, now) {
			continue
		}
		if err := a.Cleanup.Erase(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

func sameDay(a, b time.Time) bool {
	return a.UTC().Format(time.DateOnly) == b.UTC().Format(time.DateOnly)
}
