package download

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/footy"
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
	var e *footy.Error
	if !errors.As(err, &e) {
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
	var e *footy.Error
	if err == nil || errors.As(err, &e) && (e.Code == footy.CodeRejected || e.Code == footy.CodeGeoBlocked || e.Reason != "") {
		return err
	}
	return &footy.Error{Code: footy.CodeUnavailable, Op: op, Reason: cause, Err: err}
}

// guard makes a panic over one file trouble of that post alone: Temporal would repeat it for hours, and hold up the posts beside it.
func guard(op string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &footy.Error{Code: footy.CodeUnavailable, Op: op, Reason: footy.ReasonMachine, Err: fmt.Errorf("panic: %v", p)}
		}
	}()
	return do()
}

// ours reports whether a failure is our own store's: nothing can be written down, so the activity is tried again.
func ours(err error) bool {
	var e *footy.Error
	return err != nil && (!errors.As(err, &e) || e.Reason == "" && e.Code != footy.CodeRejected && e.Code != footy.CodeGeoBlocked)
}

// fetchHealth is what all workers know about fetching at a place.
func (a *Activities) fetchHealth(ctx context.Context, at source.Place) (source.FetchHealth, error) {
	var h source.FetchHealth
	err := a.Store.State(ctx, at.FetchHealthKey(), &h)
	if footy.IsNotFound(err) {
		err = nil
	}
	return h, err
}

// whyResting answers why no post of a place is fetched now; nil if posts are. A rest ends when a post that could be fetched before can be
// again.
func (a *Activities) whyResting(ctx context.Context, at source.Place) (why, err error) {
	h, err := a.fetchHealth(ctx, at)
	if err != nil || !fetchhealth.Resting(h) || h.Known == nil {
		return nil, err
	}
	failure := a.probe(ctx, h)
	if failure == nil {
		return nil, a.Store.PutState(ctx, at.FetchHealthKey(), fetchhealth.Note(h, h.Known.PostID, "", *h.Known, a.Now()))
	}
	return &footy.Error{Code: footy.CodeUnavailable, Op: "fetch post", Reason: footy.ReasonFetchResting, Err: failure}, nil
}

// probe looks whether a post that was fetched before still can be.
func (a *Activities) probe(ctx context.Context, h source.FetchHealth) error {
	if h.Known == nil {
		return footy.Errorf(footy.CodeNotFound, "look at a known post", "none is known")
	}
	return a.Fetcher.Probe(ctx, *h.Known)
}

// noteFetch keeps what a fetch says about fetching at the post's place. Of a doubtful answer it tells whether other posts there could
// be fetched since the post was first answered so.
func (a *Activities) noteFetch(ctx context.Context, p footy.Post, failure error) (others bool, err error) {
	why, what := classify(failure)
	switch {
	case failure == nil:
		why = ""
	case what == final || what == trouble && why != footy.ReasonFetchFailed:
		return false, nil // says nothing about other posts
	}
	a.health.Lock()
	defer a.health.Unlock()
	at := source.PlaceOf(p.PostID)
	h, err := a.fetchHealth(ctx, at)
	if err != nil {
		return false, err
	}
	if why == footy.ReasonStalled { // its bytes came; others must have come through since
		return p.Suspicion != nil && fetchhealth.FetchedSince(h, p.Suspicion.At), nil
	}
	if now := a.Now(); why != "" || len(h.Failed) > 0 || h.Known == nil || now.Sub(h.LastOK) > a.Delays.First {
		h = fetchhealth.Note(h, p.PostID, why, p.Candidate, now)
		if err := a.Store.PutState(ctx, at.FetchHealthKey(), h); err != nil {
			return false, err
		}
	}
	// The first posts of a new block look like deleted ones: what could be fetched before must be had right now.
	return what == doubtful && p.Suspicion != nil && a.probe(ctx, h) == nil, nil
}

// noteModel keeps how the model does; a success is written now and then only.
func (a *Activities) noteModel(ctx context.Context, failure error, took time.Duration) error {
	var c validate.Condition
	if err := a.Store.State(ctx, validate.ConditionKey, &c); err != nil && !footy.IsNotFound(err) {
		return err
	}
	now := a.Now()
	next := c.Answered(took, now)
	if failure != nil {
		next = c.Failed(failure, now)
	}
	next.Showing = a.Reader.Showing()
	if next.Reason == c.Reason && next.Showing == c.Showing && now.Sub(c.At) < a.Delays.First {
		return nil
	}
	return a.Store.PutState(ctx, validate.ConditionKey, next)
}
