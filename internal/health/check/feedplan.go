package check

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/rule/calls"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/store"
)

// quotaFinding asks what the plan is, tries one real poll, and compares the calls a day costs with the present settings to what the
// plan allows. It costs two calls, or three where the plan is not known yet.
func (c *Checker) quotaFinding(ctx context.Context) Finding {
	f := Finding{Part: health.Part{Name: "feed plan", State: health.StateMissing, Reason: "no key, no plan"}}
	if c.opt.Config.Feed.Key == "" {
		f.Remedy = "Set API_FOOTBALL_KEY."
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, 25*time.Second)
	defer cancel()
	down := func(err error, remedy string) Finding {
		f.State, f.Reason, f.Remedy = health.StateDown, footy.UserMessage(err), remedy
		return f
	}
	account, err := c.opt.Feed.Account(ctx)
	if err != nil {
		return down(err, "Check API_FOOTBALL_KEY and API_FOOTBALL_URL; no match is followed meanwhile.")
	}
	var plan calls.Plan
	if c.opt.Store != nil {
		if plan, err = monitor.Learned(ctx, c.opt.Store); err != nil {
			return down(err, awaitDatabase)
		}
	}
	plan.Name = account.Plan
	matches, whence, err := c.todaysMatches(ctx)
	if err != nil {
		return down(err, "Try again in a minute.")
	}
	ids, kickoffs := idsAndKickoffs(matches)
	plan, tried, err := feed.Try(ctx, c.opt.Feed, plan, ids, time.Now().UTC())
	if err != nil {
		return down(err, "A poll was tried and failed. Check API_FOOTBALL_KEY, and your account at api-football.com.")
	}
	r := c.reckoning(plan)
	day := time.Now().UTC().Truncate(24 * time.Hour)
	d := r.Ahead(kickoffs, day, lifecycle.Midnight(day))
	need, each := d.Live+d.Staging+d.Fixed+lifecycle.DayLists, c.opt.Config.Track.PollEvery()
	f.State = health.StateOK
	f.Reason = fmt.Sprintf("%s: %d of %d calls used today; %s; today's %s (%s) cost about %d a day at one poll every %s",
		planName(account.Plan), account.Used, account.DayLimit, explain.PollWorks(tried.Kind, tried.Matches, plan), explain.Plural(len(matches), "match", "matches"), whence, need, each)
	if need > account.DayLimit {
		f.State = health.StateDegraded
		f.Remedy = "Polls will be stretched so that the calls last: goals come later, none is lost. Follow fewer matches (TRACK_LEAGUES, TRACK_TEAMS), raise MONITOR_INTERVAL or take a larger plan."
		played := r.Forecast(kickoffs, day, lifecycle.Quota{DayLimit: account.DayLimit, DayRemaining: max(0, account.DayLimit-lifecycle.DayLists),
			MinuteLimit: plan.MinuteLimit(c.opt.Feed.Quota().MinuteLimit)})
		if played.Usual > 0 && plan.Refused(calls.IDs) {
			f.Reason += ", which is more than there are. " + explain.UpperFirst(explain.FollowedEvery(plan, played.Usual.Round(10*time.Second)))
			if played.Unseen == 0 && played.Refused == 0 && played.Longest < slowLook {
				f.State, f.Remedy = health.StateOK, "" // as such a plan works every day
			}
		}
	}
	return f
}

// slowLook is how long a live match may go without a look on a plan that carries the day.
const slowLook = 10 * time.Minute

// reckoning is what the costs of polling depend on with these settings.
func (c *Checker) reckoning(plan calls.Plan) lifecycle.Reckoning {
	t := c.opt.Config.Track
	return lifecycle.Reckoning{Windows: c.opt.Windows, Cycle: t.PollEvery(), Minute: time.Minute / time.Duration(max(t.TimeScale, 1)), Together: feed.MaxIDs,
		Can: plan.Can(time.Now().UTC())}
}

// idsAndKickoffs takes a day's matches apart, those under way first: to ask for one of them tells most.
func idsAndKickoffs(matches []footy.Match) (ids []int64, kickoffs []time.Time) {
	for _, m := range matches {
		kickoffs = append(kickoffs, m.Kickoff)
		if m.Status.InPlay() {
			ids = slices.Insert(ids, 0, m.ID)
		} else {
			ids = append(ids, m.ID)
		}
	}
	return ids, kickoffs
}

// todaysMatches are those that are followed: as stored, else one call asks for the day's list.
func (c *Checker) todaysMatches(ctx context.Context) (out []footy.Match, whence string, err error) {
	now := time.Now().UTC()
	if out, known, err := c.storedMatches(ctx, now); known {
		return out, "as stored", err
	}
	followed, err := c.opt.Follows.Follow(ctx)
	if err != nil {
		return nil, "", err
	}
	list, err := c.opt.Feed.Day(ctx, now)
	for _, s := range list {
		if lifecycle.Tracked(s, followed) {
			out = append(out, s.Match)
		}
	}
	return out, "asked now", footy.Wrap(footy.CodeUnavailable, "list today's matches", err)
}

// storedKickoffs are those of the matches followed today; not known before today's list is there.
func (c *Checker) storedKickoffs(ctx context.Context, now time.Time) ([]time.Time, bool, error) {
	matches, known, err := c.storedMatches(ctx, now)
	_, kickoffs := idsAndKickoffs(matches)
	return kickoffs, known, err
}

// storedMatches are those followed today; not known before today's list is there.
func (c *Checker) storedMatches(ctx context.Context, now time.Time) (out []footy.Match, known bool, err error) {
	var last ingest.LastIngest
	if c.opt.Store == nil {
		return nil, false, nil
	}
	if err := c.opt.Store.State(ctx, ingest.StateKey, &last); err != nil && !footy.IsNotFound(err) {
		return nil, false, err
	}
	if last.Date != now.Format(time.DateOnly) {
		return nil, false, nil
	}
	day := now.Truncate(24 * time.Hour)
	fixtures, err := c.opt.Store.List(ctx, store.FixtureQuery{From: day, To: day.AddDate(0, 0, 1)})
	for _, f := range fixtures {
		out = append(out, f.Match)
	}
	return out, true, err
}

func planName(name string) string {
	if name = strings.TrimSpace(name); name == "" {
		return "your plan"
	}
	return "plan " + name
}
