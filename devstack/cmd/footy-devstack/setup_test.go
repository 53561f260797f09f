package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/devstack/ready"
)

const (
	soon = 60 * time.Second // upper bound of any wait; a slow machine must not fail a test
	tick = 20 * time.Millisecond
)

// binary is what all tests run: the program from outside, as footy does.
var binary string

func TestMain(m *testing.M) {
	binary = os.Getenv("FOOTY_DEVSTACK_BIN")
	code := 1
	dir, err := os.MkdirTemp("", "footy-devstack-test-")
	if err == nil && binary == "" {
		binary = filepath.Join(dir, "footy-devstack")
		// The flags of the Makefile: others would compile the whole Temporal server once more.
		out, buildErr := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, ".").CombinedOutput()
		err = buildErr
		os.Stderr.Write(out)
	}
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, "build footy-devstack:", err)
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// process is one running footy-devstack; it ends with the test.
type process struct {
	ready.Line
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr *safeBuffer
	exited chan struct{}
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(binary, args...), stderr: &safeBuffer{}, exited: make(chan struct{})}
	// Even a test binary that is killed leaves no server behind.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p.cmd.Stderr = p.stderr
	stdout, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	p.stdin, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	lines := make(chan []byte, 1)
	go func() {
		defer close(p.exited)
		s := bufio.NewScanner(stdout)
		if s.Scan() {
			lines <- bytes.Clone(s.Bytes())
		}
		close(lines)
		_, _ = io.Copy(p.stderr, stdout) // nothing else belongs on stdout; show it if it happens
		_ = p.cmd.Wait()
	}()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("stderr of %v:\n%s", args, p.stderr)
		}
	})
	select {
	case line := <-lines:
		require.NoError(t, json.Unmarshal(line, &p.Line), "ready line %q, stderr %s", line, p.stderr)
	case <-time.After(soon):
		require.FailNow(t, "no ready line", "stderr: %s", p.stderr)
	}
	require.Equal(t, p.cmd.Process.Pid, p.PID)
	return p
}

// kill is kill -9.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.exited
}

// stop asks politely and returns the exit code.
func (p *process) stop(t *testing.T) int {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	return p.wait(t)
}

func (p *process) wait(t *testing.T) int {
	t.Helper()
	select {
	case <-p.exited:
	case <-time.After(soon):
		require.FailNow(t, "still running")
	}
	return p.cmd.ProcessState.ExitCode()
}

// refused runs the program, which must end by itself, and returns its exit code and what it said.
func refused(t *testing.T, args ...string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	require.Error(t, err, "stdout: %s", &stdout)
	require.NoError(t, ctx.Err(), "did not end by itself")
	require.Empty(t, stdout.String())
	return cmd.ProcessState.ExitCode(), stderr.String()
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
