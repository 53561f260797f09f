package store

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// searchOrder passes every ordered pair of stages, so that a fixture that moves during the search is met at its old or
// its new place, whichever way it goes: a move inserts before it deletes.
var searchOrder = []Collection{
	FixturesStaging, FixturesActive, FixturesCompleted,
	FixturesActive, FixturesStaging,
}

// stageCollections are the first three: enough where something was found on the way.
const stageCollections = 3

// newestFirst orders copies of one fixture. A move raises the revision at every step, so the highest one is the truth and
// any other is the rest of a move; after equal revisions (added twice at once) the later stage is taken.
func newestFirst(a, b footy.Fixture) int {
	return cmp.Or(cmp.Compare(b.Revision, a.Revision), slices.Index(footy.Stages, a.Stage)-slices.Index(footy.Stages, b.Stage))
}

// copies returns every stored copy of a fixture, the true one first; none is CodeNotFound. Like List it reads again after
// a move backwards: the true copy could have slipped past, and the rest of a move that was met instead must not pass for it.
func (s *documents) copies(ctx context.Context, id int64) ([]footy.Fixture, error) {
	before, err := s.returns(ctx)
	for err == nil {
		var found []footy.Fixture
		if found, err = s.readCopies(ctx, id); err != nil && !footy.IsNotFound(err) {
			break
		}
		after, failed := s.returns(ctx)
		if failed != nil || before == after {
			return found, errors.Join(failed, err)
		}
		before, err = after, nil
	}
	return nil, err
}

// readCopies reads the stages once.
func (s *documents) readCopies(ctx context.Context, id int64) ([]footy.Fixture, error) {
	var found []footy.Fixture
	for i, c := range searchOrder {
		if i >= stageCollections && len(found) > 0 {
			break
		}
		d, err := s.Find(ctx, c, decimal(id))
		if footy.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, footy.Wrap(footy.CodeUnavailable, "find fixture "+decimal(id), err)
		}
		f, err := decodeFixture(d)
		if err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	if len(found) == 0 {
		return nil, footy.Errorf(footy.CodeNotFound, "find fixture "+decimal(id), "no stage has it")
	}
	slices.SortStableFunc(found, newestFirst)
	return found, nil
}

// Fixture finds a fixture wherever it is.
func (s *documents) Fixture(ctx context.Context, id int64) (footy.Fixture, error) {
	found, err := s.copies(ctx, id)
	if err != nil {
		return footy.Fixture{}, err
	}
	return found[0], nil
}

// settled finds the one copy that may be written: it completes an interrupted move and clears what moves left behind.
// After completing a move it answers CodeConflict: read anew.
func (s *documents) settled(ctx context.Context, id int64) (footy.Fixture, error) {
	found, err := s.copies(ctx, id)
	if err != nil {
		return footy.Fixture{}, err
	}
	for _, dead := range found[1:] {
		if err := s.discard(ctx, dead); err != nil {
			return footy.Fixture{}, err
		}
	}
	if f := found[0]; f.MovingTo != "" {
		if _, err := s.finishMove(ctx, f); err != nil {
			return footy.Fixture{}, err
		}
		return footy.Fixture{}, footy.Errorf(footy.CodeConflict, "read fixture "+decimal(id), "a move was completed just now")
	}
	return found[0], nil
}

// discard deletes a dead copy, by revision: a move may have put a living one in its place meanwhile.
func (s *documents) discard(ctx context.Context, f footy.Fixture) error {
	c, err := collectionOf(f.Stage)
	if err != nil {
		return err
	}
	if f.MovingTo != "" && backwards(f.Stage, f.MovingTo) {
		if err := s.announceReturn(ctx); err != nil {
			return err
		}
	}
	err = s.Backend.Delete(ctx, c, Filter{IDs: []string{decimal(f.ID)}, Revision: f.Revision})
	return footy.Wrap(footy.CodeUnavailable, "discard copy of fixture "+decimal(f.ID), err)
}
