package store

import (
	"context"

	"github.com/found-footy/found-footy/internal/footy"
)

// keysVersion counts the changes of what a fixture is looked up by.
const keysVersion = 1

// keysState is where it is kept which of them every stored fixture has.
const keysState = "fixture_keys"

// Reindex writes those fixtures again that an older program wrote, so that they are found by what it did not look them up by. Once
// per database; several processes may do it at the same time. What cannot be read stays as it is.
func Reindex(ctx context.Context, s Store) error {
	done := 0
	if err := s.State(ctx, keysState, &done); err != nil && !footy.IsNotFound(err) {
		return err
	}
	if done >= keysVersion {
		return nil
	}
	list, err := s.List(ctx, FixtureQuery{})
	if err != nil {
		return err
	}
	same := func(*footy.Fixture) ([]footy.Entry, error) { return nil, nil }
	for i := range list {
		if _, err := s.Update(ctx, list[i].ID, same); err != nil && !footy.IsNotFound(err) {
			return err
		}
	}
	return s.PutState(ctx, keysState, keysVersion)
}
