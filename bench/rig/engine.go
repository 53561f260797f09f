package rig

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/found-footy/found-footy/internal/run/engine"
)

// Engine starts the embedded Temporal for a bench, on a directory that stop removes. at are the settings by which it is reached. binary ""
// looks beside the program and in PATH.
func Engine(ctx context.Context, binary string) (at map[string]string, dir string, stop func(), err error) {
	dir, err = os.MkdirTemp("", "footy-bench-*")
	if err != nil {
		return nil, "", nil, fmt.Errorf("make a directory for the bench: %w", err)
	}
	e, err := engine.Start(ctx, engine.Options{Binary: binary, StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, "", nil, err
	}
	return map[string]string{"TEMPORAL_ADDRESS": e.Address, "TEMPORAL_TOKEN_FILE": e.TokenFile}, dir, func() {
		e.Stop()
		_ = os.RemoveAll(dir) // a rest in the temporary directory harms nobody
	}, nil
}
