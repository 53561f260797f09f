package reels

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// Activities of a reel.
type Activities struct {
	Maker
	Page footy.Publisher

	turn sync.Mutex // one reel at a time: goals are waiting for the other cores
}

// MakeReel is Make, as workflows call it. It goes behind what goals wait for.
var MakeReel = policy.Define[Input, policy.Nothing]("make_reel", policy.Row{Queue: policy.QueueMedia, Priority: 5, Timeout: 2 * time.Hour, Heartbeat: time.Minute, Pause: 2 * time.Second,
	Why: "the whole film: 20 s of it are 15 s of work for a core, on a busy machine minutes; a clip that cannot be shown is left out"})

// busyFor is how long to wait for another reel.
const busyFor = 5 * time.Second

// Progress is how far the making is, as its heartbeats report it.
type Progress struct {
	Done int `json:"done"` // pieces
	Of   int `json:"of"`
}

// Make makes a reel, if no other is being made here, and announces to pages how far it is. Waiting here for the other would take a slot from a
// goal's clip. Not found: there is nothing to show, or a clip was deleted just now.
func (a *Activities) Make(ctx context.Context, in Input) error {
	if !a.turn.TryLock() {
		return &footy.Error{Code: footy.CodeRateLimited, Op: "make reel", RetryAfter: busyFor, Err: footy.Errorf(footy.CodeRateLimited, "make reel", "another reel is being made; this one comes after it")}
	}
	defer a.turn.Unlock()
	defer a.Page.Publish(context.WithoutCancel(ctx), stream.EntityPage, in.Scope.Path())
	var far atomic.Pointer[Progress]
	far.Store(&Progress{})
	beat, stop := policy.HeartbeatsWith(ctx, func() any { return far.Load() })
	defer stop()
	_, err := a.Maker.Make(ctx, in.Scope, in.Asked, func(p Progress) {
		far.Store(&p)
		beat()
		a.Page.Publish(ctx, stream.EntityPage, in.Scope.Path())
	})
	return err
}
