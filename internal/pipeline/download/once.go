package download

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/internal/recognize/footage"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// readBefore decides by what the model read in another post of the match: in the very same bytes, or surely in the same footage.
// The goals of a match share what was read; what it says of this goal is decided anew. Only what was looked at itself counts for footage:
// likeness must not be handed on from copy to copy.
func (a *Activities) readBefore(ctx context.Context, f footy.Fixture, e footy.Event, p footy.Post) (v footy.Verdict, known bool, err error) {
	others, err := a.Store.Posts(ctx, store.PostQuery{FixtureID: f.ID})
	if err != nil {
		return v, false, err
	}
	others = slices.DeleteFunc(others, func(o footy.Post) bool {
		return o.Media == nil || o.Verdict == nil || len(o.Verdict.Readings) == 0 && !o.Verdict.Running.Sure()
	})
	for _, o := range others {
		if o.Media.Digest == p.Media.Digest {
			v, known, err = a.knownOf(ctx, *o.Verdict, o.Verdict.Readings, f, e, p)
			v.SameAs = cmp.Or(o.Verdict.SameAs, footy.ClipID(o.Media.Digest))
			return v, known, err
		}
	}
	mine, err := a.recall(ctx, *p.Media)
	if err != nil || mine == nil {
		return v, false, err
	}
	for _, o := range others {
		if o.Verdict.SameAs != "" {
			continue
		}
		its, err := a.recall(ctx, *o.Media)
		if err != nil {
			return v, false, err
		}
		if its == nil {
			continue
		}
		read := o.Verdict.Readings
		if len(read) == 0 {
			read = clock.Frames(o.Verdict.Running)
		}
		shown, found := footage.Readings(mine, its, read)
		if !found {
			continue
		}
		if len(o.Verdict.Readings) == 0 {
			shown = nil
		}
		v, known, err := a.knownOf(ctx, *o.Verdict, shown, f, e, p)
		if err != nil || known && holds(v, *o.Media, *p.Media) {
			v.SameAs = footy.ClipID(o.Media.Digest)
			return v, err == nil, err
		}
	}
	return v, false, nil
}

// holds reports whether a verdict by the readings of one video is true of another that shows its footage. That the footage is of a goal, or no
// football, is so in all copies. That no clock or the wrong one was read says less: one copy may lack the clock, or have another drawn over it. It
// holds where the clock reader answered alike for both.
func holds(v footy.Verdict, its, mine footy.Media) bool {
	switch {
	case v.Outcome == footy.OutcomeVerified, v.Reason == footy.ReasonSiblingGoal, v.Reason == footy.ReasonOtherMatch, v.Reason == footy.ReasonNotSoccer, v.Reason == footy.ReasonScreen:
		return true
	case its.Clock == nil || mine.Clock == nil:
		return false
	}
	return its.Clock.Abstained == mine.Clock.Abstained
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
	known := map[string]*phash.Prepared{}
	for _, p := range open {
		if p.Media == nil || ledger.NextStep(p) != ledger.StepJudge {
			continue
		}
		if f, err := a.recall(ctx, *p.Media); err == nil && f != nil { // what is wrong with the storage is told when the post is looked at
			known[p.PostID] = f
		}
	}
	var ids, rest []string
	var mine []*phash.Prepared
	for _, id := range in.Posts {
		if f := known[id]; f != nil {
			ids, mine = append(ids, id), append(mine, f)
		} else {
			rest = append(rest, id)
		}
	}
	out := make([]string, 0, len(in.Posts))
	for _, i := range footage.Order(mine, slices.Collect(maps.Values(known))) {
		out = append(out, ids[i])
	}
	return append(out, rest...), nil
}
