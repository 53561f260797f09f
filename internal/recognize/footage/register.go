package footage

import (
	"cmp"
	"math"
	"slices"
)

const (
	smallestScale, largestScale = 0.5, 2.0
	scaleStep                   = 1.01
	mostEdges                   = 700 // of a video, the clearest
	minSlope                    = 12  // brightness a pixel
	directions                  = 16
	bin                         = 2  // pixels
	tried                       = 8  // of the best scales and shifts
	probes                      = 60 // windows that a fit is measured by
	goodFit                     = 0.6
)

// edge is a clear edge of what stands in a picture.
type edge struct {
	x, y  float64
	slope float64
	way   int // its direction
}

func edges(stills []still) []edge {
	var out []edge
	for i := range stills {
		s := &stills[i]
		for y := (window - stride) / 2; y < (window+stride)/2; y++ { // the middle of windows, which overlap
			for x := (window - stride) / 2; x < (window+stride)/2; x++ {
				dx, dy := s.slope(x, y)
				if l := math.Hypot(dx, dy); l >= minSlope {
					way := int(math.Round(math.Atan2(dy, dx)/(2*math.Pi)*directions)+directions) % directions
					out = append(out, edge{float64(s.x + x), float64(s.y + y), l, way})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b edge) int { return cmp.Compare(b.slope, a.slope) })
	return out[:min(len(out), mostEdges)]
}

// register finds where in another picture the windows lie: every pair of edges of one direction votes for a shift, at each scale; the best are
// then fitted.
func register(mine, its []still, of Overlay) (best mapping, ok bool) {
	a, b := edges(mine), edges(its)
	if len(a) == 0 || len(b) == 0 {
		return best, false
	}
	var cx, cy float64
	for _, e := range a {
		cx, cy = cx+e.x/float64(len(a)), cy+e.y/float64(len(a))
	}
	mean := of.mean()
	score := 0.0
	for _, m := range vote(a, b, cx, cy, of) {
		m, fit := refine(m, mine, mean)
		if fit > score {
			best, score = m, fit
		}
	}
	return best, score >= goodFit
}

func vote(a, b []edge, cx, cy float64, of Overlay) []mapping {
	type candidate struct {
		mapping
		votes int
	}
	var byWay [directions][]edge
	for _, e := range b {
		for d := -1; d <= 1; d++ {
			way := (e.way + d + directions) % directions
			byWay[way] = append(byWay[way], e)
		}
	}
	// Where the middle of the overlay lies: it may be beyond the picture's edge.
	across, down := (2*of.W)/bin, (2*of.H)/bin
	count := make([]uint16, across*down)
	var all []candidate
	for scale := smallestScale; scale <= largestScale; scale *= scaleStep {
		clear(count)
		top := candidate{}
		for _, e := range a {
			ox, oy := (e.x-cx)*scale, (e.y-cy)*scale
			for _, f := range byWay[e.way] {
				i, j := int(math.Floor((f.x-ox+float64(of.W)/2)/bin)), int(math.Floor((f.y-oy+float64(of.H)/2)/bin))
				if i < 0 || j < 0 || i >= across || j >= down {
					continue
				}
				k := j*across + i
				if count[k]++; int(count[k]) > top.votes {
					x, y := (float64(i)+0.5)*bin-float64(of.W)/2, (float64(j)+0.5)*bin-float64(of.H)/2
					top = candidate{mapping{cx: cx, cy: cy, x: x, y: y, sx: scale, sy: scale}, int(count[k])}
				}
			}
		}
		all = append(all, top)
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.votes, a.votes) })
	var out []mapping
	for _, c := range all {
		near := func(m mapping) bool { return math.Abs(m.sx/c.sx-1) < 0.025 && math.Hypot(m.x-c.x, m.y-c.y) < 6 }
		if c.votes > 0 && len(out) < tried && !slices.ContainsFunc(out, near) {
			out = append(out, c.mapping)
		}
	}
	return out
}

// refine moves and stretches a mapping a little, as long as the windows fit better.
func refine(m mapping, stills []still, mean Picture) (mapping, float64) {
	every := max(1, len(stills)/probes)
	fit := func(m mapping) float64 {
		sum, n := 0.0, 0.0
		for i := 0; i < len(stills); i += every {
			sum += float64(m.correlation(&stills[i], mean, 0, 0))
			n++
		}
		return sum / n
	}
	best := fit(m)
	for shift, stretch := 2.0, 0.01; shift > 0.1; shift, stretch = shift/2, stretch/2 {
		for better := true; better; {
			better = false
			for _, d := range [...][4]float64{{1, 0, 0, 0}, {-1, 0, 0, 0}, {0, 1, 0, 0}, {0, -1, 0, 0}, {0, 0, 1, 1}, {0, 0, -1, -1}, {0, 0, 1, 0}, {0, 0, -1, 0}, {0, 0, 0, 1}, {0, 0, 0, -1}} {
				next := m
				next.x, next.y = m.x+d[0]*shift, m.y+d[1]*shift
				next.sx, next.sy = m.sx*(1+d[2]*stretch), m.sy*(1+d[3]*stretch)
				if f := fit(next); f > best+1e-4 {
					m, best, better = next, f, true
				}
			}
		}
	}
	return m, best
}

// mean is the mean of the frames.
func (o Overlay) mean() Picture {
	out := Picture{W: o.W, H: o.H, Pix: make([]byte, o.W*o.H)}
	for i := range out.Pix {
		sum := 0
		for _, f := range o.Frames {
			sum += int(f.Pix[i])
		}
		out.Pix[i] = byte(sum / len(o.Frames))
	}
	return out
}
