package store

import (
	"context"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// stageOrder is the way fixtures go; reading in this order meets a fixture that moves forward meanwhile.
var stageOrder = []footy.Stage{footy.StageStaging, footy.StageActive, footy.StageCompleted}

// Add inserts a fixture into its stage; CodeConflict if any stage has it.
func (s *documents) Add(ctx context.Context, f footy.Fixture) error {
	c, err := collectionOf(f.Stage)
	if err != nil {
		return err
	}
	op := "add fixture " + decimal(f.ID)
	if _, err := s.copies(ctx, f.ID); err == nil {
		return footy.Errorf(footy.CodeConflict, op, "it is already there")
	} else if !footy.IsNotFound(err) {
		return err
	}
	f.Revision, f.MovingTo = 1, ""
	d, err := encodeFixture(f)
	if err != nil {
		return err
	}
	return footy.Wrap(footy.CodeUnavailable, op, s.Insert(ctx, c, d))
}

// Delete removes a fixture from every stage, with its live snapshot. Rests of a move go first, lest one of them become
// visible when a crash stops the deletion half-way.
func (s *documents) Delete(ctx context.Context, id int64) error {
	found, err := s.copies(ctx, id)
	if err != nil && !footy.IsNotFound(err) {
		return err
	}
	slices.Reverse(found)
	for _, f := range found {
		if err := s.discard(ctx, f); err != nil {
			return err
		}
	}
	byID := Filter{IDs: []string{decimal(id)}}
	for _, c := range []Collection{FixturesLive, FixturesStaging, FixturesActive, FixturesCompleted} {
		if err := s.Backend.Delete(ctx, c, byID); err != nil {
			return footy.Wrap(footy.CodeUnavailable, "delete fixture "+decimal(id), err)
		}
	}
	return nil
}

// FixtureOfEvent finds the fixture that holds an event, by uid or any id it ever had.
func (s *documents) FixtureOfEvent(ctx context.Context, eventID string) (footy.Fixture, error) {
	op := "find event " + eventID
	if eventID == "" {
		return footy.Fixture{}, footy.Errorf(footy.CodeNotFound, op, "an empty id names no event")
	}
	for _, c := range searchOrder {
		docs, err := s.Select(ctx, c, Filter{Key: eventID})
		if err != nil {
			return footy.Fixture{}, footy.Wrap(footy.CodeUnavailable, op, err)
		}
		for _, d := range docs {
			hit, err := decodeFixture(d)
			if err != nil {
				return footy.Fixture{}, err
			}
			f, err := s.Fixture(ctx, hit.ID) // the hit may be the rest of a move
			if footy.IsNotFound(err) {
				continue
			}
			if err != nil || f.Event(eventID) != nil {
				return f, err
			}
		}
	}
	return footy.Fixture{}, footy.Errorf(footy.CodeNotFound, op, "no fixture has it")
}
