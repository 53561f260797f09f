package footage

import (
	"bytes"
	"image"
	"image/draw"
	"image/jpeg"

	"github.com/found-footy/found-footy/internal/recognize/picture"
)

// OfJPEGs is Of the frames as a decode cuts them; not known where one of them is no picture.
func OfJPEGs(frames [][]byte) Overlay {
	var out []Picture
	for _, f := range frames {
		img, err := jpeg.Decode(bytes.NewReader(f))
		if err != nil {
			return Overlay{}
		}
		size := img.Bounds().Size()
		longest := max(size.X, size.Y)
		out = append(out, Grey(picture.Scale(img, size.X*Side/longest, size.Y*Side/longest)))
	}
	return Of(out)
}

// Grey is the brightness of a picture.
func Grey(img image.Image) Picture {
	grey := image.NewGray(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(grey, grey.Rect, img, img.Bounds().Min, draw.Src)
	return Picture{W: grey.Rect.Dx(), H: grey.Rect.Dy(), Pix: grey.Pix}
}
