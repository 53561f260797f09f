package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/port/command"
)

type upCmd struct{}

// Run starts every role. What is missing is said, not fatal: the page is served and the part concerned waits.
func (upCmd) Run(ctx context.Context) error {
	return app.Up(ctx, extras, func(ctx context.Context, r app.Roles, dir string) error {
		p, err := newProcess() // with the settings read anew
		if err != nil {
			return err
		}
		p.State.Dir = cmp.Or(dir, p.State.Dir)
		return run(ctx, p, r, true)
	})
}

type workerCmd struct {
	Queues []string `help:"Task queues to poll (default: those that it can serve)." placeholder:"NAME"`
}

func (w workerCmd) Run(ctx context.Context, p command.Process) error {
	return run(ctx, p, app.Roles{Worker: true, Queues: w.Queues}, false)
}

type webCmd struct{}

func (webCmd) Run(ctx context.Context, p command.Process) error {
	return run(ctx, p, app.Roles{Web: true}, false)
}

func run(ctx context.Context, p command.Process, r app.Roles, listMissing bool) error {
	a, err := app.New(ctx, p.Config, p.Serving().Log, version, extras...)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // the process ends here
	r.Ready = func(at app.Ready) {
		if at.Page != "" {
			fmt.Fprintln(os.Stderr, "page:       ", at.Page)
		}
		if at.SetUp != "" {
			fmt.Fprintln(os.Stderr, "set up:     ", at.SetUp, "(from another machine with the code "+at.Code+")")
		}
		switch {
		case at.UI != "":
			fmt.Fprintln(os.Stderr, "temporal ui:", at.UI+otherPort(p.Engine.UIPort, at.UI))
		case r.Worker && p.Engine.Address == "":
			fmt.Fprintln(os.Stderr, "temporal ui: none; TEMPORAL_UI_PORT=3200 shows every workflow there")
		}
		if r.Worker {
			fmt.Fprintln(os.Stderr, "temporal:   ", at.Temporal)
		}
		if listMissing { // here, so that a start that fails says only why
			for _, what := range app.Missing(p.Config) {
				fmt.Fprintln(os.Stderr, "optional:   ", what)
			}
		}
	}
	return a.Run(ctx, r)
}

// otherPort says that the interface is not where the settings wanted it.
func otherPort(port int, at string) string {
	if port == 0 || strings.HasSuffix(at, ":"+strconv.Itoa(port)) {
		return ""
	}
	return fmt.Sprintf(" (TEMPORAL_UI_PORT=%d is in use)", port)
}
