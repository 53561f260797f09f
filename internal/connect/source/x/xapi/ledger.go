package xapi

import (
	"context"
	"sync"
	"time"
)

// Ledger remembers how many posts were paid for on a day (UTC, 2006-01-02), for every process that spends the same money.
// What a search may cost counts from before it is asked for, so that a process that dies in between has spent too much
// rather than too little.
type Ledger interface {
	Posts(ctx context.Context, day string) (int, error)
	// Reserve counts posts as paid for, unless the day's count would pass limit; a negative limit is none.
	Reserve(ctx context.Context, day string, posts, limit int) (ok bool, err error)
	// Return takes back what was reserved and not read.
	Return(ctx context.Context, day string, posts int) error
}

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

type memoryLedger struct {
	mu    sync.Mutex
	posts map[string]int
}

// NewMemory is a ledger that forgets at restart.
func NewMemory() Ledger { return &memoryLedger{posts: map[string]int{}} }

func (m *memoryLedger) Posts(_ context.Context, day string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.posts[day], nil
}

func (m *memoryLedger) Reserve(_ context.Context, day string, posts, limit int) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if limit >= 0 && m.posts[day]+posts > limit {
		return false, nil
	}
	m.posts[day] += posts
	return true, nil
}

func (m *memoryLedger) Return(_ context.Context, day string, posts int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.posts[day] = max(m.posts[day]-posts, 0)
	return nil
}
