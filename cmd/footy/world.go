package main

import (
	"context"
	"fmt"
	"os"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/demo"
	"github.com/found-footy/found-footy/internal/world/script"
)

type worldCmd struct {
	Addr    string   `help:"Address to serve on." default:"127.0.0.1:0" placeholder:"HOST:PORT"`
	State   string   `help:"Keep the day's clock in this directory and go on where it was." type:"path" placeholder:"DIR"`
	Mode    []string `help:"Simulate this failure (repeatable), for as long as the script says, else all day: ${modes}, or a fault by its name (docs/world.md)." placeholder:"NAME"`
	Control string   `help:"Address of the switches for faults, on loopback." default:"127.0.0.1:0" placeholder:"HOST:PORT"`
	Print   bool     `help:"Print the embedded match day, with --short the short one, a start for one of your own."`
	matchDay
}

// Run serves the simulated outside world alone and prints the settings that point other footy processes at it.
func (w worldCmd) Run(ctx context.Context, c config.Config) error {
	if w.Print {
		day := script.DefaultJSON()
		if w.Short {
			day = script.ShortJSON()
		}
		_, err := os.Stdout.Write(day)
		return err
	}
	out := demo.World{Config: c, Script: w.Script, Short: w.Short, State: w.State, ClipDir: w.Clips, Addr: w.Addr, Control: w.Control, Modes: w.Mode, Err: os.Stderr}
	served, err := out.Start(ctx)
	if err != nil {
		return err
	}
	for _, line := range out.Settings(served) {
		fmt.Println(line)
	}
	fmt.Println("WORLD_CONTROL_URL=" + served.ControlURL()) // no setting: where tests switch faults on
	out.Watch(ctx, served)
	return served.Close()
}
