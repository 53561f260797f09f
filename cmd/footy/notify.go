package main

import (
	"context"
	"fmt"
	"os"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port/command"
)

type notifyCmd struct {
	Test notifyTestCmd `cmd:"" help:"Send a test message to every address of NOTIFICATIONS, and try every target of posts (POST_...)."`
}

type notifyTestCmd struct{}

// Run says of each target whether it took the message.
func (notifyTestCmd) Run(ctx context.Context, c config.Config) error {
	targets, err := app.TestNotifications(c, extras...)
	if err != nil {
		return err
	}
	failed := false
	for _, t := range targets {
		did, err := t.Test(ctx)
		if err != nil {
			failed = true
			fmt.Fprintln(os.Stdout, "failed ", footy.UserMessage(err))
			continue
		}
		fmt.Fprintln(os.Stdout, "sent   ", t.Name+": "+did)
	}
	return command.ExitIf(failed)
}
