// Package scaler starts and stops copies of workers and browsers, as decide/scale decides, over Docker's Engine API. It knows containers by
// the labels of compose and touches no other.
package scaler

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/extra/scaler/rule"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options of the scaler.
type Options struct {
	Docker  *Docker
	Project string // of compose
	Look    func(context.Context) (rule.Seen, error)
	Rule    rule.Options
	Every   time.Duration
	Within  time.Duration // that a step has; 0: the grace and three minutes
	Grace   time.Duration // that a container which is asked to stop has for what it has begun
	DryRun  bool
	Log     *slog.Logger
	Now     func() time.Time
}

// The services that are scaled.
const (
	Worker  = "worker"
	Browser = "browser" // browser2, browser3, ...: one for each account
)

// Scaler remembers when it changed what.
type Scaler struct {
	opt     Options
	changed map[string]time.Time
	said    map[string]string

	mu      sync.Mutex
	trouble error // of the last step; nil: it did what was to do
}

// New makes a scaler.
func New(o Options) *Scaler {
	o.Within = cmp.Or(o.Within, o.Grace+3*time.Minute)
	return &Scaler{opt: o, changed: map[string]time.Time{}, said: map[string]string{},
		trouble: footy.Errorf(footy.CodeUnavailable, "scale", "nothing was looked at yet")}
}

// Ready says why nothing is scaled.
func (s *Scaler) Ready(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble
}

// Run takes a step now and then, until ctx ends. A look that could not be had changes nothing.
func (s *Scaler) Run(ctx context.Context) {
	for {
		err := s.Step(ctx)
		s.mu.Lock()
		s.trouble = err
		s.mu.Unlock()
		if ctx.Err() == nil {
			s.sayTrouble(err)
		}
		if network.Pause(ctx, s.opt.Every) != nil {
			return
		}
	}
}

// Step looks and does what the rule decides, as far as it comes in its time; the next one goes on.
func (s *Scaler) Step(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, s.opt.Within)
	defer cancel()
	err := s.step(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return footy.Errorf(footy.CodeUnavailable, "scale", "a step was not over after %s: %w", s.opt.Within, err)
	}
	return err
}

func (s *Scaler) step(ctx context.Context) error {
	looking, looked := context.WithTimeout(ctx, s.opt.Docker.Within)
	seen, err := s.opt.Look(looking)
	looked()
	if err != nil {
		return err
	}
	workers, err := s.opt.Docker.Containers(ctx, s.opt.Project, Worker, false)
	if err != nil {
		return err
	}
	browsers, err := s.opt.Docker.Containers(ctx, s.opt.Project, Browser, true)
	if err != nil {
		return err
	}
	seen.Now = s.opt.Now()
	seen.Workers = rule.Service{Running: running(workers), Changed: s.changed[Worker]}
	seen.Browsers = rule.Service{Running: running(browsers), Changed: s.changed[Browser]}
	plan := rule.Decide(seen, s.opt.Rule)
	if err := s.apply(ctx, Worker, workers, plan.Workers); err != nil {
		return err
	}
	return s.apply(ctx, Browser, browsers, plan.Browsers)
}

func running(of []Container) (n int) {
	for _, c := range of {
		if c.Running {
			n++
		}
	}
	return n
}

// apply starts or stops copies. A copy of a browser would have the profile of the other: of accounts only those are started that a
// person has set up.
func (s *Scaler) apply(ctx context.Context, service string, all []Container, to rule.Target) error {
	n := running(all)
	if to.Copies > n && !startable(all) && (service == Browser || len(all) == 0) {
		s.say(service, fmt.Sprintf("%d wanted, %d there", to.Copies, len(all)),
			fmt.Sprintf("%s: %d wanted (%s), but there are %d containers of it", service, to.Copies, to.Why, len(all)))
		return nil
	}
	if to.Copies == n {
		s.said[service] = ""
		return nil
	}
	if service == Browser {
		to.Copies = min(to.Copies, len(all))
	}
	change := fmt.Sprintf("%s: %d -> %d", service, n, to.Copies)
	text := change + ", because " + to.Why
	if s.opt.DryRun {
		s.say(service, change, "would scale "+text)
		return nil
	}
	s.opt.Log.Info("scales "+text, "action", "scale", "service", service, "from", n, "to", to.Copies)
	s.changed[service] = s.opt.Now()
	for ; n < to.Copies; n++ {
		if err := s.more(ctx, all); err != nil {
			return err
		}
		var err error
		if all, err = s.opt.Docker.Containers(ctx, s.opt.Project, service, service == Browser); err != nil {
			return err
		}
	}
	for i := len(all) - 1; i >= 0 && n > to.Copies; i-- {
		if all[i].Running {
			if err := s.opt.Docker.Stop(ctx, all[i], s.opt.Grace); err != nil {
				return err
			}
			n--
		}
	}
	return nil
}

func startable(all []Container) bool { return running(all) < len(all) }

// more starts one that is there, else a copy of a worker.
func (s *Scaler) more(ctx context.Context, all []Container) error {
	for _, c := range all {
		if !c.Running {
			return s.opt.Docker.Start(ctx, c)
		}
	}
	like := slices.MaxFunc(all, func(a, b Container) int { return cmp.Compare(a.Networks, b.Networks) }) // one may have lost a network meanwhile
	_, err := s.opt.Docker.Copy(ctx, like, all[len(all)-1].Number+1)
	return err
}

// say logs what is not done, once for each change of what is wanted and there: the reason counts goals and tasks, and is another each round.
func (s *Scaler) say(service, change, text string) {
	if s.said[service] != change {
		s.said[service] = change
		s.opt.Log.Info(text, "action", "scale", "service", service)
	}
}

// sayTrouble logs why nothing is scaled when that changes, and its end.
func (s *Scaler) sayTrouble(err error) {
	const all = ""
	why := ""
	if err != nil {
		why = footy.UserMessage(err)
	}
	was := s.said[all]
	s.said[all] = why
	switch {
	case why == was:
	case why != "":
		s.opt.Log.Error("nothing is scaled: "+why, "action", "scale")
	default:
		s.opt.Log.Info("scales again", "action", "scale")
	}
}
