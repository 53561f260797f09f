// Package program starts programs of others (ffmpeg, Chromium) with an environment that holds no secrets, and those that read
// hostile files within limits: on memory, processor, files, time and network. With everything they started they end when we say so, or
// when they do.
package program

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Limits are what a program may take, where the system can hold it to that.
type Limits struct {
	Memory     uint64 // bytes of address space
	CPUSeconds uint64
	File       uint64 // bytes of one file that it writes; pipes have no end
	Files      uint64 // open at once
	Network    bool   // whether it may reach the network; what it may not reach, it cannot where Sealed is nil
}

// Cmd is a program that is to run.
type Cmd struct{ *exec.Cmd }

// Command prepares a program that dies, with everything it started, the moment ctx ends.
func Command(ctx context.Context, prog string, args ...string) (*Cmd, *Tail) {
	cmd := New(ctx, prog, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = 2 * time.Second
	said := &Tail{}
	cmd.Stderr = said
	return &Cmd{cmd}, said
}

// Start starts the program within its limits.
func (c *Cmd) Start(limits Limits) error {
	start := startSealed
	if limits.Network {
		start = func(start func() error) error { return start() }
	}
	if err := start(c.Cmd.Start); err != nil {
		if inner := errors.Unwrap(err); inner != nil { // without "fork/exec" and the path again
			err = inner
		}
		return fmt.Errorf("%s cannot be started: %w", c.Args[0], err)
	}
	if err := fence(c.Process.Pid, limits); err != nil {
		return errors.Join(fmt.Errorf("%s cannot be given its limits: %w", c.Args[0], err), killGroup(c.Cmd), c.Cmd.Wait())
	}
	return nil
}

// Wait waits until the program has ended, and ends what it left behind.
func (c *Cmd) Wait() error {
	if awaitEnd(c.Process.Pid) { // its number is still its group's, and nobody else's
		_ = killGroup(c.Cmd)
	}
	return c.Cmd.Wait()
}

func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// Tail keeps the end of what a program complained about; a broken file can make ffmpeg complain for ever.
type Tail struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

const (
	tailSize  = 16 << 10
	tailShort = 400
)

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf.Write(p[max(0, len(p)-tailSize):])
	if over := t.buf.Len() - tailSize; over > tailSize {
		t.buf.Next(over)
	}
	return len(p), nil
}

// String is all that was kept.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.String()
}

// Short is the end of it in one line, for an error.
func (t *Tail) Short() string {
	s := t.String()
	return strings.Join(strings.Fields(s[max(len(s)-tailShort, 0):]), " ")
}

// Line is the last complaint, short enough for a log row.
func (t *Tail) Line() string {
	lines := strings.Split(strings.TrimSpace(t.String()), "\n")
	s := strings.TrimSpace(lines[len(lines)-1])
	return cmp.Or(s[:min(len(s), 200)], "no explanation")
}

// Has reports whether one of the words is in what was kept.
func (t *Tail) Has(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(t.String(), w) })
}

// ordinary are the variables that programs need to run at all. Those of this process hold passwords, keys and tokens: a program that
// is broken into, or that crashes, must not have them.
var ordinary = []string{"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LANG", "LANGUAGE", "LC_*", "TZ", "LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_*", "FONTCONFIG_*", "XDG_CACHE_HOME"}

// Environ is what a program may see of the environment: the ordinary variables, and those named also. NAME_* means all that begin so.
func Environ(also ...string) []string {
	listed := []string{} // not nil, which would stand for all
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if covers(ordinary, name) || covers(also, name) {
			listed = append(listed, v)
		}
	}
	return listed
}

func covers(patterns []string, name string) bool {
	for _, p := range patterns {
		if start, all := strings.CutSuffix(p, "*"); p == name || all && strings.HasPrefix(name, start) {
			return true
		}
	}
	return false
}

// New prepares a program with the ordinary environment. All programs of others are started by it, or by Command.
func New(ctx context.Context, prog string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, prog, args...)
	cmd.Env = Environ()
	return cmd
}
