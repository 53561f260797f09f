package budgets_test

import (
	"context"
	"sync"

	"github.com/found-footy/found-footy/internal/keep/store"
)

// Tally counts database writes.
type Tally struct {
	Calls int // transactions asked for
	Rows  int // documents in them
}

// Writes is a database that counts what is written to it.
type Writes struct {
	store.Backend
	mu  sync.Mutex
	sum map[store.Collection]Tally
}

func newWrites() *Writes { return &Writes{sum: map[store.Collection]Tally{}} }

func (w *Writes) add(c store.Collection, rows int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.sum[c]
	w.sum[c] = Tally{t.Calls + 1, t.Rows + rows}
}

// Take returns the counts since the last Take.
func (w *Writes) Take() map[store.Collection]Tally {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.sum
	w.sum = map[store.Collection]Tally{}
	return out
}

// log counts the log rows that go with a write: no transaction of their own.
func (w *Writes) log(rows []store.Doc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.sum[store.EventLog]
	w.sum[store.EventLog] = Tally{t.Calls, t.Rows + len(rows)}
}

// Insert counts and passes on.
func (w *Writes) Insert(ctx context.Context, c store.Collection, d store.Doc, rows ...store.Doc) error {
	w.add(c, 1)
	w.log(rows)
	return w.Backend.Insert(ctx, c, d, rows...)
}

// Replace counts and passes on.
func (w *Writes) Replace(ctx context.Context, c store.Collection, d store.Doc, rev int64, rows ...store.Doc) error {
	w.add(c, 1)
	w.log(rows)
	return w.Backend.Replace(ctx, c, d, rev, rows...)
}

// Upsert counts and passes on.
func (w *Writes) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	w.add(c, len(docs))
	return w.Backend.Upsert(ctx, c, docs)
}

// InsertNew counts and passes on.
func (w *Writes) InsertNew(ctx context.Context, c store.Collection, docs []store.Doc, rows ...store.Doc) error {
	w.add(c, len(docs))
	w.log(rows)
	return w.Backend.InsertNew(ctx, c, docs, rows...)
}

// Delete counts and passes on.
func (w *Writes) Delete(ctx context.Context, c store.Collection, f store.Filter) error {
	w.add(c, 1)
	return w.Backend.Delete(ctx, c, f)
}

// Announced counts announcements to readers.
type Announced struct {
	mu sync.Mutex
	n  int
}

// Publish implements the publisher of the product.
func (t *Announced) Publish(context.Context, string, ...string) {
	t.mu.Lock()
	t.n++
	t.mu.Unlock()
}

// Take returns the count since the last Take.
func (t *Announced) Take() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.n
	t.n = 0
	return n
}
