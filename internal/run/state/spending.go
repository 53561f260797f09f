package state

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Spending is what the paid API of X cost, for all processes that share the database. Without one nothing may be spent.
type Spending struct{ Store store.State }

// SpentOnSearches is the key of what searches cost.
const SpentOnSearches = "x_spent_on_searches"

var _ bill.Ledger = Spending{}

// Read implements bill.Ledger.
func (s Spending) Read(ctx context.Context) (bill.Book, error) {
	if s.Store == nil {
		return bill.Book{}, footy.Errorf(footy.CodeUnavailable, "read the spending", "the database is not open")
	}
	b, err := store.Fact[bill.Book](ctx, s.Store, SpentOnSearches)
	if err != nil {
		b = bill.Unreadable(time.Now())
		err = store.Mend(ctx, s.Store, SpentOnSearches, b, err)
	}
	return b, err
}

// Change implements bill.Ledger.
func (s Spending) Change(ctx context.Context, change func(*bill.Book) bool) error {
	if _, err := s.Read(ctx); err != nil { // which mends it
		return err
	}
	_, err := store.ChangeState(ctx, s.Store, SpentOnSearches, func(b *bill.Book) error {
		if !change(b) {
			return store.ErrUnchanged
		}
		return nil
	})
	return err
}
