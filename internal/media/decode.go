package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// Wants says what a decode shall yield.
type Wants struct {
	// Fractions of the duration at which frames are cut, in time order. Nil: DefaultFractions.
	Fractions []float64
	// SamplesOnly leaves frames and poster out.
	SamplesOnly bool
}

// DefaultFractions are the moments the validator looks at: the middle three first, the outer two as tie-break.
var DefaultFractions = []float64{0.1, 0.25, 0.5, 0.75, 0.9}

// Frame is one picture cut from a video.
type Frame struct {
	At   float64 // seconds into the video
	JPEG []byte
}

// Decoded is everything one decode yields.
type Decoded struct {
	Samples footy.Samples
	Frames  []Frame // one per fraction, in time order; fewer only where the video has fewer samples
	Poster  []byte  // JPEG: the best of the frames that is not flat, small enough for a page of many; nil if none was wanted
}

// rate is how many samples a second are taken.
const rate = 1 / footy.SampleInterval

// spare is the distance, in samples, of frames cut in addition to the wanted ones: if the header lied about the
// duration, the nearest of them stand in.
const spare = 16

// Decode runs ffmpeg once over the file. Memory does not depend on resolution: ffmpeg holds a few pictures, we hold the
// small samples and some JPEGs. progress, if not nil, is called now and then (heartbeat). Cancelling ctx kills ffmpeg.
func (t *Tool) Decode(ctx context.Context, path string, probe footy.Probe, wants Wants, progress func()) (Decoded, error) {
	const op = "decode file"
	if _, err := stat(op, path); err != nil {
		return Decoded{}, err
	}
	fractions := wants.Fractions
	if fractions == nil {
		fractions = DefaultFractions
	}
	if wants.SamplesOnly {
		fractions = nil
	}
	limited, cancel := context.WithTimeout(ctx, t.opts.DecodeTimeout)
	defer cancel()
	cmd, said := command(limited, t.opts.FFmpeg, t.decodeArgs(path, probe.Duration, fractions)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Decoded{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	cut := newCutter(wantedIndices(t.bounded(probe.Duration), fractions))
	var cutting chan error
	if len(fractions) > 0 {
		r, w, err := os.Pipe()
		if err != nil {
			return Decoded{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
		}
		defer r.Close()
		cmd.ExtraFiles = []*os.File{w}
		if err := cmd.Start(); err != nil {
			w.Close()
			return Decoded{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
		}
		w.Close()
		cutting = make(chan error, 1)
		go func() { cutting <- cut.read(r) }()
	} else if err := cmd.Start(); err != nil {
		return Decoded{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	pix, readErr := readSamples(out, int(t.opts.MaxDuration.Seconds()*rate)+8, progress)
	if readErr != nil {
		cancel() // endless video or a broken pipe: let ffmpeg go, or it would block on the pipe nobody reads
	}
	if cutting != nil {
		readErr = errors.Join(readErr, <-cutting)
	}
	waitErr := cmd.Wait()
	d := Decoded{Samples: footy.Samples{Pix: pix, Interval: footy.SampleInterval, Duration: float64(len(pix)) / rate}}
	if err := t.complete(ctx, limited, op, probe, d, errors.Join(waitErr, readErr), said); err != nil {
		return Decoded{}, err
	}
	d.Frames = cut.pick(fractions, len(pix))
	d.Poster, err = shrunk(poster(d.Frames, pix), posterSide)
	return d, err
}

// complete decides whether enough came out of the file. ffmpeg's exit code alone says little: it complains about
// good files and is content with half of a broken one.
func (t *Tool) complete(ctx, limited context.Context, op string, probe footy.Probe, d Decoded, err error, said *tail) error {
	if errors.Is(err, errEndless) {
		return footy.Reject(op, footy.ReasonTooLong, "%w", err)
	}
	if err == nil && ctx.Err() == nil && len(d.Samples.Pix) == 0 && probe.Duration < footy.SampleInterval {
		return footy.Reject(op, footy.ReasonTooShort, "%.2f s: not one sample", probe.Duration)
	}
	if ctx.Err() != nil || limited.Err() != nil || len(d.Samples.Pix) == 0 {
		return failure(ctx, limited, op, said)
	}
	want := t.bounded(probe.Duration)
	if d.Samples.Duration < want*0.9-0.5 {
		return footy.Reject(op, footy.ReasonTruncated, "%.1f of %.1f s can be decoded", d.Samples.Duration, want)
	}
	return nil
}

func (t *Tool) bounded(seconds float64) float64 {
	return math.Min(seconds, t.opts.MaxDuration.Seconds())
}

func (t *Tool) decodeArgs(path string, seconds float64, fractions []float64) []string {
	args := []string{"-nostdin", "-v", "error", "-hide_banner", "-max_alloc", fmt.Sprint(t.opts.MaxAlloc),
		"-filter_threads", "1", "-filter_complex_threads", "1", "-threads", fmt.Sprint(t.opts.Threads)}
	args = append(args, t.input()...)
	// The limit stands on both sides: before the input it saves reading on, after it also stops the filling of hours
	// between two pictures.
	limit := []string{"-t", fmt.Sprintf("%.3f", t.opts.MaxDuration.Seconds())}
	args = append(args, "-an", "-sn", "-dn")
	args = append(append(args, limit...), "-i", arg(path))
	// area averages every source pixel into its cell; other scalers moved hashes by up to 15 bits.
	small := fmt.Sprintf("scale=%d:%d:flags=area,format=gray", footy.SampleWidth, footy.SampleHeight)
	if len(fractions) == 0 {
		return append(args, "-filter_complex", fmt.Sprintf("[0:V:0]fps=%g,%s[s]", rate, small),
			"-map", "[s]", limit[0], limit[1], "-f", "rawvideo", "pipe:1")
	}
	var pick strings.Builder
	fmt.Fprintf(&pick, "not(mod(n,%d))", spare)
	for _, n := range wantedIndices(t.bounded(seconds), fractions) {
		fmt.Fprintf(&pick, "+eq(n,%d)", n)
	}
	lines := t.opts.FrameLines // and twice as many columns, for pictures of any shape
	graph := fmt.Sprintf("[0:V:0]fps=%g,split[a][b];[a]%s[s];[b]select='%s',"+
		"scale=w='min(%d,iw)':h='min(%d,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2:flags=bilinear,"+
		"format=yuvj420p[j]", rate, small, pick.String(), 2*lines, lines)
	return append(args, "-filter_complex", graph,
		"-map", "[s]", limit[0], limit[1], "-f", "rawvideo", "pipe:1",
		"-map", "[j]", limit[0], limit[1], "-fps_mode", "passthrough", "-c:v", "mjpeg", "-q:v", "3", "-f", "image2pipe", "pipe:3")
}

// wantedIndices are the sample numbers at the fractions of a duration, without doubles, ascending.
func wantedIndices(seconds float64, fractions []float64) []int {
	last := max(0, int(math.Round(seconds*rate))-1)
	var out []int
	seen := map[int]bool{}
	for _, f := range fractions {
		n := min(last, max(0, int(math.Round(f*float64(last)))))
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	sort.Ints(out)
	return out
}

var errEndless = errors.New("the video does not end where it may at the latest")

func readSamples(r io.Reader, limit int, progress func()) ([][]byte, error) {
	var out [][]byte
	for {
		buf := make([]byte, footy.SampleWidth*footy.SampleHeight)
		if _, err := io.ReadFull(r, buf); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, os.ErrClosed) {
				return out, nil
			}
			return out, err
		}
		if out = append(out, buf); len(out) > limit {
			return out, errEndless
		}
		if progress != nil && len(out)%8 == 0 {
			progress()
		}
	}
}
