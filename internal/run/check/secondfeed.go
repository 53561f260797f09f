package check

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// nothingLost is said wherever the second feed says nothing: it only adds.
const nothingLost = "Nothing is lost: a goal is certain by the polls of the feed in charge, as without a second feed."

// secondFeed tells what the second feed said in the last polls of the matches that it was asked about. It is never down: nothing needs it.
func (c *Checker) secondFeed(ctx context.Context) health.Part {
	p := health.Part{Name: health.SecondFeed, State: health.StateOK}
	if c.opt.Store == nil {
		p.Unasked = true
		return p
	}
	said, err := c.secondSaid(ctx)
	if err != nil {
		p.State, p.Reason, p.Remedy = health.StateDegraded, footy.UserMessage(err), awaitDatabase
		return p
	}
	count, why := map[footy.SecondState]int{}, ""
	for _, s := range said {
		count[s.State]++
		if s.State == footy.SecondUnreachable {
			why = s.Why
		}
	}
	name := c.opt.Second.Name()
	if len(said) == 0 {
		p.Reason = name + " is asked while a match is under way"
		return p
	}
	p.Facts = map[string]any{"matches_asked_about": len(said), "matches_found": count[footy.SecondAnswered]}
	parts := []string{fmt.Sprintf("%s has %d of %s", name, count[footy.SecondAnswered], explain.Plural(len(said), "match", "matches"))}
	for _, s := range []struct {
		state footy.SecondState
		words string
	}{{footy.SecondNoMatch, "%d not found there"}, {footy.SecondAmbiguous, "%d found twice, so not believed"}, {footy.SecondUnreachable, "%d could not be asked about"}} {
		if n := count[s.state]; n > 0 {
			parts = append(parts, fmt.Sprintf(s.words, n))
		}
	}
	if p.Reason = strings.Join(parts, ", "); count[footy.SecondUnreachable] > 0 {
		p.State, p.Reason, p.Remedy = health.StateDegraded, p.Reason+": "+why, nothingLost
	}
	return p
}

// secondSaid are the answers of the second feed in the last polls of the matches that are followed now.
func (c *Checker) secondSaid(ctx context.Context) ([]footy.SecondAnswer, error) {
	active, err := c.opt.Store.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageActive}})
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, f := range active {
		ids = append(ids, f.ID)
	}
	last, err := c.opt.Store.LatestSnapshots(ctx, ids)
	if err != nil {
		return nil, err
	}
	var out []footy.SecondAnswer
	for _, id := range ids {
		if said := last[id].Snapshot.SecondFeed; said != nil {
			out = append(out, *said)
		}
	}
	return out, nil
}

// secondFinding asks the second feed for one league's day, as a poll would.
func (c *Checker) secondFinding(ctx context.Context) Finding {
	f := Finding{Part: health.Part{Name: health.SecondFeed, State: health.StateOK}}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if _, err := c.opt.Second.Around(ctx, footy.League{ID: firstLeague}, time.Now().UTC()); err != nil && !footy.IsNotFound(err) {
		f.State, f.Reason, f.Remedy = health.StateDegraded, footy.UserMessage(err), nothingLost
		return f
	}
	f.Reason = c.opt.Config.Feed.ESPN + ", beside " + c.opt.Config.Feed.InCharge() + ": unofficial, it may change or end any day"
	return f
}

// firstLeague is one that every feed has.
const firstLeague = 39
