package rig

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/found-footy/found-footy/internal/run/engine"
)

// Engine starts the embedded Temporal for a bench, on a directory that stop removes. binary "" looks beside the program
// and in PATH.
func Engine(ctx context.Context, binary string) (address, dir string, stop func(), err error) {
	dir, err = os.MkdirTemp("", "footy-bench-*")
	if err != nil {
		return "", "", nil, fmt.Errorf("make a directory for the bench: %w", err)
	}
	e, err := engine.Start(ctx, engine.Options{Binary: binary, StateDir: dir, UIPort: -1, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", "", nil, err
	}
	return e.Address, dir, func() {
		e.Stop()
		_ = os.RemoveAll(dir) // a rest in the temporary directory harms nobody
	}, nil
}
