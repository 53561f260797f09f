package vision

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/math/fixed"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/recognize/picture"
)

const (
	// Nearly all broadcasters put the score with its clock top left, some top right, very few at the bottom.
	// A cut takes these shares of the frame: the longest score bugs end at about a third of the width, and a second line with the
	// stoppage timer, or the bar of a letterboxed copy, moves the clock down to a sixth of the height.
	cutWidth, cutHeight = 0.36, 0.18

	cellWidth  = 640 // pixels of a cut in the sheet: of 1080 lines it stays as it is, of 360 it is enlarged by the most that helps
	enlarge    = 3   // times at most: beyond it only blur grows
	gap        = 8   // between cuts
	caption    = 22  // height of the line that names the frame
	quality    = 88  // of pictures we encode: digits keep their edges
	defaultMax = 1080
)

// frame is one picture of the clip that is decoded at most once, and only if it has to be.
type frame struct {
	validate.Frame
	size    image.Point // zero: it is not a JPEG that we can read; it is sent as it is
	decoded image.Image
}

func newFrame(f validate.Frame) *frame {
	out := &frame{Frame: f}
	if c, err := jpeg.DecodeConfig(bytes.NewReader(f.JPEG)); err == nil {
		out.size = image.Pt(c.Width, c.Height)
	}
	return out
}

// picture decodes the frame; nil if that fails: the model may know better.
func (f *frame) picture() image.Image {
	if f.decoded == nil && f.size != (image.Point{}) {
		if img, err := jpeg.Decode(bytes.NewReader(f.JPEG)); err == nil {
			f.decoded = img
		} else {
			f.size = image.Point{}
		}
	}
	return f.decoded
}

// scaled is the frame with so many lines at most.
func (f *frame) scaled(lines int) []byte {
	if f.size.Y <= lines {
		return f.JPEG
	}
	src := f.picture()
	if src == nil {
		return f.JPEG
	}
	return encode(picture.Scale(src, f.size.X*lines/f.size.Y, lines))
}

func encode(img image.Image) []byte {
	out, _ := picture.JPEG(img, quality) // fails only for sizes that ours never have
	return out
}

func (r *Reader) pictures(frames []*frame, s size) []llm.Image {
	var out []llm.Image
	for i, f := range frames {
		out = append(out, llm.Image{Label: fmt.Sprintf("Frame %d:", i+1), JPEG: f.scaled(min(s.lines, r.o.Lines))})
	}
	if !s.corners {
		return out
	}
	if cuts := sheet(frames); cuts != nil {
		out = append(out, llm.Image{Label: "Corners of the frames, enlarged:", JPEG: cuts})
	}
	return out
}

// sheet is one picture of the upper corners of all frames, a captioned row for each. One sheet and not a picture for each cut: servers limit
// how many pictures a question may have. Nil: there is nothing to cut.
func sheet(frames []*frame) []byte {
	type row struct {
		frame int
		src   image.Image
		at    image.Rectangle // of the left cut in the sheet
	}
	var rows []row
	y, width := gap, 0
	for i, f := range frames {
		src := f.picture()
		if src == nil {
			continue
		}
		left, _ := corners(src.Bounds())
		w := min(cellWidth, enlarge*left.Dx())
		h := max(1, w*left.Dy()/max(1, left.Dx()))
		rows = append(rows, row{i + 1, src, image.Rect(gap, y+caption, gap+w, y+caption+h)})
		y += caption + h + gap
		width = max(width, 2*(w+gap)+gap)
	}
	if len(rows) == 0 {
		return nil
	}
	out := image.NewRGBA(image.Rect(0, 0, width, y))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.Gray{Y: 64}), image.Point{}, draw.Src)
	for _, r := range rows {
		d := font.Drawer{Dst: out, Src: image.White, Face: inconsolata.Bold8x16, Dot: fixed.P(gap, r.at.Min.Y-7)}
		d.DrawString(fmt.Sprintf("FRAME %d", r.frame))
		left, right := corners(r.src.Bounds())
		draw.ApproxBiLinear.Scale(out, r.at, r.src, left, draw.Src, nil)
		draw.ApproxBiLinear.Scale(out, r.at.Add(image.Pt(r.at.Dx()+gap, 0)), r.src, right, draw.Src, nil)
	}
	return encode(out)
}

func corners(b image.Rectangle) (left, right image.Rectangle) {
	w, h := int(float64(b.Dx())*cutWidth+0.5), int(float64(b.Dy())*cutHeight+0.5)
	left = image.Rect(b.Min.X, b.Min.Y, b.Min.X+max(1, w), b.Min.Y+max(1, h))
	return left, left.Add(image.Pt(b.Dx()-left.Dx(), 0))
}
