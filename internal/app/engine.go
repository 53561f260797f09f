package app

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Engine is the Temporal server we use: somebody else's, or our own footy-devstack kept beside us.
type Engine struct {
	Address string `json:"address"`
	UI      string `json:"ui,omitempty"`
	PID     int    `json:"pid,omitempty"`

	log  *slog.Logger
	mu   sync.Mutex
	cmd  *exec.Cmd
	stop bool
	done chan struct{}
}

// EngineOptions say where the embedded engine keeps its state.
type EngineOptions struct {
	Binary   string // "" looks beside this program, then in PATH
	StateDir string
	UIPort   int
	Log      *slog.Logger
}

// StartEngine takes up a running devstack of this state directory or starts one. It outlives a crash of ours on
// purpose; Stop ends it.
func StartEngine(ctx context.Context, o EngineOptions) (*Engine, error) {
	if err := os.MkdirAll(o.StateDir, 0o755); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, "start the workflow engine", "state directory %s: %w; choose another with STATE_DIR", o.StateDir, err)
	}
	if e := adopt(ctx, o); e != nil {
		return e, nil
	}
	bin, err := findDevstack(o.Binary)
	if err != nil {
		return nil, err
	}
	e := &Engine{log: o.Log, done: make(chan struct{})}
	if err := e.launch(ctx, bin, o, 0); err != nil {
		return nil, err
	}
	go e.supervise(bin, o)
	return e, nil
}

// adopt finds an engine that a killed process of ours left running.
func adopt(ctx context.Context, o EngineOptions) *Engine {
	b, err := os.ReadFile(stateFile(o))
	if err != nil {
		return nil
	}
	e := &Engine{log: o.Log}
	if json.Unmarshal(b, e) != nil || e.PID == 0 || syscall.Kill(e.PID, 0) != nil {
		return nil
	}
	dial, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	c, err := new(net.Dialer).DialContext(dial, "tcp", e.Address)
	if err != nil {
		return nil
	}
	_ = c.Close()
	return e
}

func (e *Engine) launch(ctx context.Context, bin string, o EngineOptions, port int) error {
	errlog, err := os.OpenFile(filepath.Join(o.StateDir, "engine.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "start the workflow engine", "%w", err)
	}
	defer errlog.Close()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), bin, "temporal", "--db", filepath.Join(o.StateDir, "temporal.db"), "--port", fmt.Sprint(port),
		"--ui-port", fmt.Sprint(o.UIPort), "--ui-port-fallback", "--state-file", stateFile(o))
	cmd.Stderr = errlog
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is ours to pass on, in order
	out, err := cmd.StdoutPipe()
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, "start the workflow engine", err)
	}
	if err := cmd.Start(); err != nil {
		return footy.Errorf(footy.CodeUnavailable, "start the workflow engine", "%s: %w; build it with: make devstack", bin, err)
	}
	line := make(chan string, 1)
	go func() {
		s, _ := bufio.NewReader(out).ReadString('\n')
		line <- s
	}()
	select {
	case s := <-line:
		if err := json.Unmarshal([]byte(s), e); err != nil {
			_ = cmd.Wait()
			return footy.Errorf(footy.CodeUnavailable, "start the workflow engine", "%s", lastLine(filepath.Join(o.StateDir, "engine.log")))
		}
	case <-time.After(90 * time.Second):
		_ = cmd.Process.Kill()
		return footy.Errorf(footy.CodeUnavailable, "start the workflow engine", "not ready after 90 s; see %s", filepath.Join(o.StateDir, "engine.log"))
	case <-ctx.Done():
		_ = cmd.Process.Signal(syscall.SIGTERM)
		return ctx.Err()
	}
	e.mu.Lock()
	e.cmd, e.PID = cmd, cmd.Process.Pid
	e.mu.Unlock()
	return nil
}

// supervise starts the engine again, on the same port, when it dies; its state is on disk.
func (e *Engine) supervise(bin string, o EngineOptions) {
	defer close(e.done)
	for {
		err := e.cmd.Wait()
		e.mu.Lock()
		stopped := e.stop
		e.mu.Unlock()
		if stopped {
			return
		}
		e.log.Warn("workflow engine ended; starting it again", "module", "app", "action", "engine", "error", err)
		for e.launch(context.Background(), bin, o, portOf(e.Address)) != nil {
			e.log.Error("workflow engine not started; trying again", "module", "app", "action", "engine", "log", filepath.Join(o.StateDir, "engine.log"))
			<-time.After(time.Second)
			e.mu.Lock()
			stopped = e.stop
			e.mu.Unlock()
			if stopped {
				return
			}
		}
	}
}

// Stop ends the engine and waits for it.
func (e *Engine) Stop() {
	e.mu.Lock()
	e.stop = true
	pid := e.PID
	e.mu.Unlock()
	if pid == 0 {
		return
	}
	_ = syscall.Kill(pid, syscall.SIGTERM)
	deadline := time.Now().Add(15 * time.Second)
	for time.Now().Before(deadline) {
		if e.done != nil {
			select {
			case <-e.done:
				return
			case <-time.After(50 * time.Millisecond):
			}
		} else if syscall.Kill(pid, 0) != nil {
			return
		} else {
			<-time.After(50 * time.Millisecond)
		}
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// portOf is the port of an address; 0, which asks for a free one, where it has none.
func portOf(address string) int {
	_, p, err := net.SplitHostPort(address)
	if err != nil {
		return 0
	}
	n, err := strconv.Atoi(p)
	if err != nil {
		return 0
	}
	return n
}

func findDevstack(bin string) (string, error) {
	if bin != "" {
		if _, err := os.Stat(bin); err != nil {
			return "", footy.Errorf(footy.CodeUnavailable, "find the workflow engine", "FOOTY_DEVSTACK=%s: %w; build it with: make devstack", bin, err)
		}
		return bin, nil
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "footy-devstack")
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	if p, err := exec.LookPath("footy-devstack"); err == nil {
		return p, nil
	}
	return "", footy.Errorf(footy.CodeUnavailable, "find the workflow engine",
		"no footy-devstack beside this program or in PATH; build it with: make devstack, or set TEMPORAL_ADDRESS to a Temporal of yours")
}

func stateFile(o EngineOptions) string { return filepath.Join(o.StateDir, "engine.json") }

func lastLine(path string) string {
	b, err := os.ReadFile(path)
	if err != nil || len(b) == 0 {
		return errors.New("it ended without a word").Error()
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return lines[len(lines)-1]
}

// RunningEngine is the address of the embedded engine that keeps its state in dir; an error if none runs.
func RunningEngine(ctx context.Context, dir string) (string, error) {
	if e := adopt(ctx, EngineOptions{StateDir: dir}); e != nil {
		return e.Address, nil
	}
	return "", footy.Errorf(footy.CodeUnavailable, "find the workflow engine", "none runs for %s; start footy up first, or set TEMPORAL_ADDRESS", dir)
}
