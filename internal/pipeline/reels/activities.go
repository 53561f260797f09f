package reels

import (
	"context"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/reel"
	"go.temporal.io/sdk/activity"
)

// Activities of a reel.
type Activities struct {
	Maker
	Room func() error // why nothing may be made for now, by what is left of the disk; nil: nobody looks
	Page footy.Publisher

	turn sync.Mutex // one piece at a time: goals are waiting for the other cores
}

// EntityReel is what pages are told of: a reel is further than before.
const EntityReel = "reel"

// Planned is a plan, and whether it was carried out already.
type Planned struct {
	Plan reel.Plan `json:"plan"`
	Made bool      `json:"made"`
}

// Plan answers what the reel is made of now. Not found: there is nothing to show.
func (a *Activities) Plan(ctx context.Context, in Input) (Planned, error) {
	p, err := a.Maker.Plan(ctx, in.Scope, in.Asked)
	if err == nil {
		err = Empty(p)
	}
	if err != nil {
		return Planned{}, err
	}
	_, err = Made(ctx, a.Blob, p.Key)
	if footy.IsNotFound(err) {
		return Planned{Plan: p}, nil
	}
	return Planned{Plan: p, Made: err == nil}, err
}

// PieceInput is a piece, and the name of what it is for.
type PieceInput struct {
	For   string     `json:"for"`
	Piece reel.Piece `json:"piece"`
}

// Piece makes one piece, unless it is there.
func (a *Activities) Piece(ctx context.Context, in PieceInput) error {
	return a.inTurn(ctx, in.For, func() error { return a.Maker.Piece(ctx, in.Piece) })
}

// Join makes the reel of its pieces. Not found: one of them is gone.
func (a *Activities) Join(ctx context.Context, p reel.Plan) error {
	return a.inTurn(ctx, p.Scope.Name(), func() error {
		_, err := a.Maker.Join(ctx, p)
		return err
	})
}

// busyFor is how long to wait for another reel's piece.
const busyFor = 5 * time.Second

// inTurn does some work if no other of its kind is under way here, and tells pages of it. Who has to wait comes again later: waiting here
// would take a slot from a goal's clip.
func (a *Activities) inTurn(ctx context.Context, name string, do func() error) error {
	if !a.turn.TryLock() {
		return &footy.Error{Code: footy.CodeRateLimited, Op: "make reel", RetryAfter: busyFor, Err: footy.Errorf(footy.CodeRateLimited, "make reel", "another reel is being made; this one comes after it")}
	}
	defer a.turn.Unlock()
	if a.Room != nil {
		if err := a.Room(); err != nil {
			return err
		}
	}
	a.Page.Publish(ctx, EntityReel, name)
	defer a.Page.Publish(context.WithoutCancel(ctx), EntityReel, name)
	stop := beat(ctx)
	defer stop()
	return do()
}

// beat tells the engine now and then that the work goes on.
func beat(ctx context.Context) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(10 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return stop
}
