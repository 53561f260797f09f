package policy

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/connect/network"
)

// beatEvery is well within the shortest heartbeat time-out.
const beatEvery = 5 * time.Second

// BeatPause is how often the engine hears of it, and how long a beat may take to reach it: after both, an attempt that it cannot be told of
// ends. That is before the engine gives the task to another.
const BeatPause = 8 * time.Second

// Heartbeats tells the engine that an activity goes on, until stop is called.
func Heartbeats(ctx context.Context) (stop func()) {
	_, stop = HeartbeatsWith(ctx, nil)
	return stop
}

// HeartbeatsWith is Heartbeats that report how far the activity is; nil: they do not. now reports it at once.
func HeartbeatsWith(ctx context.Context, far func() any) (now, stop func()) {
	ctx, stop = context.WithCancel(ctx)
	now = func() {
		if far == nil {
			activity.RecordHeartbeat(ctx)
		} else {
			activity.RecordHeartbeat(ctx, far())
		}
	}
	go func() {
		for network.Pause(ctx, beatEvery) == nil {
			now()
		}
	}()
	return now, stop
}

// StopGrace is what a container that is stopped has for what it has begun: more than the longest heartbeat, after which the engine
// gives its tasks to another.
const StopGrace = 75 * time.Second
