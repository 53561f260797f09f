package check

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// waitsTooLong is when a post's trouble is no passing one any more.
const waitsTooLong = time.Hour

// ledger reports how many posts wait and for what. What waits for more than an hour is a trouble of its own; where no model
// is set up, waiting is what was asked for.
func (c *Checker) ledger(ctx context.Context) health.Part {
	p := health.Part{Name: health.Ledger, State: health.StateOK, Facts: map[string]any{}}
	if c.opt.Store == nil {
		p.State, p.Reason = health.StateMissing, "the database cannot be opened"
		return p
	}
	posts, err := c.opt.Store.Posts(ctx, store.PostQuery{States: ledger.TroubledStates})
	if err != nil {
		p.State, p.Reason, p.Remedy = health.StateDown, footy.UserMessage(err), awaitDatabase
		return p
	}
	n, oldest, model := 0, time.Time{}, false
	var causes []string // of what waits too long
	late := func(at time.Time) bool { return time.Since(at) > waitsTooLong }
	for _, b := range ledger.Backlogs(posts) {
		n += len(b.Posts)
		p.Facts[string(b.Cause)] = len(b.Posts)
		if oldest.IsZero() || b.Oldest.Before(oldest) {
			oldest = b.Oldest
		}
		if !late(b.Oldest) {
			continue
		}
		causes = append(causes, string(b.Cause))
		if b.Cause == footy.ReasonNoModel {
			model = true
		} else {
			p.State = health.StateDown
		}
	}
	p.Facts["waiting"] = n
	if n == 0 {
		return p
	}
	p.Facts["oldest_wait"] = oldest.UTC()
	if p.State == health.StateOK && model {
		p.State = health.StateMissing
	}
	if p.State != health.StateOK {
		p.Reason = "posts wait for longer than an hour"
		p.Remedy = "Find the problem they wait for and fix it; they are tried again by themselves. What can never succeed can be given up. " +
			"Once it is over, footy waiting retry --cause " + strings.Join(causes, " or ") + " tries them all now."
	}
	return p
}
