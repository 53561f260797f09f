package monitor

import (
	"context"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"go.temporal.io/sdk/activity"
)

// What the feed allows and how fast it is asked lies in the store: workers of several machines share one plan.
const (
	QuotaKey = "feed_quota"
	PaceKey  = "feed_pace"
)

// Pace is kept under PaceKey.
type Pace struct {
	lifecycle.Pace
	Since time.Time `json:"since,omitzero"` // when polls began to be stretched; zero at full pace
}

// Quota is what the vendor last said to this process or to another.
func Quota(ctx context.Context, s State, own feed.Quota, now time.Time) (feed.Quota, error) {
	var kept feed.Quota
	if err := s.State(ctx, QuotaKey, &kept); err != nil && !footy.IsNotFound(err) {
		return own, err
	}
	if kept.At.After(own.At) {
		own = kept
	}
	return own.AsOf(now), nil
}

// State is where small facts of the service lie.
type State interface {
	State(ctx context.Context, key string, out any) error
}

// reckoning is what the costs of polling depend on here.
func (a *Activities) reckoning(can calls.Can) lifecycle.Reckoning {
	minute := a.Rules.Votes.Minute // of the product's time, by which the vendor counts calls, too
	if minute <= 0 {
		minute = time.Minute
	}
	return lifecycle.Reckoning{Windows: a.Rules.Windows, Cycle: a.Cycle, Minute: minute, Together: feed.MaxIDs, Can: can}
}

// quota is what the vendor allows now, as far as anybody knows.
func (a *Activities) quota(ctx context.Context, plan calls.Plan, now time.Time) (lifecycle.Quota, error) {
	q, err := Quota(ctx, a.Store, a.Feed.Quota(), now)
	if err != nil {
		return lifecycle.Quota{}, err
	}
	out := lifecycle.Quota{DayLimit: q.DayLimit, DayRemaining: q.DayRemaining, MinuteLimit: plan.MinuteLimit(q.MinuteLimit), MinuteRemaining: q.MinuteRemaining}
	minute := a.reckoning(calls.Can{}).Minute
	switch {
	case out.MinuteLimit <= 0:
		out.MinuteLimit, out.MinuteRemaining = -1, -1
	case out.MinuteRemaining < 0: // nobody counts: each cycle has its share
		out.MinuteRemaining = max(1, int(int64(out.MinuteLimit)*int64(a.Cycle)/int64(minute)))
	case now.Sub(q.At) >= minute:
		out.MinuteRemaining = out.MinuteLimit
	}
	return out, nil
}

func (a *Activities) keptPace(ctx context.Context) (Pace, error) {
	p := Pace{Pace: lifecycle.Pace{Staging: 1, Live: 1}}
	if err := a.Store.State(ctx, PaceKey, &p); err != nil && !footy.IsNotFound(err) {
		return p, err
	}
	return p, nil
}

// pace decides how fast to poll until the vendor's day ends, and tells when that changes.
func (a *Activities) pace(ctx context.Context, q lifecycle.Quota, d lifecycle.Demand, now time.Time) (lifecycle.Pace, error) {
	was, err := a.keptPace(ctx)
	if err != nil {
		return was.Pace, err
	}
	p := lifecycle.Govern(q, d, was.Pace)
	if p.Staging == was.Staging && p.Live == was.Live {
		return p, nil
	}
	is := Pace{Pace: p, Since: was.Since}
	switch {
	case !p.Stretched():
		is.Since = time.Time{}
	case is.Since.IsZero():
		is.Since = now
	}
	activity.GetLogger(ctx).Warn("pace of polling changed", "module", "monitor", "action", "govern", "staging", p.Staging, "live", p.Live,
		"left", q.DayRemaining, "minute_limit", p.MinuteLimit)
	return p, a.Store.PutState(ctx, PaceKey, is)
}

// noted is what was last kept of the quota.
type noted struct {
	sync.Mutex
	feed.Quota
}

// keepQuota lets other processes know what the vendor said. A hundredth of the plan is news; each call is not, or every cycle
// would write.
func (a *Activities) keepQuota(ctx context.Context) error {
	q := a.Feed.Quota()
	a.kept.Lock()
	defer a.kept.Unlock()
	if q.At.IsZero() || !q.News(a.kept.Quota) {
		return nil
	}
	if err := a.Store.PutState(ctx, QuotaKey, q); err != nil {
		return err
	}
	a.kept.Quota = q
	return nil
}
