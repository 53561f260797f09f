package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/web"
)

// feed tells what is left of the vendor's plan and whether polls are stretched to make it last.
func (h *health) feed(ctx context.Context) web.Component {
	c := web.Component{Name: "feed", State: web.StateOK, Facts: map[string]any{}}
	if h.app.Config.Feed.Key == "" {
		c.State, c.Reason, c.Remedy = web.StateMissing, "API_FOOTBALL_KEY is not set: no match is followed", "Make a free account at api-football.com and set API_FOOTBALL_KEY."
		return c
	}
	if h.app.Store == nil {
		return c
	}
	var out monitor.Outage
	if err := h.app.Store.State(ctx, monitor.OutageKey, &out); err == nil && !out.Since.IsZero() {
		c.State, c.Reason, c.Since, c.Remedy = web.StateDown, "the feed gives no answer to trust: "+out.Why, out.Since, "Nothing is lost: goals are found when it answers again."
		if out.Code == footy.CodeAuthRequired {
			c.Remedy = "Correct API_FOOTBALL_KEY and start again; no match is followed meanwhile."
		}
	}
	now := time.Now().UTC()
	q, err := monitor.Quota(ctx, h.app.Store, h.app.Feed.Quota(), now)
	if err != nil {
		c.State, c.Reason, c.Remedy = web.StateDegraded, Plain(err), "Bring the database back; goals wait for it."
		return c
	}
	if q.At.IsZero() {
		return c
	}
	c.Facts["calls_left_today"], c.Facts["calls_per_day"] = q.DayRemaining, q.DayLimit
	if q.DayLimit >= 0 && q.DayRemaining >= 0 {
		c.Facts["calls_used_today"] = max(0, q.DayLimit-q.DayRemaining)
	}
	if c.State == web.StateDown && q.DayRemaining != 0 {
		return c
	}
	if q.DayRemaining == 0 {
		c.State, c.Reason, c.Remedy = web.StateDegraded, "the day's calls are used up", "They come back at midnight UTC; a larger plan avoids it."
		return c
	}
	var pace monitor.Pace
	if err := h.app.Store.State(ctx, monitor.PaceKey, &pace); err == nil && pace.Text != "" {
		c.State, c.Reason, c.Since = web.StateDegraded, "stretched: "+pace.Text, pace.Since
		c.Remedy = "Goals come later, none is lost. Follow fewer matches (TRACK_LEAGUES, TRACK_TEAMS) or take a larger plan."
		c.Facts["live_polls_every"], c.Facts["waiting_polls_every"] = seconds(h.app.cycle(), pace.Live), seconds(h.windows().StagingSlot, pace.Staging)
	}
	return c
}

func (h *health) windows() lifecycle.Windows {
	_, w := MatchRules(h.app.Config.Track)
	return w
}

func seconds(d time.Duration, n int) string {
	return fmt.Sprintf("%.0f s", (d * time.Duration(n)).Seconds())
}

// planFinding compares the calls a day costs with the present settings to what the plan allows.
func (a *App) planFinding(ctx context.Context) Finding {
	f := Finding{Name: "feed plan", State: "missing", Reason: "no key, no plan"}
	if a.Config.Feed.Key == "" {
		f.Remedy = "Set API_FOOTBALL_KEY."
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	account, err := a.Feed.Account(ctx)
	if err != nil {
		f.State, f.Reason, f.Remedy = "broken", Plain(err), "Check API_FOOTBALL_KEY and API_FOOTBALL_URL; no match is followed meanwhile."
		return f
	}
	kickoffs, whence, err := a.kickoffs(ctx)
	if err != nil {
		f.State, f.Reason, f.Remedy = "broken", Plain(err), "Try again in a minute."
		return f
	}
	need, each := a.dayCalls(kickoffs), a.cycle()
	f.State = "ok"
	f.Reason = fmt.Sprintf("%s: %d of %d calls used today; today's %s (%s) cost about %d a day at one poll every %s",
		orPlan(account.Plan), account.Used, account.DayLimit, matches(len(kickoffs)), whence, need, each)
	if need > account.DayLimit {
		f.State = "tight"
		f.Remedy = "Polls will be stretched so that the calls last: goals come later, none is lost. Follow fewer matches (TRACK_LEAGUES, TRACK_TEAMS), raise MONITOR_INTERVAL or take a larger plan."
	}
	return f
}

// dayLists is how many lists a day's ingest fetches.
const dayLists = 4

func (a *App) dayCalls(kickoffs []time.Time) int {
	_, w := MatchRules(a.Config.Track)
	day := time.Now().UTC().Truncate(24 * time.Hour)
	live, staging := lifecycle.Ahead(kickoffs, day, lifecycle.Midnight(day), w, a.cycle(), feed.MaxIDs)
	return live + staging + dayLists
}

// kickoffs of the matches followed today: as stored, else one call asks for the day's list.
func (a *App) kickoffs(ctx context.Context) (out []time.Time, whence string, err error) {
	now := time.Now().UTC()
	if out, known, err := a.storedKickoffs(ctx, now); known {
		return out, "as stored", err
	}
	list, err := a.Feed.Day(ctx, now)
	for _, s := range list {
		if lifecycle.Tracked(s, lifecycle.Follow{Leagues: a.Config.Track.Leagues, Teams: a.Config.Track.Teams}) {
			out = append(out, s.Match.Kickoff)
		}
	}
	return out, "asked now", footy.Wrap(footy.CodeUnavailable, "list today's matches", err)
}

// storedKickoffs of the matches followed today; not known before today's list is there.
func (a *App) storedKickoffs(ctx context.Context, now time.Time) (out []time.Time, known bool, err error) {
	var last ingest.LastIngest
	if a.Store == nil {
		return nil, false, nil
	}
	if err := a.Store.State(ctx, ingest.StateKey, &last); err != nil && !footy.IsNotFound(err) {
		return nil, false, err
	}
	if last.Date != now.Format(time.DateOnly) {
		return nil, false, nil
	}
	day := now.Truncate(24 * time.Hour)
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{From: day, To: day.AddDate(0, 0, 1)})
	for _, f := range fixtures {
		out = append(out, f.Match.Kickoff)
	}
	return out, true, err
}

func orPlan(name string) string {
	if name = strings.TrimSpace(name); name == "" {
		return "your plan"
	}
	return "plan " + name
}

func matches(n int) string {
	if n == 1 {
		return "1 match"
	}
	return fmt.Sprintf("%d matches", n)
}
