package download

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// failureKind is what a failure says: a fact about the post that ends it, an answer that a blocked address gets for every post, or trouble
// of something else.
type failureKind int

const (
	trouble failureKind = iota
	doubtful
	final
)

// classify tells a fact about the post from everything else.
func classify(err error) (footy.Reason, failureKind) {
	e, ok := errors.AsType[*footy.Error](err)
	if !ok {
		return footy.ReasonFetchFailed, trouble
	}
	switch {
	case e.Code == footy.CodeGeoBlocked:
		return footy.ReasonGeoBlocked, doubtful
	case e.Code == footy.CodeRejected && e.Reason.Doubtful():
		return e.Reason, doubtful
	case e.Code == footy.CodeRejected:
		return e.Reason, final
	case e.Reason == "":
		return footy.ReasonFetchFailed, trouble
	}
	return e.Reason, trouble
}

// because gives trouble its cause, where nobody nearer to it did. Facts about the post and answers of a cause stay as they are.
func because(cause footy.Reason, op string, err error) error {
	if e, ok := errors.AsType[*footy.Error](err); err == nil || ok && (e.Code == footy.CodeRejected || e.Code == footy.CodeGeoBlocked || e.Reason != "") {
		return err
	}
	return &footy.Error{Code: footy.CodeUnavailable, Op: op, Reason: cause, Err: err}
}

// errBroke is in the error of a panic.
var errBroke = errors.New("panic")

// guard makes a panic over one file trouble of that post alone: Temporal would repeat it for hours, and hold up the posts beside it.
func guard(op string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &footy.Error{Code: footy.CodeUnavailable, Op: op, Reason: footy.ReasonMachine, Err: fmt.Errorf("%w: %v", errBroke, p)}
		}
	}()
	return do()
}

// ours reports whether a failure is our own store's: nothing can be written down, so the activity is tried again.
func ours(err error) bool {
	e, ok := errors.AsType[*footy.Error](err)
	return err != nil && (!ok || e.Reason == "" && e.Code != footy.CodeRejected && e.Code != footy.CodeGeoBlocked)
}

// changeHealth changes what all workers know about fetching at a place.
func (a *Activities) changeHealth(ctx context.Context, at source.Place, change func(*source.FetchHealth) error) (source.FetchHealth, error) {
	return store.ChangeState(ctx, a.Store, at.FetchHealthKey(), change)
}

// whyResting answers why a post of a place is not fetched now; nil if it is. A rest ends when a post that could be fetched before can be
// again, or when the due post can that goes through each interval: what was known may be deleted by now. rests tells of that post, too.
func (a *Activities) whyResting(ctx context.Context, at source.Place) (why error, rests bool, err error) {
	var turn bool
	h, err := a.changeHealth(ctx, at, func(h *source.FetchHealth) error {
		if *h, turn = fetchhealth.TakeTurn(*h, a.Delays.TurnEvery(), a.Now()); !turn {
			return store.ErrUnchanged
		}
		return nil
	})
	switch {
	case err != nil || !fetchhealth.Resting(h):
		return nil, false, err
	case !turn:
		return &footy.Error{Code: footy.CodeUnavailable, Op: "fetch post", Reason: footy.ReasonFetchResting,
			Err: fmt.Errorf("every post failed alike (%s); one at a time is tried", h.Reason)}, true, nil
	}
	known, failure := a.probe(ctx, h)
	if failure != nil {
		return nil, true, ctx.Err() // this post finds out
	}
	_, err = a.changeHealth(ctx, at, func(h *source.FetchHealth) error {
		*h = fetchhealth.Note(*h, known.PostID, "", known, a.Now())
		return nil
	})
	return nil, false, err
}

// rests tells whether a post waits to be fetched at a place where that rests: reconcile lets one through each interval.
func (a *Activities) rests(ctx context.Context, p footy.Post) (bool, error) {
	if p.State != footy.PostWaiting || ledger.NextStep(p) != ledger.StepFetch {
		return false, nil
	}
	h, err := store.Fact[source.FetchHealth](ctx, a.Store, source.PlaceOf(p.PostID).FetchHealthKey())
	return fetchhealth.Resting(h), err
}

// probe looks which of the posts that were fetched before still can be; a host that is silent may not take a fetch's whole time.
func (a *Activities) probe(ctx context.Context, h source.FetchHealth) (footy.Candidate, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return source.ProbeKnown(ctx, a.Fetcher, h)
}

// noteFetch keeps what a fetch says about fetching at the post's place. Of a doubtful answer it tells whether other posts there could
// be fetched since the post was first answered so.
func (a *Activities) noteFetch(ctx, limited context.Context, p footy.Post, failure error) (others bool, err error) {
	why, what := classify(failure)
	switch {
	case failure == nil:
		why = ""
	case what == final || what == trouble && why != footy.ReasonFetchFailed:
		return false, nil // says nothing about other posts
	}
	stalled := why == footy.ReasonStalled // its bytes came: that says nothing about others
	h, err := a.changeHealth(ctx, source.PlaceOf(p.PostID), func(h *source.FetchHealth) error {
		now := a.Now()
		if stalled || why == "" && len(h.Failed) == 0 && h.Known != nil && now.Sub(h.LastOK) <= a.Delays.First {
			return store.ErrUnchanged
		}
		*h = fetchhealth.Note(*h, p.PostID, why, p.Candidate, now)
		return nil
	})
	switch {
	case err != nil || p.Suspicion == nil || what != doubtful || fetchhealth.Resting(h):
		return false, err
	case stalled: // others must have come through since
		return fetchhealth.FetchedSince(h, p.Suspicion.At), nil
	}
	// The first posts of a new block look like deleted ones: what could be fetched before must be had right now.
	_, gone := a.probe(limited, h)
	return gone == nil, nil
}

// noteModel keeps how the model does; what changes nothing is written now and then only. What one clip meets again says of the model
// only that others' trouble goes on.
func (a *Activities) noteModel(ctx context.Context, p footy.Post, failure error, took time.Duration) error {
	c, err := store.Fact[validate.Condition](ctx, a.Store, validate.ConditionKey)
	if err != nil {
		return err
	}
	now := a.Now()
	next := c.Answered(took, now)
	if failure != nil {
		next = c.Failed(failure, now)
		if p.Suspicion != nil && p.Suspicion.Reason == next.Reason {
			if next.Clips = c.Clips; c.Reason != next.Reason || c.Clips < 2 {
				return nil
			}
		}
	}
	next.Showing = a.Reader.Showing()
	second := c.Clips == 1 && next.Clips == 2 // it is the model's, then
	if next.Reason == c.Reason && next.Showing == c.Showing && !second && now.Sub(c.At) < a.Delays.First {
		return nil
	}
	return a.Store.PutState(ctx, validate.ConditionKey, next)
}
