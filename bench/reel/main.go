// Command reel measures what a minute of a highlight reel costs in processor time, against decoding and encoding the same footage once.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/decide/clip/reel"
)

func main() {
	clips := flag.Int("clips", 6, "clips of the reel")
	seconds := flag.Int("seconds", 10, "of each clip")
	flag.Parse()
	if err := run(context.Background(), *clips, *seconds); err != nil {
		fmt.Fprintln(os.Stderr, "reel:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, clips, seconds int) error {
	dir, err := os.MkdirTemp("", "bench-reel-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Printf("%-44s %14s %14s\n", "seconds for a minute of film", "processor", "wall clock")
	for _, size := range []string{"640x360", "1280x720", "1920x1080"} {
		if err := measure(ctx, dir, size, clips, seconds); err != nil {
			return err
		}
	}
	return nil
}

// measure makes a reel of clips of a size, and encodes the same clips bare.
func measure(ctx context.Context, dir, size string, clips, seconds int) error {
	clip := filepath.Join(dir, size+".mp4")
	// A picture that moves everywhere, with grain: neither coder nor decoder has it easier than with a broadcast.
	err := ffmpeg(ctx, "-f", "lavfi", "-i", fmt.Sprintf("testsrc2=s=%s:r=25:d=%d,noise=alls=12:allf=t", size, seconds+2), "-f", "lavfi", "-i", fmt.Sprintf("anoisesrc=c=pink:a=0.1:r=48000:d=%d", seconds+2),
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "26", "-pix_fmt", "yuv420p", "-c:a", "aac", clip)
	if err != nil {
		return err
	}
	tool := media.New(media.Options{})
	p := reel.Plan{Title: [2]string{"Goals of the day", "Saturday 14 November 2026"}, Card: 3 * reel.Rate}
	lines := [2]string{"M. Ødegaard 45+2'", "Arsenal 2–1 Everton"}
	names := []string{"title.nut"}
	piece := func(name string, c media.Cut) (int, error) {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return 0, err
		}
		defer f.Close()
		return tool.Piece(ctx, clip, c, f)
	}
	minutes := float64(clips*seconds) / 60
	pieces, err := cost(func() error {
		for i := range clips {
			n, err := piece(fmt.Sprintf("%d.nut", i), media.Cut{Frames: seconds * reel.Rate, Lines: lines[:]})
			if err != nil {
				return err
			}
			names = append(names, fmt.Sprintf("%d.nut", i))
			p.Pieces = append(p.Pieces, reel.Piece{Lines: lines, Frames: n})
		}
		return nil
	})
	if err != nil {
		return err
	}
	joined, err := cost(func() error {
		if _, err := piece(names[0], media.Cut{Frames: p.Card, Lines: p.Title[:], Card: true}); err != nil {
			return err
		}
		_, err := tool.Join(ctx, dir, names, p, filepath.Join(dir, "reel.mp4"))
		return err
	})
	if err != nil {
		return err
	}
	bare, err := cost(func() error {
		for range clips {
			err := ffmpeg(ctx, "-threads", "1", "-filter_threads", "1", "-t", fmt.Sprint(seconds), "-i", clip, "-vf", fmt.Sprintf("fps=%d,scale=%d:%d", reel.Rate, reel.Width, reel.Height),
				"-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-maxrate", "5M", "-bufsize", "10M", "-threads", "1", "-c:a", "aac", "-b:a", "160k", filepath.Join(dir, "bare.mp4"))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	whole := spent{pieces.cpu + joined.cpu, pieces.wall + joined.wall}
	info, err := os.Stat(filepath.Join(dir, "reel.mp4"))
	if err != nil {
		return err
	}
	fmt.Printf("%s, %d clips of %d s, %.1f MB\n", size, clips, seconds, float64(info.Size())/(1<<20))
	for _, row := range []struct {
		name string
		of   spent
	}{{"  measured and drawn as pieces", pieces}, {"  title, joining, sound, poster", joined}, {"  the reel", whole}, {"  decoded and encoded once, nothing else", bare}} {
		fmt.Printf("%-44s %14.1f %14.1f\n", row.name, row.of.cpu.Seconds()/minutes, row.of.wall.Seconds()/minutes)
	}
	fmt.Printf("%-44s %13.2fx\n", "  against that", whole.cpu.Seconds()/bare.cpu.Seconds())
	return nil
}

type spent struct{ cpu, wall time.Duration }

// cost is what the programs took that work started.
func cost(work func() error) (spent, error) {
	before, begin := children(), time.Now()
	err := work()
	return spent{children() - before, time.Since(begin)}, err
}

func children() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) // cannot fail with this argument
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func ffmpeg(ctx context.Context, args ...string) error {
	out, err := exec.CommandContext(ctx, "ffmpeg", append([]string{"-v", "error", "-nostdin", "-y"}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, out)
	}
	return nil
}
