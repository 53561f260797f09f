package check

import (
	"context"

	"github.com/found-footy/found-footy/internal/health"
)

// Unpolled reports whether tasks wait for nobody.
func Unpolled(tasks int64, pollers int) bool {
	return len(unpolled([]waitingTasks{{"q", tasks, pollers}, {"q", tasks, pollers}})) == 1
}

// Proof is the look at what clips are proven by.
func (c *Checker) Proof(ctx context.Context) health.Part { return c.proof(ctx) }

// Search is the look at what searches.
func (c *Checker) Search(ctx context.Context) health.Part { return c.search(ctx) }
