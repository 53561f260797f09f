// Command footy-devstack runs the servers that Found Footy needs and a small machine has not: Temporal with its Web UI,
// and for tests an S3 server and a MongoDB stand-in. Everything listens on 127.0.0.1 only.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/found-footy/found-footy/devstack/problem"
)

type cli struct {
	Temporal temporalCmd `cmd:"" help:"Temporal server and Web UI on one SQLite file."`
	Version  versionCmd  `cmd:"" help:"Print the versions of this program and of what it embeds."`
}

// lifetime is common to all roles.
type lifetime struct {
	StateFile     string `help:"Also write the ready line to this file; removed on a clean stop." placeholder:"PATH"`
	ExitWithStdin bool   `help:"Stop when standard input ends, that is, with the process that holds it."`
}

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	var c cli
	parser, err := kong.New(&c, kong.Name("footy-devstack"),
		kong.Description("Local servers for Found Footy. Each role prints one JSON line when it answers."),
		kong.UsageOnError())
	if err != nil {
		return report(err)
	}
	k, err := parser.Parse(args)
	if err != nil {
		return report(&problem.Error{Thing: "command line", What: err.Error(), Remedy: "see --help", Code: problem.Usage})
	}
	return report(k.Run())
}

// report prints an error as one line, whatever line breaks its causes contain, and returns the exit code.
func report(err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "footy-devstack: "+strings.Join(strings.Fields(err.Error()), " "))
	var p *problem.Error
	if errors.As(err, &p) {
		return p.ExitCode()
	}
	return problem.Failed
}

// untilStopped returns a context that ends with SIGINT, SIGTERM or, if asked, the end of stdin. A second signal kills as
// usual.
func (l lifetime) untilStopped() (context.Context, context.CancelFunc) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	if l.ExitWithStdin {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			cancel()
		}()
	}
	return ctx, cancel
}
