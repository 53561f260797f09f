package check

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
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

// todaysList makes a feed red that gave no list of today's matches: what is not listed is not followed, and is not missed.
func (c *Checker) todaysList(ctx context.Context, p *health.Part) {
	now := time.Now().UTC()
	var last ingest.LastIngest
	if c.opt.Store.State(ctx, ingest.StateKey, &last) != nil {
		return // before the first ingest; a database that does not answer has a part of its own
	}
	if day, err := time.Parse(time.DateOnly, last.Date); err == nil {
		p.Figures = append(p.Figures, health.Figure{Metric: "listed_day_timestamp_seconds", Value: float64(day.Unix())})
	}
	if last.Date == now.Format(time.DateOnly) {
		p.Unasked = false
		if p.Facts["matches_listed_until"] = last.Until; last.Beyond != "" {
			p.Facts["plan_lists_nothing_from"] = last.Beyond
		}
		return
	}
	next := lifecycle.NextList(last.Tries(), now, c.opt.Windows)
	switch {
	case p.State == health.StateDown: // for a reason that says more
	case !last.Since.IsZero():
		p.State, p.Since, p.Reason = health.StateDown, last.Since, "today's list of matches is not there: "+last.Why
		again := "every hour"
		if last.Unreached {
			again = "every few minutes"
		}
		p.Remedy = "It is asked for again by " + next.Format("15:04 UTC") + ", then " + again + "; footy ingest asks at once. Matches listed on earlier days are followed meanwhile."
		switch code := last.Code; {
		case code == footy.CodeAuthRequired && c.byESPN():
			p.Remedy = FeedRemedy(footy.Errorf(code, "", "%s", last.Why), c.opt.Config.Feed)
		case code == footy.CodeAuthRequired:
			p.Remedy = "Correct API_FOOTBALL_KEY and start again. Matches listed on earlier days are not followed either, until then."
		case code == footy.CodeNotInPlan: // every plan lists its own day
			p.Remedy = "Correct this machine's date, or take a larger plan. Matches listed on earlier days are followed meanwhile."
		case code == footy.CodeInvalid:
			p.Remedy = "Correct the setting it names and start again. Matches listed on earlier days are followed meanwhile."
		}
	case !now.Before(next):
		if p.State != health.StateDegraded {
			p.Since = time.Time{}
		}
		p.State, p.Reason, p.Remedy = health.StateDegraded, "today's list of matches was not asked for yet", "footy up asks when it starts; footy ingest asks at once."
	}
}
