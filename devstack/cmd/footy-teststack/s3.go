package main

import (
	"github.com/found-footy/found-footy/devstack/program"
	"github.com/found-footy/found-footy/devstack/ready"
	"github.com/found-footy/found-footy/devstack/s3"
)

type s3Cmd struct {
	Root      string   `required:"" placeholder:"DIR" help:"Directory of the objects (DIR/data) and their metadata (DIR/meta)."`
	Port      int      `default:"0" help:"Port; 0 picks a free one."`
	AccessKey string   `required:"" placeholder:"KEY" help:"Access key that clients must sign with."`
	SecretKey string   `required:"" placeholder:"SECRET" help:"Secret key that clients must sign with."`
	Bucket    []string `placeholder:"NAME" help:"Bucket to create when missing; may be repeated."`
	program.Lifetime
}

func (c s3Cmd) Run() error {
	ctx, cancel := c.UntilStopped()
	defer cancel()
	stdout := program.OnlyOurs()
	s, err := s3.Start(ctx, s3.Options{
		Root: c.Root, Port: c.Port, AccessKey: c.AccessKey, SecretKey: c.SecretKey, Buckets: c.Bucket,
	})
	if err != nil {
		return program.UnlessStopped(ctx, err)
	}
	defer ready.Withdraw(c.StateFile)
	if err := ready.Announce(stdout, c.StateFile, ready.Line{Role: "s3", Address: s.Address}); err != nil {
		return err
	}
	return program.UnlessStopped(ctx, s.Wait())
}
