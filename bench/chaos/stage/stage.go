// Package stage runs the product as real processes on a simulated outside world, with a proxy before everything that has a
// port, and carries out a plan of faults on them.
package stage

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/day"
	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/port"
	"github.com/found-footy/found-footy/bench/chaos/proc"
	"github.com/found-footy/found-footy/bench/chaos/proxy"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// Options say what is run and where it keeps its things.
type Options struct {
	Footy, Devstack, Teststack string // programs
	Former                     string // the program of the release before; "" where the plan has none of its faults
	Clips                      string // cache of drawn clips
	Dir                        string // of this day: state, logs
	Scale                      int    // how much faster than life the day runs
	Starter                    *proc.Starter
	Logf                       func(format string, args ...any)
	Plan                       plan.Plan // no faults: a calm day
}

// stateDir is where the product keeps its state, on a disk of its own where one can be had.
const stateDir = "state"

// Names and keys that only these processes use.
const (
	Bucket     = "footy-videos"
	Key        = "chaoskey"
	Secret     = "chaos-secret-of-this-run"
	AdminToken = "an operator of this run"
)

// Stage is a running product.
type Stage struct {
	Options
	Page      string // URL of the page, without a proxy before it
	World     string // URL of the world, idem
	S3        string // address of the object store, idem
	Temp      string // where workers keep files for a moment
	Began     time.Time
	Tally     *Tally
	proxies   *proxy.Proxies
	disk      *disk
	receivers *receivers
	mu        sync.Mutex
	procs     map[string]*proc.Process
	env       map[string][]string // of worker and page
	steps     map[string]*steps
	died      map[string]string // the step that a process said it kills itself at
	at        map[string]string // addresses of processes, also while they are down
	engine    string            // directory of its database
	former    atomic.Bool       // the release before plays
}

// Start starts everything except the worker, which the plan may let start late.
func Start(ctx context.Context, o Options) (_ *Stage, err error) {
	s := &Stage{Options: o, proxies: proxy.New(), procs: map[string]*proc.Process{}, env: map[string][]string{}, died: map[string]string{}, Tally: newTally(),
		steps: map[string]*steps{plan.Worker: {left: slices.Clone(o.Plan.Steps)}, plan.Web: {left: slices.Clone(o.Plan.WebSteps)}}, Temp: filepath.Join(o.Dir, "tmp"), engine: filepath.Join(o.Dir, "engine")}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	for _, d := range []string{stateDir, "tmp", "s3", "engine", "world", "logs"} {
		if err := os.MkdirAll(filepath.Join(o.Dir, d), 0o755); err != nil {
			return nil, err
		}
	}
	script := filepath.Join(o.Dir, "day.json")
	if err := os.WriteFile(script, day.JSON, 0o644); err != nil {
		return nil, err
	}
	full := o.Plan.Has(plan.DiskFull)
	if s.disk, err = mount(filepath.Join(o.Dir, stateDir)); err != nil && full {
		return nil, fmt.Errorf("the plan fills a small disk that cannot be had: %w; run as root on Linux, or make chaos WITHOUT=%s", err, plan.DiskFull)
	}
	s.former.Store(o.Plan.Has(plan.Upgrade))
	if err := s.install(); err != nil {
		return nil, err
	}
	s.at = map[string]string{}
	for _, name := range []string{plan.S3, plan.Engine, plan.World, plan.Web} {
		if s.at[name], err = port.Free(ctx); err != nil {
			return nil, err
		}
	}
	s.S3, s.World, s.Page = s.at[plan.S3], "http://"+s.at[plan.World], "http://"+s.at[plan.Web]
	json := func(line string) bool { return strings.HasPrefix(line, "{") }
	if err := s.start(ctx, plan.S3, o.Teststack, json, "s3", "--root", filepath.Join(o.Dir, "s3"), "--port", s.port(plan.S3),
		"--access-key", Key, "--secret-key", Secret, "--bucket", Bucket); err != nil {
		return nil, err
	}
	if err := s.start(ctx, plan.Engine, o.Devstack, json, "temporal", "--db", filepath.Join(s.engine, "temporal.db"), "--port", s.port(plan.Engine), "--ui-port", "-1"); err != nil {
		return nil, err
	}
	var says Settings
	s.env[plan.World] = []string{"TIME_SCALE=" + strconv.Itoa(s.Scale)}
	if err := s.start(ctx, plan.World, o.Footy, says.Hear, "world", "--addr", s.at[plan.World], "--state", filepath.Join(o.Dir, "world"), "--clips", o.Clips, "--script", script); err != nil {
		return nil, err
	}
	s.Began = time.Now()
	if s.receivers, err = listen(ctx); err != nil {
		return nil, err
	}
	posts, err := s.proxies.Add(ctx, plan.Posts, s.receivers.addr)
	if err != nil {
		return nil, err
	}
	env, err := s.settings(ctx, says.Lines)
	if err != nil {
		return nil, err
	}
	env = append(env, "MIN_FREE_MB=0") // disks are filled to the last byte here
	s.env[plan.Web] = append([]string{"WEB_ADDR=" + s.at[plan.Web], "ADMIN_TOKEN=" + AdminToken, "PUBLIC_URL=https://goals.example",
		"NOTIFICATIONS=generic+http://" + s.receivers.addr + "/told?template=json", "PUSH_HOSTS=127.0.0.1",
		"POST_MASTODON_URL=http://" + posts, "POST_MASTODON_TOKEN=" + social.AccountToken, "POST_WHEN=first"}, env...)
	s.env[plan.Worker] = env
	s.env[plan.Second] = s.env[plan.Worker]
	if err := s.start(ctx, plan.Web, s.installed(), func(line string) bool { return strings.HasPrefix(line, "page:") }, "web"); err != nil {
		return nil, err
	}
	return s, s.subscribe(ctx)
}

// StartWorkers starts who does the product's work, when the plan wants it.
func (s *Stage) StartWorkers(ctx context.Context) error {
	if !s.until(ctx, s.Plan.Start) {
		return context.Cause(ctx)
	}
	ready := func(line string) bool { return strings.HasPrefix(line, "temporal:") }
	if s.Plan.Second {
		if err := s.start(ctx, plan.Second, s.installed(), ready, "worker"); err != nil {
			return err
		}
	}
	return s.start(ctx, plan.Worker, s.installed(), ready, "worker")
}

// Ends is how often a process ended so far, however it did.
func (s *Stage) Ends(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.procs[name].Starts() - 1
}

// Workers is how many of them there are.
func (s *Stage) Workers() int {
	if s.Plan.Second {
		return 2
	}
	return 1
}

func (s *Stage) port(name string) string {
	_, number, _ := net.SplitHostPort(s.at[name]) // nothing is there before it has an address
	return number
}

// drawing is how long the world may take until its clips are there: other days may draw theirs beside it.
const drawing = 10 * time.Minute

// start starts a process; none inherits settings of ours.
func (s *Stage) start(ctx context.Context, name, path string, ready func(string) bool, args ...string) error {
	base := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.Dir, "TMPDIR=" + s.Temp, "LOG_FORMAT=json", "LOG_LEVEL=info"}
	var within time.Duration
	if name == plan.World {
		within = drawing
	}
	p, err := s.Starter.Start(ctx, proc.Program{Name: name, Path: path, Args: args, Dir: s.Dir, Log: s.log(name), Within: within,
		Ready: func(line string) bool {
			s.heard(name, line)
			return ready(line)
		},
		Env: func() []string {
			env := append(append([]string{}, base...), s.env[name]...)
			if st := s.steps[name]; st != nil && !s.former.Load() { // which does not know them all
				if step := st.arm(); step != "" {
					env = append(env, "FOOTY_CRASH_AT="+step)
				}
			}
			return env
		},
		Exited: func(ours bool, state *os.ProcessState) { s.exited(name, ours, state) },
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.procs[name] = p
	s.mu.Unlock()
	return nil
}

func (s *Stage) log(name string) string { return filepath.Join(s.Dir, "logs", name+".log") }

func (s *Stage) process(name string) (*proc.Process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.procs[name]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s does not run yet", name)
}

// started waits for a process that is just being started.
func (s *Stage) started(ctx context.Context, name string) (*proc.Process, error) {
	for {
		p, err := s.process(name)
		if err == nil || !pause(ctx, 100*time.Millisecond) {
			return p, err
		}
	}
}

// behind names the proxy that each address of the world is reached through.
var behind = map[string]string{"API_FOOTBALL_URL": plan.Feed, "TWITTER_SERVICE_URL": plan.Search, "X_SYNDICATION_URL": plan.CDN, "WIKIDATA_URL": "wikidata", "LLAMA_URL": plan.Model}

// settings are the world's, with a proxy before each of its services, before the engine and before the object store.
func (s *Stage) settings(ctx context.Context, lines []string) ([]string, error) {
	env := []string{"STATE_DIR=" + filepath.Join(s.Dir, "state"), "S3_ACCESS_KEY=" + Key, "S3_SECRET_KEY=" + Secret, "S3_BUCKET=" + Bucket, "S3_SECURE=false"}
	media, missing := "", maps.Clone(behind)
	for _, line := range lines {
		key, value, _ := strings.Cut(line, "=")
		name, ok := behind[key]
		if !ok {
			if key != "MEDIA_HOSTS" {
				env = append(env, line)
			}
			continue
		}
		delete(missing, key)
		u, err := url.Parse(value)
		if err != nil {
			return nil, fmt.Errorf("the world says %s: %w", line, err)
		}
		if u.Host, err = s.proxies.Add(ctx, name, u.Host); err != nil {
			return nil, err
		}
		if name == plan.CDN {
			media = u.Host // the look-up names the host it was asked by
		}
		env = append(env, key+"="+u.String())
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("the world names no %s", strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	engine, err := s.proxies.Add(ctx, plan.Engine, s.at[plan.Engine])
	if err != nil {
		return nil, err
	}
	objects, err := s.proxies.Add(ctx, plan.S3, s.at[plan.S3])
	return append(env, "MEDIA_HOSTS="+media, "TEMPORAL_ADDRESS="+engine, "S3_ENDPOINT="+objects), err
}

// Env are the settings of the worker, for commands that look at its state.
func (s *Stage) Env() []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.Dir}, s.env[plan.Worker]...)
}

// Close ends everything; logs and state stay.
func (s *Stage) Close() {
	s.mu.Lock()
	procs := s.procs
	s.procs = map[string]*proc.Process{}
	s.mu.Unlock()
	for _, name := range []string{plan.Worker, plan.Second, plan.Web, plan.World, plan.Engine, plan.S3} {
		if p := procs[name]; p != nil {
			p.Stop()
		}
	}
	s.proxies.Close()
	s.receivers.close()
	s.disk.keep(filepath.Join(s.Dir, stateDir+"-kept"))
}
