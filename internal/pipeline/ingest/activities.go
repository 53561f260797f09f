package ingest

import (
	"context"
	"errors"
	"time"

	names "github.com/found-footy/found-footy/internal/alias"
	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/alias"
	"github.com/found-footy/found-footy/internal/pipeline/cleanup"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/store"
	"go.temporal.io/sdk/activity"
)

// Activities of the ingest.
type Activities struct {
	Store   store.Store
	Feed    feed.Feed
	Follow  lifecycle.Follow
	Windows lifecycle.Windows // scaled
	Cleanup *cleanup.Activities
	Page    footy.Publisher
	Now     func() time.Time
}

// Stored counts one day's fixtures by where they went; untracked ones are not counted.
type Stored struct {
	Fixtures, Staging, Active, Completed, Known int

	Beyond bool `json:",omitempty"` // the plan does not reach this date
}

// LastIngest is kept under StateKey, so that a start can tell whether today's list is there.
type LastIngest struct {
	Date string    `json:"date"`
	At   time.Time `json:"at"`
}

// StateKey of the last ingest.
const StateKey = "ingest"

// StoreDay fetches one date's list and puts each followed fixture into its stage.
func (a *Activities) StoreDay(ctx context.Context, date time.Time) (Stored, error) {
	now := a.Now().UTC()
	today := date.Format(time.DateOnly) == now.Format(time.DateOnly)
	list, err := a.Feed.Day(ctx, date)
	if footy.CodeOf(err) == footy.CodeNotInPlan && !today {
		// Small plans see a day or two ahead; today's matches must not wait for a larger one.
		activity.GetLogger(ctx).Warn("day not listed", "module", "ingest", "action", "list_day", "date", date.Format(time.DateOnly), "error", err)
		return Stored{Beyond: true}, nil
	}
	if err != nil {
		return Stored{}, err
	}
	s, err := a.put(ctx, list, true)
	if err != nil {
		return s, err
	}
	if today {
		err = a.Store.PutState(ctx, StateKey, LastIngest{Date: date.Format(time.DateOnly), At: now})
	}
	return s, err
}

// FetchByIDs is the manual mode: named fixtures are followed whatever their competition.
func (a *Activities) FetchByIDs(ctx context.Context, ids []int64) (Stored, error) {
	var sum Stored
	for len(ids) > 0 {
		n := min(len(ids), feed.MaxIDs)
		ans, err := a.Feed.ByIDs(ctx, ids[:n])
		if err != nil {
			return sum, err
		}
		s, err := a.put(ctx, ans.Snapshots, false)
		if err != nil {
			return sum, err
		}
		sum.Fixtures += s.Fixtures
		sum.Staging += s.Staging
		sum.Active += s.Active
		sum.Completed += s.Completed
		sum.Known += s.Known
		ids = ids[n:]
	}
	return sum, nil
}

func (a *Activities) put(ctx context.Context, list []footy.Snapshot, filter bool) (Stored, error) {
	var s Stored
	for _, snap := range list {
		if filter && !lifecycle.Tracked(snap, a.Follow) {
			continue
		}
		s.Fixtures++
		stage, added, err := a.one(ctx, snap, !filter)
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
	}
	if s.Fixtures > 0 {
		a.Page.Publish(ctx, "all")
	}
	return s, nil
}

// one adds a fixture or brings a known one up to date: a new date keeps the fixture and its events. One
// that cannot be read is left alone, or begun anew where a person named it.
func (a *Activities) one(ctx context.Context, snap footy.Snapshot, anew bool) (footy.Stage, bool, error) {
	now := a.Now().UTC()
	stage := lifecycle.Admit(snap, now, a.Windows)
	f := footy.Fixture{ID: snap.Match.ID, Stage: stage, Match: snap.Match, League: snap.League, Teams: snap.Teams,
		Score: snap.Score, Periods: snap.Periods, IngestedAt: now, UpdatedAt: now}
	if stage == footy.StageActive {
		f.ActivatedAt = now
	}
	if stage == footy.StageCompleted {
		f.CompletedAt = now
	}
	err := a.Store.Add(ctx, f)
	if footy.CodeOf(err) != footy.CodeConflict {
		return stage, err == nil, err
	}
	if err = a.known(ctx, snap, now); !errors.Is(err, store.ErrDamaged) {
		return stage, false, err
	}
	if !anew { // the other matches of the day must not wait for it
		activity.GetLogger(ctx).Error("fixture cannot be read", "module", "ingest", "action", "store", "fixture_id", snap.Match.ID, "error", err)
		return stage, false, nil
	}
	if err := a.Cleanup.Erase(ctx, footy.Fixture{ID: snap.Match.ID}); err != nil {
		return stage, false, err
	}
	err = a.Store.Add(ctx, f)
	return stage, err == nil, err
}

// Missing lists the teams of coming fixtures whose names nobody looked up yet.
func (a *Activities) Missing(ctx context.Context) ([]alias.Input, error) {
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageStaging, footy.StageActive}})
	if err != nil {
		return nil, err
	}
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
				out = append(out, alias.Input{Team: t, Country: f.League.Country, National: f.League.National()})
			} else if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
