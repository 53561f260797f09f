package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os/exec"
	"strconv"

	"github.com/found-footy/found-footy/internal/world/film/camera"
)

// goal is one goal as it was broadcast.
type goal struct {
	id         string
	match      int
	w, h, rate int
	seconds    float64
	seed       uint64
	film       *camera.Film
}

// dice gives the same numbers for the same names on every machine.
type dice struct{ *rand.Rand }

func roll(names ...any) dice {
	h := fnv.New64a()
	fmt.Fprintln(h, names...)
	return dice{rand.New(rand.NewPCG(h.Sum64(), 0xf007))}
}

func (d dice) in(lo, hi float64) float64 { return lo + d.Float64()*(hi-lo) }

func (d dice) colour(lo, hi int) (c [3]byte) {
	for k := range c {
		c[k] = byte(lo + d.IntN(hi-lo+1))
	}
	return c
}

var encoder = []string{"-c:v", "libx264", "-preset", "superfast", "-pix_fmt", "yuv420p", "-an", "-threads", "1", "-map_metadata", "-1",
	"-fflags", "+bitexact", "-flags:v", "+bitexact", "-movflags", "+faststart", "-f", "mp4"}

// encode draws a goal frame by frame, with grain, into an encoder.
func (g *goal) encode(ctx context.Context, path string) error {
	args := append([]string{"-f", "rawvideo", "-pix_fmt", "gray", "-s", fmt.Sprintf("%dx%d", g.w, g.h), "-r", strconv.Itoa(g.rate), "-i", "-", "-crf", "26", "-g", strconv.Itoa(3 * g.rate)}, encoder...)
	return ffmpeg(ctx, append(args, path), func(w io.Writer) error {
		noise := roll(g.seed, "grain", g.id).Uint64()
		for n := range int(g.seconds * float64(g.rate)) {
			p := camera.NewPicture(g.w, g.h)
			g.film.Draw(p, float64(n)/float64(g.rate))
			for i, v := range p.Pix {
				noise = noise*6364136223846793005 + 1442695040888963407
				p.Pix[i] = byte(min(max(int(v)+int(noise>>61)-3, 0), 255))
			}
			if _, err := w.Write(p.Pix); err != nil {
				return err
			}
		}
		return nil
	})
}

func ffmpeg(ctx context.Context, args []string, feed func(io.Writer) error) error {
	said := &tail{}
	cmd := exec.CommandContext(ctx, "ffmpeg", append([]string{"-y", "-v", "error", "-filter_threads", "1", "-filter_complex_threads", "1"}, args...)...)
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	var fed error
	if feed != nil {
		fed = feed(in)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, said)
	}
	return fed
}

// tail keeps what fits a line or two of a complaint.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p[:min(len(p), max(0, 2000-len(t.b)))]...)
	return len(p), nil
}

func (t *tail) String() string { return string(t.b) }
