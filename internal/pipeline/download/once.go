package download

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/internal/recognize/footage"
)

// readBefore decides by what the model read in another post of the match: in the very same bytes, or surely in the same footage.
// The goals of a match share what was read; what it says of this goal is decided anew.
func (a *Activities) readBefore(ctx context.Context, f footy.Fixture, e footy.Event, p footy.Post) (v footy.Verdict, known bool, err error) {
	others, err := a.Store.Posts(ctx, store.PostQuery{FixtureID: f.ID})
	if err != nil {
		return v, false, err
	}
	others = slices.DeleteFunc(others, func(o footy.Post) bool {
		return o.Media == nil || o.Verdict == nil || len(o.Verdict.Readings) == 0 && !o.Verdict.Running.Sure()
	})
	o, readings, found, err := a.sameFootage(ctx, others, p)
	if err != nil || !found {
		return v, false, err
	}
	v, known, err = a.knownOf(ctx, *o.Verdict, readings, f, e, p)
	v.SameAs = cmp.Or(o.Verdict.SameAs, footy.ClipID(o.Media.Digest))
	return v, known, err
}

// sameFootage finds the judged post that shows what p does, and which of its readings hold for p. Only what was looked at itself counts
// for footage: likeness must not be handed on from copy to copy.
func (a *Activities) sameFootage(ctx context.Context, judged []footy.Post, p footy.Post) (o footy.Post, readings []footy.Reading, found bool, err error) {
	for _, o := range judged {
		if o.Media.Digest == p.Media.Digest {
			return o, o.Verdict.Readings, true, nil
		}
	}
	mine, known, err := a.recall(ctx, *p.Media)
	if err != nil || !known {
		return o, nil, false, err
	}
	for _, o := range judged {
		if o.Verdict.SameAs != "" {
			continue
		}
		its, known, err := a.recall(ctx, *o.Media)
		if err != nil {
			return o, nil, false, err
		}
		beat(ctx)
		if !known {
			continue
		}
		if len(o.Verdict.Readings) == 0 {
			if _, found := mine.Readings(its, clock.Frames(o.Verdict.Running)); found {
				return o, nil, true, nil
			}
		} else if shown, found := mine.Readings(its, o.Verdict.Readings); found {
			return o, shown, true, nil
		}
	}
	return o, nil, false, nil
}

// inOrder are the posts of a turn, first those whose answer holds for most open posts of the goal.
func (a *Activities) inOrder(ctx context.Context, in ValidateInput) ([]string, error) {
	if len(in.Posts) < 2 {
		return in.Posts, nil
	}
	open, err := a.Store.Posts(ctx, store.PostQuery{EventUID: in.EventUID, Open: true})
	if err != nil {
		return nil, err
	}
	known := map[string]footage.Footage{}
	var waiting []footage.Footage
	for _, p := range open {
		if p.Media == nil || ledger.NextStep(p) != ledger.StepJudge {
			continue
		}
		beat(ctx)
		if f, recognised, err := a.recall(ctx, *p.Media); err == nil && recognised { // what is wrong with the storage is told when the post is looked at
			known[p.PostID] = f
			waiting = append(waiting, f)
		}
	}
	var ids, rest []string
	var mine []footage.Footage
	for _, id := range in.Posts {
		if f, recognised := known[id]; recognised {
			ids, mine = append(ids, id), append(mine, f)
		} else {
			rest = append(rest, id)
		}
	}
	out := make([]string, 0, len(in.Posts))
	for _, i := range footage.Order(mine, waiting) {
		out = append(out, ids[i])
	}
	return append(out, rest...), nil
}

// questions are those that this process has put to the model and that have no answer yet, by post. Turns of one goal run side by side.
type questions struct {
	sync.Mutex
	open map[string]asked
}

type asked struct {
	fixture  int64
	about    footage.Footage
	answered chan struct{}
}

func questionKey(p footy.Post) string { return p.EventUID + "/" + p.PostID }

// readMeanwhile waits while the model is asked about the footage of p for another post, and then goes by what was read. Otherwise p is
// what others wait for, until it is answered.
func (a *Activities) readMeanwhile(ctx context.Context, f footy.Fixture, e footy.Event, p footy.Post) (v footy.Verdict, known bool, err error) {
	mine, recognised, err := a.recall(ctx, *p.Media)
	if err != nil || !recognised {
		return v, false, err
	}
	for {
		other := a.ask(p, mine)
		if other == nil { // from now on nobody else asks; somebody may have, since we looked last
			return a.readBefore(ctx, f, e, p)
		}
		if err := waitFor(ctx, other); err != nil {
			return v, false, err
		}
	}
}

// ask notes that the model is asked about p, unless somebody asks about its footage already: then it says when that is answered.
func (a *Activities) ask(p footy.Post, mine footage.Footage) (other chan struct{}) {
	a.asking.Lock()
	defer a.asking.Unlock()
	for _, q := range a.asking.open {
		if q.fixture == p.FixtureID && mine.Within(q.about) {
			return q.answered
		}
	}
	if a.asking.open == nil {
		a.asking.open = map[string]asked{}
	}
	a.asking.open[questionKey(p)] = asked{fixture: p.FixtureID, about: mine, answered: make(chan struct{})}
	return nil
}

// answered tells those who wait that there is an answer about p, or will be none.
func (a *Activities) answered(p footy.Post) {
	a.asking.Lock()
	defer a.asking.Unlock()
	if q, found := a.asking.open[questionKey(p)]; found {
		close(q.answered)
		delete(a.asking.open, questionKey(p))
	}
}

func waitFor(ctx context.Context, done <-chan struct{}) error {
	alive := time.NewTicker(5 * time.Second)
	defer alive.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-alive.C:
			beat(ctx)
		}
	}
}
