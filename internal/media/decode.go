package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sort"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/program"
	"github.com/found-footy/found-footy/internal/rule/clockface"
)

// Wants says what a decode shall yield.
type Wants struct {
	// Fractions of the duration at which frames are cut, in time order. Nil: DefaultFractions.
	Fractions []float64
	// SamplesOnly leaves frames and poster out.
	SamplesOnly bool
	// Clock has the running clock of the broadcast read.
	Clock bool
	// ClockTrace keeps what the reader saw on its way, for people.
	ClockTrace bool
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
	Clock   clockface.Answer
	Trace   *clockface.Trace // nil if none was wanted
}

// rate is how many samples a second are taken.
const rate = 1 / footy.SampleInterval

// frames are cut at quarters of a second: perFrame samples apart.
const perFrame = rate / 4

// spare is the distance, in samples, of frames cut after the last wanted one: if the video is longer than its header says, the nearest of
// all stand in. Before it they would be of no use: a video that is much shorter than its header is refused.
const spare = 4 * rate

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
	scaling := t.noGather()
	limited, cancel := context.WithTimeout(ctx, t.opts.DecodeTimeout)
	defer cancel()
	var luma *lumaReader
	if wants.Clock {
		luma = t.newLumaReader(probe, wants.ClockTrace)
	}
	cmd, said := program.Command(limited, t.opts.FFmpeg, slices.Concat(scaling, t.decodeArgs(path, probe.Duration, fractions, luma))...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Decoded{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	cut := newCutter(wantedIndices(t.bounded(probe.Duration), fractions))
	var side []func(io.Reader) error // what reads the outputs behind the samples, in the order of their pipes
	if len(fractions) > 0 {
		side = append(side, cut.read)
	}
	if luma != nil {
		side = append(side, luma.read)
	}
	reading, err := t.startWith(cmd, side)
	if err != nil {
		return Decoded{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	pix, readErr := readSamples(out, int(t.opts.MaxDuration.Seconds()*rate)+8, progress)
	if readErr != nil {
		cancel() // endless video or a broken pipe: let ffmpeg go, or it would block on the pipe nobody reads
	}
	for range side {
		readErr = errors.Join(readErr, <-reading)
	}
	waitErr := cmd.Wait()
	d := Decoded{Samples: footy.Samples{Pix: pix, Interval: footy.SampleInterval, Duration: float64(len(pix)) / rate}}
	if err := t.complete(ctx, limited, op, probe, d, errors.Join(waitErr, readErr), said); err != nil {
		return Decoded{}, err
	}
	d.Frames = cut.pick(fractions, len(pix))
	if luma != nil {
		d.Clock, d.Trace = luma.reader.Answer(), luma.reader.Trace()
	}
	d.Poster, err = shrunk(poster(d.Frames, pix), posterSide)
	return d, err
}

// complete decides whether enough came out of the file. ffmpeg's exit code alone says little: it complains about
// good files and is content with half of a broken one.
func (t *Tool) complete(ctx, limited context.Context, op string, probe footy.Probe, d Decoded, err error, said *program.Tail) error {
	if errors.Is(err, errEndless) {
		return footy.Reject(op, footy.ReasonTooLong, "%w", err)
	}
	if err == nil && ctx.Err() == nil && len(d.Samples.Pix) < perFrame && probe.Duration < perFrame/rate {
		return footy.Reject(op, footy.ReasonTooShort, "%.2f s: nothing moves in so little", probe.Duration)
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

func (t *Tool) decodeArgs(path string, seconds float64, fractions []float64, luma *lumaReader) []string {
	args := []string{"-nostdin", "-v", "error", "-hide_banner", "-max_alloc", fmt.Sprint(t.opts.MaxAlloc),
		"-filter_threads", "1", "-filter_complex_threads", "1", "-threads", fmt.Sprint(t.opts.Threads)}
	args = append(args, t.input()...)
	// The limit stands on both sides: before the input it saves reading on, after it also stops the filling of hours
	// between two pictures.
	limit := []string{"-t", fmt.Sprintf("%.3f", t.opts.MaxDuration.Seconds())}
	args = append(args, "-an", "-sn", "-dn")
	args = append(append(args, limit...), "-i", arg(path))
	graph, source := "", "[0:V:0]"
	if luma != nil {
		graph, source = "[0:V:0]split[v][w];[w]"+luma.filter()+"[c];", "[v]"
	}
	// Each output has one thread: handing every picture to an encoder's own threads costs more than it saves.
	// area averages every source pixel into its cell; other scalers moved hashes by up to 15 bits.
	small := fmt.Sprintf("scale=%d:%d:flags=area,format=gray", footy.SampleWidth, footy.SampleHeight)
	maps := append([]string{"-map", "[s]"}, append(limit, "-threads", "1", "-f", "rawvideo", "pipe:1")...)
	pipe := 3
	if len(fractions) == 0 {
		graph += fmt.Sprintf("%sfps=%g,%s[s]", source, rate, small)
	} else {
		var pick strings.Builder
		wanted := wantedIndices(t.bounded(seconds), fractions)
		fmt.Fprintf(&pick, "gt(n,%d)*not(mod(n,%d))", wanted[len(wanted)-1], int(spare))
		for _, n := range wanted {
			fmt.Fprintf(&pick, "+eq(n,%d)", n)
		}
		lines := t.opts.FrameLines // and twice as many columns, for pictures of any shape
		graph += fmt.Sprintf("%sfps=%g,split[a][b];[a]%s[s];[b]select='%s',"+
			"scale=w='min(%d,iw)':h='min(%d,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2:flags=bilinear,"+
			"format=yuvj420p[j]", source, rate, small, pick.String(), 2*lines, lines)
		maps = append(append(append(maps, "-map", "[j]"), limit...), "-threads", "1", "-fps_mode", "passthrough", "-c:v", "mjpeg", "-q:v", "3", "-f", "image2pipe", "pipe:3")
		pipe++
	}
	if luma != nil {
		// direct: a picture goes through the pipe as it is, not in pieces of a buffer.
		maps = append(append(append(maps, "-map", "[c]"), limit...), "-threads", "1", "-avioflags", "direct", "-f", "rawvideo", fmt.Sprintf("pipe:%d", pipe))
	}
	return append(append(args, "-filter_complex", graph), maps...)
}

// wantedIndices are the sample numbers at the fractions of a duration, without doubles, ascending.
func wantedIndices(seconds float64, fractions []float64) []int {
	last := max(0, int(math.Round(seconds*rate/perFrame))-1)
	var out []int
	seen := map[int]bool{}
	for _, f := range fractions {
		n := perFrame * min(last, max(0, int(math.Round(f*float64(last)))))
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
		if progress != nil && len(out)%(2*rate) == 0 {
			progress()
		}
	}
}
