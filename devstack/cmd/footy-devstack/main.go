// Command footy-devstack runs the servers that Found Footy needs and a small machine has not: Temporal with its Web UI,
// and for tests an S3 server and a MongoDB stand-in. Everything listens on 127.0.0.1 only.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/found-footy/found-footy/devstack/problem"
)

type cli struct {
	Temporal temporalCmd `cmd:"" help:"Temporal server and Web UI on one SQLite file."`
	S3       s3Cmd       `cmd:"" name:"s3" help:"S3 server on a directory, for tests."`
	Mongo    mongoCmd    `cmd:"" help:"MongoDB stand-in on SQLite, for sequential tests: loses concurrent updates."`
	Version  versionCmd  `cmd:"" help:"Print the versions of this program and of what it embeds."`
}

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	var c cli
	parser, err := kong.New(&c, kong.Name("footy-devstack"),
		kong.Description("Local servers for Found Footy. Each role prints one JSON line when it answers."),
		kong.WithHyphenPrefixedParameters(true)) // --ui-port -1
	if err != nil {
		return report(err)
	}
	k, err := parser.Parse(args)
	if err != nil {
		return report(&problem.Error{Thing: "command line", What: err.Error(), Remedy: "see --help", Code: problem.Usage})
	}
	return report(k.Run())
}

// report prints an error as one line and returns the exit code.
func report(err error) int {
	if err == nil {
		return 0
	}
	complain(err.Error())
	var p *problem.Error
	if errors.As(err, &p) {
		return p.ExitCode()
	}
	return problem.Failed
}

// complain writes one line, whatever line breaks the text contains.
func complain(text string) {
	fmt.Fprintln(os.Stderr, "footy-devstack: "+strings.Join(strings.Fields(text), " "))
}
