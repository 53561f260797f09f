// Package publish tells the readers of pages that something changed: those of this process and those of another.
package publish

import (
	"context"

	"github.com/found-footy/found-footy/internal/web/stream"
)

// Publisher is told what changed; without ids it is the whole kind.
type Publisher interface {
	Publish(ctx context.Context, entity string, ids ...string)
}

// ToHub is the page of this process.
type ToHub struct{ Hub *stream.Hub }

// Publish implements Publisher.
func (h ToHub) Publish(_ context.Context, entity string, ids ...string) {
	h.Hub.Publish(entity, ids...)
}

// ToAll publishes to each.
type ToAll []Publisher

// Publish implements Publisher.
func (all ToAll) Publish(ctx context.Context, entity string, ids ...string) {
	for _, p := range all {
		p.Publish(ctx, entity, ids...)
	}
}

// ToNobody has no reader.
type ToNobody struct{}

// Publish implements Publisher.
func (ToNobody) Publish(context.Context, string, ...string) {}
