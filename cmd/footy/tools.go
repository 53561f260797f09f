package main

import (
	"context"
	"fmt"
	"os"

	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/check/trial"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/health"
)

type doctorCmd struct {
	Model bool `help:"Test the vision model with twenty drawn pictures instead: accuracy, speed and how many goals an hour it can handle."`
	output
}

// Help says what the exit code tells.
func (doctorCmd) Help() string {
	return "Exits with 1 if something essential is down: the database, the clip storage, ffmpeg, the workflow engine, the page's address, " +
		"a setting that names something missing. If only part of the work has to wait (the match feed, the search, the model, a backup), it says so and exits with 0; " +
		"--json has the state of each. With --model it exits with 1 if the model can prove no clip. \"Not asked yet\" means not used so far, with no known problem."
}

func (d doctorCmd) Run(ctx context.Context) error {
	c, err := config.Load() // what is odd about the settings is a finding
	if err != nil {
		return err
	}
	if d.Model {
		return d.model(ctx, c)
	}
	findings := app.Doctor(ctx, c, version)
	if d.JSON {
		err = d.print(findings, nil)
	} else {
		check.Print(os.Stdout, findings)
	}
	if err != nil {
		return err
	}
	return exitIf(check.Broken(findings))
}

// model shows the pictures. It may take minutes, so it says what it does, for how long at most, and how far it is.
func (d doctorCmd) model(ctx context.Context, c config.Config) error {
	if c.Model.URL != "" {
		fmt.Fprintln(os.Stderr, trial.Announcement(c.Model.URL))
	}
	result, err := app.TestModel(ctx, c, app.AskedPerGoal(ctx, c), func(s health.ModelTestStep) { fmt.Fprintln(os.Stderr, s.Sentence()) })
	if err != nil {
		return err
	}
	if d.JSON {
		err = d.print(result, nil)
	} else {
		check.PrintModelTest(os.Stdout, result)
	}
	if err != nil {
		return err
	}
	return exitIf(!result.Usable())
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
