package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/telemetry"
)

type upCmd struct{}

// Run starts every role. What is missing is said, not fatal: the page is served and the part concerned waits.
func (upCmd) Run(ctx context.Context) error {
	for {
		running, stop := context.WithCancel(ctx)
		again := false
		err := run(running, app.Roles{Worker: true, Web: true, Browser: true, Again: func() { again = true; stop() }}, true)
		stop()
		if !again {
			return err
		}
	}
}

type workerCmd struct {
	Queues []string `help:"Task queues to poll (default: all)." placeholder:"NAME"`
}

func (w workerCmd) Run(ctx context.Context) error {
	return run(ctx, app.Roles{Worker: true, Queues: w.Queues}, false)
}

type webCmd struct{}

func (webCmd) Run(ctx context.Context) error { return run(ctx, app.Roles{Web: true}, false) }

func run(ctx context.Context, r app.Roles, listMissing bool) error {
	c, log, err := settings()
	if err != nil {
		return err
	}
	a, err := app.New(ctx, c, log, version)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // the process ends here
	r.Ready = func(at app.Ready) {
		if listMissing { // here, so that a start that fails says only why
			for _, p := range app.Missing(c) {
				fmt.Fprintln(os.Stderr, "missing:    ", p)
			}
		}
		if at.Page != "" {
			fmt.Fprintln(os.Stderr, "page:       ", at.Page)
		}
		if at.SetUp != "" {
			fmt.Fprintln(os.Stderr, "set up:     ", at.SetUp)
		}
		if at.UI != "" {
			fmt.Fprintln(os.Stderr, "temporal ui:", at.UI+otherPort(c.Engine.UIPort, at.UI))
		}
		if r.Worker {
			fmt.Fprintln(os.Stderr, "temporal:   ", at.Temporal)
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

// loadSettings is for commands without a log: what is odd about the settings goes to stderr.
func loadSettings() (config.Config, error) {
	c, err := config.Load()
	if err != nil {
		return c, err
	}
	for _, w := range c.Warnings {
		fmt.Fprintln(os.Stderr, "note:", w)
	}
	return c, nil
}

// settings loads and checks the settings and makes the logger.
func settings() (config.Config, *slog.Logger, error) {
	c, err := config.Load()
	if err != nil {
		return c, nil, err
	}
	if c.Log.Format == "" && terminal(os.Stderr) {
		c.Log.Format = "pretty"
	}
	log := telemetry.NewLogger(os.Stderr, telemetry.Options{Format: c.Log.Format, Level: c.Log.Level, Secrets: c.Secrets(), Color: terminal(os.Stderr) && c.Log.NoColor == ""})
	for _, w := range c.Warnings {
		log.Warn(w, "module", "config", "action", "load")
	}
	return c, log, nil
}

// terminal reports whether a person reads f.
func terminal(f *os.File) bool {
	i, err := f.Stat()
	return err == nil && i.Mode()&os.ModeCharDevice != 0
}
