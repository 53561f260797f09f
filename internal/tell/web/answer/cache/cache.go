// Package cache keeps built values for a while: each is built once for all who ask at the same time.
package cache

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Options of a cache. At most Limit entries are kept; the one that expires first makes room.
type Options struct {
	Limit      int
	Patience   time.Duration // how long one build may take
	Now        func() time.Time
	Generation func() uint64 // a value of an earlier generation is not used; nil: values only expire
}

// Cache holds values of any type by key; one key always has the same type.
type Cache struct {
	opt     Options
	flight  singleflight.Group
	mu      sync.Mutex
	entries map[string]entry
}

type entry struct {
	generation uint64
	until      time.Time
	value      any
}

// New makes an empty cache.
func New(opt Options) *Cache {
	if opt.Generation == nil {
		opt.Generation = func() uint64 { return 0 }
	}
	return &Cache{opt: opt, entries: map[string]entry{}}
}

// GetTimed returns the value of key, or builds it. build also says how long its value may be used. Errors are not kept.
func GetTimed[T any](ctx context.Context, c *Cache, key string, build func(context.Context) (T, time.Duration, error)) (T, error) {
	c.mu.Lock()
	e, ok := c.entries[key]
	c.mu.Unlock()
	if ok && e.generation == c.opt.Generation() && c.opt.Now().Before(e.until) {
		return e.value.(T), nil
	}
	// If the caller that builds gives up, the others still get the value.
	work := context.WithoutCancel(ctx)
	v, err, _ := c.flight.Do(key, func() (any, error) {
		work, cancel := context.WithTimeout(work, c.opt.Patience)
		defer cancel()
		generation := c.opt.Generation()
		v, span, err := build(work)
		if err != nil {
			return nil, err
		}
		c.put(key, entry{generation: generation, until: c.opt.Now().Add(span), value: v})
		return v, nil
	})
	if err != nil {
		var none T
		return none, err
	}
	return v.(T), nil
}

// Get is GetTimed with a fixed time.
func Get[T any](ctx context.Context, c *Cache, key string, span time.Duration, build func(context.Context) (T, error)) (T, error) {
	return GetTimed(ctx, c, key, func(ctx context.Context) (T, time.Duration, error) {
		v, err := build(ctx)
		return v, span, err
	})
}

// Renewed is Get of a value that may be used longer than its time. last is the value before, nil where none is kept; moved says that it is of an
// earlier generation.
func Renewed[T any](ctx context.Context, c *Cache, key string, span time.Duration, build func(ctx context.Context, last *T, moved bool) (T, error)) (T, error) {
	return Get(ctx, c, key, span, func(ctx context.Context) (T, error) {
		c.mu.Lock()
		e, ok := c.entries[key]
		c.mu.Unlock()
		if !ok {
			return build(ctx, nil, true)
		}
		last := e.value.(T)
		return build(ctx, &last, e.generation != c.opt.Generation())
	})
}

// Len is how many values are kept.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.entries)
}

// Drop removes a value.
func (c *Cache) Drop(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, key)
}

func (c *Cache) put(key string, e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = e
	if len(c.entries) <= c.opt.Limit {
		return
	}
	oldest, at := "", time.Time{}
	for k, e := range c.entries {
		if k != key && (oldest == "" || e.until.Before(at)) {
			oldest, at = k, e.until
		}
	}
	delete(c.entries, oldest)
}
