package ingest

import (
	"context"
	"errors"
	"slices"
	"time"

	"go.temporal.io/sdk/activity"

	names "github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// Activities of the ingest.
type Activities struct {
	Store   store.Store
	Feed    feed.Feed
	Follow  func(context.Context) (lifecycle.Follow, error)                // which fixtures; an error where that is not known now
	Known   func(context.Context) (follow.Choice, []follow.Unknown, error) // idem, in names, and which ids the feed does not know; nil: nobody is asked
	Windows lifecycle.Windows                                              // scaled
	Cleanup *cleanup.Activities
	Page    footy.Publisher
	Now     func() time.Time
	Minute  time.Duration // that the vendor counts calls by, scaled; 0 = a minute
	Met     func()        // called when fixtures were stored, one of which may begin soon
}

// Stored counts one day's fixtures by where they went; untracked ones are not counted.
type Stored struct {
	Fixtures, Staging, Active, Completed, Known int

	Beyond  bool    `json:",omitempty"` // the plan does not list this date
	Offline bool    `json:",omitempty"` // nothing could be asked: this machine has no network, and a second try finds none either
	Named   []Named `json:",omitempty"` // of FetchByIDs: what became of each, in the order asked

	// Of FetchByIDs: who was not asked about yet, and how long to wait before, because the plan allows so many calls a minute (0: not told).
	Left  []int64       `json:",omitempty"`
	Pause time.Duration `json:",omitempty"`
}

// Named is what became of a fixture that a person named.
type Named struct {
	ID      int64       `json:"id"`
	Match   string      `json:"match,omitempty"`
	Kickoff time.Time   `json:"kickoff,omitzero"`
	Stage   footy.Stage `json:"stage,omitempty"`   // where it is now
	Known   bool        `json:"known,omitempty"`   // it was there before
	Expired bool        `json:"expired,omitempty"` // older than fixtures are kept: the next ingest of the day deletes it
	Absent  bool        `json:"absent,omitempty"`  // the feed has no such fixture
	Failed  string      `json:"failed,omitempty"`  // why the feed's answer about it cannot be used
}

// StoreDay is StoreDay, as workflows call it.
var StoreDay = policy.Define[time.Time, Stored]("categorize_and_store_fixtures", policy.Row{Queue: policy.QueueMain, Timeout: time.Minute, Heartbeat: 20 * time.Second, Tries: 3, Budget: 4 * time.Minute,
	Why: "one vendor call and one write per tracked fixture, without which nothing is followed: if its worker dies another must take over soon; a plan whose calls are used up until midnight must not hold up the other days"})

// StoreDay fetches one date's list and puts each followed fixture into its stage.
func (a *Activities) StoreDay(ctx context.Context, date time.Time) (Stored, error) {
	stop := policy.Heartbeats(ctx)
	defer stop()
	now := a.Now().UTC()
	followed, err := a.Follow(ctx)
	of := listing{date: date, follow: followed}
	if err == nil {
		of.stored, err = a.storeDay(ctx, date, now, followed)
	}
	if of.failure = err; err == nil && a.Known != nil && sameDay(date, now) {
		of.choice, of.unknown = a.inNames(ctx)
	}
	if noted := a.note(ctx, of, now); err == nil || noted == nil && network.Offline(err) {
		of.stored.Offline, err = err != nil, noted
	}
	return of.stored, err
}

// askTime bounds what a list waits for the names of what is followed.
const askTime = 20 * time.Second

// inNames is what is followed in names. A list is good without them: where they cannot be had, the next one brings them.
func (a *Activities) inNames(ctx context.Context) (follow.Choice, []follow.Unknown) {
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	choice, unknown, err := a.Known(asking)
	if err != nil {
		activity.GetLogger(ctx).Warn("the names of what is followed are not known yet", "module", "ingest", "action", "list_day", "error", err)
	}
	return choice, unknown
}

func (a *Activities) storeDay(ctx context.Context, date, now time.Time, follow lifecycle.Follow) (Stored, error) {
	list, err := a.Feed.Day(ctx, date)
	if footy.CodeOf(err) == footy.CodeNotInPlan && !sameDay(date, now) {
		// Small plans see a day or two ahead; that is no outage.
		activity.GetLogger(ctx).Info("the plan does not list this day", "module", "ingest", "action", "list_day", "date", date.Format(time.DateOnly), "error", err)
		return Stored{Beyond: true}, nil
	}
	if err != nil {
		return Stored{}, err
	}
	list = slices.DeleteFunc(list, func(s footy.Snapshot) bool { return !lifecycle.Tracked(s, follow) })
	return a.put(ctx, list, false)
}

func (a *Activities) put(ctx context.Context, list []footy.Snapshot, named bool) (Stored, error) {
	s := Stored{Fixtures: len(list)}
	for _, snap := range list {
		stage, added, err := a.one(ctx, snap, named)
		if err != nil {
			return s, err
		}
		switch {
		case !added:
			s.Known++
		case stage == footy.StageStaging:
			s.Staging++
		case stage == footy.StageCompleted:
			s.Completed++
		default:
			s.Active++
		}
		if named {
			s.Named = append(s.Named, Named{ID: snap.Match.ID, Match: snap.Teams.Home.Name + " - " + snap.Teams.Away.Name, Kickoff: snap.Match.Kickoff,
				Stage: stage, Known: !added, Expired: a.Now().Sub(snap.Match.Kickoff) > a.Cleanup.Keep.Fixtures})
		}
	}
	if s.Fixtures > 0 {
		a.Page.Publish(ctx, "all")
		if a.Met != nil {
			a.Met()
		}
	}
	return s, nil
}

// one adds a fixture or brings a known one up to date: a new date keeps the fixture and its events. One
// that cannot be read is left alone, or begun anew where a person named it. It tells the fixture's stage.
func (a *Activities) one(ctx context.Context, snap footy.Snapshot, named bool) (stage footy.Stage, added bool, err error) {
	now := a.Now().UTC()
	if stage = lifecycle.Admit(snap, now, a.Windows); named {
		stage = lifecycle.AdmitNamed(snap, now, a.Windows)
	}
	f := footy.Fixture{ID: snap.Match.ID, Stage: stage, Match: snap.Match, League: snap.League, Teams: snap.Teams,
		Score: snap.Score, Periods: snap.Periods, IngestedAt: now, UpdatedAt: now, Named: named}
	if stage == footy.StageActive {
		f.ActivatedAt = now
	}
	if stage == footy.StageCompleted {
		f.CompletedAt = now
	}
	err = a.Store.Add(ctx, f)
	if footy.CodeOf(err) != footy.CodeConflict {
		return stage, err == nil, err
	}
	was, err := a.known(ctx, snap, now, named)
	if !errors.Is(err, store.ErrDamaged) {
		return was.Stage, false, err
	}
	if !named { // the other matches of the day must not wait for it
		activity.GetLogger(ctx).Error("fixture cannot be read", "module", "ingest", "action", "store", "fixture_id", snap.Match.ID, "error", err)
		return stage, false, nil
	}
	if err := a.Cleanup.Erase(ctx, footy.Fixture{ID: snap.Match.ID}); err != nil {
		return stage, false, err
	}
	err = a.Store.Add(ctx, f)
	return stage, err == nil, err
}

// MissingAliases is Missing, as workflows call it.
var MissingAliases = policy.Define[policy.Nothing, []alias.Input]("find_missing_aliases", policy.Row{Queue: policy.QueueMain, Timeout: 30 * time.Second, Tries: 3,
	Why: "reads the cache once per team"})

// mostTeams is how many teams one ingest looks up; the others come with the next one, or with their goal.
const mostTeams = 400

// Missing lists the teams of coming fixtures whose names nobody looked up yet.
func (a *Activities) Missing(ctx context.Context) ([]alias.Input, error) {
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageStaging, footy.StageActive}})
	if err != nil {
		return nil, err
	}
	// A goal of a match under way is searched for in a minute, the others have time.
	slices.SortStableFunc(fixtures, func(a, b footy.Fixture) int { return rank(a.Stage) - rank(b.Stage) })
	seen := map[int64]bool{}
	var out []alias.Input
	for _, f := range fixtures {
		for _, t := range []footy.Team{f.Teams.Home, f.Teams.Away} {
			if seen[t.ID] || t.ID == 0 {
				continue
			}
			seen[t.ID] = true
			known, err := a.Store.Aliases(ctx, t.ID)
			if footy.IsNotFound(err) || err == nil && names.Stale(known, a.Now()) {
				if out = append(out, alias.Of(t, f.League)); len(out) == mostTeams {
					return out, nil
				}
			} else if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func rank(s footy.Stage) int {
	if s == footy.StageActive {
		return 0
	}
	return 1
}

// known brings a fixture up to date that was there before. A running match is Monitor's: a day list may be minutes old. One that
// is over and that a person named is followed again if something is left to find.
func (a *Activities) known(ctx context.Context, snap footy.Snapshot, now time.Time, named bool) (footy.Fixture, error) {
	return a.Store.Update(ctx, snap.Match.ID, func(old *footy.Fixture) ([]footy.Entry, error) {
		marked := named && !old.Named
		old.Named = old.Named || named
		if again := lifecycle.Reopens(*old, a.Windows); named && again.To != "" {
			old.UpdatedAt = now
			lifecycle.Apply(old, again, now)
			return []footy.Entry{again.Entry(old.ID, string(again.Reason)+"/"+now.UTC().Format(time.RFC3339), now)}, nil
		}
		updated := *old
		lifecycle.Merge(&updated, snap, now)
		if old.Stage == footy.StageActive || !lifecycle.Changed(*old, updated, a.Windows) {
			if marked {
				return nil, nil
			}
			return nil, store.ErrUnchanged
		}
		updated.LastMonitor = old.LastMonitor // a day list has no events: it is no poll
		news := lifecycle.News(*old, updated, a.Windows)
		if old.Stage == footy.StageCompleted {
			// Nobody polls it any more, so this is where a match that was called off gets its new date.
			if news = lifecycle.Plan(updated, now, a.Windows); news.To == "" {
				return nil, store.ErrUnchanged
			}
		}
		*old = updated
		if news.Kind == "" {
			return nil, nil
		}
		if news.To != "" && news.To != old.Stage {
			old.UpdatedAt = now
			lifecycle.Apply(old, news, now)
		}
		return []footy.Entry{news.Entry(old.ID, old.Match.Kickoff.UTC().Format(time.RFC3339), now)}, nil
	})
}
