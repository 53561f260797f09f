package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/compose"
	"github.com/found-footy/found-footy/bench/chaos/day"
	"github.com/found-footy/found-footy/bench/chaos/judge"
	"github.com/found-footy/found-footy/bench/chaos/stage"
)

// browsers are the services that search, each with an account of its own.
func browsers() []string { return []string{"browser", "browser2"} }

// browsers are those of this day.
func (c *composed) browsers() []string {
	if c.plan.alone {
		return browsers()[:1]
	}
	return browsers()
}

// project names everything that Docker makes here.
const project = "found-footy-test"

// secret is every password of a composition that only this machine reaches.
const secret = "0123456789abcdef0123456789abcdef"

// cookies are those of a session of the simulated X, as a browser's extension exports them.
func cookies(session string) []byte {
	return fmt.Appendf(nil, `[{"name":"auth_token","value":%q,"domain":"world","path":"/","httpOnly":true,"expirationDate":4000000000},
 {"name":"ct0","value":%q,"domain":"world","path":"/","expirationDate":4000000000}]`, session, "csrf-"+session)
}

// compose lays out the files of a composition: those of deploy, settings filled in, and the day.
func (r *runner) compose(ctx context.Context, dir, deploy string, plan composedDay) (*composed, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	files := filepath.Join(dir, "deploy")
	if err := os.CopyFS(files, os.DirFS(deploy)); err != nil {
		return nil, err
	}
	example, err := os.ReadFile(filepath.Join(files, ".env.example"))
	if err != nil {
		return nil, err
	}
	env := regexp.MustCompile(`(?m)^([A-Z_0-9]+)=$`).ReplaceAll(example, []byte("$1="+secret))
	env = regexp.MustCompile(`(?m)^COMPOSE_(PROJECT_NAME|PROFILES)=.*$`).ReplaceAll(env, nil)
	profiles := "managed,second-account"
	if plan.alone {
		profiles = "managed"
	}
	env = fmt.Appendf(env, "\nCOMPOSE_PROJECT_NAME=%s\nCOMPOSE_PROFILES=%s\nCLIPS=%s\nCLIPS_OWNER=%d:%d\nFOOTY=%s\nFOOTY_DEVSTACK=%s\nFOOTY_TESTSTACK=%s\nTIME_SCALE=%d\n", project, profiles, r.Clips, os.Getuid(), os.Getgid(), r.Footy, r.Devstack, r.Teststack, r.Scale)
	settings, err := r.worldSettings(ctx)
	if err != nil {
		return nil, err
	}
	for name, text := range map[string][]byte{".env": env, "footy.env": []byte(settings), "test/day.json": day.JSON,
		"test/browser.json": cookies("simulated-session"), "test/browser2.json": cookies("simulated-session-2")} {
		if err := os.WriteFile(filepath.Join(files, name), text, 0o644); err != nil {
			return nil, err
		}
	}
	layers := []string{"docker-compose.yml"}
	for _, name := range plan.over {
		layers = append(layers, "test/docker-compose."+name+".yml")
	}
	diary, err := os.Create(filepath.Join(dir, "diary.txt"))
	if err != nil {
		return nil, err
	}
	return &composed{runner: r, plan: plan, diary: diary, Composition: &compose.Composition{Dir: files, Project: project,
		Files: layers,
		Logf: func(format string, args ...any) {
			fmt.Fprintf(diary, time.Now().Format("15:04:05.0 ")+format+"\n", args...)
		}}}, nil
}

// worldSettings are the settings that point at the world's container. A world that is started here prints them, and draws the clips.
func (r *runner) worldSettings(ctx context.Context) (string, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	script := filepath.Join(r.Dir, "day.json")
	if err := os.WriteFile(script, day.JSON, 0o644); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, r.Footy, "world", "--clips", r.Clips, "--script", script) //nolint:gosec // the program to test is the caller's choice
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.Dir, "TIME_SCALE=" + strconv.Itoa(r.Scale)}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	defer func() {
		stop()
		_ = cmd.Wait() // killed
	}()
	var says stage.Settings
	at := regexp.MustCompile(`127\.0\.0\.1:\d+`)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if says.Hear(lines.Text()) {
			var kept []string
			for _, line := range says.Lines {
				if !strings.HasPrefix(line, "TWITTER_SERVICE_URL=") { // Chromium searches the world's pages
					kept = append(kept, at.ReplaceAllString(line, "world:9000"))
				}
			}
			return strings.Join(kept, "\n") + "\n", nil
		}
	}
	return "", errors.New("the world ended before it told its settings")
}

// up starts what does not know of the day first and logs the browsers in, then the world, then everything that follows it.
func (c *composed) up(ctx context.Context) error {
	if _, err := c.Compose(ctx, "down", "-v", "--remove-orphans", "-t", "1"); err != nil { // an earlier run may have been killed
		return err
	}
	scale := []string{"--no-build", "--no-recreate", "--scale", fmt.Sprintf("worker=%d", c.plan.workers), "--scale", fmt.Sprintf("web=%d", c.plan.pages)}
	follow := append([]string{"world", "web", "worker", "vision"}, c.browsers()...)
	if c.plan.scaled {
		follow = append(follow[:len(follow)-1], "scaler") // which starts the other browser when it is needed
	}
	for _, step := range [][]string{{"-d", "postgres", "objects", "temporal"}, {"--no-start"}} {
		if _, err := c.Compose(ctx, append([]string{"up"}, append(scale, step...)...)...); err != nil {
			return err
		}
	}
	if c.plan.scaled { // docker-compose 1.29 puts a container on its networks when it starts it first
		other := c.browsers()[1]
		for _, do := range [][]string{{"up", "-d", "--no-build", "--no-deps", other}, {"stop", "-t", "5", other}} {
			if _, err := c.Compose(ctx, do...); err != nil {
				return err
			}
		}
	}
	for _, name := range c.browsers() {
		if _, err := c.Compose(ctx, "run", "--rm", "--no-deps", "-T", name, "x", "import-cookies", "/test/"+name+".json"); err != nil {
			return err
		}
	}
	if err := c.Healthy(ctx, healthyWithin, "postgres", "objects", "temporal"); err != nil {
		return err
	}
	c.began = time.Now()
	if _, err := c.Compose(ctx, append([]string{"up", "-d"}, append(scale, follow...)...)...); err != nil {
		return err
	}
	return c.Healthy(ctx, healthyWithin, follow[1:]...)
}

// pages are the addresses of all pages.
func (c *composed) pages(ctx context.Context) (out []string, err error) {
	addresses, err := c.Addresses(ctx, "web", "default")
	for _, at := range addresses {
		out = append(out, "http://"+at+":8080")
	}
	return out, err
}

func (c *composed) site(ctx context.Context) (judge.Site, error) {
	pages, err := c.pages(ctx)
	if err != nil {
		return judge.Site{}, err
	}
	objects, err := c.Addresses(ctx, "objects", "objects")
	if err != nil {
		return judge.Site{}, err
	}
	return judge.Site{Page: pages[0], S3: objects[0] + ":8333", Key: "footy", Secret: secret, Bucket: "footy-videos"}, err
}

// troubles are containers that do not do their work at the end, or that ran out of memory.
func (c *composed) troubles(ctx context.Context) (out []string) {
	for _, service := range append([]string{"web", "worker", "vision", "postgres", "objects", "temporal"}, c.browsers()...) {
		all, err := c.Containers(ctx, service)
		if err != nil {
			return []string{err.Error()}
		}
		for _, one := range all {
			is, err := c.Inspect(ctx, one.ID)
			switch {
			case err != nil:
				out = append(out, err.Error())
			case is.State.OOMKilled:
				out = append(out, service+" ran out of memory")
			case is.State.Status == "exited" && is.State.ExitCode == 137: // killed by a fault
			case is.State.Status == "exited" && is.State.ExitCode == 0 && c.plan.scaled && c.scales(service):
			case is.State.Status != "running" || is.State.Health == nil || is.State.Health.Status != "healthy":
				out = append(out, fmt.Sprintf("%s is %s (%d), health %v", service, is.State.Status, is.State.ExitCode, is.State.Health))
			}
		}
	}
	return out
}

// down keeps the logs and removes everything that was made.
func (c *composed) down(dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // also when the day was broken off
	defer cancel()
	logs, err := c.Compose(ctx, "logs", "--no-color", "-t")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "logs.txt"), []byte(logs), 0o644)
	}
	_, gone := c.Compose(ctx, "down", "-v", "--remove-orphans", "-t", "2")
	return errors.Join(err, gone, c.diary.Close())
}
