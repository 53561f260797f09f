package app

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/web/media"
)

// Drain is how long a process with these settings finishes what it has begun.
func Drain(t *testing.T, vars map[string]string) time.Duration {
	t.Helper()
	c, err := config.Parse(vars)
	if err != nil {
		t.Fatal(err)
	}
	return (&App{Config: c}).drain()
}

// BeatPause is how often the engine hears of an activity at least.
func BeatPause() time.Duration {
	return (&App{Config: config.Config{}, Log: slog.New(slog.DiscardHandler)}).workerOptions().MaxHeartbeatThrottleInterval
}

// Checker looks at the parts, as in a running process.
func (a *App) Checker() *check.Checker { return a.checker(nil, a.Media) }

// SetsUp makes the app ask for all that a live run needs.
func (a *App) SetsUp() { a.setup = true }

// TakeFeed is what a start does about the feed that a state belongs to.
func (a *App) TakeFeed(ctx context.Context) error { return a.takeFeed(ctx) }

// LookUpFollowed is what a start does about names in the settings.
func (a *App) LookUpFollowed(ctx context.Context) error { return a.lookUpFollowed(ctx, true) }

// Chosen is whose goals people are told of.
func (a *App) Chosen(ctx context.Context) (news.Filter, error) {
	return a.choose("ANY", "", nil, nil, nil)(ctx)
}

// FollowsOther tells whether a start reads today's list again.
func (a *App) FollowsOther(ctx context.Context, last ingest.LastIngest) bool {
	return a.followsOther(ctx, last)
}

// Split says which queues a worker polls, and which it leaves.
func Split(named []string, unserved map[string]string) (queues, left []string) {
	return split(named, unserved)
}

// ModelSlots are the slots of one process among those that share a model.
type ModelSlots = modelSlots

// NewModelSlots makes the slots of a process.
func NewModelSlots(l *store.Leases, n int) (*ModelSlots, error) { return newModelSlots(l, n) }

// Close ends that process in order.
func (m *modelSlots) Close() { m.close() }

// Waits tells whether another process has the model.
func (m *modelSlots) Waits() bool { return m.waits.Load() }

// ClipsElsewhere is where a page with these settings sends its viewers.
func ClipsElsewhere(c config.Config) (*media.Elsewhere, error) { return elsewhere(c.S3) }
