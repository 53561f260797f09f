package storetest

import (
	"context"
	"errors"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

var errCrash = errors.New("the process was killed here")

// faulty counts the calls of a backend and lets something happen at one of them.
type faulty struct {
	store.Backend
	calls int

	before int    // at this call,
	act    func() // do this first

	crash int  // this call and all later ones fail,
	late  bool // but this one takes effect before
}

// step runs one call of the backend.
func step[T any](f *faulty, call func() (T, error)) (v T, err error) {
	f.calls++
	if f.act != nil && f.calls == f.before {
		f.act()
	}
	killed := footy.Errorf(footy.CodeUnavailable, "call the database", "%w", errCrash)
	switch {
	case f.crash > 0 && f.calls == f.crash && f.late:
		_, _ = call() // its answer never arrives
		return v, killed
	case f.crash > 0 && f.calls >= f.crash:
		return v, killed
	}
	return call()
}

func (f *faulty) do(call func() error) error {
	_, err := step(f, func() (struct{}, error) { return struct{}{}, call() })
	return err
}

func (f *faulty) Find(ctx context.Context, c store.Collection, id string) (store.Doc, error) {
	return step(f, func() (store.Doc, error) { return f.Backend.Find(ctx, c, id) })
}

func (f *faulty) Select(ctx context.Context, c store.Collection, q store.Filter) ([]store.Doc, error) {
	return step(f, func() ([]store.Doc, error) { return f.Backend.Select(ctx, c, q) })
}

func (f *faulty) Insert(ctx context.Context, c store.Collection, d store.Doc, rows ...store.Doc) error {
	return f.do(func() error { return f.Backend.Insert(ctx, c, d, rows...) })
}

func (f *faulty) Replace(ctx context.Context, c store.Collection, d store.Doc, rev int64, rows ...store.Doc) error {
	return f.do(func() error { return f.Backend.Replace(ctx, c, d, rev, rows...) })
}

func (f *faulty) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	return f.do(func() error { return f.Backend.Upsert(ctx, c, docs) })
}

func (f *faulty) InsertNew(ctx context.Context, c store.Collection, docs []store.Doc, rows ...store.Doc) error {
	return f.do(func() error { return f.Backend.InsertNew(ctx, c, docs, rows...) })
}

func (f *faulty) Delete(ctx context.Context, c store.Collection, q store.Filter) error {
	return f.do(func() error { return f.Backend.Delete(ctx, c, q) })
}
