package xapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Ledger remembers how many posts were paid for on a day (UTC, 2006-01-02).
type Ledger interface {
	Posts(ctx context.Context, day string) (int, error)
	Add(ctx context.Context, day string, posts int) error
}

// dailyCap guards the day's cap: searches under way hold a reservation, so that two at once cannot pass it together.
type dailyCap struct {
	mu     sync.Mutex
	ledger Ledger
	cap    int // posts a day; negative = no cap
	held   int
}

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

func (a *dailyCap) left(ctx context.Context, now time.Time) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.remaining(ctx, now)
}

func (a *dailyCap) remaining(ctx context.Context, now time.Time) (int, error) {
	spent, err := a.ledger.Posts(ctx, dayOf(now))
	if err != nil || a.cap < 0 {
		return -1, err
	}
	return max(a.cap-spent-a.held, 0), nil
}

// reserve holds posts until done says how many were read; not ok means that the cap does not allow them.
func (a *dailyCap) reserve(ctx context.Context, now time.Time, posts int) (done func(context.Context, int) error, ok bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	left, err := a.remaining(ctx, now)
	if err != nil || left >= 0 && left < posts {
		return nil, false, err
	}
	a.held += posts
	return func(ctx context.Context, read int) error {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.held -= posts
		if read == 0 {
			return nil
		}
		return a.ledger.Add(context.WithoutCancel(ctx), dayOf(now), read)
	}, true, nil
}

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

func (m *memoryLedger) Add(_ context.Context, day string, posts int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.posts[day] += posts
	return nil
}

// fileLedger keeps the present day's count in a small JSON fileLedger.
type fileLedger struct {
	mu   sync.Mutex
	path string
}

type entry struct {
	Day   string `json:"day"`
	Posts int    `json:"posts"`
}

// NewFile is a ledger in a file, for one process.
func NewFile(path string) Ledger { return &fileLedger{path: path} }

func (f *fileLedger) read() (entry, error) {
	var e entry
	raw, err := os.ReadFile(f.path)
	if errors.Is(err, os.ErrNotExist) {
		return e, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &e)
	}
	if err != nil {
		// Unreadable is not zero: guessing would spend money.
		return e, fmt.Errorf("spending ledger %s: %w (delete it to start the day's count anew)", f.path, err)
	}
	return e, nil
}

func (f *fileLedger) Posts(_ context.Context, day string) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	e, err := f.read()
	if err != nil || e.Day != day {
		return 0, err
	}
	return e.Posts, nil
}

func (f *fileLedger) Add(_ context.Context, day string, posts int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	e, err := f.read()
	if err != nil {
		return err
	}
	if e.Day != day {
		e = entry{Day: day}
	}
	e.Posts += posts
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	tmp := filepath.Join(filepath.Dir(f.path), "."+filepath.Base(f.path)+".new")
	if err := os.WriteFile(tmp, raw, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, f.path)
}
