// Package publish tells the readers of pages that something changed: those of this process and those of another.
package publish

import (
	"context"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// ToHub is the page of this process.
type ToHub struct{ Hub *stream.Hub }

// Publish implements footy.Publisher.
func (h ToHub) Publish(_ context.Context, entity string, ids ...string) {
	h.Hub.Publish(entity, ids...)
}

// ToAll publishes to each.
type ToAll []footy.Publisher

// Publish implements footy.Publisher.
func (all ToAll) Publish(ctx context.Context, entity string, ids ...string) {
	for _, p := range all {
		p.Publish(ctx, entity, ids...)
	}
}
