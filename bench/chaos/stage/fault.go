package stage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/proc"
	"github.com/found-footy/found-footy/bench/chaos/proxy"
)

// Play carries out the plan and returns when its last fault is over.
func (s *Stage) Play(ctx context.Context) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for _, f := range s.Plan.Faults {
		wg.Go(func() {
			if !s.until(ctx, f.At) {
				return
			}
			if err := s.make(ctx, f); err != nil && ctx.Err() == nil {
				mu.Lock()
				failed = errors.Join(failed, fmt.Errorf("%s %s: %w", f.Kind, f.Target, err))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failed
}

// until waits for a moment of the day; false if ctx ended first.
func (s *Stage) until(ctx context.Context, at time.Duration) bool {
	return pause(ctx, time.Until(s.Began.Add(at)))
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

func (s *Stage) make(ctx context.Context, f plan.Fault) error {
	switch f.Kind {
	case plan.Kill:
		return s.kill(ctx, f)
	case plan.Rewind:
		return s.rewind(ctx, f)
	case plan.Restore:
		return s.restore(ctx, f)
	case plan.Older:
		return s.older(ctx, f)
	case plan.Upgrade:
		return s.upgrade(ctx, f)
	case plan.Lost:
		return s.lose(ctx, f)
	case plan.Freeze:
		return s.during(ctx, f, func() (func() error, error) { return s.freeze(ctx, f.Target) })
	case plan.Clock:
		return s.during(ctx, f, func() (func() error, error) { return s.setClocks(ctx, f.Step()) })
	case plan.Outside:
		return s.outside(ctx, f)
	case plan.DiskFull:
		return s.during(ctx, f, s.disk.fill)
	case plan.Cut:
		return s.during(ctx, f, func() (func() error, error) { return s.proxies.Cut(f.Target) })
	case plan.HalfOpen:
		return s.during(ctx, f, func() (func() error, error) { return s.proxies.Poison(f.Target, proxy.HalfOpen) })
	case plan.Slow:
		return s.during(ctx, f, func() (func() error, error) { return s.proxies.Poison(f.Target, proxy.Slow) })
	case plan.Reset:
		return s.during(ctx, f, func() (func() error, error) { return s.proxies.Poison(f.Target, proxy.Reset) })
	}
	return errors.New("no such kind of fault")
}

// kill kills a process; one that is down is killed once it runs again.
func kill(ctx context.Context, p *proc.Process, down time.Duration) error {
	for !p.Kill(down) {
		if !pause(ctx, 10*time.Millisecond) {
			return context.Cause(ctx)
		}
	}
	return nil
}

func (s *Stage) kill(ctx context.Context, f plan.Fault) error {
	p, err := s.started(ctx, f.Target)
	if err != nil {
		return err
	}
	if err := kill(ctx, p, f.For); err != nil {
		return err
	}
	s.Tally.add(f.Kind, f.Target)
	s.say("%-9s %s", f.Kind, f.Target)
	return nil
}

// during makes a fault for as long as it lasts; it ends also when the day is broken off.
func (s *Stage) during(ctx context.Context, f plan.Fault, begin func() (func() error, error)) error {
	end, err := begin()
	if err != nil {
		return err
	}
	s.Tally.add(f.Kind, f.Target)
	s.say("%-9s %s for %s", f.Kind, f.Target, f.For)
	pause(ctx, f.For)
	err = end()
	s.say("%-9s %s is over", f.Kind, f.Target)
	return err
}

// outside lets the simulated world misbehave by itself for a while.
func (s *Stage) outside(ctx context.Context, f plan.Fault) error {
	body, err := json.Marshal(map[string]any{"fault": f.Target, "for_s": f.For.Seconds(), "clip": f.Clip})
	if err != nil {
		return err
	}
	until := time.Now().Add(10 * time.Second) // the world may just be dead
	for {
		switches, err := s.switches()
		if err != nil {
			return fmt.Errorf("find where the world takes orders for faults: %w", err)
		}
		status, text, err := post(ctx, switches+"/control/fault", body)
		switch {
		case err == nil && status == http.StatusNoContent:
			s.Tally.add(f.Kind, f.Target)
			s.say("%-9s %s for %s", f.Kind, f.Target, f.For)
			return nil
		case err == nil:
			return fmt.Errorf("the world answers %d: %s", status, text)
		case time.Now().After(until) || !pause(ctx, 250*time.Millisecond):
			return err
		}
	}
}

// switches is where the world takes orders; it writes that down at each start.
func (s *Stage) switches() (string, error) {
	b, err := os.ReadFile(filepath.Join(s.Dir, "world", "addresses.json"))
	var at struct {
		Control string `json:"control"`
	}
	if err == nil {
		err = json.Unmarshal(b, &at)
	}
	return at.Control, err
}

func post(ctx context.Context, to string, body []byte) (status int, text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, 1000))
	return res.StatusCode, strings.TrimSpace(string(b)), err
}
