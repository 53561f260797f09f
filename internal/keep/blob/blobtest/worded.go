package blobtest

import (
	"context"
	"io"
	"sync"

	"github.com/found-footy/found-footy/internal/keep/blob"
)

// Worded is a store that keeps what travels with its objects, as a bucket does.
func Worded(s blob.Store) blob.Store { return &worded{Store: s, words: map[string]blob.Info{}} }

type worded struct {
	blob.Store
	mu    sync.Mutex
	words map[string]blob.Info
}

func (w *worded) keep(key string, info blob.Info) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.words[key] = info
}

func (w *worded) of(a blob.Attributes) blob.Attributes {
	w.mu.Lock()
	defer w.mu.Unlock()
	a.Info = w.words[a.Key]
	return a
}

// Put implements blob.Store.
func (w *worded) Put(ctx context.Context, key string, r io.Reader, size int64, info blob.Info) error {
	w.keep(key, info)
	return w.Store.Put(ctx, key, r, size, info)
}

// Copy implements blob.Store.
func (w *worded) Copy(ctx context.Context, from, to string, info blob.Info) error {
	w.keep(to, info)
	return w.Store.Copy(ctx, from, to, info)
}

// Stat implements blob.Store.
func (w *worded) Stat(ctx context.Context, key string) (blob.Attributes, error) {
	a, err := w.Store.Stat(ctx, key)
	return w.of(a), err
}

// Open implements blob.Store.
func (w *worded) Open(ctx context.Context, key string) (blob.Object, error) {
	o, err := w.Store.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	return object{o, w.of(o.Attributes())}, nil
}

type object struct {
	blob.Object
	attrs blob.Attributes
}

// Attributes implements blob.Object.
func (o object) Attributes() blob.Attributes { return o.attrs }
