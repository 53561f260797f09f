package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
)

// Wants says what a decode shall yield.
type Wants struct {
	// SamplesOnly leaves frames and poster out.
	SamplesOnly bool
	// Clock has the running clock of the broadcast read.
	Clock bool
	// ClockTrace keeps what the reader saw on its way, for people.
	ClockTrace bool

	retag bool // rewrite impossible colour tags in the stream itself
}

// Fractions of the duration are the moments the validator looks at: the middle three first, the outer two as tie-break.
var Fractions = []float64{0.1, 0.25, 0.5, 0.75, 0.9}

// Frame is one picture cut from a video.
type Frame struct {
	At   float64 // seconds into the video
	JPEG []byte
}

// Decoded is everything one decode yields.
type Decoded struct {
	Samples footy.Samples
	Length  float64 // seconds that the video lasts, as it was decoded; of one that goes on behind the bound, as it was probed
	Damaged bool    // the decoder complained: browsers stop where it goes on
	Frames  []Frame // one per fraction, in time order; fewer only where the video has fewer samples
	Poster  []byte  // JPEG: the best of the frames that is not flat, small enough for a page of many; nil if none was wanted
	Clock   clockface.Answer
	Trace   *clockface.Trace // nil if none was wanted
}

// Of is a probe with what only the decode knows.
func (d Decoded) Of(p footy.Probe) footy.Probe {
	p.Duration, p.Damaged = d.Length, d.Damaged
	return p
}

// rate is how many samples a second are taken.
const rate = 1 / footy.SampleInterval

// frames are cut at quarters of a second: perFrame samples apart.
const perFrame = rate / 4

// spare is the distance, in samples, of frames cut after the last wanted one: if the video is longer than its header says, the nearest of
// all stand in. Before it they would be of no use: a video that is much shorter than its header is refused.
const spare = 4 * rate

// Decode runs ffmpeg once over the file. Memory does not depend on resolution: ffmpeg holds a few pictures, we hold the
// small samples and some JPEGs. Cancelling ctx kills ffmpeg.
func (t *Tool) Decode(ctx context.Context, path string, probe footy.Probe, wants Wants) (Decoded, error) {
	d, err := t.decode(ctx, path, probe, wants)
	if footy.CodeOf(err) == footy.CodeRejected && probe.Recolour != "" && retaggers[probe.Codec] != "" {
		wants.retag = true // 7 refuses a reserved matrix before the first filter; older ones do not know this option
		if again, failed := t.decode(ctx, path, probe, wants); failed == nil {
			return again, nil
		}
		wants.retag = false
	}
	return d, t.blame(ctx, err, wants, probe)
}

// retaggers are bitstream filters that rewrite colour tags.
var retaggers = map[string]string{"h264": "h264_metadata", "hevc": "hevc_metadata"}

func (t *Tool) decode(ctx context.Context, path string, probe footy.Probe, wants Wants) (Decoded, error) {
	const op = "decode file"
	if _, err := stat(op, path); err != nil {
		return Decoded{}, err
	}
	var fractions []float64
	if !wants.SamplesOnly {
		fractions = Fractions
	}
	scaling := t.able().scaling
	limited, cancel := t.within(ctx, t.opts.DecodeTimeout)
	defer cancel()
	var luma *lumaReader
	if wants.Clock {
		luma = t.newLumaReader(probe, wants.ClockTrace)
	}
	cut := newCutter(t.wanted(probe.Duration, fractions))
	posters := cut
	if max(probe.Width, probe.Height) > posterSide {
		posters = newCutter(cut.wanted)
	}
	cmd, said := program.Command(limited, t.opts.FFmpeg, slices.Concat(scaling, t.decodeArgs(path, probe, wants, cut.wanted, posters != cut, luma))...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Decoded{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	var side []func(io.Reader) error // what reads the outputs behind the samples, in the order of their pipes
	if len(fractions) > 0 {
		side = append(side, cut.read)
		if posters != cut {
			side = append(side, posters.read)
		}
	}
	if luma != nil {
		side = append(side, luma.read)
	}
	reading, err := t.startWith(cmd, side)
	if err != nil {
		return Decoded{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	pix, readErr := readSamples(out, int(t.opts.MaxDuration.Seconds()*rate)+8)
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
	d.Length, d.Damaged = t.length(probe.Duration, d.Samples.Duration), damaged(said.String(), probe.Container)
	d.Frames = cut.pick(fractions, len(pix))
	if luma != nil {
		d.Clock, d.Trace = luma.reader.Answer(), luma.reader.Trace()
	}
	d.Poster = poster(posters.pick(fractions, len(pix)), pix)
	return d, nil
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

// damaged reports whether a decode complained of what is coded. What its container is reproached with is no obstacle, but for a missing end.
func damaged(said, container string) bool {
	return slices.ContainsFunc(strings.Split(said, "\n"), func(line string) bool {
		ours := strings.HasPrefix(line, "["+container+" @") || strings.Contains(line, "message repeated") || strings.TrimSpace(line) == ""
		return !ours || slices.ContainsFunc(cut, func(w string) bool { return strings.Contains(line, w) })
	})
}

// length is the probed one where the decode agrees, which knows it by samples only.
func (t *Tool) length(probed, decoded float64) float64 {
	if math.Abs(probed-decoded) <= 0.5 || probed > decoded && decoded >= t.opts.MaxDuration.Seconds()-0.5 {
		return probed
	}
	return decoded
}

func (t *Tool) bounded(seconds float64) float64 {
	return math.Min(seconds, t.opts.MaxDuration.Seconds())
}

// decodeArgs are for an output of samples, one of frames if any are wanted, one of as many posters, and one for the clock reader.
func (t *Tool) decodeArgs(path string, probe footy.Probe, wants Wants, wanted []int, posters bool, luma *lumaReader) []string {
	var retag []string
	if wants.retag {
		retag = []string{fmt.Sprintf("-bsf:%d", probe.Stream), retaggers[probe.Codec] + "=colour_primaries=1:transfer_characteristics=1:matrix_coefficients=1"}
	}
	args := slices.Concat([]string{"-nostdin", "-v", "error", "-hide_banner", "-max_alloc", fmt.Sprint(t.opts.MaxAlloc)}, Threads(), t.input(), retag,
		[]string{"-an", "-sn", "-dn", "-t", t.most(), "-i", arg(path)})
	var maps []string
	pipes := 3 // the first two are taken
	// Each output has one thread: handing every picture to an encoder's own threads costs more than it saves.
	output := func(from, pipe string, how ...string) {
		maps = append(append(append(maps, "-map", from, "-threads", "1"), how...), pipe)
	}
	next := func() string { pipes++; return fmt.Sprintf("pipe:%d", pipes-1) }
	graph, source := "", fmt.Sprintf("[0:%d]%ssetpts=PTS-STARTPTS,", probe.Stream, setparams(probe))
	if luma != nil {
		graph, source = source+"split[v][w];[w]"+t.every(clockface.Rate)+luma.filter()+"[c];", "[v]"
	}
	output("[s]", "pipe:1", "-f", "rawvideo")
	graph += source + t.every(rate)
	link := ""
	if len(wanted) > 0 {
		pictures := []string{pictureFilter(2*t.opts.FrameLines, t.opts.FrameLines)} // twice as many columns, for pictures of any shape
		if posters {
			pictures = append(pictures, pictureFilter(posterSide, posterSide))
		}
		graph += fmt.Sprintf("split[a][b];[b]%s,split=%d", selectFilter(wanted), len(pictures))
		for i := range pictures {
			graph += fmt.Sprintf("[b%d]", i)
		}
		for i, filter := range pictures {
			graph += fmt.Sprintf(";[b%d]%s[j%d]", i, filter, i)
			output(fmt.Sprintf("[j%d]", i), next(), "-c:v", "mjpeg", "-q:v", "3", "-f", "image2pipe")
		}
		link = ";[a]"
	}
	// area averages every source pixel into its cell; other scalers moved hashes by up to 15 bits.
	graph += fmt.Sprintf("%sscale=%d:%d:flags=area,format=gray[s]", link, footy.SampleWidth, footy.SampleHeight)
	if luma != nil {
		output("[c]", next(), "-f", "rawvideo")
	}
	return append(append(args, "-filter_complex", graph), maps...)
}

// most is the limit of a decode, in seconds.
func (t *Tool) most() string { return fmt.Sprintf("%.3f", t.opts.MaxDuration.Seconds()) }

// every takes so many pictures a second, within the limit: before the input it saves reading on, and here it ends the filling of hours between
// two pictures, which went on unseen behind outputs that were limited.
func (t *Tool) every(rate float64) string {
	return fmt.Sprintf("fps=%g,trim=duration=%s,", rate, t.most())
}

// selectFilter lets the wanted samples pass, and some after the last of them.
func selectFilter(wanted []int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "select='gt(n,%d)*not(mod(n,%d))", wanted[len(wanted)-1], int(spare))
	for _, n := range wanted {
		fmt.Fprintf(&s, "+eq(n,%d)", n)
	}
	return s.String() + fmt.Sprintf("',setpts=N/%d/TB", int(rate)) // without gaps, which versions of ffmpeg are kept from filling by different options
}

// setparams is a filter that sets possible colour tags, where a video has impossible ones.
func setparams(p footy.Probe) string {
	if p.Recolour == "" {
		return ""
	}
	return "setparams=" + p.Recolour + ","
}

// pictureFilter makes a picture for a JPEG, not larger than that nor than it is.
func pictureFilter(w, h int) string {
	return fmt.Sprintf("scale=w='min(%d,iw)':h='min(%d,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2:flags=bilinear,format=yuvj420p", w, h)
}

// wanted are those of a file; where nothing says how long it is, one a second.
func (t *Tool) wanted(seconds float64, fractions []float64) []int {
	if seconds > 0 || len(fractions) == 0 {
		return wantedIndices(t.bounded(seconds), fractions)
	}
	var out []int
	for n := 0; n < int(t.opts.MaxDuration.Seconds()*rate); n += rate {
		out = append(out, n)
	}
	return out
}

// wantedIndices are the sample numbers at the fractions of a duration, which ascend, without doubles.
func wantedIndices(seconds float64, fractions []float64) []int {
	last := max(0, int(math.Round(seconds*rate/perFrame))-1)
	var out []int
	for _, f := range fractions {
		out = append(out, perFrame*min(last, max(0, int(math.Round(f*float64(last))))))
	}
	return slices.Compact(out)
}

var errEndless = errors.New("the video does not end where it may at the latest")

func readSamples(r io.Reader, limit int) ([][]byte, error) {
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
	}
}
