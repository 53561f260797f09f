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
		return s.kill(f)
	case plan.Rewind:
		return s.rewind(ctx, f)
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

func (s *Stage) kill(f plan.Fault) error {
	p, err := s.process(f.Target)
	if err != nil {
		s.Tally.skip(f.Kind+" "+f.Target, err.Error())
		return nil
	}
	p.Kill(f.For)
	s.Tally.add(f.Kind, f.Target)
	s.say("%-9s %s", f.Kind, f.Target)
	return nil
}

// errSkip says that a fault cannot be made here.
type errSkip struct{ why string }

func (e errSkip) Error() string { return e.why }

// during makes a fault for as long as it lasts; it ends also when the day is broken off.
func (s *Stage) during(ctx context.Context, f plan.Fault, begin func() (func() error, error)) error {
	end, err := begin()
	var skip errSkip
	if errors.As(err, &skip) {
		s.Tally.skip(f.Kind+" "+f.Target, skip.why)
		return nil
	}
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
			s.Tally.skip(f.Kind+" "+f.Target, err.Error())
			return nil
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
	if errors.Is(err, os.ErrNotExist) {
		return "", errors.New("this world takes no orders for faults")
	}
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

// rewind brings the engine back with the disk it had a while ago: killed, copied, started; killed, put back, started.
func (s *Stage) rewind(ctx context.Context, f plan.Fault) error {
	p, err := s.process(f.Target)
	if err != nil {
		return err
	}
	saved := s.engine + "-saved"
	s.engineDown(p.Kill)
	if err := copyFiles(s.engine, saved); err != nil {
		return err
	}
	pause(ctx, f.For)
	s.engineDown(p.Kill)
	if err := copyFiles(saved, s.engine); err != nil {
		return err
	}
	s.Tally.add(f.Kind, f.Target)
	s.say("%-9s %s by %s", f.Kind, f.Target, f.For)
	return nil
}

// engineDown kills the engine for longer than copying its files takes, and gives it time to be gone.
func (s *Stage) engineDown(kill func(time.Duration)) {
	kill(1500 * time.Millisecond)
	pause(context.Background(), 200*time.Millisecond)
}

// copyFiles makes to hold the database files of from, and no others.
func copyFiles(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		name := "temporal.db" + end
		b, err := os.ReadFile(filepath.Join(from, name))
		if errors.Is(err, os.ErrNotExist) {
			os.Remove(filepath.Join(to, name))
			continue
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}
