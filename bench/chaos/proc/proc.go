// Package proc runs programs that are killed and started again for as long as a day lasts. None outlives the program that
// runs them, however that ends.
package proc

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Program says how a process is started.
type Program struct {
	Name  string
	Path  string
	Args  []string
	Dir   string
	Env   func() []string // asked before each start
	Ready func(line string) bool
	Log   string // file that everything it says is appended to
	// Within is how long it may take to be ready; 0 = a minute and a half.
	Within time.Duration
	// Exited, if not nil, is called with each end and whether we caused it.
	Exited func(ours bool, state *os.ProcessState)
}

// readyWithin is generous: the machine may be busy.
const readyWithin = 90 * time.Second

// Process is a program that is started again whenever it ends, until Stop.
type Process struct {
	prog    Program
	starter *Starter

	mu     sync.Mutex
	cmd    *exec.Cmd
	ours   bool          // we killed the one that runs
	pause  time.Duration // before the next start
	ended  bool
	done   chan struct{}
	ready  chan struct{}
	once   sync.Once
	wake   chan struct{}
	starts int
	held   bool          // it is not to run at all
	clock  time.Duration // by which its clock is wrong
}

// between is how soon a process is started again that ended by itself, as a supervisor would.
const between = 500 * time.Millisecond

// Start starts the program and returns when it said that it is ready.
func (s *Starter) Start(ctx context.Context, prog Program) (*Process, error) {
	p := &Process{prog: prog, starter: s, done: make(chan struct{}), ready: make(chan struct{}), wake: make(chan struct{})}
	go p.supervise()
	within := cmp.Or(prog.Within, readyWithin)
	limit := time.NewTimer(within)
	defer limit.Stop()
	select {
	case <-p.ready:
		return p, nil
	case <-ctx.Done():
		p.Stop()
		return nil, ctx.Err()
	case <-limit.C:
		p.Stop()
		return nil, fmt.Errorf("%s is not ready after %s; the end of %s:\n%s", prog.Name, within, prog.Log, tail(prog.Log))
	}
}

// tail is the end of a log, for reports that are read on another machine.
func tail(log string) string {
	const most = 2000
	b, err := os.ReadFile(log)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(b[max(len(b)-most, 0):]))
}

func (p *Process) supervise() {
	defer close(p.done)
	for {
		state, err := p.run()
		p.mu.Lock()
		ours, ended, pause := p.ours, p.ended, p.pause
		p.ours, p.pause = false, 0
		p.mu.Unlock()
		if ended {
			return
		}
		if err == nil && p.prog.Exited != nil {
			p.prog.Exited(ours, state)
		}
		t := time.NewTimer(max(pause, between))
		select {
		case <-t.C:
		case <-p.wake:
			t.Stop()
			return
		}
	}
}

// run runs it once.
func (p *Process) run() (*os.ProcessState, error) {
	if err := os.MkdirAll(filepath.Dir(p.prog.Log), 0o755); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(p.prog.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	fmt.Fprintf(log, "--- %s start\n", time.Now().UTC().Format("15:04:05.000"))
	out := &lines{to: log, seen: p.hear}
	cmd := exec.CommandContext(context.Background(), p.prog.Path, p.prog.Args...) //nolint:gosec // the programs to test are the caller's choice
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.prog.Dir, p.prog.Env(), out, out
	cmd.SysProcAttr = attributes()
	cmd.WaitDelay = 2 * time.Second // a child of it that lives on holds the pipe
	p.mu.Lock()
	if p.ended || p.held {
		p.mu.Unlock()
		return nil, errors.New("stopped")
	}
	if err := p.starter.start(cmd); err != nil {
		p.mu.Unlock()
		fmt.Fprintln(log, "---", err)
		return nil, err
	}
	p.cmd = cmd
	p.starts++
	if p.clock != 0 {
		err = setClock(cmd.Process.Pid, p.clock)
	}
	p.mu.Unlock()
	if err != nil {
		fmt.Fprintln(log, "--- its clock is right, which was to be wrong:", err)
	}
	_ = cmd.Wait() // however it ended, it did
	p.mu.Lock()
	p.cmd = nil
	p.mu.Unlock()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it had started goes with it
	fmt.Fprintf(log, "--- %s end: %s\n", time.Now().UTC().Format("15:04:05.000"), cmd.ProcessState)
	return cmd.ProcessState, nil
}

func (p *Process) hear(line string) {
	if p.prog.Ready(line) {
		p.once.Do(func() { close(p.ready) })
	}
}

// Kill kills it with all it started; it is started again after a pause. It is false where nothing ran.
func (p *Process) Kill(pause time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return false
	}
	p.ours, p.pause = true, pause
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // gone already is as good
	return true
}

// Hold kills it and returns once it is gone. It is started again after Release.
func (p *Process) Hold(ctx context.Context) error {
	p.mu.Lock()
	p.held = true
	p.mu.Unlock()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for p.Kill(0); p.PID() != 0; {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
	return nil
}

// Release lets it start again.
func (p *Process) Release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = false
}

// Freeze stops it with all it started, where it is.
func (p *Process) Freeze() { p.signal(syscall.SIGSTOP) }

// Thaw lets it go on.
func (p *Process) Thaw() { p.signal(syscall.SIGCONT) }

func (p *Process) signal(s syscall.Signal) {
	if pid := p.PID(); pid != 0 {
		_ = syscall.Kill(-pid, s) // gone already is as good
	}
}

// SetClock makes its clock wrong by so much, now and at each start from now on.
func (p *Process) SetClock(ahead time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock = ahead
	if p.cmd == nil {
		return nil
	}
	return setClock(p.cmd.Process.Pid, ahead)
}

// Starts is how often it was started.
func (p *Process) Starts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.starts
}

// PID is the number of the process that runs; 0 = none does.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// Stop ends it for good.
func (p *Process) Stop() {
	p.mu.Lock()
	first := !p.ended
	p.ended = true
	if p.cmd != nil {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // idem
	}
	p.mu.Unlock()
	if first {
		close(p.wake)
	}
	<-p.done
}

// Starter starts processes from one thread that lives as long as this program: Linux kills a child when the thread that
// started it ends, which is what must not happen earlier.
type Starter struct{ ask chan func() }

// NewStarter returns a starter.
func NewStarter() *Starter {
	s := &Starter{ask: make(chan func())}
	go func() {
		runtime.LockOSThread()
		for f := range s.ask {
			f()
		}
	}()
	return s
}

func (s *Starter) start(cmd *exec.Cmd) error {
	err := make(chan error, 1)
	s.ask <- func() { err <- cmd.Start() }
	return <-err
}

// lines passes on what is written and reports each whole line.
type lines struct {
	to   *os.File
	seen func(string)
	part []byte
}

func (l *lines) Write(b []byte) (int, error) {
	l.part = append(l.part, b...)
	for {
		i := bytes.IndexByte(l.part, '\n')
		if i < 0 {
			break
		}
		l.seen(string(l.part[:i]))
		l.part = l.part[i+1:]
	}
	return l.to.Write(b)
}
