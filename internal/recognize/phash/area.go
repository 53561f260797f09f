package phash

import (
	"math"

	"github.com/found-footy/found-footy/internal/footy"
)

const (
	width  = footy.SampleWidth
	height = footy.SampleHeight
)

// area is a part of the sample picture, in sample pixels; edges may lie between pixels.
type area struct{ x0, y0, x1, y1 float64 }

var whole = area{0, 0, width, height}

// shrink cuts a fraction off at each side.
func (a area) shrink(f float64) area {
	dx, dy := (a.x1-a.x0)*f, (a.y1-a.y0)*f
	return area{a.x0 + dx, a.y0 + dy, a.x1 - dx, a.y1 - dy}
}

// between leaves only the lines of an area that lie within the given rows, if these leave any out. The line at the edge is part
// caption, part picture.
func (a area) between(r rows) area {
	_, top, _, bottom := a.inside()
	if r.from > top {
		a.y0 = float64(r.from) + 0.5
	}
	if r.to < bottom {
		a.y1 = float64(r.to) - 0.5
	}
	return a
}

// barred returns the lines between bars at the top and the bottom of an otherwise whole picture.
func (a area) barred() (rows, bool) {
	_, top, _, bottom := a.inside()
	return rows{top, bottom}, a.x0 == 0 && a.x1 == width && top > 0 && bottom < height
}

// inside returns the whole pixels the area covers.
func (a area) inside() (x0, y0, x1, y1 int) {
	return int(math.Ceil(a.x0)), int(math.Ceil(a.y0)), int(math.Floor(a.x1)), int(math.Floor(a.y1))
}

const (
	barStep    = 6   // brightness by which a bar may vary along its line
	barVote    = 0.7 // share of the telling samples in which a line must look like a bar
	flatSpread = 6.0 // standard deviation below which a sample says nothing about bars
	minPicture = 0.3 // share of the picture, per axis, that bars must leave
)

// activeArea finds the part of the picture that is footage: letterbox and pillar bars and the plain frame around a
// picture-in-picture are cut off. A line is a bar if it is plain in most samples, counted from the edge inwards.
func activeArea(pix [][]byte) area {
	var rows [height]int
	var cols [width]int
	telling := 0
	for _, p := range pix {
		if spread(p) < flatSpread {
			continue
		}
		telling++
		for y := range height {
			if uniformLine(p[y*width:(y+1)*width], 1) {
				rows[y]++
			}
		}
		for x := range width {
			if uniformLine(p[x:], width) {
				cols[x]++
			}
		}
	}
	if telling == 0 {
		return whole
	}
	need := int(math.Ceil(float64(telling) * barVote))
	y0, y1 := margins(rows[:], need)
	x0, x1 := margins(cols[:], need)
	// A bar on one side only is a caption drawn over the picture: cutting it off would shift the picture's cells.
	a := whole
	if x0 > 0 && x1 < width && float64(x1-x0) >= width*minPicture {
		a.x0, a.x1 = float64(x0), float64(x1)
	}
	if y0 > 0 && y1 < height && float64(y1-y0) >= height*minPicture {
		a.y0, a.y1 = float64(y0), float64(y1)
	}
	if a != whole {
		return a
	}
	rowDetail, colDetail := lineDetail(pix)
	if lo, hi, ok := sharpBand(rowDetail); ok {
		a.y0, a.y1 = lo, hi
	} else if lo, hi, ok := sharpBand(colDetail); ok {
		a.x0, a.x1 = lo, hi
	}
	return a
}

// margins counts bar lines from both ends. A line that is half bar, half picture belongs to neither.
func margins(votes []int, need int) (lo, hi int) {
	hi = len(votes)
	for lo < len(votes) && votes[lo] >= need {
		lo++
	}
	for hi > lo && votes[hi-1] >= need {
		hi--
	}
	if lo > 0 && lo < hi {
		lo++
	}
	if hi < len(votes) && hi > lo {
		hi--
	}
	return lo, hi
}

// uniformLine reports whether a line of pixels has one brightness; a tenth of it may be covered by a mark or a caption.
func uniformLine(p []byte, stride int) bool {
	n := width
	if stride != 1 {
		n = height
	}
	var sum int
	for i := range n {
		sum += int(p[i*stride])
	}
	mean := sum / n
	off := 0
	for i := range n {
		d := int(p[i*stride]) - mean
		if d > barStep || d < -barStep {
			off++
		}
	}
	return off*10 <= n
}

// spread is the standard deviation of brightness.
func spread(p []byte) float64 {
	var sum, sq int
	for _, v := range p {
		sum += int(v)
		sq += int(v) * int(v)
	}
	n := float64(len(p))
	m := float64(sum) / n
	return math.Sqrt(math.Max(0, float64(sq)/n-m*m))
}
