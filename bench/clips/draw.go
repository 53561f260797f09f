package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/world/film/camera"
)

const (
	matches       = 5
	goalsPerMatch = 6
	usualPer      = 6 // re-uploads of each goal
)

// formats are the pictures of the masters: half of what is posted is no longer than ten seconds.
var formats = []struct {
	w, h, rate int
	seconds    float64
}{
	{640, 360, 25, 5}, {640, 360, 30, 10}, {640, 360, 24, 13}, {640, 360, 50, 5}, {640, 360, 25, 10}, {640, 360, 60, 13}, {1280, 720, 30, 5},
	{640, 360, 60, 10}, {640, 360, 25, 13}, {640, 360, 24, 5}, {640, 360, 50, 10}, {640, 360, 30, 13}, {640, 360, 60, 5}, {854, 480, 24, 10}, {640, 360, 50, 13},
}

// drawCorpus draws goals of several matches, re-uploads of each, and files that must match nothing, and writes the truth
// about them. What is there already is kept.
func drawCorpus(ctx context.Context, dir string, seed uint64, per, jobs int) error {
	clips := filepath.Join(dir, "clips")
	if err := os.MkdirAll(clips, 0o755); err != nil {
		return err
	}
	var rows []truth
	goals := broadcast(seed)
	g, limited := errgroup.WithContext(ctx)
	g.SetLimit(max(1, jobs))
	for _, k := range goals {
		rows = append(rows, truth{File: k.id + "-master.mp4", Kind: "master", Match: k.match, Goal: k.id, Transform: "master", Length: k.seconds, Speed: 1})
		g.Go(func() error {
			return once(filepath.Join(clips, k.id+"-master.mp4"), func(to string) error { return k.encode(limited, to) })
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	made := make([]truth, len(goals)*per)
	g, limited = errgroup.WithContext(ctx)
	g.SetLimit(max(1, jobs))
	for i, k := range goals {
		for v := range per { // seven and eleven are strangers to the number of changes: each goal gets others
			c := changes[(i*7+v*11)%len(changes)]
			g.Go(func() (err error) {
				made[i*per+v], err = c.reupload(limited, k, clips)
				return err
			})
		}
	}
	if err := g.Wait(); err != nil {
		return err
	}
	strangers, err := drawStrangers(ctx, clips)
	if err != nil {
		return err
	}
	rows = append(append(rows, made...), strangers...)
	text, err := json.MarshalIndent(map[string]any{"seed": seed, "clips": rows}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "truth.json"), text, 0o644)
}

// broadcast plans the goals, filmed as real cameras do.
func broadcast(seed uint64) (out []*goal) {
	for m := range matches {
		in := camera.NewMatch(seed, m)
		for no := range goalsPerMatch {
			form := formats[len(out)%len(formats)]
			out = append(out, &goal{id: fmt.Sprintf("match%d-goal%d", m, no), match: m, seed: seed, w: form.w, h: form.h, rate: form.rate,
				seconds: form.seconds, film: in.Goal(no, form.seconds)})
		}
	}
	return out
}

// strangers match nothing, not even each other: plain pictures, cards from one template, patterns.
var strangers = []struct{ name, picture string }{
	{"black", "color=c=black:s=640x360:r=25:d=7"},
	{"nearly-black", "color=c=0x030303:s=640x360:r=30:d=6"},
	{"white", "color=c=white:s=640x360:r=25:d=6"},
	{"snow", "color=c=gray:s=640x360:r=25:d=7,noise=alls=40:allf=t:all_seed=3"},
	{"card-one", "color=c=0x181818:s=640x360:r=25:d=7," + brand + ",drawbox=x=200:y=180:w=60:h=30:color=black:t=fill"},
	{"card-two", "color=c=0x181818:s=640x360:r=25:d=6," + brand + ",drawbox=x=380:y=180:w=60:h=30:color=black:t=fill"},
	{"card-three", "color=c=0x181818:s=640x360:r=25:d=8," + brand},
	{"test-picture", "testsrc2=s=640x360:r=25:d=8"},
	{"fractal", "mandelbrot=s=640x360:r=25:end_scale=0.1:end_pts=300,trim=duration=8"},
	{"cells", "life=s=320x180:r=25:mold=10:seed=5:life_color=#e0e0c0:death_color=#206030,scale=640:360:flags=neighbor,trim=duration=8"},
	{"more-cells", "life=s=320x180:r=25:mold=10:seed=6:life_color=#e0e0c0:death_color=#206030,scale=640:360:flags=neighbor,trim=duration=8"},
	{"gradient", "gradients=s=640x360:r=25:d=8:speed=0.02:seed=4"},
}

func drawStrangers(ctx context.Context, dir string) ([]truth, error) {
	var rows []truth
	row := func(name string) string {
		rows = append(rows, truth{File: name + ".mp4", Kind: "negative", Match: -1, Goal: name, Transform: name, Length: 8, Speed: 1})
		return filepath.Join(dir, name+".mp4")
	}
	for _, s := range strangers {
		err := once(row("none-"+s.name), func(to string) error {
			args := append([]string{"-filter_complex", s.picture + "[o]", "-map", "[o]", "-crf", "26"}, encoder...)
			return ffmpeg(ctx, append(args, to), nil)
		})
		if err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// once makes a file unless it is there; a half-made one never has its name.
func once(path string, make func(to string) error) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := make(path + ".part"); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return os.Rename(path+".part", path)
}
