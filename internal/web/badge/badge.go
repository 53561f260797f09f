// Package badge keeps our own copies of team and competition logos, so that a page never makes its readers' browsers
// call somebody else's server.
package badge

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
)

const (
	prefix  = "logos/"
	maxSize = 200 << 10
	stale   = 30 * 24 * time.Hour // clubs change their badges now and then
	retry   = 10 * time.Minute    // after a failure: a page with 400 badges must not hammer a server that is down
	patient = 4 * time.Second
	recall  = time.Hour   // before the store is asked again; it may be on another machine
	unknown = time.Minute // idem for a logo nobody has
	most    = 1000        // logos in memory, some kilobytes each
)

// Cache fetches each logo once and keeps it in the blob store.
type Cache struct {
	blob   blob.Store
	client *http.Client
	now    func() time.Time
	slots  chan struct{}
	flight singleflight.Group
	mu     sync.Mutex
	urls   map[string]string    // where a logo lies, as the feed said
	failed map[string]time.Time // when it could not be had
	near   map[string]picture   // asked for lately
}

// picture is a logo in memory; without a body it is the knowledge that there is none.
type picture struct {
	body  []byte
	kind  string
	until time.Time
}

// New makes a cache. The client must be confined to the hosts that logos may come from (httpx.Options.AllowHosts).
func New(b blob.Store, client *http.Client, now func() time.Time) *Cache {
	return &Cache{blob: b, client: client, now: now, slots: make(chan struct{}, 4), urls: map[string]string{}, failed: map[string]time.Time{}, near: map[string]picture{}}
}

func name(kind string, id int64) string { return fmt.Sprintf("%s/%d", kind, id) }

// Learn remembers where a logo lies.
func (c *Cache) Learn(kind string, id int64, url string) {
	if url == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := name(kind, id)
	was, known := c.urls[key]
	if was == url || !known && len(c.urls) >= 20_000 {
		return
	}
	c.urls[key] = url
	if !known {
		delete(c.near, key) // if it was looked for in vain before
	}
}

// Logo returns a logo from the cache, fetching it first if need be; CodeNotFound if there is none to be had now.
func (c *Cache) Logo(ctx context.Context, kind string, id int64) ([]byte, string, error) {
	key := name(kind, id)
	c.mu.Lock()
	p, near := c.near[key]
	c.mu.Unlock()
	if !near || !c.now().Before(p.until) {
		v, err, _ := c.flight.Do(key, func() (any, error) { return c.look(ctx, key) })
		if err != nil {
			return nil, "", err
		}
		p = v.(picture)
	}
	if p.body == nil {
		return nil, "", footy.Errorf(footy.CodeNotFound, "look up logo", "none known of %s", key)
	}
	return p.body, p.kind, nil
}

// look asks the store, then the feed's server, and remembers the answer for a while.
func (c *Cache) look(ctx context.Context, key string) (picture, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patient)
	defer cancel()
	body, at, err := c.stored(ctx, key)
	if err == nil && c.now().Sub(at) < stale {
		return c.remember(key, body, recall), nil
	}
	fresh, fetchErr := c.fetch(ctx, key)
	switch {
	case fetchErr == nil:
		return c.remember(key, fresh, recall), nil
	case err == nil: // an old badge is better than none
		return c.remember(key, body, retry), nil
	case footy.IsNotFound(err) && footy.IsNotFound(fetchErr):
		return c.remember(key, nil, unknown), nil
	}
	return picture{}, fetchErr
}

func (c *Cache) remember(key string, body []byte, span time.Duration) picture {
	p := picture{body: body, until: c.now().Add(span)}
	if body != nil {
		p.kind = http.DetectContentType(body)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range c.near { // any one: a page asks for all of its logos anyway
		if len(c.near) < most {
			break
		}
		delete(c.near, k)
	}
	c.near[key] = p
	return p
}
