package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
)

type doctorCmd struct{}

func (doctorCmd) Run(ctx context.Context) error {
	c, err := config.Load()
	if err != nil {
		return err
	}
	if app.Print(os.Stdout, app.Doctor(ctx, c, version)) {
		return exit(1)
	}
	return nil
}

type ingestCmd struct {
	IDs []int64 `arg:"" optional:"" name:"fixture" help:"Fixture ids; none: the daily window."`
}

func (i ingestCmd) Run(ctx context.Context) error {
	c, log, err := settings()
	if err != nil {
		return err
	}
	a, err := app.New(ctx, c, log, version)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // the process ends here
	address := c.Engine.Address
	if address == "" {
		if address, err = app.RunningEngine(ctx, filepath.Join(c.State.Dir, "engine")); err != nil {
			return err
		}
	}
	t, err := a.Dial(ctx, address)
	if err != nil {
		return err
	}
	defer t.Close()
	in := ingest.Defaults()
	in.FixtureIDs = i.IDs
	if err := a.IngestNow(ctx, t, in); err != nil {
		return err
	}
	fmt.Println("ingest started")
	return nil
}

type versionCmd struct{}

func (versionCmd) Run() error {
	fmt.Println("footy", version)
	return nil
}

type crashpointsCmd struct{}

// Run lists the values of FOOTY_CRASH_AT, for programs that test this one.
func (crashpointsCmd) Run() error {
	for _, name := range crashpoint.Names() {
		fmt.Println(name)
	}
	return nil
}
