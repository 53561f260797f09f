package footage_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"sync"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/found-footy/found-footy/internal/recognize/footage"
)

// Everything is drawn as 720 lines of a broadcast have it, and then changed as people change it.
const wide, high = 1280, 720

// stadium is a picture larger than what the camera shows of it.
var stadium = sync.OnceValue(func() *image.Gray {
	r := rand.New(rand.NewPCG(1, 7))
	out := image.NewGray(image.Rect(0, 0, 3*wide, 2*high))
	for range 9000 {
		x, y, w, h := r.IntN(3*wide), r.IntN(2*high), 4+r.IntN(90), 3+r.IntN(40)
		box(out, x, y, w, h, uint8(40+r.IntN(160)))
	}
	return out
})

func box(dst *image.Gray, x, y, w, h int, v uint8) {
	r := image.Rect(x, y, x+w, y+h).Intersect(dst.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := dst.Pix[dst.PixOffset(r.Min.X, y):][:r.Dx()]
		for i := range row {
			row[i] = v
		}
	}
}

// text is w pixels a letter wide, twice as high.
func text(dst *image.Gray, x, y, w int, s string, v uint8) {
	small := image.NewAlpha(image.Rect(0, 0, 7*len(s), 13))
	d := font.Drawer{Dst: small, Src: image.Opaque, Face: basicfont.Face7x13, Dot: fixed.P(0, 11)}
	d.DrawString(s)
	large := image.NewAlpha(image.Rect(0, 0, w*len(s), w*13/7))
	draw.BiLinear.Scale(large, large.Bounds(), small, small.Bounds(), draw.Src, nil)
	draw.DrawMask(dst, large.Bounds().Add(image.Pt(x, y)), image.NewUniform(color.Gray{v}), image.Point{}, large, image.Point{}, draw.Over)
}

// film is a goal as it was broadcast.
type film struct {
	still bool                   // the camera does not move
	drawn func(*image.Gray, int) // what stands over the picture, by second
}

// scoreBox is that of a broadcaster, with a running clock.
func scoreBox(minute int) func(*image.Gray, int) {
	return func(p *image.Gray, second int) {
		box(p, 80, 50, 330, 40, 30)
		box(p, 80, 50, 12, 40, 200)
		text(p, 100, 52, 18, "ARS 1-0 CHE", 240)
		text(p, 306, 52, 18, fmt.Sprintf("%02d:%02d", minute, second%60), 235)
	}
}

// frames are cut at five moments of a part of the film, in seconds of it, and changed.
func (f film) frames(from, to int, change func(*image.Gray) image.Image) []footage.Picture {
	var out []footage.Picture
	for _, part := range []float64{0.1, 0.25, 0.5, 0.75, 0.9} {
		at := float64(from) + part*float64(to-from)
		p := image.NewGray(image.Rect(0, 0, wide, high))
		pan := image.Pt(int(wide+900*math.Sin(at/3)), int(high/2+200*math.Sin(at/2)))
		if f.still {
			pan = image.Pt(wide, high/2)
		}
		for y := range high {
			copy(p.Pix[y*p.Stride:][:wide], stadium().Pix[stadium().PixOffset(pan.X, pan.Y+y):])
		}
		if f.drawn != nil {
			f.drawn(p, int(at))
		}
		out = append(out, seen(change(p)))
	}
	return out
}

// seen is a frame as it is staged and read again: a JPEG, made small.
func seen(p image.Image) footage.Picture {
	var file bytes.Buffer
	_ = jpeg.Encode(&file, p, &jpeg.Options{Quality: 60})
	back := decoded(&file)
	size := back.Bounds().Size()
	longest := max(size.X, size.Y)
	small := scaled(back, size.X*footage.Side/longest, size.Y*footage.Side/longest)
	return footage.Picture{W: small.Rect.Dx(), H: small.Rect.Dy(), Pix: small.Pix}
}

// scaled halves once where that does not lose too much, and then goes between pixels.
func scaled(p *image.Gray, w, h int) *image.Gray {
	size := p.Bounds().Size()
	if size.X >= 2*w && size.Y >= 2*h {
		half := image.NewGray(image.Rect(0, 0, size.X/2, size.Y/2))
		for y := range size.Y / 2 {
			a, b := p.Pix[2*y*p.Stride:], p.Pix[(2*y+1)*p.Stride:]
			for x := range size.X / 2 {
				half.Pix[y*half.Stride+x] = uint8((int(a[2*x]) + int(a[2*x+1]) + int(b[2*x]) + int(b[2*x+1])) / 4)
			}
		}
		return scaled(half, w, h)
	}
	out := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		fy := max(0, min(float64(size.Y)-1.001, (float64(y)+0.5)*float64(size.Y)/float64(h)-0.5))
		a, b := p.Pix[int(fy)*p.Stride:], p.Pix[(int(fy)+1)*p.Stride:]
		ay := fy - math.Floor(fy)
		for x := range w {
			fx := max(0, min(float64(size.X)-1.001, (float64(x)+0.5)*float64(size.X)/float64(w)-0.5))
			ax, i := fx-math.Floor(fx), int(fx)
			out.Pix[y*out.Stride+x] = uint8((float64(a[i])*(1-ax)+float64(a[i+1])*ax)*(1-ay) + (float64(b[i])*(1-ax)+float64(b[i+1])*ax)*ay)
		}
	}
	return out
}

func decoded(file *bytes.Buffer) *image.Gray {
	p, _ := jpeg.Decode(file)
	return p.(*image.Gray)
}

func asItIs(p *image.Gray) image.Image { return p }

// smaller re-encodes at another size, and badly.
func smaller(w, h, quality int) func(*image.Gray) image.Image {
	return func(p *image.Gray) image.Image {
		var file bytes.Buffer
		_ = jpeg.Encode(&file, scaled(p, w, h), &jpeg.Options{Quality: quality})
		return decoded(&file)
	}
}

// cut shows a part of the picture, at the size of the whole.
func cut(left, top, right, bottom float64) func(*image.Gray) image.Image {
	return func(p *image.Gray) image.Image {
		part := p.SubImage(image.Rect(int(left*wide), int(top*high), int((1-right)*wide), int((1-bottom)*high))).(*image.Gray)
		return scaled(part, wide, high)
	}
}

func mirrored(p *image.Gray) image.Image {
	out := image.NewGray(p.Rect)
	for y := range high {
		for x := range wide {
			out.Pix[y*out.Stride+wide-1-x] = p.Pix[y*p.Stride+x]
		}
	}
	return out
}

// with draws something more over the picture.
func with(more func(*image.Gray)) func(*image.Gray) image.Image {
	return func(p *image.Gray) image.Image { more(p); return p }
}
