// Command footy-devstack runs the Temporal server with its Web UI on one SQLite file. It listens on 127.0.0.1 only.
package main

import (
	"os"

	"github.com/found-footy/found-footy/devstack/program"
)

const name = "footy-devstack"

type cli struct {
	Temporal temporalCmd `cmd:"" help:"Temporal server and Web UI on one SQLite file."`
	Version  versionCmd  `cmd:"" help:"Print the versions of this program and of what it embeds."`
}

func main() {
	os.Exit(program.Run(name, "The embedded engine of Found Footy. It prints one JSON line when it answers.", &cli{}))
}
