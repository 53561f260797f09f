package lookup

import (
	"context"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// counting is a store whose running matches have their minute counted on: it is not written while it goes on as time does.
type counting struct {
	store.Store
	now    func() time.Time
	minute time.Duration
}

func (c counting) countOn(f *footy.Fixture) {
	f.Match.Status = f.Match.Status.CountOn(c.now(), c.minute)
}

// countOn counts on minutes of a list that was read before from a counting store. It is the same list where none moved.
func countOn(s store.Store, list []footy.Fixture) []footy.Fixture {
	c, ok := s.(counting)
	if !ok {
		return list
	}
	same := true
	for i, f := range list {
		if c.countOn(&f); f.Match.Status.Since.Equal(list[i].Match.Status.Since) {
			continue
		}
		if same {
			list, same = slices.Clone(list), false
		}
		list[i] = f
	}
	return list
}

// Fixture implements store.Store.
func (c counting) Fixture(ctx context.Context, id int64) (footy.Fixture, error) {
	f, err := c.Store.Fixture(ctx, id)
	c.countOn(&f)
	return f, err
}

// FixtureOfEvent implements store.Store.
func (c counting) FixtureOfEvent(ctx context.Context, id string) (footy.Fixture, error) {
	f, err := c.Store.FixtureOfEvent(ctx, id)
	c.countOn(&f)
	return f, err
}

// List implements store.Store.
func (c counting) List(ctx context.Context, q store.FixtureQuery) ([]footy.Fixture, error) {
	list, err := c.Store.List(ctx, q)
	for i := range list {
		c.countOn(&list[i])
	}
	return list, err
}

// Counting is a store that counts on the minutes of running matches; minute is how long one lasts, 0 = a minute.
func Counting(s store.Store, now func() time.Time, minute time.Duration) store.Store {
	if minute <= 0 {
		minute = time.Minute
	}
	return counting{s, now, minute}
}
