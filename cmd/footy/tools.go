package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/health/check"
)

type doctorCmd struct {
	Model bool `help:"Show the vision model twenty drawn pictures instead: what it reads right, how fast, and how many goals an hour it carries."`
	JSON  bool `help:"Print JSON."`
}

func (d doctorCmd) Run(ctx context.Context) error {
	c, err := config.Load()
	if err != nil {
		return err
	}
	if d.Model {
		return d.model(ctx, c)
	}
	findings := app.Doctor(ctx, c, version)
	if d.JSON {
		err = printAnswer(true, findings)
	} else {
		check.Print(os.Stdout, findings)
	}
	if err == nil && check.Broken(findings) {
		return exit(1)
	}
	return err
}

// model shows the pictures. It may take minutes, so a terminal is told how far it is.
func (d doctorCmd) model(ctx context.Context, c config.Config) error {
	began := time.Now()
	result, err := app.TestModel(ctx, c, func(asked, of int) {
		fmt.Fprintf(os.Stderr, "question %d of %d, after %.0f s\n", asked, of, time.Since(began).Seconds())
	})
	if err != nil {
		return err
	}
	if d.JSON {
		err = printAnswer(true, result)
	} else {
		check.PrintModelTest(os.Stdout, result)
	}
	if err == nil && !result.Usable() {
		return exit(1)
	}
	return err
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
