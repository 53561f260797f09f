// Command record keeps histories of a running engine for the replay tests: of a day with troubles, say, which no calm day shows.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/found-footy/found-footy/bench/rig"
	"go.temporal.io/sdk/client"
)

func main() {
	address := flag.String("address", "127.0.0.1:7233", "of the engine")
	dir := flag.String("dir", "", "where the histories go")
	flag.Parse()
	if err := run(*address, *dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(address, dir string) error {
	if dir == "" {
		return fmt.Errorf("-dir is missing: name the directory of the histories")
	}
	c, err := client.Dial(client.Options{HostPort: address})
	if err != nil {
		return fmt.Errorf("connect to -address=%s: %w", address, err)
	}
	defer c.Close()
	return rig.Record(context.Background(), c, dir)
}
