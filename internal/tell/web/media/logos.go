package media

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"html"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
)

// Logo answers with our copy of a logo, else with a drawn one, so that a page never has a hole.
func (s *Server) Logo(w http.ResponseWriter, r *http.Request) error {
	kind := r.PathValue("kind")
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || (kind != "team" && kind != "league") {
		return footy.Errorf(footy.CodeNotFound, "logo", "There is no such logo.")
	}
	// A picture from outside must stay a picture, even when it is opened as a page.
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	if s.Logos != nil {
		if body, contentType, err := s.Logos.Logo(r.Context(), kind, id); err == nil {
			w.Header().Set("Cache-Control", "public, max-age=86400")
			answer.New(http.StatusOK, contentType, body).Send(w, r)
			return nil
		}
	}
	w.Header().Set("Cache-Control", "public, max-age=600")
	answer.New(http.StatusOK, "image/svg+xml", drawLogo(kind, id, r.URL.Query().Get("n"))).Send(w, r)
	return nil
}

// drawLogo writes initials on a colour of the team's own. Only the hue differs, so that the letters are always readable.
func drawLogo(kind string, id int64, letters string) []byte {
	if n := []rune(letters); len(n) > 2 {
		letters = string(n[:2])
	}
	h := fnv.New32a()
	_, _ = fmt.Fprint(h, kind, id)
	hue := h.Sum32() % 360
	shape := `<path d="M4 3h24v14c0 7-6 11-12 13C10 28 4 24 4 17z" `
	if kind == "league" {
		shape = `<rect x="2" y="2" width="28" height="28" rx="9" `
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">%sfill="hsl(%d 45%% 32%%)"/>`+
		`<text x="16" y="20" text-anchor="middle" font-family="system-ui,sans-serif" font-size="11" font-weight="700" fill="#fff">%s</text></svg>`,
		shape, hue, html.EscapeString(letters))
}

const (
	logoPrefix   = "logos/"
	logoSize     = 200 << 10
	logoStale    = 30 * 24 * time.Hour // clubs change their badges now and then
	logoRetry    = 10 * time.Minute    // after a failure: a page with 400 badges must not hammer a server that is down
	logoPatience = 4 * time.Second
	logoKept     = time.Hour   // in memory, before the store is asked again
	logoMissing  = time.Minute // the same, for a logo of which no address is known
	logosInMem   = 1000        // some kilobytes each
)

// Logos keeps our own copies of team and competition logos, so that a reader's browser never calls another server. Each is
// fetched once and kept in the blob store.
type Logos struct {
	blob   blob.Store
	client *http.Client
	now    func() time.Time
	slots  chan struct{}
	recent *cache.Cache
	mu     sync.Mutex
	urls   map[string]string // of logos, from the feed
}

// NewLogos makes the cache. The client must be confined to the hosts that logos may come from (httpx.Options.AllowHosts).
func NewLogos(b blob.Store, client *http.Client, now func() time.Time) *Logos {
	return &Logos{blob: b, client: client, now: now, slots: make(chan struct{}, 4), urls: map[string]string{},
		recent: cache.New(cache.Options{Limit: logosInMem, Patience: logoPatience, Now: now})}
}

func logoKey(kind string, id int64) string { return fmt.Sprintf("%s/%d", kind, id) }

// LearnFrom remembers the addresses of the logos of these fixtures.
func (l *Logos) LearnFrom(list []footy.Fixture) {
	for i := range list {
		f := &list[i]
		l.Learn("team", f.Teams.Home.ID, f.Teams.Home.Logo)
		l.Learn("team", f.Teams.Away.ID, f.Teams.Away.Logo)
		l.Learn("league", f.League.ID, f.League.Logo)
	}
}

// Learn remembers the address of a logo.
func (l *Logos) Learn(kind string, id int64, url string) {
	if url == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key := logoKey(kind, id)
	was, known := l.urls[key]
	if was == url || !known && len(l.urls) >= 20_000 {
		return
	}
	l.urls[key] = url
	l.recent.Drop(key) // it may hold that there is none, or another
}

// found is a logo, or why there is none now.
type found struct {
	body []byte
	err  error
}

// Logo returns a logo and its type, fetching it first if need be; CodeNotFound where none is known.
func (l *Logos) Logo(ctx context.Context, kind string, id int64) (body []byte, contentType string, err error) {
	key := logoKey(kind, id)
	f, err := cache.GetTimed(ctx, l.recent, key, func(ctx context.Context) (found, time.Duration, error) {
		f, span := l.find(ctx, key)
		return f, span, nil
	})
	return f.body, http.DetectContentType(f.body), cmp.Or(err, f.err)
}

// find asks the store, then the feed's server; it also says how long its answer may be used.
func (l *Logos) find(ctx context.Context, key string) (found, time.Duration) {
	stored, at, err := l.stored(ctx, key)
	if err == nil && l.now().Sub(at) < logoStale {
		return found{body: stored}, logoKept
	}
	fresh, fetchErr := l.fetch(ctx, key)
	switch {
	case fetchErr == nil:
		return found{body: fresh}, logoKept
	case err == nil: // an old badge is better than none
		return found{body: stored}, logoRetry
	case footy.IsNotFound(fetchErr) || !footy.IsNotFound(err):
		return found{err: fetchErr}, logoMissing
	}
	return found{err: fetchErr}, logoRetry
}

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
	url := l.urls[key]
	l.mu.Unlock()
	if url == "" {
		return nil, footy.Errorf(footy.CodeNotFound, "look up logo", "none known of %s", key)
	}
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-ctx.Done():
		return nil, footy.Wrap(footy.CodeUnavailable, "fetch logo", ctx.Err())
	}
	body, err := l.download(ctx, url)
	if err != nil {
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
