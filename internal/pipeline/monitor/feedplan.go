package monitor

import (
	"context"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/footy"
	"go.temporal.io/sdk/activity"
)

// PlanKey is where it is kept what the vendor's plan allows: calls.Plan, learned from answers.
const PlanKey = "feed_plan"

// Learned is what is known of the vendor's plan.
func Learned(ctx context.Context, s State) (calls.Plan, error) {
	var p calls.Plan
	if err := s.State(ctx, PlanKey, &p); err != nil && !footy.IsNotFound(err) {
		return calls.Plan{}, err
	}
	return p, nil
}

// learn notes whether the plan allows a kind of call, where the answer tells. A failure of another sort says nothing about it.
func (a *Activities) learn(ctx context.Context, k calls.Kind, failure error) error {
	if k == "" {
		k = calls.IDs
	}
	told := calls.Ability{Allowed: failure == nil, At: a.Now().UTC()}
	if failure != nil {
		if footy.CodeOf(failure) != footy.CodeNotInPlan {
			return nil
		}
		told.Said = footy.RootCause(failure)
	}
	plan, err := Learned(ctx, a.Store)
	if err != nil {
		return err
	}
	plan, news := plan.Learn(k, told)
	if !news {
		return nil
	}
	if !told.Allowed {
		activity.GetLogger(ctx).Warn("the feed's plan does not allow a kind of call", "module", "monitor", "action", "learn_plan", "call", k, "said", told.Said)
	}
	return a.Store.PutState(ctx, PlanKey, plan)
}

// accountAsked is when this process last asked the vendor about the plan.
type accountAsked struct {
	sync.Mutex
	at time.Time
}

const (
	accountEvery   = 10 * time.Minute // where no header tells of the calls left; it costs none of them
	accountTimeout = 4 * time.Second  // polls do not wait for it
)

// feedPlan is what is known of the plan. Its name and limit are asked for once a day, and more often where nothing else tells how many
// calls are left. A vendor that does not say is no reason not to poll.
func (a *Activities) feedPlan(ctx context.Context, needed bool, now time.Time) (calls.Plan, error) {
	plan, err := Learned(ctx, a.Store)
	if err != nil || !needed {
		return plan, err
	}
	told, err := Quota(ctx, a.Store, a.Feed.Quota(), now)
	if err != nil {
		return plan, err
	}
	today := plan.Account.UTC().Format(time.DateOnly) == now.Format(time.DateOnly)
	if today && now.Sub(told.At) < accountEvery {
		return plan, nil
	}
	a.account.Lock()
	defer a.account.Unlock()
	if now.Sub(a.account.at) < accountEvery {
		return plan, nil
	}
	a.account.at = now
	asking, cancel := context.WithTimeout(ctx, accountTimeout)
	defer cancel()
	said, err := a.Feed.Account(asking)
	if err != nil || said.DayLimit <= 0 {
		return plan, nil // the polls tell what is wrong with the feed
	}
	if err := a.keepQuota(ctx); err != nil {
		return plan, err
	}
	if today && plan.Name == said.Plan && plan.DayLimit == said.DayLimit {
		return plan, nil
	}
	plan.Name, plan.DayLimit, plan.Account = said.Plan, said.DayLimit, now
	return plan, a.Store.PutState(ctx, PlanKey, plan)
}
