package feed

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/footy"
)

// Trial is what one real poll came to.
type Trial struct {
	Kind    calls.Kind
	Matches int // that the answer holds and that can be trusted
}

// Try makes one real poll, by ids as long as the plan is not known to refuse that, and returns what the answers told of the plan. ids
// are matches that the vendor should know; none where there is no match to ask for. It costs a call, and one more for each kind of
// call that is refused.
func Try(ctx context.Context, f Feed, plan calls.Plan, ids []int64, now time.Time) (calls.Plan, Trial, error) {
	var refused error
	for _, way := range []struct {
		kind calls.Kind
		ask  func() (Answer, error)
		can  bool
	}{
		{calls.IDs, func() (Answer, error) { return f.ByIDs(ctx, ids[:1]) }, len(ids) > 0 && plan.Can(now).IDs},
		{calls.Live, func() (Answer, error) { return f.Live(ctx) }, plan.Can(now).Live},
		{calls.ID, func() (Answer, error) { return f.ByID(ctx, ids[0]) }, len(ids) > 0},
	} {
		if !way.can {
			continue
		}
		answer, err := way.ask()
		if footy.CodeOf(err) == footy.CodeNotInPlan {
			plan, _ = plan.Learn(way.kind, calls.Ability{At: now, Said: footy.RootCause(err)})
			refused = err
			continue
		}
		if err != nil {
			return plan, Trial{Kind: way.kind}, err
		}
		plan, _ = plan.Learn(way.kind, calls.Ability{Allowed: true, At: now})
		if len(ids) > 0 && way.kind != calls.Live && answer.Failed[ids[0]] != "" {
			return plan, Trial{Kind: way.kind}, footy.Errorf(footy.CodeUnavailable, "try a poll", "the answer about match %d cannot be used: %s", ids[0], answer.Failed[ids[0]])
		}
		return plan, Trial{way.kind, len(answer.Snapshots)}, nil
	}
	return plan, Trial{}, refused
}
