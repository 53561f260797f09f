package main

import (
	"context"
	"fmt"
	"os"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/engine"
	"github.com/found-footy/found-footy/internal/health/check"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
)

type doctorCmd struct{}

func (doctorCmd) Run(ctx context.Context) error {
	c, err := config.Load()
	if err != nil {
		return err
	}
	if check.Print(os.Stdout, app.Doctor(ctx, c, version)) {
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
	address, err := engine.AddressOf(ctx, c)
	if err != nil {
		return err
	}
	t, err := engine.Dial(ctx, address, c.Engine, log, nil)
	if err != nil {
		return err
	}
	defer t.Close()
	in := ingest.Defaults()
	in.FixtureIDs = i.IDs
	if err := ingest.StartNow(ctx, t, in); err != nil {
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
