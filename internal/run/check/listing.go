package check

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/tell/health"
)

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
