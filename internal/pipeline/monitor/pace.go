package monitor

import (
	"context"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// What the feed allows and how fast it is asked lies in the store: workers of several machines share one plan.
const (
	QuotaKey = "feed_quota"
	PaceKey  = "feed_pace"
)

// Pace is how live matches are polled where the plan lacks the calls for each cycle.
type Pace struct {
	Every time.Duration `json:"every_ns,omitempty"` // between two polls; zero at full pace, and where no match is live
	Asked time.Time     `json:"asked,omitzero"`     // the last poll at this pace
	Since time.Time     `json:"since,omitzero"`     // when polls became slower than wanted
}

// Quota is what the vendor last said to this process or to another.
func Quota(ctx context.Context, s store.State, own feed.Quota, now time.Time) (feed.Quota, error) {
	kept, err := store.Fact[feed.Quota](ctx, s, QuotaKey)
	if err != nil {
		return own, err
	}
	kept, own = kept.AsOf(now), own.AsOf(now)
	single := kept.Single || own.Single
	if kept.At.After(own.At) {
		own = kept
	}
	own.Single = single
	return own, nil
}

// accountAsked is when this process last asked the vendor about the plan.
type accountAsked struct {
	sync.Mutex
	at time.Time
}

const (
	accountEvery   = 10 * time.Minute // where no answer tells of the calls left; it costs none of them
	accountTimeout = 4 * time.Second  // polls do not wait for it
)

// quota is what the vendor allows now. Where no answer told it for a while the account is asked. A vendor that does not say is no
// reason not to poll.
func (a *Activities) quota(ctx context.Context, now time.Time) (feed.Quota, error) {
	q, err := Quota(ctx, a.Store, a.Feed.Quota(), now)
	if err != nil || now.Sub(q.At) < accountEvery {
		return q, err
	}
	a.account.Lock()
	defer a.account.Unlock()
	if now.Sub(a.account.at) < accountEvery {
		return q, nil
	}
	a.account.at = now
	asking, cancel := context.WithTimeout(ctx, accountTimeout)
	defer cancel()
	if _, err := a.Feed.Account(asking); err != nil {
		return q, nil // the polls report what is wrong with the feed
	}
	if err := a.keepQuota(ctx); err != nil {
		return q, err
	}
	return Quota(ctx, a.Store, a.Feed.Quota(), now)
}

// untilMidnight is how long the calls left must last. Where time is compressed the vendor's day is not, and late in the evening its calls would be
// used up before the match is over: there they last as long as half of such a day, whatever the hour.
func (a *Activities) untilMidnight(now time.Time) time.Duration {
	if minute := a.Rules.Votes.Minute; 0 < minute && minute < time.Minute {
		return 12 * 60 * minute
	}
	return lifecycle.Midnight(now).Sub(now)
}

// turn reports whether a cycle polls, if live matches are to be polled every so often, and notes that pace where it is not each cycle.
func (a *Activities) turn(ctx context.Context, every time.Duration, now time.Time) (bool, error) {
	was, err := store.Fact[Pace](ctx, a.Store, PaceKey)
	if err != nil {
		return false, err
	}
	if every <= a.Cycle {
		if was.Every == 0 {
			return true, nil
		}
		return true, a.Store.PutState(ctx, PaceKey, Pace{Asked: was.Asked})
	}
	if since := now.Sub(was.Asked); since >= 0 && since < every-a.Cycle/2 {
		return false, nil
	}
	is := Pace{Every: every, Asked: now, Since: was.Since}
	if is.Since.IsZero() {
		is.Since = now
		activity.GetLogger(ctx).Warn("the plan lacks the calls for a poll in each cycle", "module", "monitor", "action", "pace", "every", every.String())
	}
	return true, a.Store.PutState(ctx, PaceKey, is)
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
