package main

import (
	"github.com/found-footy/found-footy/devstack/mongo"
	"github.com/found-footy/found-footy/devstack/program"
	"github.com/found-footy/found-footy/devstack/ready"
)

type mongoCmd struct {
	Dir  string `required:"" placeholder:"DIR" help:"Directory of the SQLite files."`
	Port int    `default:"0" help:"Port; 0 picks a free one."`
	program.Lifetime
}

func (c mongoCmd) Run() error {
	ctx, cancel := c.UntilStopped()
	defer cancel()
	stdout := program.OnlyOurs()
	s, err := mongo.Start(ctx, mongo.Options{Dir: c.Dir, Port: c.Port})
	if err != nil {
		return program.UnlessStopped(ctx, err)
	}
	defer ready.Withdraw(c.StateFile)
	if err := ready.Announce(stdout, c.StateFile, ready.Line{Role: "mongo", URI: s.URI}); err != nil {
		return err
	}
	return program.UnlessStopped(ctx, s.Wait())
}
