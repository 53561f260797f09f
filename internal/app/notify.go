package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/web"
)

// hubNotifier announces changes to the page of this process.
type hubNotifier struct{ hub *web.Hub }

func (n hubNotifier) Notify(_ context.Context, entity string, ids ...string) {
	n.hub.Publish(entity, ids...)
}

const (
	// notifyQueue bounds what waits for a page that does not answer. A page that misses some reads the store again when
	// its readers reconnect.
	notifyQueue = 1024
	// notifyBatch keeps one request far below what the page accepts.
	notifyBatch = 100
)

// remoteNotifier tells the page of another process. Best effort: the page reads the store, telling only saves time. So
// Notify never waits for the network, and what was not told when the process ends is not told at all.
type remoteNotifier struct {
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

// RemoteNotifier makes the notifier of a worker that runs without a page. Its sender ends with ctx.
func (a *App) RemoteNotifier(ctx context.Context) Notifier {
	w := a.Config.Web
	if w.NotifyURL == "" {
		return silent{}
	}
	n := &remoteNotifier{url: strings.TrimRight(w.NotifyURL, "/") + "/api/v1/internal/notify", token: w.NotifyToken,
		client: httpx.New(httpx.Options{Timeout: 5 * time.Second}), log: a.Log, dropped: func() {}, wake: make(chan struct{}, 1)}
	if a.Metrics != nil {
		n.dropped = a.Metrics.Counter("notify_dropped_total", "Changes the page of another process was not told of, because it did not answer for too long.").WithLabelValues().Inc
	}
	go n.run(ctx)
	return n
}

// Notify puts the changes in line and returns. What waits already is not put there twice: the page asks what is new now.
func (n *remoteNotifier) Notify(_ context.Context, entity string, ids ...string) {
	if len(ids) == 0 {
		ids = []string{""}
	}
	n.mu.Lock()
	for _, id := range ids {
		n.add(changed{entity, id})
	}
	n.mu.Unlock()
	select {
	case n.wake <- struct{}{}:
	default: // the sender has been woken already
	}
}

func (n *remoteNotifier) add(c changed) {
	for _, w := range n.waiting {
		if w == c {
			return
		}
	}
	if len(n.waiting) >= notifyQueue {
		n.waiting = n.waiting[1:]
		n.dropped()
	}
	n.waiting = append(n.waiting, c)
}

// run sends what waits until ctx ends. The log says once that the page cannot be told, and once that it can again.
func (n *remoteNotifier) run(ctx context.Context) {
	failing := false
	for {
		entity, ids := n.next()
		if entity == "" {
			select {
			case <-ctx.Done():
				return
			case <-n.wake:
			}
			continue
		}
		err := n.send(ctx, entity, ids)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !failing:
			n.log.Warn("page not told of changes", "module", "app", "action", "notify", "error", err)
		case err == nil && failing:
			n.log.Info("page told of changes again", "module", "app", "action", "notify")
		}
		failing = err != nil
	}
}

// next takes the oldest change and those of the same kind behind it; "" if none waits.
func (n *remoteNotifier) next() (entity string, ids []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.waiting) == 0 {
		return "", nil
	}
	first := n.waiting[0]
	if first.id == "" {
		n.waiting = n.waiting[1:]
		return first.entity, []string{}
	}
	rest := n.waiting[:0]
	for _, w := range n.waiting {
		if w.entity == first.entity && w.id != "" && len(ids) < notifyBatch {
			ids = append(ids, w.id)
			continue
		}
		rest = append(rest, w)
	}
	n.waiting = rest
	return first.entity, ids
}

func (n *remoteNotifier) send(ctx context.Context, entity string, ids []string) error {
	body, err := json.Marshal(web.Note{Entity: entity, IDs: ids})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, n.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+n.token)
	res, err := n.client.Do(req)
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode >= 300 {
		return fmt.Errorf("the page at NOTIFY_URL answered with status %d", res.StatusCode)
	}
	return nil
}

// both announces to the page of this process and, where NOTIFY_URL names one, to that of another.
type both struct{ here, there Notifier }

func (b both) Notify(ctx context.Context, entity string, ids ...string) {
	b.here.Notify(ctx, entity, ids...)
	b.there.Notify(ctx, entity, ids...)
}

type silent struct{}

func (silent) Notify(context.Context, string, ...string) {}
