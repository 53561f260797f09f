package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
)

// change is an edit made to a file before it was posted.
type change struct {
	name string
	// plan says it in ffmpeg's words and notes in the truth what of the master is left.
	plan func(g *goal, d dice, t *truth) (filter string, quality, rate int)
}

func simple(name, filter string, quality int) change {
	return change{name, func(*goal, dice, *truth) (string, int, int) { return filter, quality, 0 }}
}

// part cuts seconds from..to out of the master.
func part(g *goal, t *truth, from, to float64) string {
	t.Trim, t.Length = from, min(to, g.seconds)-from
	return fmt.Sprintf("trim=start=%.4f:duration=%.4f,setpts=PTS-STARTPTS", t.Trim, t.Length)
}

const sharpOnBlur = "split[a][b];[a]scale=360:640:force_original_aspect_ratio=increase,crop=360:640,boxblur=12:2[c];[b]scale=360:-2[d];[c][d]overlay=0:(H-h)/2"

var changes = []change{
	simple("starved", "null", 41),
	simple("smaller", "scale=iw*3/4:-2", 30),
	simple("tiny", "scale=426:240", 31),
	simple("letterbox", "scale=iw:ih*0.76,pad=iw:ih/0.76:0:(oh-ih)/2", 29),
	simple("pillarbox", "scale=iw*0.8:ih,pad=iw/0.8:ih:(ow-iw)/2:0", 29),
	simple("brighter", "eq=brightness=0.08:contrast=1.2:saturation=1.4", 29),
	simple("darker", "eq=gamma=0.75:contrast=0.9,hue=s=0", 29),
	simple("mirrored", "hflip", 29),
	simple("sharpened", "unsharp=7:7:1.4", 29),
	simple("halved-rate", "fps=12,fps=24", 29),
	simple("upright-blur", sharpOnBlur, 28),
	{"other-rate", func(g *goal, _ dice, _ *truth) (string, int, int) {
		return "null", 30, map[int]int{24: 25, 25: 30, 30: 24, 50: 25, 60: 25}[g.rate]
	}},
	{"shifted", func(g *goal, _ dice, t *truth) (string, int, int) { return part(g, t, 0.125, g.seconds-0.3), 30, 0 }},
	{"trimmed", func(g *goal, d dice, t *truth) (string, int, int) {
		return part(g, t, d.in(0.5, 2), g.seconds-d.in(0.2, 1)), 30, 0
	}},
	{"part", func(g *goal, d dice, t *truth) (string, int, int) {
		from := d.in(0.1, 0.6)
		return part(g, t, from, from+min(6, g.seconds-0.2)), 30, 0
	}},
	{"cut", func(g *goal, d dice, t *truth) (string, int, int) {
		return part(g, t, d.in(0.05, 1.2), g.seconds), 30, 0
	}},
	{"cut-0.9", func(g *goal, _ dice, t *truth) (string, int, int) { return part(g, t, 0.9, g.seconds), 30, 0 }},
	{"rate-24", rated(24)}, {"rate-25", rated(25)}, {"rate-30", rated(30)}, {"rate-50", rated(50)}, {"rate-60", rated(60)},
	{"cut-rate", func(g *goal, d dice, t *truth) (string, int, int) {
		return part(g, t, d.in(0.05, 1.2), g.seconds), 30, rates[d.IntN(len(rates))]
	}},
	{"cut-pace", func(g *goal, d dice, t *truth) (string, int, int) {
		t.Speed = d.in(0.94, 1.06)
		return fmt.Sprintf("%s,setpts=PTS/%.4f", part(g, t, d.in(0.05, 1.2), g.seconds), t.Speed), 30, rates[d.IntN(len(rates))]
	}},
	{"cropped", func(_ *goal, d dice, _ *truth) (string, int, int) { return crop(d.in(0.03, 0.05)), 30, 0 }},
	{"zoomed", func(_ *goal, d dice, _ *truth) (string, int, int) { return crop(0.06), 30, 0 }},
	{"watermark", func(_ *goal, d dice, _ *truth) (string, int, int) {
		return fmt.Sprintf("drawbox=x=iw*%.2f:y=ih*%.2f:w=iw*0.15:h=ih*0.1:color=0x%x@0.8:t=fill,drawbox=x=iw*0.4:y=ih*0.47:w=iw*0.2:h=ih*0.03:color=white@0.5:t=fill", d.in(0.7, 0.8), d.in(0.05, 0.8), d.colour(30, 230)), 30, 0
	}},
	{"caption", func(_ *goal, d dice, _ *truth) (string, int, int) {
		return fmt.Sprintf("drawbox=x=0:y=ih*0.84:w=iw:h=ih*0.16:color=0x%x:t=fill,drawbox=x=iw*0.2:y=ih*0.89:w=iw*0.6:h=ih*0.05:color=white:t=fill", d.colour(20, 120)), 30, 0
	}},
	{"headline", func(_ *goal, d dice, _ *truth) (string, int, int) {
		return fmt.Sprintf("pad=iw:ih*1.2:0:oh-ih:color=0x%x,drawbox=x=iw*0.1:y=ih*0.05:w=iw*0.7:h=ih*0.06:color=black:t=fill", d.colour(180, 250)), 30, 0
	}},
	{"faster-2", paced(1.02)}, {"faster-5", paced(1.05)}, {"slower-3", paced(0.97)}, {"faster-6", paced(1.06)}, {"slower-6", paced(0.94)},
	{"in-picture", func(g *goal, d dice, _ *truth) (string, int, int) {
		return fmt.Sprintf("scale=iw*0.7:ih*0.7,pad=%d:%d:%d:%d:color=0x%x", g.w, g.h, int(d.in(0.05, 0.25)*float64(g.w)), int(d.in(0.05, 0.25)*float64(g.h)), d.colour(20, 200)), 29, 0
	}},
	{"intro", func(g *goal, _ dice, t *truth) (string, int, int) { return joined(g, t, 2, true, brand), 30, 0 }},
	{"outro", func(g *goal, _ dice, t *truth) (string, int, int) { return joined(g, t, 2.5, false, brand), 30, 0 }},
	{"moving-intro", func(g *goal, _ dice, t *truth) (string, int, int) { return joined(g, t, 3, true, animation), 30, 0 }},
	{"black-intro", func(g *goal, _ dice, t *truth) (string, int, int) { return joined(g, t, 1.2, true, "null"), 30, 0 }},
	{"phone", func(_ *goal, d dice, _ *truth) (string, int, int) {
		return fmt.Sprintf("rotate=%.4f:c=black,%s,noise=alls=9:allf=t:all_seed=7,eq=gamma=1.15", d.in(-0.03, 0.03), crop(0.035)), 31, 0
	}},
	{"mirrored-crop", func(_ *goal, d dice, t *truth) (string, int, int) { return "hflip," + crop(d.in(0.03, 0.04)), 31, 0 }},
	{"everything", func(g *goal, d dice, t *truth) (string, int, int) {
		return part(g, t, 0.63, g.seconds-0.5) + "," + crop(0.03) + ",scale=iw*0.8:-2,drawbox=x=iw*0.75:y=ih*0.1:w=iw*0.2:h=ih*0.08:color=red@0.8:t=fill,eq=contrast=1.1", 34, 0
	}},
}

func crop(side float64) string {
	return fmt.Sprintf("crop=iw*%.4f:ih*%.4f,scale=iw/%.4f:-2", 1-2*side, 1-2*side, 1-2*side)
}

// rates are the pictures a second that uploads have.
var rates = []int{24, 25, 30, 50, 60}

func rated(rate int) func(*goal, dice, *truth) (string, int, int) {
	return func(*goal, dice, *truth) (string, int, int) { return "null", 30, rate }
}

func paced(by float64) func(*goal, dice, *truth) (string, int, int) {
	return func(_ *goal, _ dice, t *truth) (string, int, int) {
		t.Speed = by
		return fmt.Sprintf("setpts=PTS/%g", by), 30, 0
	}
}

// animation is an uploader's moving logo, the same before clips of every goal.
const animation = "rotate=angle=t*1.5:fillcolor=0x304060,drawbox=x=iw*0.45:y=ih*0.1:w=iw*0.1:h=ih*0.3:color=0xe0c020:t=fill,rotate=angle=t*2:fillcolor=0x102030"

// brand is an uploader's card, the same before clips of every goal.
const brand = "drawbox=x=iw*0.2:y=ih*0.3:w=iw*0.6:h=ih*0.3:color=0xd03050:t=fill,drawbox=x=iw*0.3:y=ih*0.4:w=iw*0.4:h=ih*0.08:color=white:t=fill,drawbox=x=0:y=ih*0.8:w=iw:h=ih*0.2:color=0x204080:t=fill"

func joined(g *goal, t *truth, seconds float64, before bool, look string) string {
	card := fmt.Sprintf("color=c=0x181818:s=%dx%d:r=%d:d=%g,%s,setsar=1,format=yuv420p[k];[0:v]setsar=1,format=yuv420p[v];", g.w, g.h, g.rate, seconds, look)
	if before {
		t.Prefix = seconds
		return card + "[k][v]concat=n=2:v=1"
	}
	return card + "[v][k]concat=n=2:v=1"
}

// even makes both sides of a picture even, as encoders want them.
const even = ",scale=trunc(iw/2)*2:trunc(ih/2)*2,setsar=1"

// reupload applies the change to a master.
func (c change) reupload(ctx context.Context, g *goal, dir string) (truth, error) {
	t := truth{File: g.id + "-" + c.name + ".mp4", Kind: "variant", Match: g.match, Goal: g.id, Transform: c.name, Length: g.seconds, Speed: 1,
		Mirror: c.name == "mirrored" || c.name == "mirrored-crop"}
	filter, quality, rate := c.plan(g, roll(g.seed, "change", g.id, c.name), &t)
	rate = cmp.Or(rate, g.rate)
	args := append([]string{"-i", filepath.Join(dir, g.id+"-master.mp4"), "-filter_complex", filter + even + "[o]", "-map", "[o]", "-r", strconv.Itoa(rate), "-crf", strconv.Itoa(quality), "-g", strconv.Itoa(3 * rate)}, encoder...)
	return t, once(filepath.Join(dir, t.File), func(to string) error { return ffmpeg(ctx, append(args, to), nil) })
}
