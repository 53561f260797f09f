package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/person"
	"github.com/found-footy/found-footy/bench/chaos/proc"
)

// people is a service of the test that takes what Alertmanager sends.
const people = "http://people:9000/"

// others are the services that the images of others run, and the health of which compose does not ask for.
func others() []string {
	return []string{"temporal-ui", "database-ui", "objects-console", "prometheus", "alertmanager", "people"}
}

// RunShipped starts the composition as it is shipped, with the programs that the images of others run, and reports whether all of it
// works: a person logs in to X through the published page, a goal gets a clip, and each page and the alerts are as the readme says.
func RunShipped(ctx context.Context, o Options, deploy string) (bool, error) {
	r := &runner{Options: o, starter: proc.NewStarter()}
	if err := r.prepare(ctx); err != nil {
		return false, err
	}
	var err error
	if r.Programs, err = filepath.Abs(r.Programs); err != nil {
		return false, err
	}
	began, dir := time.Now(), filepath.Join(r.Dir, "compose-shipped")
	c, err := r.compose(ctx, dir, deploy, composedDay{name: "shipped", workers: 1, pages: 1, smoke: true, shipped: true})
	if err != nil {
		return false, err
	}
	if err := errors.Join(c.shipped(ctx), c.down(dir)); err != nil {
		return false, fmt.Errorf("%w; see %s", err, r.Dir)
	}
	return c.tell(began), nil
}

// shipped does the whole.
func (c *composed) shipped(ctx context.Context) error {
	urls := filepath.Join(c.Dir, "alertmanager", "urls")
	if err := os.MkdirAll(urls, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"people", "heartbeat"} {
		if err := os.WriteFile(filepath.Join(urls, name), []byte(people+name), 0o644); err != nil {
			return err
		}
	}
	began := time.Now()
	if _, err := c.Compose(ctx, "down", "-v", "--remove-orphans", "-t", "1"); err != nil { // an earlier run may have been killed
		return err
	}
	if _, err := c.Compose(ctx, "up", "-d", "--no-build", "postgres", "objects", "temporal"); err != nil {
		return err
	}
	if err := c.Healthy(ctx, healthyWithin, "postgres", "objects", "temporal"); err != nil {
		return err
	}
	c.began = time.Now()
	ours := []string{"web", "worker", "vision", "browser"}
	if _, err := c.Compose(ctx, append(append([]string{"up", "-d", "--no-build", "world"}, ours...), others()...)...); err != nil {
		return err
	}
	if err := c.logIn(ctx); err != nil {
		return err
	}
	if err := c.Healthy(ctx, healthyWithin, ours...); err != nil {
		return err
	}
	c.healthy = time.Since(began)
	if err := c.firstClip(ctx, began); err != nil {
		return err
	}
	c.look(ctx)
	if _, err := c.Compose(ctx, "restart", "browser"); err != nil {
		return err
	}
	if err := c.Healthy(ctx, healthyWithin, "browser"); err != nil {
		c.report.fail("after a restart of its container the browser is logged in no more: " + err.Error())
	} else {
		c.report.note("browser: logged in still after a restart of its container")
	}
	return nil
}

// published is where a person outside of the container opens the page.
const published = "http://127.0.0.1:3203/"

// logIn does what the readme says: the command prints an address, a person opens it, logs in and closes the browser there.
func (c *composed) logIn(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, healthyWithin)
	defer cancel()
	if err := c.eventually(ctx, func() error { // it listens once the database answers
		_, err := c.Compose(ctx, "exec", "-T", "browser", "curl", "-fsS", "http://127.0.0.1:8888/healthz")
		return err
	}); err != nil {
		return err
	}
	cmd, err := c.Command(ctx, "exec", "-T", "browser", "footy", "x", "login")
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var trouble strings.Builder
	cmd.Stderr = &trouble
	if err := cmd.Start(); err != nil {
		return err
	}
	var said []string
	at := ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		said = append(said, line)
		if at == "" && strings.HasPrefix(line, "http") {
			at = line
			if !strings.HasPrefix(at, published) {
				return fmt.Errorf("footy x login says %s, which is not below %s", at, published)
			}
			began := time.Now()
			if err := person.LogIn(ctx, at); err != nil {
				return err
			}
			c.report.note("3203 noVNC: a person logged in to the simulated X and closed the browser in %s", time.Since(began).Round(time.Second))
		}
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("footy x login: %w: %s %s", err, strings.Join(said, "; "), trouble.String())
	}
	return nil
}

// eventually tries until it works or ctx ends, and returns the last error.
func (c *composed) eventually(ctx context.Context, try func() error) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return err
		}
	}
}
