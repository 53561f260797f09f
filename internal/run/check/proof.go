package check

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// proofDays is over how many days what clips were proven by is counted, today among them.
const proofDays = 7

// countedMatch is what was counted of a match. As long as its revision is the same, none of its clips is another, so its posts, which
// are many, are not read again.
type countedMatch struct {
	revision int64
	proofs   stats.Proofs
}

// proof tells what clips are proven by, and the share of each. That there is no model is the model's part to say, but for one that
// everything hangs on.
func (c *Checker) proof(ctx context.Context) health.Part {
	set, model := c.opt.Config.Media, c.opt.Reader != nil
	p := health.Part{Name: health.Proof, State: health.StateOK, Facts: map[string]any{}}
	p.Reason = explain.ProofOrder(set.ByClock(), set.ByModel(), model, set.ModelFirst(), strings.Join(set.Proof, ","))
	if !set.ByClock() && !model {
		p.State, p.Remedy = health.StateMissing, "Set LLAMA_URL, or add clock to PROOF."
	}
	all, err := c.proofs(ctx)
	if err != nil {
		return p // the database's own part tells of it
	}
	p.Facts["days_counted"], p.Facts["clips_shown"] = proofDays, all.Clips
	for b, n := range all.By {
		p.Facts["proven_"+string(b)] = health.Share{Clips: n, Share: float64(n) / float64(all.Clips)}
	}
	return p
}

// proofs counts what the shown clips of the last days were proven by.
func (c *Checker) proofs(ctx context.Context) (out stats.Proofs, err error) {
	if c.opt.Store == nil {
		return out, footy.Errorf(footy.CodeUnavailable, "count proofs", "the database cannot be opened")
	}
	now := time.Now().UTC()
	revisions, err := c.opt.Store.Revisions(ctx, store.FixtureQuery{From: now.Truncate(24*time.Hour).AddDate(0, 0, 1-proofDays), To: now})
	if err != nil {
		return out, err
	}
	c.mu.Lock()
	before := c.counted
	c.mu.Unlock()
	counted := make(map[int64]countedMatch, len(revisions))
	for id, revision := range revisions {
		one := before[id]
		if one.revision != revision {
			if one, err = c.countMatch(ctx, id); err != nil {
				return out, err
			}
		}
		counted[id] = one
		out = out.Plus(one.proofs)
	}
	c.mu.Lock()
	c.counted = counted
	c.mu.Unlock()
	return out, nil
}

// countMatch counts what the shown clips of a match were proven by; of one that is gone or damaged there is nothing to count.
func (c *Checker) countMatch(ctx context.Context, id int64) (countedMatch, error) {
	list, err := c.opt.Store.List(ctx, store.FixtureQuery{IDs: []int64{id}})
	if err != nil || len(list) == 0 || len(list[0].Events) == 0 {
		if len(list) > 0 {
			return countedMatch{revision: list[0].Revision}, err
		}
		return countedMatch{}, err
	}
	posts, err := c.opt.Store.Posts(ctx, store.PostQuery{FixtureID: id})
	return countedMatch{list[0].Revision, stats.ProofsOf(list[0], posts)}, err
}
