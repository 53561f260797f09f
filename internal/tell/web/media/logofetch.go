package media

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

// pictureTypes are the pictures we pass on; SVG is not among them, because it can carry scripts.
var pictureTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/webp": true, "image/gif": true}

func (l *Logos) stored(ctx context.Context, key string) ([]byte, time.Time, error) {
	o, err := l.blob.Open(ctx, logoPrefix+key)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer func() { _ = o.Close() }()
	body, err := io.ReadAll(io.LimitReader(o, logoSize))
	if err != nil {
		return nil, time.Time{}, footy.Wrap(footy.CodeUnavailable, "read logo", err)
	}
	return body, o.Attributes().ModTime, nil
}

func (l *Logos) fetch(ctx context.Context, key string) ([]byte, error) {
	l.mu.Lock()
	url, last := l.urls[key], l.failed[key]
	l.mu.Unlock()
	if url == "" || l.now().Sub(last) < logoRetry {
		return nil, errNoLogo(key)
	}
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-ctx.Done():
		return nil, footy.Wrap(footy.CodeUnavailable, "fetch logo", ctx.Err())
	}
	body, err := l.download(ctx, url)
	if err != nil {
		l.mu.Lock()
		l.failed[key] = l.now()
		l.mu.Unlock()
		return nil, err
	}
	info := blob.Info{ContentType: http.DetectContentType(body), Metadata: map[string]string{"source": url}}
	if err := l.blob.Put(ctx, logoPrefix+key, bytes.NewReader(body), int64(len(body)), info); err != nil {
		return nil, err
	}
	return body, nil
}

func (l *Logos) download(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil || !strings.HasPrefix(url, "http") {
		return nil, footy.Errorf(footy.CodeInvalid, "fetch logo", "%q is no address", url)
	}
	res, err := l.client.Do(req)
	if err != nil {
		return nil, httpx.Fault("fetch logo", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, footy.Errorf(footy.CodeUnavailable, "fetch logo", "%s answered %s", url, res.Status)
	}
	body, err := httpx.ReadBody(res, logoSize)
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, "fetch logo", err)
	}
	if kind := http.DetectContentType(body); !pictureTypes[kind] {
		return nil, footy.Errorf(footy.CodeInvalid, "fetch logo", "%s is %s, no picture", url, kind)
	}
	return body, nil
}
