package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strconv"

	"github.com/found-footy/found-footy/internal/world/film/camera"
)

// goal is one goal as it was broadcast: where the players ran, what the camera saw, how it was cut.
type goal struct {
	id         string
	match, no  int
	w, h, rate int
	seconds    float64
	seed       uint64
	s          *stadium
	men        []man
	ball       [2]path
	camera     path
	high, zoom float64
	shots      []shot
	minute     int
	film       *camera.Film // set: this is what the camera saw
}

type man struct {
	x, y  path
	shirt int
	pace  float64
}

type shot struct {
	kind     string
	from, to float64
}

// newGoal plans a goal. In the last goal of a match the play goes the way of the first: the same camera pans over the same
// ground at the same pace and height, and only follows another ball.
func newGoal(seed uint64, match, no int, s *stadium) *goal {
	d := roll(seed, "goal", match, no)
	g := &goal{id: fmt.Sprintf("match%d-goal%d", match, no), match: match, no: no, seed: seed, s: s, minute: 3 + d.IntN(85)}
	form := formats[(match*goalsPerMatch+no)%len(formats)]
	g.w, g.h, g.rate, g.seconds = form.w, form.h, form.rate, form.seconds
	cam := d
	if no == goalsPerMatch-1 {
		cam = roll(seed, "goal", match, 0)
		cam.Float64()
	}
	way := 1.0
	if cam.IntN(2) == 0 {
		way = -1
	}
	start := cam.in(100, 700)
	if way < 0 {
		start = cam.in(600, 1250)
	}
	pace := cam.in(30, 70)
	g.high, g.zoom = cam.in(250, 330), cam.in(850, 1080)
	g.camera = d.path(start, way*pace, d.in(50, 140))
	for range 15 {
		g.men = append(g.men, man{d.path(start+d.in(-200, 1000), way*d.in(10, 65), d.in(30, 130)), d.path(d.in(kerb+130, wideH-90), 0, d.in(10, 60)), d.IntN(2), d.in(7, 11)})
	}
	g.ball = [2]path{d.path(start+450, way*d.in(30, 70), 190), d.path(d.in(550, 800), 0, 90)}
	g.cut(d)
	return g
}

func (g *goal) cut(d dice) {
	order := []string{"wide", "close", "stand", "sting", "replay", "sting", "end"}
	share := []float64{d.in(6, 8), d.in(1.5, 2.2), d.in(0.8, 1.2), 0.8, d.in(2.5, 4), 0.8, d.in(0.8, 1.4)}
	if g.seconds < 10 {
		order, share = order[:2], share[:2]
	}
	sum, at := 0.0, 0.0
	for _, v := range share {
		sum += v
	}
	for i, k := range order {
		to := at + share[i]/sum*g.seconds
		g.shots = append(g.shots, shot{k, at, to})
		at = to
	}
}

func (g *goal) frame(p *picture, t float64) {
	if g.film != nil {
		grey := camera.NewPicture(p.w, p.h)
		g.film.Draw(grey, t)
		for i, v := range grey.Pix {
			p.pix[3*i], p.pix[3*i+1], p.pix[3*i+2] = v, v, v
		}
		return
	}
	k := len(g.shots) - 1
	for k > 0 && g.shots[k].from > t {
		k--
	}
	in := t - g.shots[k].from
	live := g.shots[0].to
	switch g.shots[k].kind {
	case "wide":
		g.pitch(p, t, g.zoom, g.camera.at(t), g.high, false)
	case "replay":
		g.pitch(p, live-2+in*0.5, 560, g.camera.at(live-2+in*0.5)+230, 480, true)
	case "end":
		g.pitch(p, 30+in*0.3, 1400, 450+10*in, 210, false)
	case "close":
		g.near(p, in, roll(g.seed, "near", g.id, k))
	case "stand":
		d := roll(g.seed, "stand", g.id, k)
		w := d.in(260, 420)
		p.window(g.s.wide, d.in(0, wideW-w)+d.in(-60, 60)*in, d.in(10, kerb-w/2)+7*math.Sin(7*in), w, false)
		for range 8 {
			x, y, up := d.in(0, float64(p.w)), d.in(0.1, 0.9)*float64(p.h), float64(p.h)*0.06*math.Sin(6*in+d.in(0, 6))
			p.box(int(x), int(y+up), int(x)+p.w/9, int(y+up)+p.h/16, g.s.shirts[d.IntN(2)])
		}
	default:
		p.box(0, 0, p.w, p.h, g.s.sting[0])
		edge := int(in / 0.6 * 1.4 * float64(p.w))
		for y := range p.h {
			p.box(edge-p.w/3+y/2, y, edge+y/2, y+1, g.s.sting[1])
		}
	}
	g.score(p, t)
}

func (g *goal) pitch(p *picture, t, width, x, y float64, flip bool) {
	x = min(max(x, 0), wideW-width)
	y = min(y, wideH-width*float64(p.h)/float64(p.w))
	p.window(g.s.wide, x, y, width, flip)
	k := float64(p.w) / width
	across := func(v float64) float64 {
		if flip {
			return float64(p.w) - (v-x)*k
		}
		return (v - x) * k
	}
	for _, m := range g.men {
		depth := 0.6 + (m.y.at(t)-kerb)/(wideH-kerb)
		g.figure(p, across(m.x.at(t)), (m.y.at(t)-y)*k, 48*depth*k, m.shirt, math.Sin(m.pace*t))
	}
	p.disc(across(g.ball[0].at(t)), (g.ball[1].at(t)-y)*k, 5*k+1, 5*k+1, [3]byte{246, 246, 246})
}

// figure draws a man whose feet stand at (x, y).
func (g *goal) figure(p *picture, x, y, tall float64, shirt int, stride float64) {
	if x < -tall || x > float64(p.w)+tall || y < 0 || y-tall > float64(p.h) {
		return
	}
	p.disc(x+tall*0.1, y, tall*0.28, tall*0.06+1, [3]byte{26, 52, 22})
	for _, s := range []float64{-1, 1} {
		foot := x + s*stride*tall*0.13
		p.box(int(foot-tall*0.05), int(y-tall*0.4), int(foot+tall*0.06), int(y), [3]byte{188, 146, 118})
	}
	p.box(int(x-tall*0.15), int(y-tall*0.82), int(x+tall*0.15)+1, int(y-tall*0.36), g.s.shirts[shirt])
	p.disc(x, y-tall*0.9, tall*0.09+1, tall*0.1+1, [3]byte{198, 156, 126})
}

func (g *goal) near(p *picture, t float64, d dice) {
	w := d.in(160, 300)
	p.window(g.s.wide, d.path(d.in(100, 1900), d.in(-70, 70), 40).at(t), d.path(d.in(80, 650), 0, 15).at(t), w, false)
	for i := range 1 + d.IntN(3) {
		tall := d.in(0.8, 1.5) * float64(p.h)
		x, y := d.path(d.in(0.2, 0.8)*float64(p.w), d.in(-0.1, 0.1)*float64(p.w), 0.06*float64(p.w)), d.path(float64(p.h)*d.in(1, 1.4), 0, 0.05*float64(p.h))
		g.figure(p, x.at(t), y.at(t), tall, (i+d.IntN(2))%2, math.Sin(8*t))
	}
}

// score is the box with goals and a running clock; it is part of nearly every broadcast picture.
func (g *goal) score(p *picture, t float64) {
	u := max(1, p.h/180)
	p.box(14*u, 9*u, 96*u, 21*u, [3]byte{18, 24, 48})
	p.box(14*u, 9*u, 17*u, 21*u, g.s.shirts[0])
	sec := g.minute*60 + int(t)
	for i, n := range []int{g.no, 1, -1, sec / 600 % 10, sec / 60 % 10, sec / 10 % 6, sec % 10} {
		if n >= 0 {
			p.digit((22+i*10)*u, 11*u, u, n, [3]byte{240, 240, 240})
		}
	}
}

var encoder = []string{"-c:v", "libx264", "-preset", "superfast", "-pix_fmt", "yuv420p", "-an", "-threads", "1", "-map_metadata", "-1",
	"-fflags", "+bitexact", "-flags:v", "+bitexact", "-movflags", "+faststart", "-f", "mp4"}

// encode draws a goal frame by frame into an encoder.
func (g *goal) encode(ctx context.Context, path string) error {
	args := append([]string{"-f", "rawvideo", "-pix_fmt", "rgb24", "-s", fmt.Sprintf("%dx%d", g.w, g.h), "-r", strconv.Itoa(g.rate), "-i", "-", "-crf", "26", "-g", strconv.Itoa(3 * g.rate)}, encoder...)
	return ffmpeg(ctx, append(args, path), func(w io.Writer) error {
		p := newPicture(g.w, g.h)
		noise := roll(g.seed, "grain", g.id).Uint64()
		for n := range int(g.seconds * float64(g.rate)) {
			g.frame(p, float64(n)/float64(g.rate))
			for i := range p.pix {
				if i%3 == 0 {
					noise = noise*6364136223846793005 + 1442695040888963407
				}
				p.pix[i] = byte(min(max(int(p.pix[i])+int(noise>>61)-3, 0), 255))
			}
			if _, err := w.Write(p.pix); err != nil {
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
