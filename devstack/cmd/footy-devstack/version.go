package main

import (
	"fmt"
	"runtime/debug"
)

// version is set by the linker for a release.
var version = "dev"

type versionCmd struct{}

// Run reads the embedded modules from the binary itself: a list kept by hand would go stale.
func (versionCmd) Run() error { //nolint:unparam // kong calls it so
	fmt.Println("footy-devstack", version)
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	fmt.Println("go", info.GoVersion)
	for _, m := range info.Deps {
		switch m.Path {
		case "go.temporal.io/server", "github.com/temporalio/ui-server/v2", "go.temporal.io/sdk", "go.temporal.io/api", "modernc.org/sqlite":
			fmt.Println(m.Path, m.Version)
		}
	}
	return nil
}
