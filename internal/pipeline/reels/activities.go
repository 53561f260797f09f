package reels

import (
	"context"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Activities of a reel.
type Activities struct {
	Maker
	Page footy.Publisher

	turn sync.Mutex // one step at a time: goals are waiting for the other cores
}

// EntityPage announces to open pages that the page of a path has news: a reel is further than before.
const EntityPage = "page"

// MakeReel is Make, as workflows call it. It goes behind what goals wait for.
var MakeReel = policy.Define[Input, Step]("make_reel", policy.Row{Queue: policy.QueueMedia, Priority: 5, Timeout: 15 * time.Minute, Heartbeat: time.Minute, Pause: 2 * time.Second,
	Why: "one piece, or the joining: 20 s of film are 15 s of work for a core, on a busy machine minutes; a clip that cannot be shown is an answer"})

// busyFor is how long to wait for another reel's step.
const busyFor = 5 * time.Second

// Make does the next step of a reel, if no other is under way here, and tells pages of it. Who has to wait comes again later: waiting here
// would take a slot from a goal's clip. Not found: there is nothing to show, or a clip was deleted just now.
func (a *Activities) Make(ctx context.Context, in Input) (Step, error) {
	if !a.turn.TryLock() {
		return Step{}, &footy.Error{Code: footy.CodeRateLimited, Op: "make reel", RetryAfter: busyFor, Err: footy.Errorf(footy.CodeRateLimited, "make reel", "another reel is being made; this one comes after it")}
	}
	defer a.turn.Unlock()
	a.Page.Publish(ctx, EntityPage, in.Scope.Path())
	defer a.Page.Publish(context.WithoutCancel(ctx), EntityPage, in.Scope.Path())
	stop := policy.Heartbeats(ctx)
	defer stop()
	return a.Step(ctx, in.Scope, in.Asked)
}
