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
	waves [8][4]float64
	path  [4]float64
	sines []float64
}

func newScene(seed uint64) scene {
	r := rand.New(rand.NewPCG(seed, 7))
	var s scene
	for i := range s.waves {
		s.waves[i] = [4]float64{r.Float64()*14 - 7, r.Float64()*14 - 7, r.Float64() * 7, 0.4 + r.Float64()}
	}
	for i := range 4096 {
		s.sines = append(s.sines, math.Sin(float64(i)*2*math.Pi/4096))
	}
	s.path = [4]float64{r.Float64()*0.5 + 0.2, r.Float64() * 6, r.Float64()*0.3 + 0.1, r.Float64() * 6}
	return s
}

// at is the light at time t and place x, y (0..1 across the picture).
func (s scene) at(t, x, y float64) float64 {
	x += 0.8*math.Sin(s.path[0]*t+s.path[1]) + 0.1*t
	y += 0.3 * math.Sin(s.path[2]*t+s.path[3])
	v := 0.0
	for _, w := range s.waves {
		v += w[3] * s.sines[int((w[0]*x*2+w[1]*y*2+w[2])*4096/(2*math.Pi))&4095]
	}
	return 128 + 38*v
}

// edit turns a place in the edited picture into a place in the original, or into a fixed brightness.
type edit func(x, y float64) (ox, oy float64, paint float64)

func keep(x, y float64) (float64, float64, float64) { return x, y, -1 }

// film draws seconds [from, to) of a scene, run at a speed, through an edit.
func film(s scene, from, to, speed float64, e edit) footy.Samples {
	out := footy.Samples{Interval: footy.SampleInterval, Duration: (to - from) / speed}
	for i := 0; float64(i)*footy.SampleInterval*speed < to-from; i++ {
		t := from + float64(i)*footy.SampleInterval*speed
		p := make([]byte, width*height)
		for y := range height {
			for x := range width {
				ox, oy, paint := e((float64(x)+.5)/width, (float64(y)+.5)/height)
				if paint < 0 {
					paint = s.at(t, ox, oy)
				}
				p[y*width+x] = byte(max(0, min(255, paint)))
			}
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
