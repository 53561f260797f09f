package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Extra is what the demo adds.
func Extra() port.Extra {
	return port.Extra{Name: "demo", Commands: []port.Command{
		{Name: "demo", Help: "Play a simulated match day; needs no account and no key.", Run: &Cmd{}},
		{Name: "world", Help: "Serve the simulated outside world alone, for processes of your own.", Run: &WorldCmd{}, Hidden: true},
	}}
}

// Cmd is `footy demo`.
type Cmd struct {
	Exit    bool `help:"End when the day is over; print a JSON summary and check the script's expectations."`
	NoModel bool `help:"Prove clips by their running clock alone, without a model. Plays the short day."`
	Logs    bool `help:"Print the product's own log as well."`
	matchDay
}

// matchDay is the simulated day that is played.
type matchDay struct {
	Script string   `help:"Play another match day." type:"path" placeholder:"FILE"`
	Short  bool     `help:"Play the short day: three matches in a minute and a half."`
	Clips  string   `help:"Where drawn clips are cached." type:"path" placeholder:"DIR"`
	State  string   `help:"Keep state in this directory and go on where it was." type:"path" placeholder:"DIR"`
	Mode   []string `help:"Simulate this failure (repeatable), for as long as the script says, else all day: one of the list above, or a fault by its name (docs/world.md)." placeholder:"NAME"`
}

// Help lists the failures.
func (matchDay) Help() string { return "Failures: " + strings.Join(script.ModeNames(), ", ") + "." }

// Help says what is played as well.
func (c Cmd) Help() string {
	return "--mode plays the short day unless --script names another; the mode nothing (nothing is configured) plays the whole day.\n\n" + c.matchDay.Help()
}

// Run plays the day; extras are all that the program has.
func (c Cmd) Run(ctx context.Context, p command.Process, extras []port.Extra) error {
	if !c.Logs {
		p.Log = telemetry.NewLogger(os.Stderr, telemetry.Options{Format: "pretty", Level: "error", Secrets: p.Secrets()})
	}
	if c.NoModel {
		c.Mode = append(c.Mode, script.NoModel)
	}
	day := Demo{World: World{Config: p.Config, Script: c.Script, Short: c.Short || len(c.Mode) > 0 && !slices.Contains(c.Mode, script.Nothing), State: c.State, ClipDir: c.Clips, Modes: c.Mode, Err: os.Stderr},
		Log: p.Log, Version: p.Version, Extras: extras, Exit: c.Exit}
	sum, err := day.Run(ctx)
	if err != nil || !c.Exit {
		return err
	}
	if sum == nil {
		return command.Exit(130)
	}
	if err := json.NewEncoder(os.Stdout).Encode(sum); err != nil {
		return err
	}
	return command.ExitIf(len(sum.Expectations.Failed) > 0)
}

// WorldCmd is `footy world`.
type WorldCmd struct {
	Addr    string `help:"Address to serve on." default:"127.0.0.1:0" placeholder:"HOST:PORT"`
	Control string `help:"Address of the switches for faults, on loopback." default:"127.0.0.1:0" placeholder:"HOST:PORT"`
	Print   bool   `help:"Print the embedded match day, with --short the short one, a start for one of your own."`
	matchDay
}

// Run serves the simulated outside world alone and prints the settings that point other footy processes at it.
func (c WorldCmd) Run(ctx context.Context, cfg config.Config) error {
	if c.Print {
		day := script.DefaultJSON()
		if c.Short {
			day = script.ShortJSON()
		}
		_, err := os.Stdout.Write(day)
		return err
	}
	out := World{Config: cfg, Script: c.Script, Short: c.Short, State: c.State, ClipDir: c.Clips, Addr: c.Addr, Control: c.Control, Modes: c.Mode, Err: os.Stderr}
	served, err := out.Start(ctx)
	if err != nil {
		return err
	}
	for _, line := range out.Settings(served) {
		fmt.Println(line)
	}
	fmt.Println("WORLD_CONTROL_URL=" + served.ControlURL()) // no setting: where tests switch faults on
	for _, m := range served.Script().Modes {
		fmt.Fprintln(os.Stderr, "Mode", m)
	}
	<-ctx.Done()
	return served.Close()
}
