package web

import (
	"context"

	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/rule/ledger"
)

// Commands are what an operator can do; the composition root wires the pipeline's.
type Commands interface {
	// SearchAgain opens a new search round for an event.
	SearchAgain(ctx context.Context, eventUID string) error
	// Hide takes a clip (or, without clipID, the whole event) out of sight; bytes stay.
	Hide(ctx context.Context, eventUID, clipID string) error
	// Restore undoes Hide and, without clipID, the removal of the goal; it answers whether it brought the goal back.
	Restore(ctx context.Context, eventUID, clipID string) (goal bool, err error)
	// TakeDown deletes a clip and forbids its content to come back.
	TakeDown(ctx context.Context, eventUID, clipID, reason string) error
	// Pin makes a clip rank 1; an empty clipID removes the pin.
	Pin(ctx context.Context, eventUID, clipID string) error
	// Retry makes posts that wait due at once, GiveUp ends them; both answer how many there were.
	Retry(ctx context.Context, which ledger.Choice) (int, error)
	GiveUp(ctx context.Context, which ledger.Choice) (int, error)
}

// HealthSource knows how everything around the product is doing.
type HealthSource interface {
	Health(ctx context.Context) health.Report
}

// Notifications tell people outside of the page.
type Notifications interface {
	// Targets lists what is set up, without secrets.
	Targets() []string
	// Test sends one message to every target.
	Test(ctx context.Context) error
}

// Logos is our own cache of badges; pages never link to somebody else's server.
type Logos interface {
	// Learn says where the feed keeps a picture of a team or league ("team", "league").
	Learn(kind string, id int64, url string)
	// Logo returns the picture and its type; an error while there is none.
	Logo(ctx context.Context, kind string, id int64) (body []byte, contentType string, err error)
}
