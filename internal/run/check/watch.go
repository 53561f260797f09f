package check

import (
	"context"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// watchEvery is how often a running process looks after what it depends on, unless the monitor's cycles are far apart: a look asks the engine
// a dozen things, day and night.
const watchEvery = 15 * time.Second

func (c *Checker) pause() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(watchEvery, c.cycle/5)
}

// downAfter in a row is down; once is a hiccup, which the retries of the calls are for.
const downAfter = 2

// verifyEvery is how often the database checks itself: that reads all of it.
const verifyEvery = 24 * time.Hour

// verify has the database check itself; what it finds is remembered by the store, and the next look reports it.
func (c *Checker) verify(ctx context.Context) {
	for ok := true; ok; ok = network.Pause(ctx, verifyEvery) == nil {
		_ = c.opt.Store.Verify(ctx)
	}
}

// Watch says in the log, once each, when something we depend on fails and when it is back. Calls that fail are retried
// in silence for hours: without this a full disk or a dead model would show on the health page only.
func (c *Checker) Watch(ctx context.Context) {
	log := telemetry.Module(c.opt.Log, "health")
	logged := map[store.Damage]bool{}
	downs := map[string]int{} // looks in a row that found it down
	var verifying sync.WaitGroup
	defer verifying.Wait()
	verifying.Go(func() { c.verify(ctx) })
	for {
		all := c.Look(ctx).Parts
		if ctx.Err() != nil {
			return // answers of a stop say nothing
		}
		LogDamage(log, c.opt.Store.Damaged(), logged)
		for _, p := range all {
			was := downs[p.Name]
			downs[p.Name]++
			if p.State != health.StateDown {
				downs[p.Name] = 0
			}
			switch {
			case downs[p.Name] == downAfter:
				log.Error(p.Name+": "+p.Reason, "action", "check", "component", p.Name, "remedy", p.Remedy)
			case downs[p.Name] == 0 && was >= downAfter:
				log.Info(p.Name+" is well again", "action", "check", "component", p.Name)
			}
		}
		if network.Pause(ctx, c.pause()) != nil {
			return
		}
	}
}
