package media

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/footy"
)

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
