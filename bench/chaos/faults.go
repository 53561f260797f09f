package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/compose"
)

// fault is what a day of the composition bears.
type fault struct {
	at   time.Duration // of the day
	what string
	make func(ctx context.Context, c *composed) error
}

// faults are those that several machines bring: one dies, one cannot reach the engine, the database goes and comes back.
func faults() []fault {
	return []fault{
		{6 * time.Minute, "a worker is cut off from the engine for 60 s", func(ctx context.Context, c *composed) error { return c.cut(ctx, "worker", "engine", time.Minute) }},
		{12 * time.Minute, "a worker is killed", func(ctx context.Context, c *composed) error { return c.kill(ctx, "worker") }},
		{20 * time.Minute, "the database is restarted", func(ctx context.Context, c *composed) error { return c.restart(ctx, "postgres") }},
	}
}

// bear makes each fault at its time and returns when the last is over.
func (c *composed) bear(ctx context.Context) error {
	errs := make(chan error, len(c.plan.faults))
	for _, f := range c.plan.faults {
		go func() {
			t := time.NewTimer(time.Until(c.began.Add(c.life(f.at))))
			defer t.Stop()
			select {
			case <-ctx.Done():
				errs <- ctx.Err()
			case <-t.C:
				c.Logf("%5.1f s: %s", time.Since(c.began).Seconds(), f.what)
				errs <- f.make(ctx, c)
			}
		}()
	}
	var err error
	for range c.plan.faults {
		err = errors.Join(err, <-errs)
	}
	return err
}

// running are the containers of a service that run, oldest first; at least one.
func (c *composed) running(ctx context.Context, service string) ([]compose.Listed, error) {
	all, err := c.Containers(ctx, service)
	if err != nil {
		return nil, err
	}
	if all = slices.DeleteFunc(all, func(l compose.Listed) bool { return !l.Running }); len(all) == 0 {
		return nil, fmt.Errorf("no container of %s runs", service)
	}
	return all, nil
}

// cut takes the oldest container of a service from a network and gives it back.
func (c *composed) cut(ctx context.Context, service, network string, how time.Duration) error {
	all, err := c.running(ctx, service)
	if err != nil {
		return err
	}
	network = c.Project + "_" + network
	if _, err := c.Docker(ctx, "network", "disconnect", network, all[0].ID); err != nil {
		return err
	}
	t := time.NewTimer(how)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
	_, err = c.Docker(ctx, "network", "connect", network, all[0].ID)
	return err
}

// kill kills the newest container of a service: not the one that is cut off, where there are two.
func (c *composed) kill(ctx context.Context, service string) error {
	all, err := c.running(ctx, service)
	if err == nil {
		_, err = c.Docker(ctx, "kill", all[len(all)-1].ID)
	}
	return err
}

func (c *composed) restart(ctx context.Context, service string) error {
	all, err := c.running(ctx, service)
	if err == nil {
		_, err = c.Docker(ctx, "restart", all[0].ID)
	}
	return err
}
