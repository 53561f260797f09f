package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/devstack/program"
	"github.com/found-footy/found-footy/devstack/ready"
	"github.com/found-footy/found-footy/devstack/temporal"
)

// startLimit is generous: a machine that draws clips on all cores still needs to get its server.
const startLimit = time.Minute

type temporalCmd struct {
	DB             string        `name:"db" required:"" placeholder:"FILE" help:"SQLite file; created when missing. Back it up together with its -wal and -shm."`
	Port           int           `default:"0" help:"Port of the frontend; 0 picks a free one."`
	UIPort         int           `name:"ui-port" default:"3200" help:"Port of the Web UI; -1 for no UI."`
	UIPortFallback bool          `name:"ui-port-fallback" help:"Use any free port for the UI when its port is taken."`
	TokenFile      string        `name:"token-file" env:"TEMPORAL_TOKEN_FILE" placeholder:"FILE" help:"Refuse clients that do not send the word in this file as a bearer token. Without it every client on this machine is admitted."`
	Namespace      string        `default:"default" help:"Namespace to create when missing."`
	Retention      time.Duration `default:"168h" help:"How long closed workflows are kept; at least 168h."`
	LogLevel       string        `default:"error" enum:"debug,info,warn,error" help:"Level of the server's log on stderr (${enum})."`
	program.Lifetime
}

func (c temporalCmd) Run() error {
	ctx, cancel := c.UntilStopped()
	defer cancel()
	db, err := filepath.Abs(c.DB)
	if err != nil {
		return err
	}
	stdout := program.OnlyOurs()
	startCtx, cancelStart := context.WithTimeout(ctx, startLimit)
	defer cancelStart()
	s, err := temporal.Start(startCtx, temporal.Options{
		DB: db, Port: c.Port, UIPort: c.UIPort, UIPortFallback: c.UIPortFallback, TokenFile: c.TokenFile,
		Namespace: c.Namespace, Retention: c.Retention, LogLevel: c.LogLevel, Version: version, Warn: func(text string) { program.Complain(name, text) },
	})
	if err != nil {
		return program.UnlessStopped(ctx, err)
	}
	defer s.Stop()
	defer ready.Withdraw(c.StateFile)
	line := ready.Line{Role: "temporal", Address: s.Address, UI: s.UI, Namespace: c.Namespace, DB: db, TokenFile: c.TokenFile}
	if err := ready.Announce(stdout, c.StateFile, line); err != nil {
		return err
	}
	return s.Run(ctx)
}
