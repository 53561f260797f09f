package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// command prepares a program that dies, with everything it started, the moment ctx ends.
func command(ctx context.Context, prog string, args ...string) (*exec.Cmd, *tail) {
	cmd := exec.CommandContext(ctx, prog, args...)
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = 2 * time.Second
	said := &tail{}
	cmd.Stderr = said
	return cmd, said
}

// fenced is what a program may take.
type fenced struct{ memory, cpuSeconds, file, files uint64 }

// start starts a program within the limits of a decode. What it writes goes to pipes, and it needs no more open than those, its input
// and its libraries.
func (t *Tool) start(cmd *exec.Cmd) error {
	return t.startWithin(cmd, fenced{memory: uint64(t.opts.Memory), cpuSeconds: uint64(t.opts.DecodeTimeout.Seconds()*float64(t.opts.Threads)) + 10, file: 1 << 20, files: 64}) //nolint:gosec // New refuses what is not positive
}

// startWithin starts a program within limits.
func (t *Tool) startWithin(cmd *exec.Cmd, limits fenced) error {
	if err := cmd.Start(); err != nil {
		setting := "FFMPEG"
		if cmd.Args[0] == t.opts.FFprobe {
			setting = "FFPROBE"
		}
		if inner := errors.Unwrap(err); inner != nil { // without "fork/exec" and the path again
			err = inner
		}
		return fmt.Errorf("%s=%s cannot be started: %w", setting, cmd.Args[0], err)
	}
	if err := fence(cmd.Process.Pid, limits); err != nil {
		return errors.Join(err, killGroup(cmd), cmd.Wait())
	}
	return nil
}

// tail keeps the end of what a program complained about; a broken file can make ffmpeg complain for ever.
type tail struct{ buf bytes.Buffer }

const tailSize = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	if t.buf.Len()+len(p) > 2*tailSize {
		kept := append([]byte(nil), t.buf.Bytes()[max(0, t.buf.Len()-tailSize):]...)
		t.buf.Reset()
		t.buf.Write(kept)
	}
	t.buf.Write(p[max(0, len(p)-tailSize):])
	return len(p), nil
}

// line is the last complaint, short enough for a log row.
func (t *tail) line() string {
	lines := strings.Split(strings.TrimSpace(t.buf.String()), "\n")
	s := strings.TrimSpace(lines[len(lines)-1])
	if len(s) > 200 {
		s = s[:200]
	}
	if s == "" {
		return "no explanation"
	}
	return s
}

func (t *tail) has(words ...string) bool {
	s := t.buf.String()
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// Complaint is what a program said last of a file it could not read: for logs, no words for people.
type Complaint string

func (c Complaint) Error() string { return string(c) }

// failure tells apart why a program ended badly: the caller gave up, the file stalls it, or the file is broken. Only
// the last two are the file's fault.
func failure(ctx, limited context.Context, op string, said *tail) error {
	switch {
	case ctx.Err() != nil:
		return footy.Errorf(footy.CodeUnavailable, op, "%w", ctx.Err())
	case limited.Err() != nil:
		return footy.Reject(op, footy.ReasonStalled, "gave up after the time limit")
	case said.has("partial file", "stream 0, offset"):
		return footy.Reject(op, footy.ReasonTruncated, "%w", Complaint(said.line()))
	case said.has("Picture size", "max_pixels", "exceeds specified max pixel", "Cannot allocate memory", "get_buffer() failed"):
		return footy.Reject(op, footy.ReasonTooLarge, "%w", Complaint(said.line()))
	}
	return footy.Reject(op, footy.ReasonUnreadable, "%w", Complaint(said.line()))
}
