package main

import (
	"context"

	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/port/command"
)

type scalerCmd struct {
	DryRun bool `help:"Say what would be done, and do nothing."`
}

// Run scales the workers and browsers of a compose project.
func (s scalerCmd) Run(ctx context.Context, p command.Process) error {
	return app.RunScaler(ctx, p.Config, p.Log, version, s.DryRun)
}
