package check

import (
	"context"

	"github.com/found-footy/found-footy/internal/tell/health"
)

// Proof is the look at what clips are proven by.
func (c *Checker) Proof(ctx context.Context) health.Part { return c.proof(ctx) }

// Search is the look at what searches.
func (c *Checker) Search(ctx context.Context) health.Part { return c.search(ctx) }

// Offline gives a Checker a machine without a network.
func (c *Checker) Offline() { c.opt.Online = func(context.Context) bool { return false } }

// Clips is the look at the clip storage.
func (c *Checker) Clips(ctx context.Context) health.Part { return c.clips(ctx) }
