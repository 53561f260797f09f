package media

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Film is what is shown of a file: the file itself, or one that was made of it beside it.
type Film struct {
	Path     string
	Kind     string // ".mp4" or ".webm"
	Digest   string // of its bytes; "" of the file itself
	Size     int64
	Probe    footy.Probe // of the pictures that it shows; their length is the file's
	Unplayed bool        // browsers cannot be expected to play it
}

// Remove removes what was made.
func (f Film) Remove() {
	if f.Digest != "" {
		_ = os.Remove(f.Path)
	}
}

// browsers play these codecs in these files.
var browsers = map[string]struct{ video, sound []string }{
	".mp4":  {[]string{"h264", "vp9", "av1"}, []string{"", "aac", "mp3", "opus", "flac"}},
	".webm": {[]string{"vp8", "vp9", "av1"}, []string{"", "opus", "vorbis"}},
}

// plan is how a file becomes one that browsers play.
type plan struct {
	kind         string
	video, sound bool // stay as they are
	same         bool // nothing has to be done
}

// planFor plans for a file. Its sound is decoded, which no decode of its pictures does.
func (t *Tool) planFor(ctx context.Context, path string, p footy.Probe) plan {
	to := planOf(path, p)
	if to.sound && p.Sound != "" {
		said, err := t.Run(ctx, Job{Op: "decode sound", Limit: t.opts.DecodeTimeout, Args: slices.Concat([]string{"-v", "error"}, Threads(), t.Input(path),
			[]string{"-map", "0:a:0", "-f", "null", "-"})})
		to.sound = err == nil && !damaged(said, p.Container)
		to.same = to.same && to.sound
	}
	return to
}

func planOf(path string, p footy.Probe) plan {
	is := kindByHead(begins(path))
	family := ".mp4"
	if strings.Contains(p.Container, "webm") {
		family = ".webm"
	}
	to := plan{kind: ".mp4"}
	for _, kind := range []string{family, ".mp4", ".webm"} {
		if slices.Contains(browsers[kind].video, p.Codec) {
			to.kind, to.video = kind, plain(p) && !p.Damaged
			break
		}
	}
	if !to.video {
		to.kind = ".mp4"
	}
	to.sound = slices.Contains(browsers[to.kind].sound, p.Sound)
	to.same = to.video && to.sound && to.kind == is && !p.Untold
	to.video = to.video && (to.same || !p.Untimed)
	return to
}

// plain reports whether pixels are coded as every decoder of browsers has them: of H.264 they know 8 bits only.
func plain(p footy.Probe) bool {
	if p.Codec == "h264" {
		return p.Pixels == "yuv420p" || p.Pixels == "yuvj420p"
	}
	return strings.Contains(p.Pixels, "420p")
}

// kindByHead is the kind of file by its first bytes; "" of one that browsers may not know, like QuickTime's and Matroska's.
func kindByHead(head string) string {
	switch {
	case isMP4(head) && len(head) >= 12 && head[8:12] != "qt  ":
		return ".mp4"
	case strings.HasPrefix(head, "\x1aE\xdf\xa3") && strings.Contains(head, "webm"):
		return ".webm"
	}
	return ""
}

// Shows says in words what Film makes of a file.
func (t *Tool) Shows(ctx context.Context, path string, p footy.Probe) string {
	switch to := t.planFor(ctx, path, p); {
	case to.same:
		return "as it is"
	case to.video && to.sound:
		return "rewrapped, as " + to.kind[1:]
	case to.video:
		return "with its sound coded anew, as " + to.kind[1:]
	default:
		return "coded anew, as " + to.kind[1:]
	}
}

// Limits of what is coded anew: clips are a minute long at most.
const (
	mostCoding = 100 * time.Second // of the clock
	mostFilm   = 128 << 20         // bytes
	spareTime  = 20 * time.Second  // left to the caller before its own deadline
)

// Film makes of a decoded file what browsers play: streams that they know are copied into a file that they know, others are coded anew. Where that
// does not succeed in time, or coding is not worth it, the file itself is shown, Unplayed. Made twice, it is the same.
func (t *Tool) Film(ctx context.Context, path string, probe footy.Probe, worth func() (bool, error)) (Film, error) {
	const op = "make a film that plays"
	size, err := stat(op, path)
	if err != nil {
		return Film{}, err
	}
	to := t.planFor(ctx, path, probe)
	whole := Film{Path: path, Kind: to.kind, Size: size, Probe: probe}
	whole.Unplayed = !(to.video && to.sound && to.kind == kindByHead(begins(path))) // a length that is not said is no obstacle
	if kind := kindByHead(begins(path)); kind != "" {
		whole.Kind = kind
	}
	if to.same {
		return whole, nil
	}
	limit := mostCoding
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)-spareTime)
	}
	if limit <= 0 {
		return whole, nil
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, try := range []plan{to, {kind: ".mp4", sound: to.sound && to.kind == ".mp4"}} { // what cannot be copied (no times, broken units) can be coded
		if !try.video {
			if yes, err := worth(); err != nil || !yes {
				return whole, err
			}
		}
		made, err := t.make(limited, path, probe, try)
		if ctx.Err() != nil {
			return Film{}, footy.Errorf(footy.CodeUnavailable, op, "%w", ctx.Err())
		}
		if err == nil {
			return made, nil
		}
		if to == try {
			break
		}
	}
	return whole, nil
}

// make makes one, and sees that it plays and lacks nothing.
func (t *Tool) make(ctx context.Context, path string, probe footy.Probe, to plan) (made Film, err error) {
	const op = "make a film that plays"
	out, err := os.CreateTemp(filepath.Dir(path), "film-*"+to.kind) // which is swept where this process is killed
	if err != nil {
		return Film{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	defer func() {
		if out.Close(); err != nil {
			os.Remove(out.Name())
		}
	}()
	if _, err := t.Run(ctx, Job{Op: op, Args: filmArgs(t.Input(path), out.Name(), probe, to), Limit: mostCoding, File: mostFilm}); err != nil {
		return Film{}, err
	}
	is, err := t.Probe(ctx, out.Name())
	if err != nil {
		return Film{}, err
	}
	if !planOf(out.Name(), is).same || math.Abs(is.Duration-probe.Duration) > 0.5+0.05*probe.Duration {
		return Film{}, footy.Errorf(footy.CodeInvalid, op, "it shows %.1f of %.1f s, %s, %s", is.Duration, probe.Duration, is.Codec, is.Sound)
	}
	sum := sha256.New()
	made = Film{Path: out.Name(), Kind: to.kind, Probe: probe}
	if made.Size, err = io.Copy(sum, out); err != nil {
		return Film{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	made.Digest = hex.EncodeToString(sum.Sum(nil))
	if !to.video {
		is.Duration = probe.Duration
		made.Probe = is
	}
	return made, nil
}

const filmSide = 1920 // of pictures that are coded anew

func filmArgs(input []string, out string, p footy.Probe, to plan) []string {
	// One thread codes: with two a busy machine makes another film of the same file now and then.
	var part []string
	if p.Untold && p.Duration > 0 { // what goes on beside the pictures is left out
		part = []string{"-ss", fmt.Sprintf("%.3f", p.Start), "-t", fmt.Sprintf("%.3f", p.Duration)}
	}
	args := slices.Concat([]string{"-v", "error", "-fflags", "+genpts"}, Threads(), part, input, []string{"-map", fmt.Sprintf("0:%d", p.Stream), "-map", "0:a:0?",
		"-map_metadata", "-1", "-fflags", "+bitexact", "-threads", "1"})
	video, sound := []string{"-c:v", "copy"}, []string{"-c:a", "copy"}
	if !to.video {
		video = []string{"-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-flags:v", "+bitexact",
			"-vf", setparams(p) + strings.Replace(pictureFilter(filmSide, filmSide), "yuvj420p", "yuv420p", 1)}
	}
	if !to.sound {
		sound = []string{"-c:a", "aac", "-b:a", "128k", "-ac", "2", "-flags:a", "+bitexact"}
		if to.kind == ".webm" {
			sound = []string{"-c:a", "libopus", "-b:a", "96k", "-ac", "2", "-flags:a", "+bitexact"}
		}
	}
	args = slices.Concat(args, video, sound)
	if to.kind == ".webm" {
		return append(args, "-f", "webm", arg(out))
	}
	return append(args, "-movflags", "+faststart", "-f", "mp4", arg(out))
}
