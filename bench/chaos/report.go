package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/plan"
)

// report is what a day was made to bear, and what came out otherwise.
type report struct {
	Kills, Steps, Outages, Others, Exits int
	Differences                          int
	Lines                                []string // what differs
	Notes                                []string // what was measured
	Unreached                            []string
}

func (r *report) fail(line string) {
	r.Differences++
	r.Lines = append(r.Lines, line)
}

// floor fails a day that reached fewer of the steps it was asked to die at than it must: the rest was not tried. After a restore nothing is
// posted of what was scored before it, which may be all: steps of posting that were not reached are not asked for then.
func (r *report) floor(p plan.Plan) {
	asked := len(p.Steps) + len(p.WebSteps)
	if putBack(p) {
		for _, step := range r.Unreached {
			if strings.HasPrefix(step, "posting-") {
				asked--
			}
		}
	}
	if least := asked * 2 / 3; r.Steps < least {
		r.fail(fmt.Sprintf("%d of %d named steps were reached, %d at least must be; never passed: %s", r.Steps, asked, least, strings.Join(r.Unreached, ", ")))
	}
}

func (r *report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

func (r *report) add(o report) {
	r.Kills, r.Steps, r.Outages, r.Others = r.Kills+o.Kills, r.Steps+o.Steps, r.Outages+o.Outages, r.Others+o.Others
	r.Exits, r.Differences = r.Exits+o.Exits, r.Differences+o.Differences
}

func (r report) String() string {
	return fmt.Sprintf("%d kills, %d of them at a named step, %d outages, %d other faults", r.Kills+r.Steps, r.Steps, r.Outages, r.Others)
}

func (r report) print(w io.Writer, seed uint64, took time.Duration, dir string) {
	if len(r.Unreached) > 0 {
		fmt.Fprintf(w, "  never passed: %s\n", strings.Join(r.Unreached, ", "))
	}
	for _, n := range r.Notes {
		fmt.Fprintln(w, "  "+n)
	}
	if r.Exits > 0 {
		fmt.Fprintf(w, "  ended by themselves, and were started again: %d processes\n", r.Exits)
	}
	verdict := "as calm"
	if r.Differences > 0 {
		verdict = fmt.Sprintf("%d DIFFERENCES", r.Differences)
	}
	fmt.Fprintf(w, "seed %d: %s after %s, in %s\n", seed, verdict, r, took.Round(time.Second))
	for _, l := range r.Lines {
		fmt.Fprintln(w, "    "+l)
	}
	if r.Differences > 0 {
		fmt.Fprintf(w, "    logs of all processes, plan and diary: %s\n", dir)
	}
}
