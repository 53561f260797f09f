package network

import (
	"context"
	"log/slog"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// awaitEvery is how often it is looked whether something late has come.
const awaitEvery = time.Second

// Await asks for something outside until it is there, and logs once why it waits, and that it has come. What is wrong in
// another way than by not being there, or not answering, ends it at once.
func Await(ctx context.Context, log *slog.Logger, what string, ask func() error) error {
	said := footy.Code("")
	for {
		err := ask()
		switch code := footy.CodeOf(err); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && said != "":
			log.Info(what+" has come", "action", "start")
			return nil
		case err == nil:
			return nil
		case code != footy.CodeUnavailable && code != footy.CodeNotFound:
			return err
		case code != said:
			said = code
			log.Warn("waits for "+what+": "+footy.UserMessage(err), "action", "start")
		}
		if err := Pause(ctx, awaitEvery); err != nil {
			return err
		}
	}
}

// Pause waits for so long, or until ctx ends, which is its error.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
