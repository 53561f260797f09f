// Package program is what the programs of this module have in common: their command line, how they are stopped and how they report errors.
package program

import (
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// Lifetime is common to all roles.
type Lifetime struct {
	StateFile     string `help:"Also write the ready line to this file; removed on a clean stop." placeholder:"PATH"`
	ExitWithStdin bool   `help:"Stop when standard input ends, that is, with the process that holds it."`
}

// AfterApply makes the path absolute, because the s3 role changes the working directory.
func (l *Lifetime) AfterApply() (err error) {
	if l.StateFile != "" {
		l.StateFile, err = filepath.Abs(l.StateFile)
	}
	return err
}

// UntilStopped returns a context that ends with SIGINT, SIGTERM or, if asked, the end of stdin.
func (l Lifetime) UntilStopped() (context.Context, context.CancelFunc) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, cancel) // a second signal ends the process at once
	if l.ExitWithStdin {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			cancel()
		}()
	}
	return ctx, cancel
}

// UnlessStopped drops errors that only say that the program was asked to stop.
func UnlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil //nolint:nilerr // being stopped is no failure
	}
	return err
}

// OnlyOurs returns the real stdout and sends what embedded servers print there to stderr: a reader of stdout gets the
// ready line and nothing else.
func OnlyOurs() *os.File {
	stdout := os.Stdout
	os.Stdout = os.Stderr
	return stdout
}
