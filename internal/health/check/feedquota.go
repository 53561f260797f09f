package check

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/store"
)

// feed tells what is left of the vendor's plan, whether polls are stretched to make it last, and whether today's matches are known.
func (c *Checker) feed(ctx context.Context) health.Part {
	p := c.polls(ctx)
	if c.opt.Store != nil && p.State != health.StateMissing {
		c.todaysList(ctx, &p)
	}
	return p
}

func (c *Checker) polls(ctx context.Context) health.Part {
	p := health.Part{Name: health.Feed, State: health.StateOK, Facts: map[string]any{}}
	if c.opt.Config.Feed.Key == "" {
		p.State, p.Reason, p.Remedy = health.StateMissing, "API_FOOTBALL_KEY is not set: no match is followed", "Make a free account at api-football.com and set API_FOOTBALL_KEY."
		return p
	}
	if c.opt.Store == nil {
		return p
	}
	var out monitor.Outage
	if err := c.opt.Store.State(ctx, monitor.OutageKey, &out); err == nil && !out.Since.IsZero() {
		p.State, p.Reason, p.Since, p.Remedy = health.StateDown, "the feed gives no answer to trust: "+out.Why, out.Since, "Nothing is lost: goals are found when it answers again."
		if out.Code == footy.CodeAuthRequired {
			p.Remedy = "Correct API_FOOTBALL_KEY and start again; no match is followed meanwhile."
		}
	}
	now := time.Now().UTC()
	q, err := monitor.Quota(ctx, c.opt.Store, c.opt.Feed.Quota(), now)
	if err != nil {
		p.State, p.Reason, p.Remedy = health.StateDegraded, footy.UserMessage(err), awaitDatabase
		return p
	}
	if q.At.IsZero() {
		return p
	}
	p.Facts["calls_left_today"], p.Facts["calls_per_day"] = q.DayRemaining, q.DayLimit
	if q.DayLimit >= 0 && q.DayRemaining >= 0 {
		p.Facts["calls_used_today"] = max(0, q.DayLimit-q.DayRemaining)
	}
	if p.State == health.StateDown && q.DayRemaining != 0 {
		return p
	}
	if q.DayRemaining == 0 {
		p.State, p.Reason, p.Remedy = health.StateDegraded, "the day's calls are used up", "They come back at midnight UTC; a larger plan avoids it."
		return p
	}
	var pace monitor.Pace
	if err := c.opt.Store.State(ctx, monitor.PaceKey, &pace); err == nil && pace.Stretched() {
		p.State, p.Reason, p.Since = health.StateDegraded, "stretched: "+explain.Pace(pace.Pace), pace.Since
		p.Remedy = "Goals come later, none is lost. Follow fewer matches (TRACK_LEAGUES, TRACK_TEAMS) or take a larger plan."
		p.Facts["live_polls_every"], p.Facts["waiting_polls_every"] = seconds(c.opt.Config.Track.PollEvery(), pace.Live), seconds(c.opt.Windows.StagingSlot, pace.Staging)
	}
	return p
}

func seconds(d time.Duration, n int) string {
	return fmt.Sprintf("%.0f s", (d * time.Duration(n)).Seconds())
}

// quotaFinding compares the calls a day costs with the present settings to what the plan allows.
func (c *Checker) quotaFinding(ctx context.Context) Finding {
	f := Finding{Part: health.Part{Name: "feed plan", State: health.StateMissing, Reason: "no key, no plan"}}
	if c.opt.Config.Feed.Key == "" {
		f.Remedy = "Set API_FOOTBALL_KEY."
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	account, err := c.opt.Feed.Account(ctx)
	if err != nil {
		f.State, f.Reason, f.Remedy = health.StateDown, footy.UserMessage(err), "Check API_FOOTBALL_KEY and API_FOOTBALL_URL; no match is followed meanwhile."
		return f
	}
	kickoffs, whence, err := c.kickoffs(ctx)
	if err != nil {
		f.State, f.Reason, f.Remedy = health.StateDown, footy.UserMessage(err), "Try again in a minute."
		return f
	}
	need, each := c.dayCalls(kickoffs), c.opt.Config.Track.PollEvery()
	f.State = health.StateOK
	f.Reason = fmt.Sprintf("%s: %d of %d calls used today; today's %s (%s) cost about %d a day at one poll every %s",
		planName(account.Plan), account.Used, account.DayLimit, explain.Plural(len(kickoffs), "match", "matches"), whence, need, each)
	if need > account.DayLimit {
		f.State = health.StateDegraded
		f.Remedy = "Polls will be stretched so that the calls last: goals come later, none is lost. Follow fewer matches (TRACK_LEAGUES, TRACK_TEAMS), raise MONITOR_INTERVAL or take a larger plan."
	}
	return f
}

// dayLists is how many lists a day's ingest fetches.
const dayLists = 4

func (c *Checker) dayCalls(kickoffs []time.Time) int {
	day := time.Now().UTC().Truncate(24 * time.Hour)
	live, staging := lifecycle.Ahead(kickoffs, day, lifecycle.Midnight(day), c.opt.Windows, c.opt.Config.Track.PollEvery(), feed.MaxIDs)
	return live + staging + dayLists
}

// kickoffs of the matches followed today: as stored, else one call asks for the day's list.
func (c *Checker) kickoffs(ctx context.Context) (out []time.Time, whence string, err error) {
	now := time.Now().UTC()
	if out, known, err := c.storedKickoffs(ctx, now); known {
		return out, "as stored", err
	}
	list, err := c.opt.Feed.Day(ctx, now)
	for _, s := range list {
		if lifecycle.Tracked(s, lifecycle.Follow{Leagues: c.opt.Config.Track.Leagues, Teams: c.opt.Config.Track.Teams}) {
			out = append(out, s.Match.Kickoff)
		}
	}
	return out, "asked now", footy.Wrap(footy.CodeUnavailable, "list today's matches", err)
}

// storedKickoffs of the matches followed today; not known before today's list is there.
func (c *Checker) storedKickoffs(ctx context.Context, now time.Time) (out []time.Time, known bool, err error) {
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
		out = append(out, f.Match.Kickoff)
	}
	return out, true, err
}

func planName(name string) string {
	if name = strings.TrimSpace(name); name == "" {
		return "your plan"
	}
	return "plan " + name
}
