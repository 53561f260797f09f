package check

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// plan asks what the plan is, tries one real poll, and says how often live matches can be polled. It costs two calls, or three
// where the plan refuses several matches by id. ESPN's scoreboard has no plan: it is asked for today's matches.
func (c *Checker) plan(ctx context.Context) health.Part {
	f := health.Part{Name: feedPlan, State: health.StateOK}
	if c.opt.Config.Feed.Missing() {
		f.State, f.Reason, f.Remedy = health.StateMissing, "no key, no plan", "Set API_FOOTBALL_KEY, or FEED=espn."
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, 25*time.Second)
	defer cancel()
	fail := func(known string, err error) health.Part {
		f.State, f.Reason, f.Remedy = health.StateDown, known+footy.UserMessage(err), FeedRemedy(err, c.opt.Config.Feed)
		switch {
		case errors.Is(err, feed.ErrDaySpent):
			f.State, f.Reason = health.StateDegraded, known+daySpent
		case footy.CodeOf(err) == footy.CodeInvalid:
			f.State, f.Reason = health.StateDegraded, known+"today's matches are unknown until it is known what is followed"
			f.Remedy = "Correct the leagues and teams as advised above."
		case c.byESPN() && network.NoAnswer(err): // it does not matter to what
			f.Reason = "ESPN does not answer: " + footy.RootCause(err)
		case c.byESPN():
			f.Reason = known + footy.RootCause(err)
		}
		return f
	}
	account, err := c.opt.Feed.Account(ctx)
	if err != nil {
		if f = fail("", err); f.State == health.StateDown {
			f.Remedy += " No match is followed meanwhile."
		}
		return f
	}
	known := unofficial
	if !c.byESPN() {
		known = fmt.Sprintf("%s: %d of %d calls used today", planName(account.Plan), account.Used, account.DayLimit)
		if account.Used >= account.DayLimit { // another call would only be refused
			return fail(known+": ", feed.ErrDaySpent)
		}
	}
	matches, whence, err := c.todaysMatches(ctx)
	if err == nil && len(matches) > 0 && !c.byESPN() {
		_, err = c.opt.Feed.ByIDs(ctx, []int64{matches[0].ID})
	}
	if err != nil {
		return fail(known+": ", err)
	}
	f.Reason = fmt.Sprintf("%s; today %s (%s)", known, explain.Plural(len(matches), "match", "matches"), whence)
	cycle, now := c.opt.Config.Track.PollEvery(), time.Now().UTC()
	if !c.byESPN() && lifecycle.Every(cycle, 24*time.Hour, account.DayLimit, 1) > cycle {
		f.Reason += "; " + explain.Pace(cycle, lifecycle.Every(cycle, lifecycle.Midnight(now).Sub(now), account.DayLimit-account.Used, 1))
		f.Remedy = fasterFeed
	}
	return f
}

// fasterFeed is what to do about a plan that is too small to poll each cycle.
const fasterFeed = "ESPN's scoreboard without a key is faster (FEED=espn, with a new STATE_DIR), and so is a larger plan."

func (c *Checker) byESPN() bool { return c.opt.Config.Feed.InCharge() == config.ESPN }

// unofficial is said of ESPN's scoreboard wherever it is named.
const unofficial = "ESPN's public scoreboard, without a key: unofficial, it may change or end any day"

// daySpent is what the vendor says in other words once a day's calls are used up.
const daySpent = "the day's calls are used up"

// spentRemedy says when there are calls again.
func spentRemedy(now time.Time) string {
	return fmt.Sprintf("They come back at 00:00 UTC, in %s; until then no match is looked at. A larger plan avoids it.", explain.Spoken(lifecycle.Midnight(now).Sub(now).Truncate(time.Minute)))
}

// feedPlan is the name of doctor's line on it.
const feedPlan = "feed plan"

// FeedRemedy is what to do about a call that failed.
func FeedRemedy(err error, f config.Feed) string {
	switch code := footy.CodeOf(err); {
	case errors.Is(err, feed.ErrDaySpent):
		return spentRemedy(time.Now().UTC())
	case network.Offline(err):
		return offlineRemedy
	case code == footy.CodeRateLimited:
		return "Try again in a minute."
	case f.InCharge() == config.ESPN && code == footy.CodeAuthRequired:
		return "ESPN refuses some user agents: set FEED_USER_AGENT to another honest name (found-footy/1.2 (+https://your.page)). If it refuses that one too, it refuses this machine's address or has ended: " +
			"a free key of api-football.com (API_FOOTBALL_KEY, with a new STATE_DIR) takes its place."
	case f.InCharge() == config.ESPN && code == footy.CodeNotFound:
		return "ESPN's scoreboard is unofficial: it may have ended. A free key of api-football.com (API_FOOTBALL_KEY, with a new STATE_DIR) takes its place."
	case f.InCharge() == config.ESPN && network.NoAnswer(err):
		return "Correct ESPN_URL if it is set, or try again in a minute."
	case code == footy.CodeAuthRequired || code == footy.CodeNotInPlan:
		return "Check API_FOOTBALL_KEY, and your account at api-football.com."
	case errors.Is(err, feed.ErrWrongAddress):
		return "Correct API_FOOTBALL_URL; where it is not set, API-Football itself is asked."
	case network.NoAnswer(err):
		return "Correct API_FOOTBALL_URL if it is set, or try again in a minute."
	}
	return "The vendor has a trouble of its own: try again in a minute."
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

// storedMatches are those known to be followed today; listed reports whether today's list is among what is known.
func (c *Checker) storedMatches(ctx context.Context, now time.Time) (out []footy.Match, listed bool, err error) {
	if c.opt.Store == nil {
		return nil, false, nil
	}
	last, err := store.Fact[ingest.LastIngest](ctx, c.opt.Store, ingest.StateKey)
	if err != nil {
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
