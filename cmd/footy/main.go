// Command footy watches football, finds the clips of each goal and shows them.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// version is set when building.
var version = "dev"

type cli struct {
	Up      upCmd      `cmd:"" help:"Run everything in one process."`
	Demo    demoCmd    `cmd:"" help:"Play a simulated match day; needs no account and no key."`
	Worker  workerCmd  `cmd:"" help:"Run the workflows only."`
	Web     webCmd     `cmd:"" help:"Serve the page only."`
	Doctor  doctorCmd  `cmd:"" help:"Examine every dependency and say what to do."`
	Ingest  ingestCmd  `cmd:"" help:"Fetch fixtures now: today's list, or the fixtures named."`
	Inspect inspectCmd `cmd:"" help:"Run one rule on your own input and explain the answer."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

// exit carries an exit code without a message: everything was said already.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

func main() {
	var c cli
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	k := kong.Parse(&c, kong.Name("footy"), kong.UsageOnError(),
		kong.Description("Watches football, finds the clips of each goal, proves and ranks them."),
		kong.BindTo(ctx, (*context.Context)(nil)))
	err := k.Run()
	var code exit
	switch {
	case err == nil, errors.Is(err, context.Canceled):
	case errors.As(err, &code):
		stop()
		os.Exit(int(code))
	default:
		fmt.Fprintln(os.Stderr, "footy:", err)
		stop()
		os.Exit(1)
	}
}
