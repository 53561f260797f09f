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
	Model bool `help:"Show the vision model twenty drawn pictures instead: what it reads right, how fast, and how many goals an hour it carries."`
	output
}

// Help says what the exit code tells.
func (doctorCmd) Help() string {
	return "Ends with 1 where something is down without which nothing runs: the database, the clip storage, ffmpeg, the workflow engine, the page's address, " +
		"a setting that names what there is not. What only leaves a part of the work waiting (the match feed, the search, the model, a backup) is told and ends with 0; " +
		"--json has the state of each. With --model it ends with 1 where the model can prove no clip. \"Not asked yet\" is what nothing is known against and nobody has used."
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
