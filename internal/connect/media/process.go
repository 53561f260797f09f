package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/footy"
)

// within bounds the work at one file. The first time the programs are tried before, which takes none of the file's time.
func (t *Tool) within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	t.able()
	return context.WithTimeout(ctx, limit)
}

// start starts a program within the limits of a decode. What it writes goes to pipes, and it needs no more open than those, its input
// and its libraries.
func (t *Tool) start(cmd *program.Cmd) error {
	return t.startWithin(cmd, program.Limits{Memory: uint64(t.opts.Memory), CPUSeconds: uint64(t.opts.DecodeTimeout.Seconds()) + 10, File: 1 << 20, Files: 64}) //nolint:gosec // none is negative
}

func (t *Tool) startWithin(cmd *program.Cmd, limits program.Limits) error {
	setting := "FFMPEG"
	if cmd.Args[0] == t.opts.FFprobe {
		setting = "FFPROBE"
	}
	limits.Network = t.Unsealed() != nil
	if err := cmd.Start(limits); err != nil {
		return fmt.Errorf("%s=%w", setting, err)
	}
	return nil
}

// Complaint is what a program said last of a file it could not read: for logs, no words for people.
type Complaint string

func (c Complaint) Error() string { return string(c) }

// ErrNoDecoder is in the error of a file that this ffmpeg is built without a decoder for.
var ErrNoDecoder = errors.New("this ffmpeg lacks a decoder")

// failure tells apart why a program ended badly: the caller gave up, the file stalls it, or the file is broken. Only
// the last two are the file's fault.
func failure(ctx, limited context.Context, op string, said *program.Tail) error {
	switch {
	case ctx.Err() != nil:
		return footy.Errorf(footy.CodeUnavailable, op, "%w", ctx.Err())
	case said.Has("no decoder found for", "Decoder not found", "Decoder (codec", "support hardware accelerated AV1"):
		return footy.Errorf(footy.CodeUnavailable, op, "%w: %w", ErrNoDecoder, Complaint(said.Line()))
	case limited.Err() != nil:
		return footy.Reject(op, footy.ReasonStalled, "gave up after the time limit")
	case said.Has("partial file", "stream 0, offset"):
		return footy.Reject(op, footy.ReasonTruncated, "%w", Complaint(said.Line()))
	case said.Has("Picture size", "max_pixels", "exceeds specified max pixel", "Cannot allocate memory", "get_buffer() failed"):
		return footy.Reject(op, footy.ReasonTooLarge, "%w", Complaint(said.Line()))
	}
	return footy.Reject(op, footy.ReasonUnreadable, "%w", Complaint(said.Line()))
}

// Job is one run of ffmpeg.
type Job struct {
	Op    string // for errors
	Args  []string
	Dir   string        // where it runs; "": where this process does
	Limit time.Duration // of the clock; on each thread of the processor, too
	File  int64         // bytes of the largest file that it may write
	Out   io.Writer     // its standard output; nil: not read
}

// Run runs ffmpeg within the fence and returns what it said. A file that ffmpeg cannot read is rejected.
func (t *Tool) Run(ctx context.Context, j Job) (said string, err error) {
	limited, cancel := t.within(ctx, j.Limit)
	defer cancel()
	args := append([]string{"-nostdin", "-nostats", "-hide_banner", "-y", "-max_alloc", fmt.Sprint(t.opts.MaxAlloc)}, j.Args...)
	cmd, tail := program.Command(limited, t.opts.FFmpeg, args...)
	cmd.Dir, cmd.Stdout = j.Dir, j.Out
	limits := program.Limits{Memory: uint64(t.opts.Memory), CPUSeconds: uint64(j.Limit.Seconds()), File: uint64(j.File), Files: 64} //nolint:gosec // none is negative
	if err := t.startWithin(cmd, limits); err != nil {
		return "", footy.Errorf(footy.CodeUnavailable, j.Op, "%w", err)
	}
	if err := cmd.Wait(); err != nil {
		return "", t.blame(ctx, failure(ctx, limited, j.Op, tail), Wants{SamplesOnly: true}, footy.Probe{})
	}
	return tail.String(), nil
}

// Threads are the options by which decoders, filters and coders take one thread each: that costs the least CPU for a clip, and more slots beat
// more threads.
func Threads() []string {
	return []string{"-filter_threads", "1", "-filter_complex_threads", "1", "-threads", "1"}
}

// Input are the options that fence a file of strangers in, up to its name: playlists and other formats that open further files are not
// read, nor is anything by a network protocol.
func (t *Tool) Input(path string) []string { return append(t.input(), "-i", arg(path)) }
