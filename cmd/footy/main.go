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

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/port/command"
)

// version is set when building.
var version = "1.2.0"

type cli struct {
	Up      upCmd          `cmd:"" help:"Run everything in one process."`
	Worker  workerCmd      `cmd:"" help:"Run the workflows only."`
	Web     webCmd         `cmd:"" help:"Serve the page only."`
	Browser browserCmd     `cmd:"" help:"Run the search service only: a logged-in Chromium that searches X."`
	Doctor  doctorCmd      `cmd:"" help:"Examine every dependency and say what to do."`
	Ingest  ingestCmd      `cmd:"" help:"Fetch fixtures now: today's list, or the fixtures named."`
	Teams   teamsCmd       `cmd:"" help:"Find teams by name, for TRACK_TEAMS."`
	Leagues leaguesCmd     `cmd:"" help:"Find leagues by name, for TRACK_LEAGUES."`
	Clips   clipsCmd       `cmd:"" help:"Whose the clip storage is, and what was deleted there: alone, footy clips shows it; make it this database's."`
	Waiting waitingCmd     `cmd:"" help:"Posts that are blocked by an outage: list them, try them again, give them up."`
	X       xCmd           `cmd:"" name:"x" help:"X: the account that searches, its login and its budget."`
	Notify  notifyCmd      `cmd:"" help:"Try the notifications."`
	Steps   crashpointsCmd `cmd:"" name:"crashpoints" help:"List the steps at which FOOTY_CRASH_AT kills a process." hidden:""`
	Version versionCmd     `cmd:"" help:"Print the version."`
}

func newProcess() (command.Process, error) {
	p, err := command.NewProcess(version, groups())
	p.Remade = port.Remade(extras)
	return p, err
}

func settings() (config.Config, error) { return command.Settings(groups()) }

func main() {
	var c cli
	ending := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it; else the terminal was closed
		ending = append(ending, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ending...)
	defer stop()
	context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt) }) // a second Ctrl-C waits for nothing
	stopOnBrokenPipe(stop)
	parser := kong.Must(&c, kong.Name("footy"),
		kong.Description("Watches football, finds the clips of each goal, proves and ranks them."),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.BindToProvider(settings), kong.BindToProvider(newProcess), kong.BindToProvider(account), kong.Bind(extras), commands())
	args := os.Args[1:]
	if len(args) == 0 {
		args = []string{"--help"}
	}
	k, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(os.Stderr, "footy: %s; see: footy%s --help\n", err, commandOf(err))
		stop()
		os.Exit(2)
	}
	err = k.Run()
	var code command.Exit
	switch {
	case err == nil, errors.Is(err, context.Canceled):
	case errors.Is(err, syscall.EPIPE) && readerGone(os.Stdout): // footy inspect ... | head
	case errors.As(err, &code):
		stop()
		os.Exit(int(code))
	default:
		fmt.Fprintln(os.Stderr, "footy:", footy.UserMessage(err))
		stop()
		os.Exit(1)
	}
}

// commandOf is the command that a wrong command line meant, as far as it was understood.
func commandOf(err error) string {
	var p *kong.ParseError
	if errors.As(err, &p) && p.Context != nil && p.Context.Command() != "" {
		return " " + p.Context.Command()
	}
	return ""
}
