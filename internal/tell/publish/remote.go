package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

const (
	// maxWaiting bounds what waits for a page that does not answer. A page that misses some reads the store again when
	// its readers reconnect.
	maxWaiting = 1024
	// maxBatch keeps one request far below what the page accepts.
	maxBatch = 100
)

// Remote tells the page of another process. Best effort: the page reads the store, telling only saves time. So
// Publish never waits for the network, and what was not told when the process ends is not told at all.
type Remote struct {
	url, token string
	client     *http.Client
	log        *slog.Logger
	dropped    func()

	mu      sync.Mutex
	waiting []changed // oldest first, each once
	wake    chan struct{}
}

// changed names one thing that changed; without an id it is the whole kind.
type changed struct{ entity, id string }

// NewRemote makes the publisher to the page at url; dropped is called for each change that page will not be told of. Its
// sender ends with ctx.
func NewRemote(ctx context.Context, url, token string, log *slog.Logger, dropped func()) *Remote {
	r := &Remote{url: strings.TrimRight(url, "/") + "/api/v1/internal/notify", token: token,
		client: httpx.New(httpx.Options{Timeout: 5 * time.Second}), log: log, dropped: dropped, wake: make(chan struct{}, 1)}
	go r.run(ctx)
	return r
}

// Publish puts the changes in line and returns. What waits already is not put there twice: the page asks what is new now.
func (r *Remote) Publish(_ context.Context, entity string, ids ...string) {
	if len(ids) == 0 {
		ids = []string{""}
	}
	r.mu.Lock()
	for _, id := range ids {
		r.add(changed{entity, id})
	}
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default: // the sender has been woken already
	}
}

func (r *Remote) add(c changed) {
	if slices.Contains(r.waiting, c) {
		return
	}
	if len(r.waiting) >= maxWaiting {
		r.waiting = r.waiting[1:]
		r.dropped()
	}
	r.waiting = append(r.waiting, c)
}

// run sends what waits until ctx ends. The log says once that the page cannot be told, and once that it can again.
func (r *Remote) run(ctx context.Context) {
	failing := false
	for {
		entity, ids := r.next()
		if entity == "" {
			select {
			case <-ctx.Done():
				return
			case <-r.wake:
			}
			continue
		}
		err := r.send(ctx, entity, ids)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !failing:
			r.log.Warn("page not told of changes", "module", "publish", "action", "publish", "error", err)
		case err == nil && failing:
			r.log.Info("page told of changes again", "module", "publish", "action", "publish")
		}
		failing = err != nil
	}
}

// next takes the oldest change and those of the same kind behind it; "" if none waits.
func (r *Remote) next() (entity string, ids []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		return "", nil
	}
	first := r.waiting[0]
	if first.id == "" {
		r.waiting = r.waiting[1:]
		return first.entity, []string{}
	}
	rest := r.waiting[:0]
	for _, w := range r.waiting {
		if w.entity == first.entity && w.id != "" && len(ids) < maxBatch {
			ids = append(ids, w.id)
			continue
		}
		rest = append(rest, w)
	}
	r.waiting = rest
	return first.entity, ids
}

func (r *Remote) send(ctx context.Context, entity string, ids []string) error {
	body, err := json.Marshal(stream.Note{Entity: entity, IDs: ids})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+r.token)
	res, err := r.client.Do(req)
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode >= 300 {
		return fmt.Errorf("the page at NOTIFY_URL answered with status %d", res.StatusCode)
	}
	return nil
}
