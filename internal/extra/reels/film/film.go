// Package film makes a reel's film with ffmpeg.
//
// It is made piece by piece: each clip becomes a file of one size, rate and loudness, with its sound not yet compressed, and the files
// are then put one behind the other without touching their pictures. So no graph grows with the reel, and a piece is exactly as long as
// it says.
package film

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
)

// The loudness that pieces are levelled to, by EBU R 128: what players in browsers expect; broadcasts have -23.
const (
	loudness = -16   // LUFS
	peak     = -1.5  // dBTP; compressing the sound may add some tenths
	samples  = 48000 // of sound a second
)

// limit is how long one run of ffmpeg may take: generous as media's DecodeTimeout is, since it also draws.
const limit = 10 * time.Minute

// Files may be so long in bytes: a minute of a piece has some 60 MB.
const (
	pieceSize = 256 << 20
	filmSize  = 4 << 30
)

// Tool makes films in a directory whose files have plain names: nothing needs escaping within a graph.
type Tool struct{ *media.Tool }

// Cut is a piece to be made.
type Cut struct {
	Frames int       // at most
	Lines  [2]string // of the lower third, or of the title where Card is set
	Card   bool      // a title over the clip's first picture, without sound
}

// Piece makes a piece of a clip. Both lie in dir. It answers how many frames the piece has: what is black at the clip's ends is left out.
func (t Tool) Piece(ctx context.Context, dir, clip string, c Cut, out string) (frames int, err error) {
	const op = "make piece of a reel"
	if err := prepare(dir, c.Lines); err != nil {
		return 0, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	m, err := t.measure(ctx, dir, clip, float64(c.Frames)/rule.Rate)
	if err != nil {
		return 0, err
	}
	if !c.Card {
		c.Frames = min(c.Frames, int((m.to-m.from)*rule.Rate))
	}
	if c.Frames < 1 {
		return 0, footy.Reject(op, footy.ReasonUnreadable, "the clip is black from end to end")
	}
	_, err = t.Run(ctx, media.Job{Op: op, Dir: dir, Limit: limit, File: pieceSize, Args: append(t.pieceArgs(clip, m, c), out)})
	return c.Frames, err
}

// prepare writes what is drawn into a directory: a file for each line, and the fonts.
func prepare(dir string, lines [2]string) error {
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
func (t Tool) measure(ctx context.Context, dir, clip string, seconds float64) (measured, error) {
	const op = "measure clip"
	var progress program.Tail
	args := slices.Concat([]string{"-v", "info"}, media.Threads(), []string{"-t", fmt.Sprintf("%.3f", seconds+2)}, t.Input(clip), // two more, where it begins in the dark
		[]string{"-map", "0:V:0", "-vf", "fps=30,scale=160:90:flags=fast_bilinear,blackdetect=d=0.03:pix_th=0.1",
			"-map", "0:a:0?", "-af", level("") + ":print_format=json", "-f", "null", "-progress", "pipe:1", "-"})
	said, err := t.Run(ctx, media.Job{Op: op, Dir: dir, Limit: limit, File: 1 << 20, Out: &progress, Args: args})
	if err != nil {
		return measured{}, err
	}
	found := lastNumber(progress.String(), "frame=")
	if found == 0 {
		return measured{}, footy.Reject(op, footy.ReasonNoVideo, "no picture can be decoded")
	}
	m := measured{to: found / rule.Rate, sound: levelled(said)}
	for _, b := range regexp.MustCompile(`black_start:([0-9.]+) black_end:([0-9.]+)`).FindAllStringSubmatch(said, -1) {
		switch start, end := number(b[1]), number(b[2]); {
		case start <= m.from+.05:
			m.from = end
		case end >= m.to-.1:
			m.to = start
		}
	}
	return m, nil
}

func number(s string) float64 {
	n, _ := strconv.ParseFloat(s, 64) // ffmpeg's own; 0 where it says N/A
	return n
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

func (t Tool) pieceArgs(clip string, m measured, c Cut) []string {
	args := slices.Concat([]string{"-v", "error"}, media.Threads(), []string{"-ss", fmt.Sprintf("%.3f", m.from)}, t.Input(clip))
	sound := "[1:a]anull"
	if m.sound == "" || c.Card {
		args = append(args, "-f", "lavfi", "-i", fmt.Sprintf("anullsrc=r=%d:cl=stereo", samples))
	} else {
		sound = "[0:a:0]" + m.sound
	}
	picture := fmt.Sprintf("[0:V:0]fps=%d,scale=%d:%d:force_original_aspect_ratio=decrease:flags=bicubic,pad=%[2]d:%[3]d:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p", rule.Rate, rule.Width, rule.Height)
	if c.Card {
		picture += fmt.Sprintf(",trim=end_frame=1,boxblur=24:3,eq=saturation=0.8,tpad=stop_mode=clone:stop=%d", c.Frames)
	} else {
		picture += fmt.Sprintf(",tpad=stop_mode=clone:stop=%d", rule.Rate) // should its last frames be missing
	}
	for _, d := range drawing(c) {
		picture += "," + d
	}
	// Its pictures are counted by the filter: ffmpeg 5 ends the sound, too, with the last picture that -frames lets pass, and sound that had to be
	// looked ahead in is seconds behind by then.
	picture += fmt.Sprintf(",trim=end_frame=%d", c.Frames)
	sound += fmt.Sprintf(",aresample=%d,aformat=sample_fmts=s16:channel_layouts=stereo,afade=t=in:d=0.05,apad,atrim=end_sample=%d", samples, c.Frames*samples/rule.Rate)
	args = append(append(args, "-filter_complex", picture+"[v];"+sound+"[a]", "-map", "[v]", "-map", "[a]"), media.Threads()...)
	return append(args, "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-maxrate", "5M", "-bufsize", "10M", "-g", fmt.Sprint(2*rule.Rate),
		"-c:a", "pcm_s16le", "-map_metadata", "-1", "-f", "nut")
}

const (
	early = ":enable='between(t,0.2,6)'" // in a piece
	label = ":box=1:boxcolor=0x08150d@0.78:boxborderw=10" + early
)

func drawing(c Cut) []string {
	text := func(line int, font string, size int, at string) string {
		return fmt.Sprintf("drawtext=fontfile=%s.ttf:textfile=line%d.txt:expansion=none:fontsize=%d:fontcolor=white:%s", font, line, size, at)
	}
	if c.Card {
		return []string{"drawbox=x=0:y=268:w=iw:h=184:color=0x0b2a17@0.72:t=fill", "drawbox=x=0:y=268:w=iw:h=6:color=0x22c55e:t=fill",
			text(0, "bold", 54, "x=(w-text_w)/2:y=306"), text(1, "regular", 30, "x=(w-text_w)/2:y=384")}
	}
	return []string{text(0, "bold", 34, "x=56:y=582"+label), text(1, "regular", 26, "x=56:y=636"+label), "drawbox=x=36:y=572:w=8:h=98:color=0x22c55e:t=fill" + early}
}

// Join puts pieces one behind the other into an MP4 file with chapters, and takes its picture of the title. names are those of files
// in dir, the title's first, as many as the plan has chapters.
func (t Tool) Join(ctx context.Context, dir string, names []string, p rule.Plan, out string) (poster []byte, err error) {
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
		list += fmt.Sprintf("file %s\nduration %.6f\n", names[i], float64(frames)/rule.Rate)
		about += fmt.Sprintf("[CHAPTER]\nTIMEBASE=1/%d\nSTART=%d\nEND=%d\ntitle=%s\n", rule.Rate, at, at+frames, metadata(c.Title))
		at += frames
	}
	for name, text := range map[string]string{"list.txt": list, "about.txt": about} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
		}
	}
	_, err = t.Run(ctx, media.Job{Op: op, Dir: dir, Limit: limit, File: filmSize, Args: []string{"-v", "error", "-threads", "1",
		"-f", "concat", "-safe", "1", "-protocol_whitelist", "file", "-format_whitelist", "concat,nut", "-i", "list.txt",
		"-protocol_whitelist", "file", "-f", "ffmetadata", "-i", "about.txt", "-map", "0:v:0", "-map", "0:a:0", "-map_metadata", "1", "-map_chapters", "1",
		"-c:v", "copy", "-c:a", "aac", "-b:a", "160k", "-ac", "2", "-movflags", "+faststart", "-f", "mp4", out}})
	var picture bytes.Buffer
	if err == nil { // of the title: it shows no result
		_, err = t.Run(ctx, media.Job{Op: "draw poster", Dir: dir, Limit: limit, Out: &picture, Args: []string{"-v", "error", "-threads", "1", "-protocol_whitelist", "file",
			"-format_whitelist", "nut", "-i", names[0], "-frames:v", "1", "-c:v", "mjpeg", "-q:v", "4", "-pix_fmt", "yuvj420p", "-f", "image2pipe", "pipe:1"}})
	}
	if footy.CodeOf(err) == footy.CodeRejected { // the pieces are our own
		err = footy.Errorf(footy.CodeUnavailable, op, "%s; is the disk full?", footy.RootCause(err))
	}
	return picture.Bytes(), err
}

func metadata(s string) string {
	return strings.NewReplacer("\\", "\\\\", "=", "\\=", ";", "\\;", "#", "\\#", "\n", " ").Replace(s)
}

// drawable writes a line with the letters that the font has: Latin, Greek and Cyrillic ones stay, others are written as they sound.
func drawable(line string) string {
	font, err := sfnt.Parse(gobold.TTF)
	if err != nil { // never: it is part of the program
		return unidecode.Unidecode(line)
	}
	var out strings.Builder
	var buf sfnt.Buffer
	for _, r := range line {
		switch glyph, err := font.GlyphIndex(&buf, r); {
		case r < ' ':
			out.WriteByte(' ')
		case err == nil && glyph != 0:
			out.WriteRune(r)
		default:
			out.WriteString(unidecode.Unidecode(string(r)))
		}
	}
	return out.String()
}
