// Command gotest runs go test with its arguments, prints its line of each package as it comes with why it failed, and ends with the tests
// that failed and why, so that the last lines of a long run say what is wrong, and so does a run that is cut short. It ends with the exit code of go test. gotest -not-run DIR lists what none of the runs ran that kept their results there (FOOTY_RESULTS).
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) == 2 && args[0] == "-not-run" {
		if err := notRun(args[1], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "gotest:", err)
			return 1
		}
		return 0
	}
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...) //nolint:gosec // the arguments are the caller's
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		return 1
	}
	failures, readErr := Read(out, os.Stdout)
	err = cmd.Wait()
	failures.Print(os.Stdout)
	readErr = errors.Join(readErr, failures.keep(os.Getenv(resultsEnv)))
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode()
	case err != nil || readErr != nil:
		fmt.Fprintln(os.Stderr, "gotest:", errors.Join(err, readErr))
		return 1
	}
	return 0
}
