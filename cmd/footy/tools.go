package main

import (
	"context"
	"fmt"
	"os"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/health/check"
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
