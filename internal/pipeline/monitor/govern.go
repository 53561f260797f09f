package monitor

import (
	"context"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
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

// pace decides how fast to poll until the vendor's day ends, and tells when that changes.
func (a *Activities) pace(ctx context.Context, open []footy.Fixture, now time.Time) (lifecycle.Pace, error) {
	q, err := Quota(ctx, a.Store, a.Feed.Quota(), now)
	if err != nil {
		return lifecycle.Pace{}, err
	}
	p := lifecycle.Govern(lifecycle.Quota{DayLimit: q.DayLimit, DayRemaining: q.DayRemaining, MinuteLimit: q.MinuteLimit,
		MinuteRemaining: q.MinuteRemaining}, a.demand(open, now))
	was := Pace{Pace: lifecycle.Pace{Staging: 1, Live: 1}}
	if err := a.Store.State(ctx, PaceKey, &was); err != nil && !footy.IsNotFound(err) {
		return p, err
	}
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

// demand estimates what the open fixtures would cost at full pace.
func (a *Activities) demand(open []footy.Fixture, now time.Time) lifecycle.Demand {
	d := lifecycle.Demand{Cycle: a.Cycle, Slot: a.Rules.Windows.StagingSlot}
	kickoffs := make([]time.Time, 0, len(open))
	active := 0
	for _, f := range open {
		k := f.Match.Kickoff
		if f.Stage == footy.StageActive && lifecycle.PollDue(f, now, a.Rules.Windows) {
			active++
			if over := now.Add(a.Rules.Windows.StagingSlot - a.Rules.Windows.Played); k.Before(over) {
				k = over // runs late: it will a little longer
			}
		}
		kickoffs = append(kickoffs, k)
	}
	d.Live, d.Staging = lifecycle.Ahead(kickoffs, now, lifecycle.Midnight(now), a.Rules.Windows, a.Cycle, feed.MaxIDs)
	d.AtOnce = (active + feed.MaxIDs - 1) / feed.MaxIDs
	return d
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
