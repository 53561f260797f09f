package store

import (
	"context"
	"errors"

	"github.com/found-footy/found-footy/internal/footy"
)

// ErrDatabase is in the chain of every failure of the database itself: it says nothing of what was asked for.
var ErrDatabase = errors.New("the database failed")

// failed is such a failure; it says what the adapter said.
type failed struct{ error }

func (f failed) Unwrap() error        { return f.error }
func (f failed) Is(target error) bool { return target == ErrDatabase }

// Sound says whether the database's own files can be trusted.
type Sound interface {
	// Corrupt is the first failure of code corrupt since the start; nil: none was met. It stays until the process is started anew: an operator has
	// to act. Nothing is deleted while there is one, and Ping answers it.
	Corrupt() error
	// Look reads a document of each collection.
	Look(ctx context.Context) error
	// Verify reads everything where the database can check itself, which takes a while; at the start and once a day.
	Verify(ctx context.Context) error
}

// Verifier is a Backend that can check itself.
type Verifier interface {
	Verify(ctx context.Context) error
}

// watched is a backend whose corruption is remembered.
type watched struct {
	Backend
	found *damages
}

// met marks a failure of the database, and remembers the first that says that it is corrupt.
func (w watched) met(err error) error {
	switch footy.CodeOf(err) {
	case "", footy.CodeNotFound, footy.CodeConflict:
		return err
	case footy.CodeCorrupt:
		w.found.mu.Lock()
		if w.found.corrupt == nil {
			w.found.corrupt = err
		}
		w.found.mu.Unlock()
	}
	return failed{err}
}

// Corrupt is the first failure that said so.
func (m *damages) Corrupt() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.corrupt
}

// Look reads a document of each collection, by the index over times: without it a database may read them all.
func (s *documents) Look(ctx context.Context) error {
	for _, c := range Collections {
		if _, err := s.Select(ctx, c, Filter{From: epoch, Limit: 1}); err != nil {
			return footy.Wrap(footy.CodeUnavailable, "look into "+string(c), err)
		}
	}
	return s.Corrupt()
}

func (s *documents) Verify(ctx context.Context) error {
	w := s.Backend.(watched) //nolint:forcetypeassert // New makes it
	v, ok := w.Backend.(Verifier)
	if !ok {
		return s.Corrupt()
	}
	return w.met(v.Verify(ctx))
}

func (w watched) Ping(ctx context.Context) error {
	if err := w.found.Corrupt(); err != nil {
		return failed{err}
	}
	return w.met(w.Backend.Ping(ctx))
}

func (w watched) Find(ctx context.Context, c Collection, id string) (Doc, error) {
	d, err := w.Backend.Find(ctx, c, id)
	return d, w.met(err)
}

func (w watched) Select(ctx context.Context, c Collection, f Filter) ([]Doc, error) {
	docs, err := w.Backend.Select(ctx, c, f)
	return docs, w.met(err)
}

func (w watched) Insert(ctx context.Context, c Collection, d Doc, rows ...Doc) error {
	return w.met(w.Backend.Insert(ctx, c, d, rows...))
}

func (w watched) Replace(ctx context.Context, c Collection, d Doc, rev int64, rows ...Doc) error {
	return w.met(w.Backend.Replace(ctx, c, d, rev, rows...))
}

func (w watched) InsertNew(ctx context.Context, c Collection, docs []Doc, rows ...Doc) error {
	return w.met(w.Backend.InsertNew(ctx, c, docs, rows...))
}

func (w watched) Upsert(ctx context.Context, c Collection, docs []Doc) error {
	return w.met(w.Backend.Upsert(ctx, c, docs))
}

// Delete deletes nothing from a corrupt database: what it says of a document may be wrong.
func (w watched) Delete(ctx context.Context, c Collection, f Filter) error {
	if err := w.found.Corrupt(); err != nil {
		return failed{err}
	}
	return w.met(w.Backend.Delete(ctx, c, f))
}
