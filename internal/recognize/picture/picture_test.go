package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/recognize/picture"
)

// TestNoPixelIsSkipped: a thin line of a large picture leaves its trace in a small one, wherever it is.
func TestNoPixelIsSkipped(t *testing.T) {
	t.Parallel()
	for at := range 24 {
		src := image.NewGray(image.Rect(0, 0, 240, 240))
		for y := range 240 {
			src.SetGray(100+at, y, color.Gray{Y: 255})
		}
		small, light := picture.Scale(src, 10, 10), 0
		for x := range 10 {
			light += int(small.RGBAAt(x, 5).R)
		}
		require.Greater(t, light, 4, "column %d", 100+at)
	}
}

func TestScaleGivesTheSizeAskedFor(t *testing.T) {
	t.Parallel()
	src := image.NewYCbCr(image.Rect(0, 0, 1920, 1080), image.YCbCrSubsampleRatio420)
	for _, want := range []image.Point{{640, 360}, {960, 540}, {2000, 100}, {1, 1}, {0, 5}} {
		require.Equal(t, image.Pt(max(1, want.X), want.Y), picture.Scale(src, want.X, want.Y).Bounds().Size())
	}
	data, err := picture.JPEG(picture.Scale(src, 64, 36), 80)
	require.NoError(t, err)
	c, err := jpeg.DecodeConfig(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, 64, c.Width)
}
