package main

import (
	"context"
	"fmt"
	"os"

	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/xaccount"
)

type browserCmd struct{}

// Run serves searches alone; footy up does it in its own process.
func (browserCmd) Run(ctx context.Context, p command.Process) error {
	return app.RunBrowser(ctx, p.Config, p.Serving().Log, version, func(url string) {
		fmt.Fprintln(os.Stderr, "search service:", url)
		if !xaccount.HasAccount(p.Config) {
			fmt.Fprintln(os.Stderr, "nobody has logged in to X here: footy x import-cookies FILE, or footy x login")
		}
	})
}
