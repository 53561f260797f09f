package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/person"
)

// people is a service of the test that takes what Alertmanager sends.
const people = "http://people:9000/"

// others are the services that the images of others run, and the health of which compose does not ask for.
func others() []string {
	return []string{"temporal-ui", "database-ui", "objects-console", "prometheus", "alertmanager", "people"}
}

// RunShipped starts the composition as it is shipped, with the programs that the images of others run, and reports whether all of it
// works: a person logs in to X through the published page, a goal gets a clip, and each page and the alerts are as the readme says.
func RunShipped(ctx context.Context, o Options, deploy string) (_ bool, err error) {
	if o.Programs, err = filepath.Abs(o.Programs); err != nil {
		return false, err
	}
	return runStart(ctx, o, deploy, composedDay{name: "shipped", over: []string{"images", "shipped"}, workers: 1, pages: 1, alone: true}, (*composed).shipped)
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
	for _, again := range [][]string{{"restart", "browser"}, {"up", "-d", "--no-build", "--no-deps", "--force-recreate", "browser"}} {
		if _, err := c.Compose(ctx, again...); err != nil {
			return err
		}
		if err := c.Healthy(ctx, healthyWithin, "browser"); err != nil {
			return fmt.Errorf("not logged in any more after docker compose %s: %w", strings.Join(again, " "), err)
		}
	}
	c.report.note("browser: logged in still after a restart of its container, and in another container")
	return nil
}

// published is where a person outside of the container opens the page.
const published = "http://127.0.0.1:3203/"

// logIn does what the readme says: the command prints an address, a person opens it, logs in and closes the browser there.
func (c *composed) logIn(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, healthyWithin)
	defer cancel()
	if err := eventually(ctx, func() error { // it listens once the database answers
		_, err := c.Compose(ctx, "exec", "-T", "browser", "curl", "-fsS", "http://127.0.0.1:8888/healthz")
		return err
	}); err != nil {
		return err
	}
	all, err := c.Containers(ctx, "browser")
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "docker", "exec", all[0].ID, "footy", "x", "login") //nolint:gosec // of this composition
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	at, said := "", ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		said += line + "\n"
		if at != "" || !strings.HasPrefix(line, published) {
			continue
		}
		at = line
		began := time.Now()
		if err := person.LogIn(ctx, at, filepath.Join(filepath.Dir(c.Dir), "person.png")); err != nil {
			return err
		}
		c.report.note("3203 noVNC: a person logged in to the simulated X and closed the browser in %s", time.Since(began).Round(time.Second))
	}
	if err := cmd.Wait(); err != nil || at == "" {
		return wrong(err, "footy x login, which must print an address below %s and then a login that works: %s", published, said)
	}
	return nil
}

// eventually tries until it works or ctx ends, and returns why it did not work.
func eventually(ctx context.Context, try func() error) (why error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		err := try()
		if err == nil {
			return nil
		}
		if why == nil || ctx.Err() == nil {
			why = err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return why
		}
	}
}
