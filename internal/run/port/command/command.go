// Package command is what the subcommands of footy share: settings, a log, answers for people or programs, exit codes.
package command

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/telemetry"
)

// Process is what a long-running command gets; what is odd about its settings is logged.
type Process struct {
	config.Config
	Log     *slog.Logger
	Version string
	Remade  []string // key prefixes of objects that can be made again
}

// NewProcess reads the settings and opens the log.
func NewProcess(version string, own []config.Group) (Process, error) {
	c, err := config.Load(own...)
	if err != nil {
		return Process{}, err
	}
	log := logTo(os.Stderr, c)
	for _, w := range c.Warnings {
		log.Warn(w, "module", "config", "action", "load")
	}
	return Process{Config: c, Log: log, Version: version}, nil
}

// Serving is a process that prints no answer: its log goes to standard output.
func (p Process) Serving() Process {
	p.Log = logTo(os.Stdout, p.Config)
	return p
}

func logTo(f *os.File, c config.Config) *slog.Logger {
	if c.Log.Format == "" && terminal(f) {
		c.Log.Format = "pretty"
	}
	return telemetry.NewLogger(f, telemetry.Options{Format: c.Log.Format, Level: c.Log.Level, Secrets: c.Secrets(), Color: terminal(f) && c.Log.NoColor == ""})
}

// Settings are for commands without a log: what is odd about them goes to stderr.
func Settings(own []config.Group) (config.Config, error) {
	c, err := config.Load(own...)
	if err != nil {
		return c, err
	}
	for _, w := range c.Warnings {
		fmt.Fprintln(os.Stderr, "note:", w)
	}
	return c, nil
}

// Exit carries an exit code without a message: everything was said already.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// ExitIf ends a command with 1 if something that it reported is wrong.
func ExitIf(wrong bool) error {
	if wrong {
		return Exit(1)
	}
	return nil
}

// terminal reports whether a person reads f.
func terminal(f *os.File) bool {
	i, err := f.Stat()
	return err == nil && i.Mode()&os.ModeCharDevice != 0
}
