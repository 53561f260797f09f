package store

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/found-footy/found-footy/internal/footy"
)

// Update reads, applies change and writes back only if nobody wrote in between, else starts over with fresh data.
func (s *documents) Update(ctx context.Context, id int64, change func(*footy.Fixture) error) (footy.Fixture, error) {
	return s.persist(ctx, "update fixture "+decimal(id), func() (footy.Fixture, error) {
		f, err := s.settled(ctx, id)
		if err != nil {
			return footy.Fixture{}, err
		}
		return s.write(ctx, f, change)
	})
}

// write applies change to a fixture as read and replaces exactly that revision.
func (s *documents) write(ctx context.Context, f footy.Fixture, change func(*footy.Fixture) error) (footy.Fixture, error) {
	fixed := f
	if change != nil {
		if err := change(&f); errors.Is(err, ErrUnchanged) {
			return fixed, nil
		} else if err != nil {
			return footy.Fixture{}, aborted{err}
		}
	}
	// What locates a fixture belongs to the store; a change cannot move or rename it.
	f.ID, f.Stage, f.MovingTo = fixed.ID, fixed.Stage, fixed.MovingTo
	f.Revision = fixed.Revision + 1
	return f, s.replace(ctx, f)
}

// errGone says that a copy was written and has left its stage since, so that nobody can tell whether it counted.
var errGone = footy.Errorf(footy.CodeConflict, "write fixture", "it moved on meanwhile")

// replace writes a fixture whose revision was raised by one since it was read, and makes sure that it wrote to the copy
// that counts: a late completer of a finished move can put an old copy, of the very revision that was read, where the
// fixture was. CodeConflict asks for another try; a change must bear being made again, as after a crash.
func (s *documents) replace(ctx context.Context, f footy.Fixture) error {
	c, err := collectionOf(f.Stage)
	if err != nil {
		return err
	}
	d, err := encodeFixture(f)
	if err != nil {
		return err
	}
	err = s.Replace(ctx, c, d, f.Revision-1)
	if footy.IsNotFound(err) { // it was there when we read it: moved away
		err = footy.Errorf(footy.CodeConflict, "replace fixture", "it moved: %w", err)
	}
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, "write fixture "+d.ID, err)
	}
	return s.counted(ctx, f)
}

// counted answers nil if what was just written is in the copy that counts or on its way there, CodeConflict if it is not,
// and errGone if that can no longer be seen.
func (s *documents) counted(ctx context.Context, written footy.Fixture) error {
	found, err := s.copies(ctx, written.ID)
	if footy.IsNotFound(err) {
		return errGone
	}
	if err != nil {
		return err
	}
	for i, f := range found {
		if f.Stage == written.Stage && f.Revision >= written.Revision && (i == 0 || f.MovingTo == found[0].Stage) {
			return nil
		}
	}
	c, err := collectionOf(written.Stage)
	if err != nil {
		return err
	}
	if _, err = s.Find(ctx, c, decimal(written.ID)); footy.IsNotFound(err) { // no rest of a move: it went on while we looked
		return errGone
	}
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, "check fixture "+decimal(written.ID), err)
	}
	return footy.Errorf(footy.CodeConflict, "write fixture "+decimal(written.ID), "the copy written is an old one")
}

// aborted carries the error of a change through the retries, whatever its code.
type aborted struct{ error }

// persist repeats a step that reads and writes by revision until no other writer gets in between.
func (s *documents) persist(ctx context.Context, op string, step func() (footy.Fixture, error)) (footy.Fixture, error) {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval, pause.RandomizationFactor = 2*time.Millisecond, s.opts.MaxPause, 1
	f, err := backoff.Retry(ctx, func() (footy.Fixture, error) {
		f, err := step()
		var own aborted
		if err != nil && (errors.As(err, &own) || footy.CodeOf(err) != footy.CodeConflict) {
			return f, backoff.Permanent(err)
		}
		return f, err
	}, backoff.WithBackOff(pause), backoff.WithMaxElapsedTime(s.opts.Patience))
	var permanent *backoff.PermanentError
	if errors.As(err, &permanent) {
		err = permanent.Unwrap()
	}
	var own aborted
	if errors.As(err, &own) {
		return footy.Fixture{}, own.error // the change's own error comes back as it is
	}
	if err != nil {
		return footy.Fixture{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	return f, nil
}
