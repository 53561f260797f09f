package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// quotaFinding asks what the plan is, tries one real poll, and compares the calls a day costs with the present settings to what the
// plan allows. It costs two calls, or three where the plan is not known yet.
func (c *Checker) quotaFinding(ctx context.Context) Finding {
	f := Finding{Part: health.Part{Name: "feed plan", State: health.StateMissing, Reason: "no key, no plan"}}
	if c.opt.Config.Feed.Missing() {
		f.Remedy = "Set API_FOOTBALL_KEY, or FEED=espn."
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, 25*time.Second)
	defer cancel()
	if c.byESPN() {
		return c.scoreboardFinding(ctx)
	}
	now := time.Now().UTC()
	down := func(err error, remedy string) Finding {
		f.State, f.Reason, f.Remedy = health.StateDown, footy.UserMessage(err), remedy
		return f
	}
	account, err := c.opt.Feed.Account(ctx)
	if errors.Is(err, feed.ErrDaySpent) {
		f.State, f.Reason, f.Remedy = health.StateDegraded, daySpent, spentRemedy(now)
		return f
	}
	if err != nil {
		return down(err, FeedRemedy(err, c.opt.Config.Feed)+" No match is followed meanwhile.")
	}
	used := fmt.Sprintf("%s: %d of %d calls used today", planName(account.Plan), account.Used, account.DayLimit)
	spent := func() Finding {
		f.State, f.Reason, f.Remedy = health.StateDegraded, used+": "+daySpent, spentRemedy(now)
		return f
	}
	if account.Used >= account.DayLimit { // another call would only be refused
		return spent()
	}
	var plan calls.Plan
	if c.opt.Store != nil {
		if plan, err = monitor.Learned(ctx, c.opt.Store); err != nil {
			return down(err, awaitDatabase)
		}
	}
	plan.Name = account.Plan
	matches, whence, err := c.todaysMatches(ctx)
	switch {
	case errors.Is(err, feed.ErrDaySpent):
		return spent()
	case footy.CodeOf(err) == footy.CodeInvalid:
		f.State, f.Reason, f.Remedy = health.StateDegraded, used+"; the cost of a day is unknown until the followed matches are known", correctFollowed
		return f
	case err != nil:
		f = down(err, FeedRemedy(err, c.opt.Config.Feed))
		f.Reason = used + "; " + f.Reason
		return f
	}
	ids, kickoffs := idsAndKickoffs(matches)
	plan, tried, err := feed.Try(ctx, c.opt.Feed, plan, ids, time.Now().UTC())
	if errors.Is(err, feed.ErrDaySpent) {
		return spent()
	}
	if err != nil {
		return down(err, "A poll was tried and failed. "+FeedRemedy(err, c.opt.Config.Feed))
	}
	r := c.reckoning(plan)
	day := time.Now().UTC().Truncate(24 * time.Hour)
	d := r.Ahead(kickoffs, day, lifecycle.Midnight(day))
	need, each := d.Live+d.Staging+d.Fixed+lifecycle.DayLists, c.opt.Config.Track.PollEvery()
	f.State = health.StateOK
	f.Reason = fmt.Sprintf("%s; %s; today's %s (%s) cost about %d a day at one poll every %s",
		used, explain.PollWorks(tried.Kind, tried.Matches, plan), explain.Plural(len(matches), "match", "matches"), whence, need, each)
	if need > account.DayLimit {
		f.State = health.StateDegraded
		f.Remedy = "Polls will be stretched so that the calls last: goals come later, none is lost. Follow fewer matches (TRACK_LEAGUES, TRACK_TEAMS), raise MONITOR_INTERVAL or take a larger plan."
		played := r.Day(kickoffs, day, account.DayLimit, plan.MinuteLimit(c.opt.Feed.Quota().MinuteLimit))
		if played.Usual > 0 && plan.Refused(calls.IDs) {
			f.Reason += ", which is more than there are. " + explain.UpperFirst(explain.FollowedEvery(plan, played.Usual))
			if played.Unseen == 0 && played.Refused == 0 && played.Longest < slowLook {
				f.State, f.Remedy = health.StateOK, "" // as such a plan works every day
			}
		}
	}
	return f
}

func (c *Checker) byESPN() bool { return c.opt.Config.Feed.InCharge() == config.ESPN }

// correctFollowed points to the finding before this one.
const correctFollowed = "Correct the leagues and teams as advised above."

// unofficial is said of ESPN's scoreboard wherever it is named.
const unofficial = "ESPN's public scoreboard, without a key: unofficial, it may change or end any day"

// scoreboardFinding asks the feed that has no plan for today's matches.
func (c *Checker) scoreboardFinding(ctx context.Context) Finding {
	f := Finding{Part: health.Part{Name: "feed plan", State: health.StateOK}}
	matches, whence, err := c.todaysMatches(ctx)
	if err == nil && whence == "as stored" {
		_, err = c.opt.Feed.Account(ctx)
	}
	switch {
	case footy.CodeOf(err) == footy.CodeInvalid:
		f.State, f.Reason, f.Remedy = health.StateDegraded, unofficial+"; today's matches are unknown until it is known what is followed", correctFollowed
		return f
	case err != nil:
		f.State, f.Reason, f.Remedy = health.StateDown, footy.UserMessage(err), FeedRemedy(err, c.opt.Config.Feed)
		if network.NoAnswer(err) { // it does not matter to what
			f.Reason = "ESPN does not answer: " + footy.RootCause(err)
		}
		return f
	}
	f.Reason = fmt.Sprintf("%s; today %s (%s)", unofficial, explain.Plural(len(matches), "match", "matches"), whence)
	return f
}

// daySpent is what the vendor says in other words once a day's calls are used up.
const daySpent = "the day's calls are used up"

// spentRemedy tells when there are calls again.
func spentRemedy(now time.Time) string {
	return fmt.Sprintf("They come back at 00:00 UTC, in %s; until then no match is looked at. A larger plan avoids it.", explain.Spoken(lifecycle.Midnight(now).Sub(now).Truncate(time.Minute)))
}

// FeedRemedy is what to do about a call that failed.
func FeedRemedy(err error, f config.Feed) string {
	switch code := footy.CodeOf(err); {
	case errors.Is(err, feed.ErrDaySpent):
		return spentRemedy(time.Now().UTC())
	case code == footy.CodeRateLimited:
		return "Try again in a minute."
	case f.InCharge() == config.ESPN && (code == footy.CodeAuthRequired || code == footy.CodeNotFound):
		return "ESPN's scoreboard is unofficial: it may refuse this machine, or have ended. A free key of api-football.com (API_FOOTBALL_KEY, with a new STATE_DIR) takes its place."
	case f.InCharge() == config.ESPN && network.NoAnswer(err):
		return "Is this machine online? If it is, correct ESPN_URL, or try again in a minute."
	case code == footy.CodeAuthRequired || code == footy.CodeNotInPlan:
		return "Check API_FOOTBALL_KEY, and your account at api-football.com."
	case errors.Is(err, feed.ErrWrongAddress):
		return "Correct API_FOOTBALL_URL; where it is not set, API-Football itself is asked."
	case network.NoAnswer(err):
		return "Is this machine online? If it is, correct API_FOOTBALL_URL, or try again in a minute."
	}
	return "The vendor has a trouble of its own: try again in a minute."
}

// slowLook is how long a live match may go without a look on a plan that carries the day.
const slowLook = 10 * time.Minute

// usualPace is how often a live match of today is looked at on a plan, as doctor tells it, too; 0 where no match of today is known. While
// today's list is missing, those that earlier days' lists told of are polled, so the pace is theirs.
func (c *Checker) usualPace(ctx context.Context, plan calls.Plan, perDay, perMinute int, now time.Time) time.Duration {
	kickoffs, err := c.storedKickoffs(ctx, now)
	if err != nil || len(kickoffs) == 0 || perDay <= 0 {
		return 0
	}
	return c.reckoning(plan).Day(kickoffs, now.Truncate(24*time.Hour), perDay, plan.MinuteLimit(perMinute)).Usual
}

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
	if out, listed, err := c.storedMatches(ctx, now); listed {
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

// storedKickoffs are those of the matches that are known to be followed today, also before today's list is there.
func (c *Checker) storedKickoffs(ctx context.Context, now time.Time) ([]time.Time, error) {
	matches, _, err := c.storedMatches(ctx, now)
	_, kickoffs := idsAndKickoffs(matches)
	return kickoffs, err
}

// storedMatches are those known to be followed today; listed tells whether today's list is among what is known.
func (c *Checker) storedMatches(ctx context.Context, now time.Time) (out []footy.Match, listed bool, err error) {
	var last ingest.LastIngest
	if c.opt.Store == nil {
		return nil, false, nil
	}
	if err := c.opt.Store.State(ctx, ingest.StateKey, &last); err != nil && !footy.IsNotFound(err) {
		return nil, false, err
	}
	day := now.Truncate(24 * time.Hour)
	fixtures, err := c.opt.Store.List(ctx, store.FixtureQuery{From: day, To: day.AddDate(0, 0, 1)})
	for _, f := range fixtures {
		out = append(out, f.Match)
	}
	return out, last.Date == now.Format(time.DateOnly), err
}

func planName(name string) string {
	if name = strings.TrimSpace(name); name == "" {
		return "your plan"
	}
	return "plan " + name
}
