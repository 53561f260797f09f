// Package media is the only door to ffprobe and ffmpeg: it turns a file of unknown honesty into facts and pictures, or
// into a typed rejection within bounded time and memory. It never judges football.
package media

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options of the tool.
type Options struct {
	FFmpeg       string        // path or name of the program
	FFprobe      string        // path or name of the program
	MaxDuration  time.Duration // no decode looks further into a video than this
	ProbeTimeout time.Duration // wall clock for one probe
	// DecodeTimeout is wall clock for one decode. It guards against files built to stall, so it is generous: a full
	// machine must not turn honest clips away.
	DecodeTimeout time.Duration
	MaxPixels     int // per picture: 4K, upright or not; larger ones are bombs, not broadcasts
	MaxAlloc      int // bytes ffmpeg may ask for in one piece
	Memory        int // bytes of address space it may have in all, where the system can tell it so; 4K takes half of it
	FrameLines    int // height of the validator's frames at most: MaxLines, unless the settings ask for less
}

// MaxLines is the height of a frame at most. A clock that is legible in 4K is legible in 1080 lines.
const MaxLines = 1080

// Tool runs the two programs.
type Tool struct {
	opts  Options
	able  func() ability // asked once
	looks sync.Pool      // memory for the clock reader
}

// New makes a tool; zero fields of opts take their defaults.
func New(opts Options) *Tool {
	opts.FFmpeg = cmp.Or(opts.FFmpeg, "ffmpeg")
	opts.FFprobe = cmp.Or(opts.FFprobe, "ffprobe")
	opts.MaxDuration = cmp.Or(opts.MaxDuration, 90*time.Second)
	opts.ProbeTimeout = cmp.Or(opts.ProbeTimeout, 15*time.Second)
	opts.DecodeTimeout = cmp.Or(opts.DecodeTimeout, 3*time.Minute)
	opts.MaxPixels = cmp.Or(opts.MaxPixels, 4096*2304)
	opts.MaxAlloc = cmp.Or(opts.MaxAlloc, 512<<20)
	opts.Memory = cmp.Or(opts.Memory, 2<<30)
	opts.FrameLines = cmp.Or(opts.FrameLines, MaxLines)
	return &Tool{opts: opts, able: sync.OnceValue(func() ability { return try(opts) })}
}

// ability is what the installed programs can do.
type ability struct {
	scaling []string // options with which they scale fastest
	network error    // why they are not kept from the network; nil = they are
}

// withoutGather has ffmpeg scale without an instruction that became slow on most of Intel's processors when a hole in it was closed (GDS, 2023):
// scaling takes half the time on those, and every pixel is the same. Builds for other processors, and old ones, do not know the option.
var withoutGather = []string{"-cpuflags", "+slowgather"}

// try starts ffmpeg as it will be. One that only starts with the network (a wrapper that needs other rights) has it.
func try(o Options) (is ability) {
	ctx := context.Background()
	is.network = program.Sealed()
	if version(ctx, o.FFmpeg, is.network != nil, withoutGather...) == nil {
		is.scaling = withoutGather
		return is
	}
	if is.network == nil && version(ctx, o.FFmpeg, false) != nil && version(ctx, o.FFmpeg, true) == nil {
		is.network = errors.New(o.FFmpeg + " does not start without it")
	}
	return is
}

// startWithin is how long a program may take to say which it is: one that a busy machine starts late is not one that does not start.
const startWithin = 15 * time.Second

// version starts a program that only says which it is.
func version(ctx context.Context, prog string, network bool, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	cmd, _ := program.Command(ctx, prog, append(args, "-version")...)
	if err := cmd.Start(program.Limits{Memory: 2 << 30, CPUSeconds: 10, Files: 64, Network: network}); err != nil {
		return err
	}
	return cmd.Wait()
}

// Unsealed says why the programs, which read files of strangers, could reach the network; nil = they cannot.
func (t *Tool) Unsealed() error { return t.able().network }

// Check answers whether both programs can be started, and decode a clip as those of posts are, for starts and `footy doctor`.
func (t *Tool) Check(ctx context.Context) error {
	for _, prog := range []string{t.opts.FFmpeg, t.opts.FFprobe} {
		if err := version(ctx, prog, t.Unsealed() != nil); err != nil {
			return footy.Errorf(footy.CodeUnavailable, "start "+prog, "%w", err)
		}
	}
	return t.trial(ctx, t.opts.DecodeTimeout, Wants{Clock: true}, "colorspace=bt709")
}

// input returns the options that fence a hostile file in, to stand before -i. Playlists and other formats that open
// further files are not on the list; neither is any network protocol.
func (t *Tool) input() []string {
	return []string{
		"-protocol_whitelist", "file",
		"-format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,flv,asf,ogg,h264,hevc",
		"-max_streams", "64",
		"-max_pixels", fmt.Sprint(t.opts.MaxPixels),
		"-probesize", "8M", "-analyzeduration", "90M",
	}
}

// arg makes a path safe to stand behind -i: never an option, never a protocol.
func arg(path string) string { return "file:" + path }

// stat refuses what is no readable file before a program is started for it.
func stat(op, path string) (int64, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return 0, footy.Errorf(footy.CodeNotFound, op, "%w", err)
	case err != nil:
		return 0, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	case !info.Mode().IsRegular():
		return 0, footy.Errorf(footy.CodeInvalid, op, "%s is no regular file", path)
	case info.Size() == 0:
		return 0, footy.Reject(op, footy.ReasonTruncated, "the file is empty")
	}
	return info.Size(), nil
}

// AddSound puts the picture of one file and the sound of another into a third, as they are. The same two files always make the same third.
func (t *Tool) AddSound(ctx context.Context, video, audio, out string) error {
	const op = "add sound to a video"
	total := int64(1 << 20)
	for _, path := range []string{video, audio} {
		size, err := stat(op, path)
		if err != nil {
			return err
		}
		total += size
	}
	_, err := t.Run(ctx, Job{Op: op, Limit: t.opts.DecodeTimeout, File: total + total/8, Args: slices.Concat([]string{"-v", "error"}, t.Input(video), t.Input(audio),
		[]string{"-map", "0:V:0", "-map", "1:a:0", "-c", "copy", "-fflags", "+bitexact", "-map_metadata", "-1", "-movflags", "+faststart", "-f", "mp4", arg(out)})})
	return err
}

// sample is a second of a test picture: H.264 in MP4, which every ffmpeg of use can decode.
//
//go:embed sample.mp4
var sample []byte

// trial has the sample probed and decoded as any file, within a time.
func (t *Tool) trial(ctx context.Context, within time.Duration, wants Wants, recolour string) error {
	const op = "decode footy's own test clip"
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	file, err := os.CreateTemp("", "sample-*.mp4")
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	defer os.Remove(file.Name())
	_, err = file.Write(sample)
	if err = errors.Join(err, file.Close()); err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	p, err := t.probe(ctx, file.Name())
	if err == nil {
		p.Recolour = recolour
		_, err = t.decode(ctx, file.Name(), p, wants)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return footy.Errorf(footy.CodeUnavailable, op, "a second of it took more than %s: this machine is too busy", within)
	}
	return footy.Errorf(footy.CodeUnavailable, op, "%s or %s cannot: %w", t.opts.FFmpeg, t.opts.FFprobe, errors.New(footy.RootCause(err)))
}

// blame lets a complaint about a file stand as a fact about it only while the sample passes in the same way: else the trouble is this machine's.
func (t *Tool) blame(ctx context.Context, err error, wants Wants, probe footy.Probe) error {
	var e *footy.Error
	if !errors.As(err, &e) || e.Code != footy.CodeRejected {
		return err
	}
	within := t.opts.DecodeTimeout
	switch e.Reason {
	case footy.ReasonStalled: // the sample's second has its share of the longest clip's time
		within = time.Duration(float64(within) / t.opts.MaxDuration.Seconds())
	case footy.ReasonUnreadable, footy.ReasonTruncated, footy.ReasonNoVideo, footy.ReasonTooLarge:
	default:
		return err
	}
	return cmp.Or(t.trial(ctx, within, wants, probe.Recolour), err)
}
