package state

import (
	"context"
	"maps"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Spending is what the paid API of X cost, in posts, for all processes that share the database. Without one nothing may be spent.
type Spending struct{ Store store.State }

func (s Spending) open() error {
	if s.Store == nil {
		return footy.Errorf(footy.CodeUnavailable, "read the spending", "the database is not open")
	}
	return nil
}

const spendingKey = "x_spending"

// spendingDays are kept: an answer may come after midnight, and clocks differ.
const spendingDays = 3

// Posts are those paid for on a day.
func (s Spending) Posts(ctx context.Context, day string) (int, error) {
	if err := s.open(); err != nil {
		return 0, err
	}
	var days map[string]int
	if err := s.Store.State(ctx, spendingKey, &days); err != nil && !footy.IsNotFound(err) {
		return 0, err
	}
	return days[day], nil
}

// Reserve counts posts as paid for, unless the day's count would pass limit; a negative limit is none.
func (s Spending) Reserve(ctx context.Context, day string, posts, limit int) (ok bool, err error) {
	err = s.change(ctx, func(days map[string]int) error {
		if ok = limit < 0 || days[day]+posts <= limit; !ok {
			return store.ErrUnchanged
		}
		days[day] += posts
		return nil
	})
	return ok && err == nil, err
}

// Return takes back what was reserved and not read.
func (s Spending) Return(ctx context.Context, day string, posts int) error {
	return s.change(ctx, func(days map[string]int) error {
		days[day] = max(days[day]-posts, 0)
		return nil
	})
}

func (s Spending) change(ctx context.Context, do func(map[string]int) error) error {
	if err := s.open(); err != nil {
		return err
	}
	_, err := store.ChangeState(ctx, s.Store, spendingKey, func(days *map[string]int) error {
		if *days == nil {
			*days = map[string]int{}
		}
		if err := do(*days); err != nil {
			return err
		}
		for _, old := range slices.Sorted(maps.Keys(*days))[:max(len(*days)-spendingDays, 0)] {
			delete(*days, old)
		}
		return nil
	})
	return err
}
