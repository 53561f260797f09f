// Package picture scales pictures in memory: posters, stills, and what a model is shown. It knows nothing of what is on them.
package picture

import (
	"bytes"
	"image"
	"image/jpeg"

	"golang.org/x/image/draw"
)

// Scale returns src in w x h pixels. A large picture is halved first, as often as it takes: one bilinear step over more than
// two pixels would skip some, and the kernels that skip none need ten times the memory.
func Scale(src image.Image, w, h int) *image.RGBA {
	w, h = max(1, w), max(1, h)
	for size := src.Bounds().Size(); size.X >= 2*w && size.Y >= 2*h && (size.X > 2*w || size.Y > 2*h); size = src.Bounds().Size() {
		src = bilinear(src, size.X/2, size.Y/2)
	}
	return bilinear(src, w, h)
}

func bilinear(src image.Image, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(out, out.Bounds(), src, src.Bounds(), draw.Src, nil)
	return out
}

// JPEG encodes img; quality is 1 to 100. It fails only for pictures with a side over 65,535 pixels.
func JPEG(img image.Image, quality int) ([]byte, error) {
	var out bytes.Buffer
	err := jpeg.Encode(&out, img, &jpeg.Options{Quality: quality})
	return out.Bytes(), err
}
