package main

import (
	"context"
	"os"
	"slices"

	"github.com/found-footy/found-footy/internal/run/demo"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/found-footy/found-footy/internal/world/script"
)

type demoCmd struct {
	Exit    bool     `help:"End when the day is over; print a JSON summary and check the script's expectations."`
	State   string   `help:"Keep state in this directory and go on where it was." type:"path" placeholder:"DIR"`
	Mode    []string `help:"Simulate this failure (repeatable), for as long as the script says, else all day: ${modes}, or a fault by its name (docs/world.md). Plays the short day unless --script names another; the mode nothing (nothing is configured) plays the whole day." placeholder:"NAME"`
	NoModel bool     `help:"Prove clips by their running clock alone, without a model. Plays the short day."`
	Logs    bool     `help:"Print the product's own log as well."`
	matchDay
}

// matchDay is the simulated day that is played.
type matchDay struct {
	Script string `help:"Play another match day." type:"path" placeholder:"FILE"`
	Short  bool   `help:"Play the short day: three matches in a minute and a half."`
	Clips  string `help:"Where drawn clips are cached." type:"path" placeholder:"DIR"`
}

func (d demoCmd) Run(ctx context.Context, p command.Process) error {
	if !d.Logs {
		p.Log = telemetry.NewLogger(os.Stderr, telemetry.Options{Format: "pretty", Level: "error", Secrets: p.Secrets()})
	}
	if d.NoModel {
		d.Mode = append(d.Mode, script.NoModel)
	}
	day := demo.Demo{Config: p.Config, Log: p.Log, Version: version, Extras: extras, Script: d.Script, Short: d.Short || len(d.Mode) > 0 && !slices.Contains(d.Mode, script.Nothing), Modes: d.Mode, State: d.State, ClipDir: d.Clips, Exit: d.Exit, Err: os.Stderr}
	sum, err := day.Run(ctx)
	if err != nil || !d.Exit {
		return err
	}
	if sum == nil {
		return command.Exit(130)
	}
	if err := sum.Write(os.Stdout); err != nil {
		return err
	}
	return command.ExitIf(len(sum.Expectations.Failed) > 0)
}
