package draw

import "math"

// play is one goal as it was filmed: where the players ran, where the camera looked, how it was cut.
type play struct {
	g       *ground
	tv      *graphics
	cam     wave
	camY    float64
	zoom    float64
	replay  float64
	mirror  bool
	players []runner
	ball    [2]wave
	cuts    []cut
}

type runner struct {
	x, y  wave
	shirt rgb
	pace  float64
}

type cut struct {
	kind     string
	from, to float64
	seed     int
}

func newPlay(g *ground, match int, goal string, camera int, seconds float64) (*play, error) {
	tv, err := newGraphics(match)
	if err != nil {
		return nil, err
	}
	c := newChance("play", match, goal) // the players ran one way, whoever films them
	dir := 1.0
	if c.IntN(2) == 0 {
		dir = -1
	}
	start := c.between(150, 950)
	if dir < 0 {
		start = c.between(450, 1250)
	}
	p := &play{g: g, tv: tv}
	for range 14 {
		p.players = append(p.players, runner{
			x: c.wave(start+c.between(-250, 1000), dir*c.between(20, 120), c.between(40, 140)),
			y: c.wave(c.between(float64(g.horizon)+110, panoH-120), 0, c.between(10, 60)), shirt: g.shirts[c.IntN(2)], pace: c.between(7, 12)})
	}
	p.ball = [2]wave{c.wave(start+450, dir*c.between(60, 150), 160), c.wave(c.between(560, 800), 0, 80)}
	v := newChance("camera", match, goal, camera)
	p.cam = v.wave(start+v.between(-120, 220), dir*v.between(50, 130), v.between(60, 170))
	p.camY, p.zoom, p.replay = v.between(120, 420), v.between(760, 1240), v.between(420, 620)
	p.mirror = v.IntN(2) == 0
	p.cut(v, seconds)
	return p, nil
}

// cut lays the shots out: never two films alike, always one wipe before a replay.
func (p *play) cut(c chance, seconds float64) {
	orders := [][]string{
		{"wide", "close", "crowd", "wipe", "replay"}, {"wide", "crowd", "close", "wipe", "replay"}, {"close", "wide", "close", "wipe", "replay"},
		{"wide", "close", "wipe", "replay", "close"}, {"wide", "wipe", "replay", "crowd", "close"}}
	order := orders[c.IntN(len(orders))]
	share := map[string]float64{"wide": c.between(2.2, 3.2), "close": c.between(1, 1.7), "crowd": c.between(0.8, 1.2), "replay": c.between(1.5, 2.2), "wipe": 0.5}
	total := 0.0
	for _, k := range order {
		total += share[k]
	}
	at := 0.0
	for i, k := range order {
		d := share[k] / total * seconds
		p.cuts = append(p.cuts, cut{k, at, at + d, c.IntN(1 << 30)})
		_ = i
		at += d
	}
}

func (p *play) frame(c *canvas, t float64) {
	shot := p.cuts[len(p.cuts)-1]
	for _, k := range p.cuts {
		if t < k.to {
			shot = k
			break
		}
	}
	in := t - shot.from
	switch shot.kind {
	case "wide":
		p.wide(c, p.cam.at(t), p.camY, p.zoom, t, false)
	case "replay":
		at := 0.6 + in*0.5
		p.wide(c, p.cam.at(at)+p.ball[0].amp1, p.camY+170, p.replay, at, p.mirror)
	case "close":
		p.close(c, in, shot.seed)
	case "crowd":
		p.cheer(c, in, shot.seed)
	default:
		p.sting(c, in/(shot.to-shot.from))
	}
}

func (p *play) wide(c *canvas, x, y, w, t float64, flip bool) {
	x = min(max(x, 0), panoW-w)
	y = min(y, panoH-w*float64(c.h)/float64(c.w))
	c.view(p.g.pano, x, y, w, flip)
	k := float64(c.w) / w
	put := func(px float64) float64 {
		if flip {
			return float64(c.w) - (px-x)*k
		}
		return (px - x) * k
	}
	for _, r := range p.players {
		c.figure(put(r.x.at(t)), (r.y.at(t)-y)*k, 62*k, r.shirt, math.Sin(r.pace*t))
	}
	c.ellipse(put(p.ball[0].at(t)), (p.ball[1].at(t)-y)*k, 6*k+1, 6*k+1, rgb{245, 245, 245})
}

// figure draws a player standing at (x, y), tall pixels high, his legs at the given swing.
func (c *canvas) figure(x, y, tall float64, shirt rgb, swing float64) {
	if x < -tall || x > float64(c.w)+tall || y < 0 || y-tall > float64(c.h) {
		return
	}
	skin, dark := rgb{196, 150, 120}, rgb{24, 26, 40}
	c.ellipse(x, y, tall*0.3, tall*0.06, rgb{30, 60, 26}) // his shadow
	for _, s := range []float64{-1, 1} {
		foot := x + s*tall*0.12*swing
		c.rect(int(foot-tall*0.05), int(y-tall*0.35), int(foot+tall*0.05)+1, int(y), skin)
	}
	c.rect(int(x-tall*0.13), int(y-tall*0.46), int(x+tall*0.13)+1, int(y-tall*0.28), dark)
	c.rect(int(x-tall*0.16), int(y-tall*0.84), int(x+tall*0.16)+1, int(y-tall*0.44), shirt)
	c.ellipse(x, y-tall*0.92, tall*0.09, tall*0.1, skin)
}

func (p *play) close(c *canvas, t float64, seed int) {
	r := newChance("close", seed)
	w := r.between(260, 420)
	c.view(p.g.pano, min(max(r.wave(r.between(100, 1900), r.between(-60, 60), 60).at(t), 0), panoW-w), r.wave(r.between(60, 700), 0, 20).at(t), w, false)
	c.blur(8)
	for i := range 1 + r.IntN(3) {
		tall := r.between(330, 560)
		x := r.wave(r.between(120, 520), r.between(-70, 70), 40).at(t)
		y := r.wave(r.between(360, 560), 0, 22).at(t)
		shirt := p.g.shirts[seed&1]
		if i == 2 {
			shirt = p.g.shirts[1-seed&1]
		}
		c.figure(x, y, tall, shirt, math.Sin(8*t+float64(i)))
	}
}

func (p *play) cheer(c *canvas, t float64, seed int) {
	r := newChance("crowd", seed)
	w := r.between(240, 380)
	x, y := r.between(0, panoW-w), r.between(0, float64(p.g.horizon)-w/2)
	c.view(p.g.pano, min(max(x+r.between(-60, 60)*t, 0), panoW-w), max(y+6*math.Sin(7*t), 0), w, false)
	for range 7 { // scarves
		sx, sy, ph := r.between(0, 640), r.between(40, 330), r.between(0, 6)
		up := 26 * math.Sin(6*t+ph)
		c.rect(int(sx), int(sy+up), int(sx+r.between(40, 120)), int(sy+up+r.between(14, 30)), p.g.shirts[r.IntN(2)])
	}
}

// sting is the league's replay wipe, the same for every goal of the match.
func (p *play) sting(c *canvas, at float64) {
	c.rect(0, 0, c.w, c.h, p.g.wipe[0])
	edge := int(at * 1.4 * float64(c.w))
	for y := range c.h {
		c.rect(edge-260+y/2, y, edge+y/2, y+1, p.g.wipe[1])
	}
	c.text(200, 150, 8, "REPLAY", rgb{240, 240, 240})
}
