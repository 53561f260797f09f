package check

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// feed reports what is left of the vendor's plan, whether polls are stretched to make it last, and whether today's matches are known.
func (c *Checker) feed(ctx context.Context) health.Part {
	p := c.polls(ctx)
	if c.opt.Store != nil && p.State != health.StateMissing {
		c.todaysList(ctx, &p)
	}
	if p.Unasked = p.Unasked && p.State == health.StateOK; p.Unasked && p.Reason == "" {
		p.Reason = "it was not asked for anything yet"
	}
	return p
}

func (c *Checker) polls(ctx context.Context) health.Part {
	p := health.Part{Name: health.Feed, State: health.StateOK, Facts: map[string]any{}, Unasked: true}
	if c.opt.Config.Feed.Missing() {
		why, remedy := c.opt.Config.Feed.Lacks()
		p.State, p.Reason, p.Remedy = health.StateMissing, why, explain.UpperFirst(remedy)+"."
		return p
	}
	if c.opt.Store == nil {
		return p
	}
	var out monitor.Outage
	if err := c.opt.Store.State(ctx, monitor.OutageKey, &out); err == nil && !out.Since.IsZero() {
		p.State, p.Reason, p.Since, p.Remedy = health.StateDown, "the feed gives no answer to trust: "+out.Why, out.Since, "Nothing is lost: goals are found when it answers again."
		switch {
		case c.byESPN():
			p.Remedy += " " + FeedRemedy(footy.Errorf(out.Code, "", "%s", out.Why), c.opt.Config.Feed)
		case out.Code == footy.CodeAuthRequired:
			p.Remedy = "Correct API_FOOTBALL_KEY and start again; no match is followed meanwhile."
		case out.Code == footy.CodeNotInPlan:
			p.Reason, p.Remedy = "the plan of this key allows no poll: "+out.Why, "Look into your account at api-football.com; no match is followed meanwhile."
		}
	}
	if c.byESPN() {
		p.Facts["feed"] = unofficial
	}
	now := time.Now().UTC()
	q, err := monitor.Quota(ctx, c.opt.Store, c.opt.Feed.Quota(), now)
	if err != nil {
		p.State, p.Since, p.Reason, p.Remedy = health.StateDegraded, time.Time{}, footy.UserMessage(err), awaitDatabase
		return p
	}
	if p.Unasked = q.At.IsZero(); p.Unasked {
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
		p.State, p.Since, p.Reason, p.Remedy = health.StateDegraded, time.Time{}, daySpent, spentRemedy(now)
		return p
	}
	var pace monitor.Pace
	if err := c.opt.Store.State(ctx, monitor.PaceKey, &pace); err == nil && pace.Every > 0 {
		p.Reason, p.Remedy = explain.Pace(c.opt.Config.Track.PollEvery(), pace.Every), fasterFeed
		p.Facts["live_polls_every"] = fmt.Sprintf("%.0f s", pace.Every.Seconds())
		if !q.Single { // such a plan is as slow every day
			p.State, p.Since = health.StateDegraded, pace.Since
		}
	}
	return p
}
