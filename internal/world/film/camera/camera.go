// Package camera draws goals as real cameras film them: fast pans that follow the ball, zooms, jerks, close-ups behind which the
// stadium races past, shaking crowds, cuts and wipes. How far its pictures move between two samples is held against real broadcasts
// by its tests, so that nothing is measured on footage that is kinder than life. What is drawn depends on seed, match and goal only.
package camera

import "math"

// Match is what goals filmed in one stadium share.
type Match struct {
	seed   uint64
	no     int
	ground *ground
}

// NewMatch draws a stadium.
func NewMatch(seed uint64, no int) *Match { return &Match{seed, no, newGround(seed, no)} }

// Film is one goal as it was broadcast.
type Film struct {
	Seconds float64
	g       *ground
	shots   []shot
	minute  int
}

// shot is what one camera shows between two cuts.
type shot struct {
	kind     kind
	from, to float64
	x, y     path // the middle of the picture, in pixels of the ground
	wide     path // how much of the ground it sees, as the logarithm of pixels
	men      []man
	pace     float64 // of time: a replay is slowed down
	flip     bool
}

type kind int

const (
	mainCamera kind = iota
	closeUp
	crowd
	replay
	wipe
)

type man struct {
	x, y   path // of his feet: pixels of the ground, or shares of the picture in a close-up
	tall   float64
	shirt  byte
	stride float64
}

// Goal films a goal of so many seconds. Goals of one match are filmed by the same main camera from the same place. Every third follows
// the way of the match's first one: over the same ground, from the same place, at the same pace
// and zoom, with the same slow swings, but after another ball.
func (m *Match) Goal(no int, seconds float64) *Film {
	d := roll(m.seed, "goal", m.no, no)
	f := &Film{Seconds: seconds, g: m.ground, minute: 1 + d.IntN(88)}
	way := d
	alike := no%3 == 2
	if alike {
		way = roll(m.seed, "goal", m.no, 0)
		way.IntN(88)
	}
	tempo := []float64{0.3, 0.6, 0.95, 1.4}[way.IntN(4)]
	order := [][]kind{{mainCamera, closeUp}, {mainCamera, closeUp, crowd}, {closeUp, mainCamera, closeUp}, {mainCamera, crowd, closeUp}}
	kinds := order[d.IntN(len(order))]
	if seconds > 7.5 {
		kinds = append(append([]kind{}, kinds...), closeUp, wipe, replay)
	}
	if seconds > 12 {
		kinds = append(kinds, closeUp)
	}
	share := func(k kind) float64 {
		return map[kind][2]float64{mainCamera: {3, 5}, closeUp: {1.3, 2.4}, crowd: {0.8, 1.5}, replay: {2, 3.5}, wipe: {0.6, 0.6}}[k][d.IntN(2)]
	}
	var shares []float64
	sum := 0.0
	for _, k := range kinds {
		shares = append(shares, share(k)*d.in(0.85, 1.15))
		sum += shares[len(shares)-1]
	}
	at := 0.0
	for i, k := range kinds {
		to := at + shares[i]/sum*seconds
		s := f.shot(d, way, k, tempo)
		if alike && k == mainCamera {
			own := d.path(0, tempo*0.45*f.g.wide, 3)
			shared := 1 + no/3%2
			copy(s.x.swings[shared:], own.swings[shared:])
			s.y.swings = d.path(0, tempo*0.08*f.g.wide, 2).swings
		}
		s.from, s.to = at, to
		f.shots = append(f.shots, s)
		at = to
	}
	return f
}

func (f *Film) shot(d, way dice, k kind, tempo float64) shot {
	s := shot{kind: k, pace: 1}
	switch k {
	case mainCamera:
		w := f.g.wide * way.in(0.8, 1.1)
		s.x = way.path(way.in(0.3, 0.7)*groundW, tempo*0.45*w, 0.003*w)
		s.y = way.path(f.g.high, tempo*0.08*w, 0.002*w)
		s.wide = way.path(math.Log(w), tempo*0.18, 0.001)
		if d.IntN(3) > 0 { // the shot at goal: the camera is thrown after the ball
			s.x.jerk, s.x.when, s.x.pace = d.way()*d.in(0.3, 0.7)*w, d.in(1.5, 4), d.in(5, 9)
		}
		for range 17 {
			s.men = append(s.men, man{d.path(s.x.at0+d.in(-1, 1)*w, d.in(0.06, 0.3)*w, 2), d.path(d.in(kerb+170, groundH-120), 0.05*w, 2), d.in(66, 80), f.g.shirts[d.IntN(2)], d.in(7, 12)})
		}
	case replay:
		w := f.g.wide * d.in(0.4, 0.65)
		s.pace, s.flip = d.in(0.4, 0.7), d.IntN(2) == 0
		s.x, s.y = d.path(d.in(0.25, 0.75)*groundW, 1.1*tempo*w, 0.006*w), d.path(f.g.high+d.in(-60, 160), 0.3*tempo*w, 0.004*w)
		s.wide = d.path(math.Log(w), tempo*0.3, 0.001)
		for range 9 {
			s.men = append(s.men, man{d.path(s.x.at0+d.in(-0.8, 0.8)*w, d.in(0.1, 0.5)*w, 2), d.path(d.in(kerb+150, groundH-200), 0.05*w, 2), d.in(80, 105), f.g.shirts[d.IntN(2)], d.in(7, 12)})
		}
	case closeUp:
		w := d.in(300, 620)
		speed := max(0.4, tempo) * d.in(0.4, 1.1)
		s.x, s.y = d.path(d.in(0.2, 0.8)*groundW, speed*w, 0.012*w), d.path(d.in(350, 900), 0.35*speed*w, 0.01*w)
		s.wide = d.path(math.Log(w), 0.25, 0.004)
		for i := range 1 + d.IntN(3) {
			s.men = append(s.men, man{d.path(d.in(0.25, 0.75), d.in(0.1, 0.35), 0.008), d.path(d.in(1.0, 1.5), d.in(0.05, 0.15), 0.01), d.in(0.8, 1.5), f.g.shirts[(i+d.IntN(2))%2], d.in(7, 11)})
		}
	case crowd:
		w := d.in(320, 600)
		s.x, s.y = d.path(d.in(0.1, 0.9)*groundW, 0.4*w, 0.015*w), d.path(d.in(150, kerb-120), 0.3*w, 0.02*w)
		s.wide = d.path(math.Log(w), 0.15, 0.004)
		for range 11 { // scarves, arms, whole people
			s.men = append(s.men, man{d.path(d.in(0, 1), 0.15, 0.01), d.path(d.in(0.3, 1.2), 0.5, 0.05), d.in(0.2, 0.6), f.g.shirts[d.IntN(2)], d.in(6, 12)})
		}
	default:
	}
	return s
}

// Draw fills a picture of any size with what the film shows at time t.
func (f *Film) Draw(p *Picture, t float64) {
	n := len(f.shots) - 1
	for n > 0 && f.shots[n].from > t {
		n--
	}
	s := &f.shots[n]
	in := (t - s.from) * s.pace
	w, h := float64(p.W), float64(p.H)
	switch s.kind {
	case wipe:
		f.wipe(p, (t-s.from)/(s.to-s.from))
	case closeUp, crowd:
		p.window(f.g.sizes, s.x.at(in), s.y.at(in), math.Exp(s.wide.at(in)), 2, false)
		for _, m := range s.men {
			p.figure(m.x.at(in)*w, m.y.at(in)*h, m.tall*h, m.shirt, math.Sin(m.stride*in))
		}
	default:
		cx, cy, wide := s.x.at(in), s.y.at(in), math.Exp(s.wide.at(in))
		cx = min(max(cx, wide/2), groundW-wide/2)
		p.window(f.g.sizes, cx, cy, wide, 0, s.flip)
		k := w / wide
		for _, m := range s.men {
			x, y := (m.x.at(in)-cx)*k+w/2, (m.y.at(in)-cy)*k+h/2
			if s.flip {
				x = w - x
			}
			p.figure(x, y, m.tall*k, m.shirt, math.Sin(m.stride*in))
		}
	}
	f.bug(p, t)
}

// figure draws a man whose feet stand at (x, y).
func (p *Picture) figure(x, y, tall float64, shirt byte, stride float64) {
	if x < -tall || x > float64(p.W)+tall || y < 0 || y-tall > float64(p.H) {
		return
	}
	p.disc(x+tall*0.1, y, tall*0.25, tall*0.06+0.5, 45)
	for _, side := range []float64{-1, 1} {
		foot := x + side*stride*tall*0.16
		p.box(foot-tall*0.05, y-tall*0.42, foot+tall*0.06, y, 150)
	}
	p.box(x-tall*0.14, y-tall*0.5, x+tall*0.14, y-tall*0.33, 255-shirt)
	p.box(x-tall*0.16+stride*tall*0.02, y-tall*0.84, x+tall*0.16+stride*tall*0.02, y-tall*0.46, shirt)
	p.disc(x, y-tall*0.92, tall*0.08+0.5, tall*0.1+0.5, 165)
}

// wipe is the league's: the same before every replay of a match.
func (f *Film) wipe(p *Picture, done float64) {
	w, h := float64(p.W), float64(p.H)
	p.box(0, 0, w, h, f.g.wipe[0])
	for y := range p.H {
		edge := done*1.6*w + float64(y)/h*0.3*w
		p.box(edge-0.5*w, float64(y), edge, float64(y+1), f.g.wipe[1])
	}
}

// bug is the box with the score and a running clock.
func (f *Film) bug(p *Picture, t float64) {
	u := float64(p.W) / 320
	p.box(14*u, 9*u, 96*u, 23*u, 32)
	p.box(14*u, 9*u, 18*u, 23*u, f.g.shirts[0])
	p.box(24*u, 12*u, 46*u, 20*u, 235)
	for i, n := range []int{f.minute / 10, f.minute % 10, int(t) / 10 % 6, int(t) % 10} {
		x := (52 + float64(i)*10) * u
		p.box(x, 12*u, x+7*u, 20*u, byte(60+19*n))
	}
}
