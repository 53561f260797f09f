package media

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// A reel is made piece by piece: each clip becomes a file of one size, rate and loudness, with its sound not yet compressed, and the
// files are then put one behind the other without touching their pictures. So no graph grows with the reel, and a piece is exactly as
// long as it says.

// The loudness that pieces are levelled to, by EBU R 128: what players in browsers expect; broadcasts have -23.
const (
	loudness = -16   // LUFS
	peak     = -1.5  // dBTP; compressing the sound may add some tenths
	samples  = 48000 // of sound a second
)

// pieceTime is how long the work on a piece may take: generous as DecodeTimeout is, since it also draws.
const pieceTime = 10 * time.Minute

// pieceLimit is what a piece may be long in bytes: a minute of it has some 60 MB.
const pieceLimit = 256 << 20

// Cut is a piece to be made.
type Cut struct {
	Frames int      // at most
	Lines  []string // of the lower third, or of the title where Card is set
	Card   bool     // a title over the clip's first picture, without sound
}

// Piece makes a piece of a clip and writes it to out. It answers how many frames it has: what is black at the clip's ends is left out.
func (t *Tool) Piece(ctx context.Context, path string, c Cut, out io.Writer) (frames int, err error) {
	const op = "make piece of a reel"
	if _, err := stat(op, path); err != nil {
		return 0, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return 0, footy.Errorf(footy.CodeInvalid, op, "%w", err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), "draw-*")
	if err != nil {
		return 0, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := prepare(dir, c.Lines); err != nil {
		return 0, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	limited, cancel := t.within(ctx, pieceTime)
	defer cancel()
	m, err := t.measure(ctx, limited, path, float64(c.Frames)/reel.Rate)
	if err != nil {
		return 0, err
	}
	if !c.Card {
		c.Frames = min(c.Frames, int((m.to-m.from)*reel.Rate))
	}
	if c.Frames < 1 {
		return 0, footy.Reject(op, footy.ReasonUnreadable, "the clip is black from end to end")
	}
	cmd, said := program.Command(limited, t.opts.FFmpeg, t.pieceArgs(path, m, c)...)
	cmd.Dir = dir // where texts and fonts have plain names: nothing needs escaping within a graph
	written := &bounded{to: out, left: pieceLimit}
	cmd.Stdout = written
	if err := t.startWithin(cmd, t.pieceFence(1<<20)); err != nil {
		return 0, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	err = cmd.Wait()
	if written.err != nil {
		return 0, footy.Errorf(footy.CodeUnavailable, op, "%w", written.err)
	}
	if err != nil {
		return 0, failure(ctx, limited, op, said)
	}
	return c.Frames, nil
}

// pieceFence leaves room for a picture coder beside the decoder.
func (t *Tool) pieceFence(file uint64) program.Limits {
	return program.Limits{Memory: uint64(t.opts.Memory), CPUSeconds: uint64(pieceTime.Seconds() * float64(t.opts.Threads)), File: file, Files: 64} //nolint:gosec // New refuses what is not positive
}

// prepare writes what is drawn into a directory: a file for each line, and the fonts.
func prepare(dir string, lines []string) error {
	for name, font := range map[string][]byte{"bold.ttf": gobold.TTF, "regular.ttf": goregular.TTF} {
		if err := os.WriteFile(filepath.Join(dir, name), font, 0o600); err != nil {
			return err
		}
	}
	for i, line := range lines {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("line%d.txt", i)), []byte(drawable(line)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// measured is what is known of a clip before a piece is made of it.
type measured struct {
	from, to float64 // seconds between which it is not black
	sound    string  // the filter that levels its sound; "" where it has none that could be heard
}

// measure looks and listens through the part of a clip that is wanted.
func (t *Tool) measure(ctx, limited context.Context, path string, seconds float64) (measured, error) {
	const op = "measure clip"
	args := append(t.pieceInput(), "-t", fmt.Sprintf("%.3f", seconds+2), "-i", arg(path), // two more, where it begins in the dark
		"-map", "0:V:0", "-vf", "fps=30,scale=160:90:flags=fast_bilinear,blackdetect=d=0.03:pix_th=0.1",
		"-map", "0:a:0?", "-af", level("")+":print_format=json", "-f", "null", "-progress", "pipe:1", "-")
	cmd, said := program.Command(limited, t.opts.FFmpeg, args...)
	var progress program.Tail
	cmd.Stdout = &progress
	if err := t.startWithin(cmd, t.pieceFence(1<<20)); err != nil {
		return measured{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	if err := cmd.Wait(); err != nil {
		return measured{}, failure(ctx, limited, op, said)
	}
	found := lastNumber(progress.String(), "frame=")
	if found == 0 {
		return measured{}, footy.Reject(op, footy.ReasonNoVideo, "no picture can be decoded")
	}
	m := measured{to: found / reel.Rate, sound: levelled(said.String())}
	for _, b := range regexp.MustCompile(`black_start:([0-9.]+) black_end:([0-9.]+)`).FindAllStringSubmatch(said.String(), -1) {
		switch start, end := number(b[1]), number(b[2]); {
		case start <= m.from+.05:
			m.from = end
		case end >= m.to-.1:
			m.to = start
		}
	}
	return m, nil
}

// lastNumber is the last value of a name in ffmpeg's report on its way.
func lastNumber(text, name string) float64 {
	i := strings.LastIndex(text, name)
	if i < 0 {
		return 0
	}
	value, _, _ := strings.Cut(text[i+len(name):], "\n")
	return number(strings.TrimSpace(value))
}

// level is the filter that levels; known are the values of a first pass.
func level(known string) string {
	return fmt.Sprintf("loudnorm=I=%d:TP=%.1f:LRA=11%s", loudness, peak, known)
}

// levelled is the filter of the second pass: a constant gain where that does, so that the sound stays as it was mixed.
func levelled(text string) string {
	i := strings.LastIndex(text, "{")
	if i < 0 {
		return ""
	}
	var m struct {
		I      string `json:"input_i"`
		TP     string `json:"input_tp"`
		LRA    string `json:"input_lra"`
		Thresh string `json:"input_thresh"`
		Offset string `json:"target_offset"`
	}
	if json.NewDecoder(strings.NewReader(text[i:])).Decode(&m) != nil {
		return ""
	}
	known := ":linear=true"
	for name, value := range map[string]string{"measured_I": m.I, "measured_TP": m.TP, "measured_LRA": m.LRA, "measured_thresh": m.Thresh, "offset": m.Offset} {
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || v < -90 || v > 90 { // silence is minus infinity
			return ""
		}
		known += fmt.Sprintf(":%s=%.2f", name, v)
	}
	return level(known)
}

func (t *Tool) pieceInput() []string {
	args := []string{"-nostdin", "-nostats", "-v", "info", "-hide_banner", "-max_alloc", fmt.Sprint(t.opts.MaxAlloc), "-filter_threads", "1", "-filter_complex_threads", "1", "-threads", fmt.Sprint(t.opts.Threads)}
	return append(args, t.input()...)
}

func (t *Tool) pieceArgs(path string, m measured, c Cut) []string {
	args := append(t.pieceInput(), "-ss", fmt.Sprintf("%.3f", m.from), "-i", arg(path))
	sound := "[1:a]anull"
	if m.sound == "" || c.Card {
		args = append(args, "-f", "lavfi", "-i", fmt.Sprintf("anullsrc=r=%d:cl=stereo", samples))
	} else {
		sound = "[0:a:0]" + m.sound
	}
	picture := fmt.Sprintf("[0:V:0]fps=%d,scale=%d:%d:force_original_aspect_ratio=decrease:flags=bicubic,pad=%[2]d:%[3]d:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p", reel.Rate, reel.Width, reel.Height)
	if c.Card {
		picture += fmt.Sprintf(",trim=end_frame=1,boxblur=24:3,eq=saturation=0.8,tpad=stop_mode=clone:stop=%d", c.Frames)
	} else {
		picture += fmt.Sprintf(",tpad=stop_mode=clone:stop=%d", reel.Rate) // should its last frames be missing
	}
	for _, d := range drawing(c) {
		picture += "," + d
	}
	// Its pictures are counted by the filter: ffmpeg 5 ends the sound, too, with the last picture that -frames lets pass, and sound that had to be
	// looked ahead in is seconds behind by then.
	picture += fmt.Sprintf(",trim=end_frame=%d", c.Frames)
	sound += fmt.Sprintf(",aresample=%d,aformat=sample_fmts=s16:channel_layouts=stereo,afade=t=in:d=0.05,apad,atrim=end_sample=%d", samples, c.Frames*samples/reel.Rate)
	return append(args, "-filter_complex", picture+"[v];"+sound+"[a]", "-map", "[v]", "-map", "[a]",
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-maxrate", "5M", "-bufsize", "10M", "-g", fmt.Sprint(2*reel.Rate), "-threads", fmt.Sprint(t.opts.Threads),
		"-c:a", "pcm_s16le", "-map_metadata", "-1", "-f", "nut", "pipe:1")
}

// drawing is what is drawn over a piece.
func drawing(c Cut) []string {
	text := func(line int, font string, size int, at string) string {
		return fmt.Sprintf("drawtext=fontfile=%s.ttf:textfile=line%d.txt:expansion=none:fontsize=%d:fontcolor=white:%s", font, line, size, at)
	}
	if c.Card {
		out := []string{"drawbox=x=0:y=268:w=iw:h=184:color=0x0b2a17@0.72:t=fill", "drawbox=x=0:y=268:w=iw:h=6:color=0x22c55e:t=fill"}
		for i := range c.Lines {
			at := map[int]string{0: "x=(w-text_w)/2:y=306", 1: "x=(w-text_w)/2:y=384"}[i]
			if at == "" {
				break
			}
			out = append(out, text(i, []string{"bold", "regular"}[i], []int{54, 30}[i], at))
		}
		return out
	}
	const while = ":enable='between(t,0.2,6)'"
	var out []string
	for i := range c.Lines[:min(2, len(c.Lines))] {
		at := fmt.Sprintf("x=56:y=%d:box=1:boxcolor=0x08150d@0.78:boxborderw=%d", []int{582, 636}[i], []int{10, 10}[i]) + while
		out = append(out, text(i, []string{"bold", "regular"}[i], []int{34, 26}[i], at))
	}
	if len(out) > 0 {
		out = append(out, "drawbox=x=36:y=572:w=8:h=98:color=0x22c55e:t=fill"+while)
	}
	return out
}

// bounded writes so much and no more.
type bounded struct {
	to   io.Writer
	left int64
	err  error
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		b.err = fmt.Errorf("it is longer than %d MB", pieceLimit>>20)
	}
	if b.err == nil {
		_, b.err = b.to.Write(p)
	}
	if b.err != nil {
		return 0, b.err
	}
	return len(p), nil
}

// Join puts pieces one behind the other into an MP4 file with chapters, and takes its picture of the title. names are those of files
// in dir, the title's first, as many as the plan has chapters.
func (t *Tool) Join(ctx context.Context, dir string, names []string, p reel.Plan, out string) (poster []byte, err error) {
	const op = "join pieces"
	chapters := p.Chapters()
	if len(names) != len(chapters) {
		return nil, footy.Errorf(footy.CodeInvalid, op, "%d pieces for %d chapters", len(names), len(chapters))
	}
	list, about := "ffconcat version 1.0\n", ";FFMETADATA1\ntitle="+metadata(p.Title[0]+", "+p.Title[1])+"\n"
	at := 0
	for i, c := range chapters {
		frames := p.Card
		if i > 0 {
			frames = p.Pieces[i-1].Frames
		}
		list += fmt.Sprintf("file %s\nduration %.6f\n", names[i], float64(frames)/reel.Rate)
		about += fmt.Sprintf("[CHAPTER]\nTIMEBASE=1/%d\nSTART=%d\nEND=%d\ntitle=%s\n", reel.Rate, at, at+frames, metadata(c.Title))
		at += frames
	}
	for name, text := range map[string]string{"list.txt": list, "about.txt": about} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
		}
	}
	limited, cancel := t.within(ctx, pieceTime)
	defer cancel()
	cmd, said := program.Command(limited, t.opts.FFmpeg, "-nostdin", "-v", "error", "-hide_banner", "-y", "-max_alloc", fmt.Sprint(t.opts.MaxAlloc), "-threads", "1",
		"-f", "concat", "-safe", "1", "-protocol_whitelist", "file", "-format_whitelist", "concat,nut", "-i", "list.txt",
		"-protocol_whitelist", "file", "-f", "ffmetadata", "-i", "about.txt", "-map", "0:v:0", "-map", "0:a:0", "-map_metadata", "1", "-map_chapters", "1",
		"-c:v", "copy", "-c:a", "aac", "-b:a", "160k", "-ac", "2", "-movflags", "+faststart", "-f", "mp4", arg(out))
	cmd.Dir = dir
	if err := t.startWithin(cmd, t.pieceFence(4<<30)); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return nil, footy.Errorf(footy.CodeUnavailable, op, "%w", ctx.Err())
		}
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%s; is the disk full?", said.Line())
	}
	return t.posterOf(ctx, limited, filepath.Join(dir, names[0]))
}

// posterOf takes a picture of the title: it tells no result.
func (t *Tool) posterOf(ctx, limited context.Context, card string) ([]byte, error) {
	const op = "draw poster"
	cmd, said := program.Command(limited, t.opts.FFmpeg, "-nostdin", "-v", "error", "-hide_banner", "-threads", "1", "-protocol_whitelist", "file", "-format_whitelist", "nut",
		"-i", arg(card), "-frames:v", "1", "-c:v", "mjpeg", "-q:v", "4", "-pix_fmt", "yuvj420p", "-f", "image2pipe", "pipe:1")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := t.start(cmd); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	if err := cmd.Wait(); err != nil || out.Len() == 0 {
		return nil, failure(ctx, limited, op, said)
	}
	return out.Bytes(), nil
}

// metadata writes a value as ffmpeg's metadata files want it.
func metadata(s string) string {
	return strings.NewReplacer("\\", "\\\\", "=", "\\=", ";", "\\;", "#", "\\#", "\n", " ").Replace(s)
}
