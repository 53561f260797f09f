package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

type doctorCmd struct {
	Model bool `help:"Show the vision model four pictures instead: does it read them right, how long did it take?"`
	command.Output
}

// Help explains the exit code.
func (doctorCmd) Help() string {
	return "Exits with 1 if something essential is down: the database, the clip storage, ffmpeg, the workflow engine, the page's address, " +
		"a setting that names something missing. If only part of the work has to wait (the match feed, the search, the model, a backup), it says so and exits with 0; " +
		"--json has the state of each. With --model it exits with 1 if the model can prove no clip. \"Not asked yet\" means not used so far, with no known problem."
}

func (d doctorCmd) Run(ctx context.Context) error {
	c, err := config.Load(groups()...) // what is odd about the settings is a finding
	if err != nil {
		return err
	}
	if d.Model {
		return d.model(ctx, c)
	}
	findings := app.Doctor(ctx, c, version, extras...)
	if d.JSON {
		err = d.Print(findings, nil)
	} else {
		check.Print(os.Stdout, findings)
	}
	if err != nil {
		return err
	}
	return command.ExitIf(check.Broken(findings))
}

// modelLimit lets a model load and a slow one answer.
const modelLimit = 5 * time.Minute

// model shows the pictures.
func (d doctorCmd) model(ctx context.Context, c config.Config) error {
	fmt.Fprintf(os.Stderr, "showing the model four pictures; %s at most\n", explain.Span(modelLimit))
	part, err := app.LookAtModel(ctx, c, modelLimit)
	if err != nil {
		return err
	}
	part.Required = true
	if d.JSON {
		err = d.Print(part, nil)
	} else {
		check.Print(os.Stdout, []health.Part{part})
	}
	if err != nil {
		return err
	}
	return command.ExitIf(part.State == health.StateDown || part.Facts == nil)
}

type versionCmd struct{}

func (versionCmd) Run() error {
	fmt.Println("footy", version)
	return nil
}

type crashpointsCmd struct{}

// Run lists the values of FOOTY_CRASH_AT, for programs that test this one.
func (crashpointsCmd) Run() error {
	for _, name := range append(crashpoint.Names(), port.Steps(extras)...) {
		fmt.Println(name)
	}
	return nil
}
