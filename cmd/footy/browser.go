package main

import (
	"context"
	"fmt"
	"os"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/xaccount"
)

type browserCmd struct{}

// Run serves searches alone; footy up does it in its own process.
func (browserCmd) Run(ctx context.Context) error {
	c, log, err := settings()
	if err != nil {
		return err
	}
	return app.RunBrowser(ctx, c, log, version, func(url string) {
		fmt.Fprintln(os.Stderr, "search service:", url)
		if !xaccount.HasAccount(c) {
			fmt.Fprintln(os.Stderr, "nobody has logged in to X here: footy x import-cookies FILE, or footy x login")
		}
	})
}
