package web

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// cacheLimit bounds how many built answers are kept; a day page of 200 fixtures is about half a megabyte.
const cacheLimit = 96

// cache keeps built answers until something changes (the hub's generation) or they are too old: with workers in other
// processes a lost note must not freeze the page.
type cache struct {
	generation func() uint64
	flight     singleflight.Group
	mu         sync.Mutex
	entries    map[string]cached
}

type cached struct {
	generation uint64
	until      time.Time
	value      any
}

func newCache(generation func() uint64) *cache {
	return &cache{generation: generation, entries: map[string]cached{}}
}

// remember returns what build made for key, or builds it once for all who ask at the same time. Errors are not kept.
func remember[T any](ctx context.Context, c *cache, key string, ttl time.Duration, build func(context.Context) (T, error)) (T, error) {
	generation := c.generation()
	c.mu.Lock()
	e, ok := c.entries[key]
	c.mu.Unlock()
	if ok && e.generation == generation && time.Now().Before(e.until) {
		return e.value.(T), nil
	}
	// One caller's departure must not fail the others that wait for the same answer.
	work := context.WithoutCancel(ctx)
	v, err, _ := c.flight.Do(key, func() (any, error) {
		work, cancel := context.WithTimeout(work, 20*time.Second)
		defer cancel()
		generation := c.generation()
		v, err := build(work)
		if err != nil {
			return nil, err
		}
		c.put(key, cached{generation: generation, until: time.Now().Add(ttl), value: v})
		return v, nil
	})
	if err != nil {
		var zero T
		return zero, err
	}
	return v.(T), nil
}

func (c *cache) put(key string, e cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = e
	if len(c.entries) <= cacheLimit {
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
