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

// Captions are boxes drawn over the top or the bottom of the picture, as wide as it is. They belong to the copy, not to
// the footage: their lines are left out of the brightness curve and of the cells' means. Smaller marks (score bugs,
// watermarks) stay in; the bits they freeze are masked when comparing.

const (
	stillStep  = 3    // brightness by which a still pixel may vary
	stillShare = 0.85 // share of the samples in which it must show the same
	stillRow   = 0.92 // share of a row's pixels that must be still
	mostStill  = 0.35 // of the rows; where more stands still, the camera does, and nothing is left out
	anchors    = 5    // samples compared with all others; an intro spoils one or two of them
)

// rowsBetweenCaptions returns the rows of an area between the captions at its top and bottom.
func rowsBetweenCaptions(pix [][]byte, a area) rows {
	x0, top, x1, bottom := a.inside()
	y0, y1 := top, bottom
	if len(pix) < 2*anchors {
		return rows{top, bottom}
	}
	// Rounding often leaves a line of picture outside the caption: the outermost row need not be still.
	for y := top; y < bottom && (rowIsStill(pix, y, x0, x1) || y == top); y++ {
		if y > top {
			y0 = y + 1
		}
	}
	for y := bottom - 1; y > y0 && (rowIsStill(pix, y, x0, x1) || y == bottom-1); y-- {
		if y < bottom-1 {
			y1 = y
		}
	}
	if float64(bottom-y1+y0-top) > mostStill*float64(bottom-top) {
		return rows{top, bottom}
	}
	return rows{y0, y1}
}

// rowIsStill reports whether a row shows the same in nearly all samples.
func rowIsStill(pix [][]byte, y, x0, x1 int) bool {
	n := len(pix)
	need := int(stillShare * float64(n))
	for k := range anchors {
		ref := pix[(2*k+1)*n/(2*anchors)][y*width : (y+1)*width]
		quiet := 0
		for x := x0; x < x1; x++ {
			same := 0
			for _, p := range pix {
				if d := int(p[y*width+x]) - int(ref[x]); d <= stillStep && d >= -stillStep {
					same++
				}
			}
			if same >= need {
				quiet++
			}
		}
		if float64(quiet) >= stillRow*float64(x1-x0) {
			return true
		}
	}
	return false
}
