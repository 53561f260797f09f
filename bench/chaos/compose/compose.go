// Package compose drives a composition of containers with the commands a person has.
package compose

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Composition is one project of docker-compose.
type Composition struct {
	Dir     string   // of its files
	Files   []string // names in Dir
	Project string
	Logf    func(format string, args ...any)
}

// program is docker compose, or docker-compose where that is all there is.
func program(ctx context.Context) ([]string, error) {
	for _, cmd := range [][]string{{"docker", "compose"}, {"docker-compose"}} {
		if _, err := run(ctx, "", append(cmd, "version")...); err == nil {
			return cmd, nil
		}
	}
	return nil, fmt.Errorf("neither docker compose nor docker-compose is installed")
}

// Compose runs a command on the composition and returns what it printed.
func (c *Composition) Compose(ctx context.Context, args ...string) (string, error) {
	cmd, err := program(ctx)
	if err != nil {
		return "", err
	}
	cmd = append(cmd, "-p", c.Project)
	for _, f := range c.Files {
		cmd = append(cmd, "-f", f)
	}
	began := time.Now()
	text, err := run(ctx, c.Dir, append(cmd, args...)...)
	c.Logf("compose %s: %s", strings.Join(args, " "), time.Since(began).Round(100*time.Millisecond))
	if err != nil {
		return text, fmt.Errorf("docker-compose %s: %w: %s", strings.Join(args, " "), err, text)
	}
	return text, nil
}

// Docker runs a command of Docker.
func (c *Composition) Docker(ctx context.Context, args ...string) (string, error) {
	c.Logf("docker %s", strings.Join(args, " "))
	text, err := run(ctx, c.Dir, append([]string{"docker"}, args...)...)
	if err != nil {
		return text, fmt.Errorf("docker %s: %w: %s", strings.Join(args, " "), err, text)
	}
	return text, nil
}

// Listed is a container in docker's list.
type Listed struct {
	ID, Service string
	Running     bool
}

// Containers are those of the services, also those that ended, in the order they were made; of no service: of all.
func (c *Composition) Containers(ctx context.Context, services ...string) ([]Listed, error) {
	text, err := run(ctx, c.Dir, "docker", "ps", "-a", "--no-trunc", "--filter", "label=com.docker.compose.project="+c.Project, "--filter", "label=com.docker.compose.oneoff=False",
		"--format", `{{.ID}} {{.State}} {{.Label "com.docker.compose.service"}}`)
	if err != nil {
		return nil, fmt.Errorf("docker ps: %w: %s", err, text)
	}
	var out []Listed
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 3 && (len(services) == 0 || slices.Contains(services, f[2])) {
			out = append(out, Listed{ID: f[0], Service: f[2], Running: f[1] == "running"})
		}
	}
	slices.Reverse(out) // newest first
	return out, nil
}

// Container is docker inspect's answer.
type Container struct {
	State struct {
		Status     string
		OOMKilled  bool
		StartedAt  time.Time
		FinishedAt time.Time
		ExitCode   int
		Health     *struct{ Status string }
	}
	RestartCount    int
	NetworkSettings struct {
		Networks map[string]struct{ IPAddress string }
	}
}

// Inspect looks at a container.
func (c *Composition) Inspect(ctx context.Context, id string) (Container, error) {
	text, err := run(ctx, c.Dir, "docker", "inspect", id)
	if err != nil {
		return Container{}, fmt.Errorf("docker inspect %s: %w: %s", id, err, text)
	}
	var out []Container
	if err := json.Unmarshal([]byte(text), &out); err != nil || len(out) != 1 {
		return Container{}, fmt.Errorf("docker inspect %s: %w: %s", id, err, text)
	}
	return out[0], nil
}

// Addresses are those of the containers of a service on one of the composition's networks; at least one.
func (c *Composition) Addresses(ctx context.Context, service, network string) (out []string, err error) {
	all, err := c.Containers(ctx, service)
	if err != nil {
		return nil, err
	}
	for _, one := range all {
		is, err := c.Inspect(ctx, one.ID)
		if err != nil {
			return nil, err
		}
		at := is.NetworkSettings.Networks[c.Project+"_"+network].IPAddress
		if at == "" {
			return nil, fmt.Errorf("%s has no address on %s", service, network)
		}
		out = append(out, at)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no container of %s", service)
	}
	return out, nil
}

// Healthy waits until all containers of the services are.
func (c *Composition) Healthy(ctx context.Context, within time.Duration, services ...string) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for _, service := range services {
		all, err := c.Containers(ctx, service)
		if err != nil {
			return err
		}
		for _, one := range all {
			for {
				is, err := c.Inspect(ctx, one.ID)
				if err != nil {
					return err
				}
				if is.State.Health != nil && is.State.Health.Status == "healthy" {
					break
				}
				select {
				case <-tick.C:
				case <-ctx.Done():
					return fmt.Errorf("%s is not healthy within %s: %s", service, within, is.State.Status)
				}
			}
		}
	}
	return nil
}

func run(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // docker and its arguments
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}
