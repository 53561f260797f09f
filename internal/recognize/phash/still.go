package phash

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
