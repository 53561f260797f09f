package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/bench/rig"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

// play lets the goals fall before n workers and waits until none of them is open.
func play(ctx context.Context, o options, n int) (_ result, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.patience)
	defer cancel()
	at, dir, stopEngine, err := rig.Engine(ctx, o.devstack)
	if err != nil {
		return result{}, err
	}
	defer stopEngine()
	env, stopWorld, err := startWorld(ctx, o, dir)
	if err != nil {
		return result{}, err
	}
	defer stopWorld()
	state := filepath.Join(dir, "state")
	env = append(env, "PATH="+os.Getenv("PATH"), "HOME="+dir, "STATE_DIR="+state, "LOG_LEVEL=warn", "MIN_FREE_MB=0")
	for name, value := range at {
		env = append(env, name+"="+value)
	}
	db, err := sqlite.Open(filepath.Join(state, "footy.db"))
	if err != nil {
		return result{}, err
	}
	s := store.New(db)
	defer func() { err = errors.Join(err, s.Close()) }()
	before := busy()
	began := time.Now()
	var workers []*exec.Cmd
	defer func() {
		for _, w := range workers {
			if w.ProcessState == nil {
				_ = syscall.Kill(-w.Process.Pid, syscall.SIGKILL)
				_ = w.Wait()
			}
		}
	}()
	for i := range n {
		w, err := start(ctx, env, filepath.Join(dir, fmt.Sprintf("worker-%d.log", i)), o.footy, "worker")
		if err != nil {
			return result{}, err
		}
		workers = append(workers, w)
	}
	r, err := watch(ctx, s, o.goals)
	if err != nil {
		return result{}, err
	}
	r.workers, r.busy = n, (busy()-before).Seconds()/time.Since(began).Seconds()
	for _, w := range workers { // their processor time is told once they have ended
		_ = syscall.Kill(w.Process.Pid, syscall.SIGTERM)
	}
	for _, w := range workers {
		_ = w.Wait()
		r.used += w.ProcessState.UserTime() + w.ProcessState.SystemTime()
	}
	return r, nil
}

// startWorld starts the outside of all goals and returns the settings that lead there.
func startWorld(ctx context.Context, o options, dir string) (env []string, stop func(), err error) {
	text, err := crowd(o.goals, o.on, !o.noModel)
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(dir, "crowd.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, nil, err
	}
	args := []string{"world", "--script", file, "--addr", "127.0.0.1:0"}
	if o.clips != "" {
		args = append(args, "--clips", o.clips)
	}
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, o.footy, args...) //nolint:gosec // the program to measure is the caller's choice
	cmd.Env, cmd.Stderr = append(os.Environ(), "TIME_SCALE="+strconv.Itoa(o.scale)), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		cancel()
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, nil, err
	}
	stop = func() {
		cancel()
		_ = cmd.Wait()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "WORLD_CONTROL_URL=") { // its last, and no setting
			return env, stop, nil
		}
		env = append(env, lines.Text())
	}
	stop()
	return nil, nil, errors.New("the world ended before it told its settings")
}

// start starts a process in a group of its own, with what it says in a file.
func start(ctx context.Context, env []string, log, program string, args ...string) (*exec.Cmd, error) {
	f, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // idem
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = env, f, f, &syscall.SysProcAttr{Setpgid: true}
	return cmd, cmd.Start()
}

// busy is how long all cores of this machine have worked since its start.
func busy() time.Duration {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0 // told by Linux only
	}
	first, _, _ := strings.Cut(string(b), "\n")
	var sum int
	for i, field := range strings.Fields(first) {
		if n, err := strconv.Atoi(field); err == nil && i != 4 && i != 5 { // idle, waiting for a disk
			sum += n
		}
	}
	return time.Duration(sum) * time.Second / 100
}
