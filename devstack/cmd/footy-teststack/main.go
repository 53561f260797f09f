// Command footy-teststack runs the servers that only tests need: an S3 server and a MongoDB stand-in. They listen on 127.0.0.1 only.
package main

import (
	"os"

	"github.com/found-footy/found-footy/devstack/program"
)

type cli struct {
	S3    s3Cmd    `cmd:"" name:"s3" help:"S3 server on a directory."`
	Mongo mongoCmd `cmd:"" help:"MongoDB stand-in on SQLite, for tests: one command at a time, a part of the operators."`
}

func main() {
	os.Exit(program.Run("footy-teststack", "Servers for the tests of Found Footy. Each role prints one JSON line when it answers.", &cli{}))
}
