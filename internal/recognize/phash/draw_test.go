package phash_test

import (
	"math"
	"math/rand/v2"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

const (
	width  = footy.SampleWidth
	height = footy.SampleHeight
)

// scene is a moving picture that exists only as a formula: smooth light over a plane, seen by a wandering camera.
type scene struct {
	waves [8][4]float64 // steps of the table across, down and at the start; strength
	path  [4]float64
}

var sines = func() (table [4096]float64) {
	for i := range table {
		table[i] = math.Sin(float64(i) * 2 * math.Pi / 4096)
	}
	return table
}()

func newScene(seed uint64) *scene {
	r := rand.New(rand.NewPCG(seed, 7))
	s := new(scene)
	const step = 4096 / (2 * math.Pi)
	for i := range s.waves {
		s.waves[i] = [4]float64{(r.Float64()*14 - 7) * 2 * step, (r.Float64()*14 - 7) * 2 * step, r.Float64() * 7 * step, 0.4 + r.Float64()}
	}
	s.path = [4]float64{r.Float64()*0.5 + 0.2, r.Float64() * 6, r.Float64()*0.3 + 0.1, r.Float64() * 6}
	return s
}

// camera is where it stands at time t.
func (s *scene) camera(t float64) (x, y float64) {
	return 0.8*math.Sin(s.path[0]*t+s.path[1]) + 0.1*t, 0.3 * math.Sin(s.path[2]*t+s.path[3])
}

// light is that of a place of the plane.
func (s *scene) light(x, y float64) float64 {
	v := 0.0
	for i := range s.waves {
		w := &s.waves[i]
		v += w[3] * sines[int(w[0]*x+w[1]*y+w[2])&4095]
	}
	return 128 + 38*v
}

// edit turns a place in the edited picture into a place in the original, or into a fixed brightness.
type edit func(x, y float64) (ox, oy float64, paint float64)

func keep(x, y float64) (float64, float64, float64) { return x, y, -1 }

// film draws seconds [from, to) of a scene, run at a speed, through an edit.
func film(s *scene, from, to, speed float64, e edit) footy.Samples {
	out := footy.Samples{Interval: footy.SampleInterval, Duration: (to - from) / speed}
	var places [width * height][3]float64
	for i := range places {
		places[i][0], places[i][1], places[i][2] = e((float64(i%width)+.5)/width, (float64(i/width)+.5)/height)
	}
	for i := 0; float64(i)*footy.SampleInterval*speed < to-from; i++ {
		dx, dy := s.camera(from + float64(i)*footy.SampleInterval*speed)
		p := make([]byte, width*height)
		for k, place := range places {
			paint := place[2]
			if paint < 0 {
				paint = s.light(place[0]+dx, place[1]+dy)
			}
			p[k] = byte(max(0, min(255, paint)))
		}
		out.Pix = append(out.Pix, p)
	}
	return out
}

// card is a still picture: a title before or after the footage.
func card(seconds float64) footy.Samples {
	still := film(newScene(99), 3, 3.1, 1, keep)
	out := footy.Samples{Interval: footy.SampleInterval, Duration: seconds}
	for range int(seconds / footy.SampleInterval) {
		out.Pix = append(out.Pix, still.Pix[0])
	}
	return out
}

func join(parts ...footy.Samples) footy.Samples {
	out := footy.Samples{Interval: footy.SampleInterval}
	for _, p := range parts {
		out.Pix = append(out.Pix, p.Pix...)
		out.Duration += p.Duration
	}
	return out
}

func tone(s footy.Samples, f func(v float64) float64) footy.Samples {
	out := s
	out.Pix = nil
	for _, p := range s.Pix {
		q := make([]byte, len(p))
		for i, v := range p {
			q[i] = byte(max(0, min(255, f(float64(v)))))
		}
		out.Pix = append(out.Pix, q)
	}
	return out
}

func build(s footy.Samples) footy.Fingerprint { return phash.Build(s) }
