package xapi_test

import (
	"context"
	"maps"
	"sync"

	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
)

type memory struct {
	mu   sync.Mutex
	book bill.Book
}

// newMemory is a ledger that forgets at restart.
func newMemory() bill.Ledger { return &memory{} }

func (m *memory) Read(context.Context) (bill.Book, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return clone(m.book), nil
}

func (m *memory) Change(_ context.Context, change func(*bill.Book) bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b := clone(m.book); change(&b) {
		m.book = b
	}
	return nil
}

func clone(b bill.Book) bill.Book {
	out := bill.Book{Days: maps.Clone(b.Days), Unknown: b.Unknown}
	if b.Stop != nil {
		stop := *b.Stop
		out.Stop = &stop
	}
	return out
}
