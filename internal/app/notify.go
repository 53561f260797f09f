package app

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/web"
)

// hubNotifier announces changes to the page of this process.
type hubNotifier struct{ hub *web.Hub }

func (n hubNotifier) Notify(_ context.Context, entity string, ids ...string) {
	n.hub.Publish(entity, ids...)
}

// remoteNotifier tells the page of another process. Best effort: the page reads the store, pushing only saves time.
type remoteNotifier struct {
	url, token string
	client     *http.Client
	log        *slog.Logger
}

// RemoteNotifier makes the notifier of a worker that runs without a page.
func (a *App) RemoteNotifier() Notifier {
	w := a.Config.Web
	if w.NotifyURL == "" {
		return silent{}
	}
	return remoteNotifier{url: strings.TrimRight(w.NotifyURL, "/") + "/api/v1/internal/notify", token: w.NotifyToken,
		client: httpx.New(httpx.Options{Timeout: 5 * time.Second}), log: a.Log}
}

func (n remoteNotifier) Notify(ctx context.Context, entity string, ids ...string) {
	body, err := json.Marshal(map[string]any{"entity": entity, "ids": ids})
	if err != nil {
		return
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, n.url, bytes.NewReader(body))
	if err != nil {
		n.log.Warn("page not told", "module", "app", "action", "notify", "error", err)
		return
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+n.token)
	res, err := n.client.Do(req)
	if err != nil {
		n.log.Warn("page not told", "module", "app", "action", "notify", "error", err)
		return
	}
	res.Body.Close()
	if res.StatusCode >= 300 {
		n.log.Warn("page refused to be told", "module", "app", "action", "notify", "status", res.StatusCode)
	}
}

// both announces to the page of this process and, where NOTIFY_URL names one, to that of another.
type both struct{ here, there Notifier }

func (b both) Notify(ctx context.Context, entity string, ids ...string) {
	b.here.Notify(ctx, entity, ids...)
	b.there.Notify(ctx, entity, ids...)
}

type silent struct{}

func (silent) Notify(context.Context, string, ...string) {}
