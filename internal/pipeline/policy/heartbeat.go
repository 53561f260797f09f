package policy

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"
)

// beatEvery is well within the shortest heartbeat time-out.
const beatEvery = 5 * time.Second

// Heartbeats tells the engine that an activity goes on, until stop is called.
func Heartbeats(ctx context.Context) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(beatEvery)
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
