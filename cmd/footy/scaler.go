package main

import (
	"context"

	"github.com/found-footy/found-footy/internal/app"
)

type scalerCmd struct {
	DryRun bool `help:"Say what would be done, and do nothing."`
}

// Run scales the workers and browsers of a compose project.
func (s scalerCmd) Run(ctx context.Context) error {
	c, log, err := settings()
	if err != nil {
		return err
	}
	return app.RunScaler(ctx, c, log, version, s.DryRun)
}
