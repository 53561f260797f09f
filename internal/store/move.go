package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// Move changes the stage in three steps, each of which any later writer can continue: mark the source (with the change,
// by revision), insert the copy under its new stage, delete the source. Readers take the copy of the highest revision,
// so exactly one is visible throughout.
func (s *documents) Move(ctx context.Context, id int64, to footy.Stage, change func(*footy.Fixture) error) (footy.Fixture, error) {
	if _, err := collectionOf(to); err != nil {
		return footy.Fixture{}, err
	}
	decided := false // once marked the move is made, whoever completes it; what others did after it stands
	return s.persist(ctx, fmt.Sprintf("move fixture %d to %s", id, to), func() (footy.Fixture, error) {
		f, err := s.settled(ctx, id)
		if err != nil || decided || f.Stage == to { // arrived: this move was completed before, with its change
			return f, err
		}
		marked, err := s.mark(ctx, f, to, change)
		if err != nil || marked.MovingTo == "" {
			return marked, err
		}
		decided = true
		return s.finishMove(ctx, marked)
	})
}

// mark applies change and writes the intention to move. A change that says ErrUnchanged calls the move off.
func (s *documents) mark(ctx context.Context, f footy.Fixture, to footy.Stage, change func(*footy.Fixture) error) (footy.Fixture, error) {
	marked := f
	if change != nil {
		if err := change(&marked); errors.Is(err, ErrUnchanged) {
			return f, nil
		} else if err != nil {
			return footy.Fixture{}, aborted{err}
		}
	}
	marked.ID, marked.Stage, marked.Revision, marked.MovingTo = f.ID, f.Stage, f.Revision+1, to
	err := s.replace(ctx, marked)
	if errors.Is(err, errGone) { // others completed the move; moving again would undo what came after it
		return marked, nil
	}
	return marked, err
}

// finishMove takes a marked fixture to its new stage. Several writers may do so at once.
func (s *documents) finishMove(ctx context.Context, marked footy.Fixture) (footy.Fixture, error) {
	moved := marked
	moved.Stage, moved.MovingTo, moved.Revision = marked.MovingTo, "", marked.Revision+1
	c, err := collectionOf(moved.Stage)
	if err != nil {
		return footy.Fixture{}, err
	}
	d, err := encodeFixture(moved)
	if err != nil {
		return footy.Fixture{}, err
	}
	op := fmt.Sprintf("move fixture %d to %s", moved.ID, moved.Stage)
	inserted := false
	switch err := s.Insert(ctx, c, d); {
	case err == nil:
		inserted = true
	case footy.CodeOf(err) != footy.CodeConflict:
		return footy.Fixture{}, footy.Wrap(footy.CodeUnavailable, op, err)
	default: // another writer inserted it, or an older copy lies in the way
		if err := s.overwriteOlder(ctx, c, d); err != nil {
			return footy.Fixture{}, footy.Wrap(footy.CodeUnavailable, op, err)
		}
	}
	if inserted {
		if err := s.ownInsert(ctx, marked, moved); err != nil {
			return footy.Fixture{}, err
		}
	}
	return moved, s.discard(ctx, marked)
}

// overwriteOlder replaces a copy of a lower revision that lies where a fixture moves to, and leaves any other.
func (s *documents) overwriteOlder(ctx context.Context, c Collection, d Doc) error {
	there, err := s.Find(ctx, c, d.ID)
	if footy.IsNotFound(err) {
		return footy.Errorf(footy.CodeConflict, "find copy", "it moved on: %w", err)
	}
	if err != nil || there.Revision >= d.Revision {
		return err
	}
	err = s.Replace(ctx, c, d, there.Revision)
	if footy.IsNotFound(err) {
		return footy.Errorf(footy.CodeConflict, "replace copy", "it moved on: %w", err)
	}
	return err
}

// ownInsert takes an insert back if the source was gone by then and the fixture is further than our copy: another writer had
// completed this move. Where ours is the newest copy, somebody only cleared the source away; it stays.
func (s *documents) ownInsert(ctx context.Context, marked, moved footy.Fixture) error {
	c, err := collectionOf(marked.Stage)
	if err != nil {
		return err
	}
	d, err := s.Find(ctx, c, decimal(marked.ID))
	if err == nil && d.Revision == marked.Revision {
		return nil
	}
	if err != nil && !footy.IsNotFound(err) {
		return footy.Wrap(footy.CodeUnavailable, "check move", err)
	}
	found, err := s.copies(ctx, marked.ID)
	if err != nil && !footy.IsNotFound(err) {
		return err
	}
	if len(found) > 0 && found[0].Stage == moved.Stage && found[0].Revision >= moved.Revision {
		return nil
	}
	if err := s.discard(ctx, moved); err != nil {
		return err
	}
	return footy.Errorf(footy.CodeConflict, "check move", "another writer completed it")
}

// backwards reports whether a move goes against the order in which List reads the stages.
func backwards(from, to footy.Stage) bool {
	return slices.Index(footy.Stages, to) > slices.Index(footy.Stages, from)
}

// returnsKey is the state that changes with every backward move, so that List notices one.
const returnsKey = "stage_returns"

func (s *documents) announceReturn(ctx context.Context) error {
	return s.PutState(ctx, returnsKey, rand.Text())
}

// returns reads the mark of the last backward move; "" before the first.
func (s *documents) returns(ctx context.Context) (string, error) {
	var mark string
	if err := s.State(ctx, returnsKey, &mark); err != nil && !footy.IsNotFound(err) {
		return "", err
	}
	return mark, nil
}
