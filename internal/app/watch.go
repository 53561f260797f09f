package app

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/telemetry"
	"github.com/found-footy/found-footy/internal/web"
)

// watchEvery is how often a running process looks after what it depends on.
const watchEvery = 15 * time.Second

// twice in a row is down; once is a hiccup, which the retries of the calls are for.
const twice = 2

// watch says in the log, once each, when something we depend on fails and when it is back. Calls that fail are retried
// in silence for hours: without this a full disk or a dead model would show on the health page only.
func (h *health) watch(ctx context.Context) {
	log := telemetry.Module(h.app.Log, "health")
	told := map[store.Damage]bool{}
	seen := map[string]int{} // looks in a row that found it down
	for first := true; first || wait(ctx, watchEvery) == nil; first = false {
		all := h.all(ctx, h.parts(h.state, h.clips, h.engine, h.feed, h.search, h.model, h.ledger)...)
		if ctx.Err() != nil {
			break // answers of a stop say nothing
		}
		tellDamage(log, h.app.Store.Damaged(), told)
		for _, c := range all {
			was := seen[c.Name]
			seen[c.Name]++
			if c.State != web.StateDown {
				seen[c.Name] = 0
			}
			switch {
			case seen[c.Name] == twice:
				log.Error(c.Name+": "+c.Reason, "action", "check", "component", c.Name, "remedy", c.Remedy)
			case seen[c.Name] == 0 && was >= twice:
				log.Info(c.Name+" is well again", "action", "check", "component", c.Name)
			}
		}
	}
}
