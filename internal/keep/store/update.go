package store

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/found-footy/found-footy/internal/footy"
)

// aggregate says how one document of a collection is read and written.
type aggregate[T any] struct {
	in       Collection
	id, what string
	decode   func(Doc) (T, error)
	// encode makes the document of the changed value over the body as read, with what belongs to the store put back.
	encode func(read, changed T, body []byte) (T, Doc, error)
}

// update repeats read, change and replace-by-revision until no other writer gets in between. The log rows of a change go
// with its own replace, so that a try which loses leaves no row.
func update[T any](ctx context.Context, s *documents, a aggregate[T], change func(*T) ([]footy.Entry, error)) (T, error) {
	return retry(ctx, a.what, func() (T, error) { return try(ctx, s, a, change) })
}

// retry repeats once while it answers CodeConflict.
func retry[T any](ctx context.Context, what string, once func() (T, error)) (T, error) {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval, pause.RandomizationFactor = 2*time.Millisecond, maxPause, 1
	v, err := backoff.Retry(ctx, func() (T, error) {
		v, err := once()
		if _, own := errors.AsType[aborted](err); err != nil && (own || footy.CodeOf(err) != footy.CodeConflict) {
			return v, backoff.Permanent(err)
		}
		return v, err
	}, backoff.WithBackOff(pause), backoff.WithMaxElapsedTime(patience))
	var none T
	if own, ok := errors.AsType[aborted](err); ok {
		return none, own.error // the change's own error comes back as it is
	}
	if err != nil {
		return none, footy.Wrap(footy.CodeUnavailable, "update "+what, err)
	}
	return v, nil
}

// try does it once; CodeConflict asks for another try.
func try[T any](ctx context.Context, s *documents, a aggregate[T], change func(*T) ([]footy.Entry, error)) (T, error) {
	var none T
	d, err := s.Find(ctx, a.in, a.id)
	if err != nil {
		return none, err
	}
	read, err := a.decode(d)
	s.note(a.in, a.id, err)
	if err != nil {
		return none, err
	}
	changed := read
	rows, err := change(&changed)
	if errors.Is(err, ErrUnchanged) {
		return a.decode(d) // anew: the change may have written into lists that both share
	}
	if err != nil {
		return none, aborted{err}
	}
	changed, next, err := a.encode(read, changed, d.Body)
	if err != nil {
		return none, aborted{err}
	}
	log, err := encodeRows(rows)
	if err != nil {
		return none, aborted{err}
	}
	return changed, s.Replace(ctx, a.in, next, d.Revision, log...)
}

// aborted carries the error of a change through the retries, whatever its code.
type aborted struct{ error }

// ErrUnchanged is what a change returns when there is nothing to write: Update and Advance return what they read.
var ErrUnchanged = errors.New("unchanged")

const (
	// patience bounds how long one Update starts over while others keep writing the same document.
	patience = 30 * time.Second
	// maxPause bounds the wait between two tries. Writers that pause for less than a write takes only meet again.
	maxPause = time.Second
)

// documents is the store over any backend.
type documents struct {
	Backend
	damages
}

// New makes the store of a backend. Closing the store closes the backend.
func New(backend Backend) Store {
	s := &documents{}
	s.Backend = watched{backend, &s.damages}
	return s
}
