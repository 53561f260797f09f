package program

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/found-footy/found-footy/devstack/problem"
)

// Run parses the command line into cli, a struct of kong commands, runs the command and returns the exit code.
func Run(name, description string, cli any) int {
	parser, err := kong.New(cli, kong.Name(name), kong.Description(description),
		kong.WithHyphenPrefixedParameters(true)) // --ui-port -1
	if err != nil {
		return report(name, err)
	}
	k, err := parser.Parse(os.Args[1:])
	if err != nil {
		return report(name, &problem.Error{Thing: "command line", What: err.Error(), Remedy: "see --help", Code: problem.Usage})
	}
	return report(name, k.Run())
}

// report prints an error as one line and returns the exit code.
func report(name string, err error) int {
	if err == nil {
		return 0
	}
	Complain(name, err.Error())
	var p *problem.Error
	if errors.As(err, &p) {
		return p.ExitCode()
	}
	return problem.Failed
}

// Complain writes one line to stderr, whatever line breaks the text contains.
func Complain(name, text string) {
	fmt.Fprintln(os.Stderr, name+": "+strings.Join(strings.Fields(text), " "))
}
