package demo_test

import (
	"context"
	"testing"

	"github.com/found-footy/found-footy/bench/rig"
	"go.temporal.io/sdk/client"
)

// record keeps histories of the day for the replay tests of internal/pipeline.
func record(ctx context.Context, t *testing.T, c client.Client, dir string) {
	t.Helper()
	shows(t, rig.Record(ctx, c, dir) == nil, "histories recorded")
}
