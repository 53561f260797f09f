// Package draw films the simulated goals: frames drawn here, encoded and re-uploaded by ffmpeg, kept in a cache directory.
package draw

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/world/film/clip"
)

const fps = 25

var encoder = []string{"-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-threads", "1", "-g", "50", "-c:a", "aac", "-b:a", "64k", "-shortest",
	"-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-f", "mp4"}

// film draws an unedited clip into path.
func film(ctx context.Context, c clip.Clip, g *ground, path string) error {
	s := c.Scenes[0]
	p, err := newPlay(g, s.Match, s.Goal, s.Camera, s.Seconds)
	if err != nil {
		return err
	}
	args := append([]string{"-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "640x360", "-r", strconv.Itoa(fps), "-i", "-"}, crowd(c)...)
	args = append(append(args, "-map", "0:v", "-map", "1:a"), encoder...)
	args = append(args, "-crf", "28", "-movflags", "+faststart", path)
	return ffmpeg(ctx, args, func(w io.Writer) error {
		frame := newCanvas(clip.Width, clip.Height)
		grain := newChance("grain", s.Match, s.Goal, s.Camera)
		for n := range int(s.Seconds * fps) {
			compose(frame, s, p, float64(n)/fps)
			frame.grain(grain)
			if _, err := w.Write(frame.pix); err != nil {
				return fmt.Errorf("pipe frame %d: %w", n, err)
			}
		}
		return nil
	})
}

// crowd is the noise of a stadium, as an input of ffmpeg: loud in one clip, hardly heard in another.
func crowd(c clip.Clip) []string {
	r := newChance("crowd", c.Scenes[0].Match, c.Scenes[0].Goal, c.Take)
	return []string{"-f", "lavfi", "-i", fmt.Sprintf("anoisesrc=color=pink:sample_rate=48000:amplitude=%.3f:seed=%d", r.between(0.03, 0.6), r.Uint32())}
}

// grain makes the picture breathe as a sensor does.
func (c *canvas) grain(r chance) {
	v := r.Uint64()
	for i := 0; i < len(c.pix); i += 3 {
		v = v*6364136223846793005 + 1442695040888963407
		d := int(v>>61) - 3
		for k := range 3 {
			c.pix[i+k] = uint8(min(max(int(c.pix[i+k])+d, 0), 255))
		}
	}
}

// ffmpeg runs one ffmpeg; feed, if not nil, writes its standard input.
func ffmpeg(ctx context.Context, args []string, feed func(io.Writer) error) error {
	cmd := program.New(ctx, "ffmpeg", append([]string{"-y", "-v", "error", "-filter_threads", "1"}, args...)...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	var fed error
	if feed == nil {
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("run ffmpeg: %w: %s", err, problems.String())
		}
		return nil
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("open ffmpeg's input: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start ffmpeg: %w", err)
	}
	fed = feed(in)
	_ = in.Close() // ffmpeg's own exit reports whether it got everything
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("run ffmpeg: %w: %s", err, problems.String())
	}
	return fed
}

// cutShort keeps the first part of a file, as a broken upload does.
func cutShort(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("cut file: %w", err)
	}
	if err := os.Truncate(path, info.Size()*11/20); err != nil {
		return fmt.Errorf("cut file: %w", err)
	}
	return nil
}
