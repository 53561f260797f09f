package badge

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
)

// allowed are the pictures we pass on; SVG is not among them, because it can carry scripts.
var allowed = map[string]bool{"image/png": true, "image/jpeg": true, "image/webp": true, "image/gif": true}

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
