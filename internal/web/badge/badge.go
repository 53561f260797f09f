// Package badge keeps our own copies of team and competition logos, so that a page never makes its readers' browsers
// call somebody else's server.
package badge

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
)

const (
	prefix  = "logos/"
	maxSize = 200 << 10
	stale   = 30 * 24 * time.Hour // clubs change their badges now and then
	retry   = 10 * time.Minute    // after a failure: a page with 400 badges must not hammer a server that is down
	patient = 4 * time.Second
)

// allowed are the pictures we pass on; SVG is not among them, because it can carry scripts.
var allowed = map[string]bool{"image/png": true, "image/jpeg": true, "image/webp": true, "image/gif": true}

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
}

// New makes a cache. The client must be confined to the hosts that logos may come from (httpx.Options.AllowHosts).
func New(b blob.Store, client *http.Client, now func() time.Time) *Cache {
	return &Cache{blob: b, client: client, now: now, slots: make(chan struct{}, 4), urls: map[string]string{}, failed: map[string]time.Time{}}
}

func name(kind string, id int64) string { return fmt.Sprintf("%s/%d", kind, id) }

// Learn remembers where a logo lies.
func (c *Cache) Learn(kind string, id int64, url string) {
	if url == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.urls) < 20_000 {
		c.urls[name(kind, id)] = url
	}
}

// Logo returns a logo from the cache, fetching it first if need be; CodeNotFound if there is none to be had now.
func (c *Cache) Logo(ctx context.Context, kind string, id int64) ([]byte, string, error) {
	key := name(kind, id)
	type picture struct {
		body []byte
		kind string
	}
	v, err, _ := c.flight.Do(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patient)
		defer cancel()
		body, at, err := c.stored(ctx, key)
		if err == nil && c.now().Sub(at) < stale {
			return picture{body, http.DetectContentType(body)}, nil
		}
		if fresh, fetchErr := c.fetch(ctx, key); fetchErr == nil {
			return picture{fresh, http.DetectContentType(fresh)}, nil
		} else if err != nil {
			return nil, fetchErr
		}
		return picture{body, http.DetectContentType(body)}, nil // an old badge is better than none
	})
	if err != nil {
		return nil, "", err
	}
	p := v.(picture)
	return p.body, p.kind, nil
}

func (c *Cache) stored(ctx context.Context, key string) ([]byte, time.Time, error) {
	o, err := c.blob.Open(ctx, prefix+key)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer func() { _ = o.Close() }()
	body, err := io.ReadAll(io.LimitReader(o, maxSize))
	if err != nil {
		return nil, time.Time{}, footy.Wrap(footy.CodeUnavailable, "read logo", err)
	}
	return body, o.Attributes().ModTime, nil
}

func (c *Cache) fetch(ctx context.Context, key string) ([]byte, error) {
	c.mu.Lock()
	url, last := c.urls[key], c.failed[key]
	c.mu.Unlock()
	if url == "" || c.now().Sub(last) < retry {
		return nil, footy.Errorf(footy.CodeNotFound, "fetch logo", "none known of %s", key)
	}
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, footy.Wrap(footy.CodeUnavailable, "fetch logo", ctx.Err())
	}
	body, err := c.download(ctx, url)
	if err != nil {
		c.mu.Lock()
		c.failed[key] = c.now()
		c.mu.Unlock()
		return nil, err
	}
	info := blob.Info{ContentType: http.DetectContentType(body), Metadata: map[string]string{"source": url}}
	if err := c.blob.Put(ctx, prefix+key, bytes.NewReader(body), int64(len(body)), info); err != nil {
		return nil, err
	}
	return body, nil
}

func (c *Cache) download(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil || !strings.HasPrefix(url, "http") {
		return nil, footy.Errorf(footy.CodeInvalid, "fetch logo", "%q is no address", url)
	}
	res, err := c.client.Do(req)
	if err != nil {
		return nil, httpx.Fault("fetch logo", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, footy.Errorf(footy.CodeUnavailable, "fetch logo", "%s answered %s", url, res.Status)
	}
	body, err := httpx.ReadBody(res, maxSize)
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, "fetch logo", err)
	}
	if kind := http.DetectContentType(body); !allowed[kind] {
		return nil, footy.Errorf(footy.CodeInvalid, "fetch logo", "%s is %s, no picture", url, kind)
	}
	return body, nil
}
