package main

import (
	"context"

	"github.com/found-footy/found-footy/internal/run/app"
)

type scalerCmd struct {
	DryRun bool `help:"Say what would be done, and do nothing."`
}

// Run scales the workers and browsers of a compose project.
func (s scalerCmd) Run(ctx context.Context, p process) error {
	return app.RunScaler(ctx, p.Config, p.log, version, s.DryRun)
}
