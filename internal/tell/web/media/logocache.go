package media

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
)

const (
	logoPrefix   = "logos/"
	logoSize     = 200 << 10
	logoStale    = 30 * 24 * time.Hour // clubs change their badges now and then
	logoRetry    = 10 * time.Minute    // after a failure: a page with 400 badges must not hammer a server that is down
	logoPatience = 4 * time.Second
	logoKept     = time.Hour   // in memory, before the store is asked again
	logoMissing  = time.Minute // the same, for a logo that nobody has
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
	urls   map[string]string    // of logos, from the feed
	failed map[string]time.Time // when a fetch failed
}

// NewLogos makes the cache. The client must be confined to the hosts that logos may come from (httpx.Options.AllowHosts).
func NewLogos(b blob.Store, client *http.Client, now func() time.Time) *Logos {
	return &Logos{blob: b, client: client, now: now, slots: make(chan struct{}, 4), urls: map[string]string{}, failed: map[string]time.Time{},
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

// Logo returns a logo and its type, fetching it first if need be; CodeNotFound if there is none to be had now.
func (l *Logos) Logo(ctx context.Context, kind string, id int64) (body []byte, contentType string, err error) {
	key := logoKey(kind, id)
	body, err = cache.GetTimed(ctx, l.recent, key, func(ctx context.Context) ([]byte, time.Duration, error) { return l.find(ctx, key) })
	if err != nil {
		return nil, "", err
	}
	if body == nil {
		return nil, "", errNoLogo(key)
	}
	return body, http.DetectContentType(body), nil
}

func errNoLogo(key string) error {
	return footy.Errorf(footy.CodeNotFound, "look up logo", "none known of %s", key)
}

// find asks the store, then the feed's server; it also says how long its answer may be used. nil: there is no logo.
func (l *Logos) find(ctx context.Context, key string) ([]byte, time.Duration, error) {
	stored, at, err := l.stored(ctx, key)
	if err == nil && l.now().Sub(at) < logoStale {
		return stored, logoKept, nil
	}
	fresh, fetchErr := l.fetch(ctx, key)
	switch {
	case fetchErr == nil:
		return fresh, logoKept, nil
	case err == nil: // an old badge is better than none
		return stored, logoRetry, nil
	case footy.IsNotFound(err) && footy.IsNotFound(fetchErr):
		return nil, logoMissing, nil
	}
	return nil, 0, fetchErr
}
