package footage

import "math"

// Picture is the brightness of one frame.
type Picture struct {
	W, H int
	Pix  []byte
}

// Side is the longest side, in pixels, of the pictures that an overlay is made of. The digits of a clock are eight high then.
const Side = 640

// Overlay is what stands still in a video while the picture moves: the score box, a clock, the mark of a station. It is
// found in a few frames of it.
type Overlay struct {
	Known  bool   // false: unknown; too few frames, or a picture that hardly moves
	W, H   int    // of the frames
	Kept   []byte // one bit for each block of the frames that is kept
	Frames []Picture
}

// None reports whether nothing stands still.
func (o Overlay) None() bool { return o.Known && len(o.Frames) == 0 }

const (
	block     = 8    // pixels; JPEG has blocks of the same size, so that what is cut off does not bleed into what is kept
	window    = 12   // pixels: a digit with its surroundings
	stride    = 4    // between windows
	minFrames = 3    // fewer prove nothing
	standing  = 3    // frames in which it stands: a score box is not there during a replay
	alike     = 0.92 // correlation of a window in two frames from which on it stands still, and
	perhaps   = 0.8  // from which on it may: letters without a box before a lively picture
	contrast  = 10   // standard deviation of brightness of a window that shows something
	corner    = 0.1  // share of the weaker direction: lines alone stay where they are while the camera moves along them
	smallest  = 5    // windows side by side; fewer are chance
	around    = 2    // blocks beside a window that are kept, too
	mostKept  = 0.35 // share of the picture; more than that is no overlay
	passing   = 8    // windows side by side that are alike in two frames: something stood for a moment
)

const area = window * window

// patch is a window with mean 0 and length 1.
type patch [area]float32

// still is a window in which something stands.
type still struct {
	x, y  int
	shows patch
	mean  [area]float32 // brightness
}

// Of finds what stands still in the frames of a video. They are all of one size, Side at most.
func Of(frames []Picture) Overlay {
	if len(frames) < minFrames {
		return Overlay{}
	}
	w, h := frames[0].W, frames[0].H
	for _, f := range frames {
		if f.W != w || f.H != h || len(f.Pix) < w*h {
			return Overlay{}
		}
	}
	o := Overlay{Known: true, W: w, H: h, Frames: frames}
	stills := o.stills(perhaps, standing, smallest)
	if len(stills) == 0 {
		return Overlay{Known: len(o.stills(perhaps, 2, passing)) == 0, W: w, H: h}
	}
	o.keep(stills)
	if float64(len(o.places())) > mostKept*float64(o.columns()*o.rows()) {
		return Overlay{W: w, H: h}
	}
	cut := Overlay{Known: true, W: w, H: h, Kept: o.Kept}
	cut, _ = cut.Unpack(o.Packed(), len(frames))
	return cut
}

func (o Overlay) columns() int { return (o.W + block - 1) / block }
func (o Overlay) rows() int    { return (o.H + block - 1) / block }

func (o Overlay) kept(i int) bool { return i>>3 < len(o.Kept) && o.Kept[i>>3]>>(i&7)&1 == 1 }

// keep marks the blocks of windows and those around them: a digit may have been another a moment before, and what is a corner in one
// copy is a line in another.
func (o *Overlay) keep(stills []still) {
	o.Kept = make([]byte, (o.columns()*o.rows()+7)/8)
	for _, s := range stills {
		for y := max(0, s.y/block-around); y <= min(o.rows()-1, (s.y+window-1)/block+around); y++ {
			for x := max(0, s.x/block-around); x <= min(o.columns()-1, (s.x+window-1)/block+around); x++ {
				i := y*o.columns() + x
				o.Kept[i>>3] |= 1 << (i & 7)
			}
		}
	}
}

// whole reports whether the window at a place is kept; before anything was cut, all are.
func (o Overlay) whole(x, y int) bool {
	if x < 0 || y < 0 || x+window > o.W || y+window > o.H {
		return false
	}
	if o.Kept == nil {
		return true
	}
	for by := y / block; by <= (y+window-1)/block; by++ {
		for bx := x / block; bx <= (x+window-1)/block; bx++ {
			if !o.kept(by*o.columns() + bx) {
				return false
			}
		}
	}
	return true
}

// stills finds the windows that are alike in so many frames, where enough of them lie side by side.
func (o Overlay) stills(like float32, frames, least int) (out []still) {
	across, down := (o.W-window)/stride+1, (o.H-window)/stride+1
	if across <= 0 || down <= 0 {
		return nil
	}
	found := make([]*still, across*down)
	patches := make([]patch, len(o.Frames))
	telling := make([]bool, len(o.Frames))
	for i := range found {
		x, y := i%across*stride, i/across*stride
		if !o.whole(x, y) {
			continue
		}
		for k, f := range o.Frames {
			telling[k] = f.patch(x, y, &patches[k])
		}
		if ref, n := mostAlike(patches, telling, like); n >= frames {
			if s := o.still(x, y, patches, telling, ref, like); s.corner() {
				found[i] = &s
			}
		}
	}
	for _, group := range groups(found, across, least) {
		for _, i := range group {
			out = append(out, *found[i])
		}
	}
	return out
}

// mostAlike finds the frame that most others are like, and how many they are with it.
func mostAlike(patches []patch, telling []bool, enough float32) (ref, n int) {
	like := make([]int, len(patches))
	for i := range patches {
		if telling[i] {
			like[i]++
		}
		for k := range i {
			if telling[i] && telling[k] && patches[i].times(&patches[k]) >= enough {
				like[i]++
				like[k]++
			}
		}
	}
	for i, l := range like {
		if l > n {
			ref, n = i, l
		}
	}
	return ref, n
}

// still is what the frames like one have in common.
func (o Overlay) still(x, y int, patches []patch, telling []bool, ref int, like float32) still {
	s := still{x: x, y: y}
	n := float32(0)
	for k := range patches {
		if !telling[k] || k != ref && patches[ref].times(&patches[k]) < like {
			continue
		}
		n++
		for j := range area {
			s.mean[j] += float32(o.Frames[k].Pix[(y+j/window)*o.W+x+j%window])
		}
	}
	for j := range s.mean {
		s.mean[j] /= n
	}
	s.shows.set(&s.mean)
	return s
}

// corner reports whether a window shows more than lines of one direction.
func (s *still) corner() bool {
	var xx, yy, xy float64
	for y := 1; y < window-1; y++ {
		for x := 1; x < window-1; x++ {
			dx, dy := s.slope(x, y)
			xx, yy, xy = xx+dx*dx, yy+dy*dy, xy+dx*dy
		}
	}
	d := math.Hypot(xx-yy, 2*xy)
	return xx+yy-d > corner*(xx+yy+d)
}

func (s *still) slope(x, y int) (dx, dy float64) {
	i := y*window + x
	return float64(s.mean[i+1]-s.mean[i-1]) / 2, float64(s.mean[i+window]-s.mean[i-window]) / 2
}

// patch cuts a window out; false where it shows nothing.
func (f Picture) patch(x, y int, out *patch) bool {
	var raw [area]float32
	for j := range window {
		for i, v := range f.Pix[(y+j)*f.W+x:][:window] {
			raw[j*window+i] = float32(v)
		}
	}
	return out.set(&raw)
}

// set takes mean and length out of a window's brightness.
func (p *patch) set(raw *[area]float32) bool {
	var sum, square float32
	for _, v := range raw {
		sum += v
	}
	mean := sum / area
	for j, v := range raw {
		p[j] = v - mean
		square += p[j] * p[j]
	}
	if square < contrast*contrast*area {
		return false
	}
	scale := float32(1 / math.Sqrt(float64(square)))
	for j := range p {
		p[j] *= scale
	}
	return true
}

// times is the correlation of two patches.
func (p *patch) times(q *patch) float32 {
	var sum float32
	for j := range p {
		sum += p[j] * q[j]
	}
	return sum
}

// groups are the windows that lie side by side, at least so many.
func groups(found []*still, across, least int) (out [][]int) {
	seen := make([]bool, len(found))
	for first := range found {
		if found[first] == nil || seen[first] {
			continue
		}
		group := []int{first}
		seen[first] = true
		for k := 0; k < len(group); k++ {
			x, y := group[k]%across, group[k]/across
			for ny := max(0, y-1); ny <= y+1; ny++ {
				for nx := max(0, x-1); nx <= min(across-1, x+1); nx++ {
					i := ny*across + nx
					if i >= len(found) || found[i] == nil || seen[i] {
						continue
					}
					seen[i] = true
					group = append(group, i)
				}
			}
		}
		if len(group) >= least {
			out = append(out, group)
		}
	}
	return out
}
