package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// clip is one clip to draw and what is true of it.
type clip struct {
	File    string  `json:"file"`
	Kind    string  `json:"kind"` // "clock", or what it shows in place of one
	Lines   int     `json:"lines"`
	Rate    int     `json:"rate"`
	CRF     int     `json:"crf"`
	Seconds float64 `json:"seconds"`
	Start   float64 `json:"start"`  // what the clock says at the first frame
	From    float64 `json:"from"`   // when the graphic appears
	Digits  float64 `json:"digits"` // height in lines
	Font    string  `json:"font"`
	no      int
	seed    uint64
	face    typeface.Face
}

// decoys are what is no valid clock.
func decoys() []string {
	return []string{"time of day", "time of day with seconds", "board", "standing clock", "stoppage timer", "countdown", "countdown in tenths", "no clock", "shot clock", "mirrored clock"}
}

// plan chooses what n clips with a clock and m without show.
func plan(seed uint64, faces []typeface.Face, n, m int) []clip {
	var out []clip
	byFamily := map[string][]typeface.Face{}
	var families []string
	for _, f := range faces {
		if byFamily[f.Family] == nil {
			families = append(families, f.Family)
		}
		byFamily[f.Family] = append(byFamily[f.Family], f)
	}
	for i := range n + m {
		d := roll(seed, "clip", i)
		k := clip{no: i, seed: seed, Kind: "clock"}
		if i >= n {
			k.Kind = decoys()[(i-n)%len(decoys())]
		}
		k.Lines = []int{360, 360, 360, 480, 480, 720, 720, 720, 720, 1080}[d.IntN(10)]
		k.Rate = []int{25, 25, 25, 25, 25, 30, 30, 30, 50, 60}[d.IntN(10)]
		k.CRF = 23 + d.IntN(10)
		k.Seconds = d.in(6, 11)
		k.Start = d.in(0, 95*60)
		if d.IntN(5) == 0 {
			k.From = d.in(0.3, 2)
			k.Seconds += k.From
		}
		k.Digits = float64(k.Lines) * d.in(0.021, 0.036)
		some := byFamily[families[i%len(families)]]
		k.face = some[d.IntN(len(some))]
		k.Font = k.face.File
		k.File = fmt.Sprintf("%03d-%s.mp4", i, strings.ReplaceAll(k.Kind, " ", "-"))
		out = append(out, k)
	}
	return out
}

// graphic draws up the score bug of a clip.
func (k clip) graphic() (*graphic, error) {
	d := roll(k.seed, "graphic", k.no)
	set, err := k.face.Set(k.Digits * finer)
	if err != nil {
		return nil, err
	}
	names := set
	if d.IntN(3) == 0 {
		if names, err = k.face.Set(k.Digits * finer * d.in(0.8, 1.3)); err != nil {
			return nil, err
		}
	}
	sp := typeface.Spacing{Even: d.IntN(5) > 0, Loose: d.in(-0.01, 0.1)}
	ground, ink := byte(d.in(5, 90)), byte(d.in(190, 255))
	other, otherInk := byte(d.in(5, 90)), byte(d.in(190, 255))
	if d.IntN(3) == 0 {
		ground, ink = byte(d.in(190, 250)), byte(d.in(0, 60))
	}
	if d.IntN(2) == 0 {
		other, otherInk = byte(d.in(190, 250)), byte(d.in(0, 60))
	}
	g := &graphic{alpha: 1, u: byte(d.in(90, 166)), v: byte(d.in(90, 166)), from: k.From}
	if d.IntN(3) == 0 {
		g.alpha = d.in(0.82, 0.97)
	}
	g.x, g.y = float64(k.Lines)*d.in(0.05, 0.2), float64(k.Lines)*d.in(0.05, 0.12)
	switch d.IntN(5) {
	case 0:
		g.x = float64(k.Lines) * d.in(0.7, 1.0)
	case 1:
		g.y = float64(k.Lines) * d.in(0.8, 0.86)
	}
	text := func(says func(float64) string) piece {
		return piece{says: says, set: set, sp: sp, ink: ink, ground: ground}
	}
	team := func(s string) piece {
		return piece{says: fixed(s), set: names, sp: typeface.Spacing{Loose: sp.Loose}, ink: otherInk, ground: other}
	}
	gap := []float64{0, 0, float64(finer) * 2, set.Height * 0.3}[d.IntN(4)]
	score := fmt.Sprintf("%s %d-%d %s", teamName(d), d.IntN(5), d.IntN(5), teamName(d))
	if d.IntN(3) == 0 {
		score = fmt.Sprintf("%s %d   %d %s", teamName(d), d.IntN(5), d.IntN(5), teamName(d))
	}
	with := func(p piece) {
		switch d.IntN(6) {
		case 0, 1:
			g.put(p, false, 0)
			g.put(team(score), false, gap)
		case 2, 3:
			g.put(team(score), false, 0)
			g.put(p, false, gap)
		case 4:
			g.put(team(score), false, 0)
			g.put(p, true, gap)
		default:
			g.put(p, false, 0)
		}
	}
	k.pieces(d, g, with, text, team)
	return g, nil
}

// pieces says what stands in the graphic.
func (k clip) pieces(d dice, g *graphic, with func(piece), text func(func(float64) string) piece, team func(string) piece) {
	score := fmt.Sprintf("%s %d-%d %s", teamName(d), d.IntN(5), d.IntN(5), teamName(d))
	small := func(says func(float64) string) piece {
		p := text(says)
		if s, err := k.face.Set(p.set.Height * d.in(0.65, 1)); err == nil {
			p.set = s
		}
		return p
	}
	switch k.Kind {
	case "clock", "mirrored clock":
		with(text(running(k.Start, d.IntN(6) == 0)))
		if k.Kind == "clock" && d.IntN(8) == 0 && k.Start > 45*60 {
			g.put(small(fixed(fmt.Sprintf("+%d", 1+d.IntN(9)))), false, 0)
		}
	case "time of day":
		with(text(fixed(fmt.Sprintf("%02d:%02d", d.IntN(24), d.IntN(60)))))
	case "time of day with seconds":
		h, short := d.IntN(24), d.IntN(2) == 0
		with(text(func(t float64) string {
			s := int(k.Start+t) % 3600
			if short {
				return fmt.Sprintf("%d:%02d:%02d", h, s/60, s%60)
			}
			return fmt.Sprintf("%02d:%02d:%02d", h, s/60, s%60)
		}))
	case "board":
		with(text(fixed([]string{"8888", "88:88", "+5", "2 0"}[d.IntN(4)])))
	case "standing clock":
		with(text(fixed([]string{"45:00", "90:00", "67:12", "00:00"}[d.IntN(4)])))
	case "stoppage timer":
		with(text(fixed([]string{"45:00", "90:00", "90:00", "105:00", "45:00"}[d.IntN(5)])))
		sign, start := []string{"+", "", "+"}[d.IntN(3)], d.in(0, 420)
		g.put(small(func(t float64) string {
			return sign + clockText(int(start+t), sign == "+" && k.no%2 == 0 || k.no%3 == 0)
		}), k.no%4 == 0, 0)
	case "countdown":
		start := d.in(30, 1200)
		with(text(func(t float64) string { return clockText(int(start-t), k.no%2 == 0) }))
	case "countdown in tenths":
		start := d.in(20, 58)
		with(text(func(t float64) string { return fmt.Sprintf("%.1f", start-t) }))
	case "shot clock":
		start := d.in(18, 24)
		g.put(team(score), false, 0)
		g.put(text(func(t float64) string { return fmt.Sprintf("%d", int(start-t)) }), false, 0)
	default:
		g.put(team(score), false, 0)
	}
}

// film draws the clip into an encoder.
func (k clip) film(ctx context.Context, to string) error {
	w := k.Lines * 16 / 9 / 2 * 2
	d := roll(k.seed, "footage", k.no)
	f := newFootage(w, k.Lines, k.Seconds, d)
	g, err := k.graphic()
	if err != nil {
		return err
	}
	rate := k.Rate
	each := 1
	if rate >= 50 && d.IntN(2) == 0 {
		each = 2 // frames doubled by a converter
	}
	args := []string{"-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", fmt.Sprintf("%dx%d", w, k.Lines), "-r", fmt.Sprint(rate), "-i", "-"}
	if k.Kind == "mirrored clock" {
		args = append(args, "-vf", "hflip")
	}
	args = append(args, "-c:v", "libx264", "-preset", "superfast", "-threads", "1", "-crf", fmt.Sprint(k.CRF), "-g", fmt.Sprint(rate*(1+d.IntN(4))), "-pix_fmt", "yuv420p", "-f", "mp4", to)
	cmd := exec.CommandContext(ctx, "ffmpeg", args...)
	said := &strings.Builder{}
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	p := newPicture(w, k.Lines)
	var fed error
	for n := 0; n < int(k.Seconds*float64(rate)) && fed == nil; n++ {
		if n%each == 0 {
			t := float64(n) / float64(rate)
			f.frame(p, t)
			g.lay(p, t)
		}
		for _, b := range p.bytes() {
			if _, fed = in.Write(b); fed != nil {
				break
			}
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, said)
	}
	return fed
}
