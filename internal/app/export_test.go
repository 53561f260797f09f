package app

import (
	"context"

	"github.com/found-footy/found-footy/internal/health/check"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
)

// Checker looks at the parts, as in a running process.
func (a *App) Checker() *check.Checker { return a.checker(nil, a.Media) }

// LookUpFollowed is what a start does about names in the settings.
func (a *App) LookUpFollowed(ctx context.Context) error { return a.lookUpFollowed(ctx) }

// FollowsOther tells whether a start reads today's list again.
func (a *App) FollowsOther(ctx context.Context, last ingest.LastIngest) bool {
	return a.followsOther(ctx, last)
}
