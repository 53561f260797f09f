package strip_test

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/film/strip"
)

func paint(r strip.Reading, w, h int) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = uint8(90 + i%7)
	}
	cells := strip.Cells(r)
	for y := range h {
		for x := range w {
			fx, fy := float64(x)/float64(w), float64(y)/float64(h)
			if fx < strip.Left || fx >= strip.Right || fy < strip.Top || fy >= strip.Bottom {
				continue
			}
			row := int((fy - strip.Top) / (strip.Bottom - strip.Top) * float64(len(cells)))
			col := int((fx - strip.Left) / (strip.Right - strip.Left) * float64(len(cells[0])))
			v := uint8(50)
			if cells[row][col] {
				v = 170
			}
			img.SetGray(x, y, color.Gray{Y: v})
		}
	}
	return img
}

func TestEveryReadingSurvivesTheStrip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		want := strip.Blank()
		want.Soccer, want.Screen = r.IntN(2) == 0, r.IntN(2) == 0
		if r.IntN(4) > 0 {
			want.Minute, want.Second = r.IntN(127), r.IntN(60)
		}
		if r.IntN(2) == 0 {
			want.Added = r.IntN(15)
		}
		if r.IntN(2) == 0 {
			want.SubMinute, want.SubSecond = r.IntN(20), r.IntN(60)
		}
		want.Shows = []string{"", "red_card", "yellow_card", "var", "missed_penalty"}[r.IntN(5)]
		want.Period = []string{"", "1H", "2H", "ET1", "ET2"}[r.IntN(5)]
		got, ok := strip.Read(paint(want, 640, 360))
		require.True(t, ok)
		require.Equal(t, want, got)
		got, ok = strip.Read(paint(want, 224, 126))
		require.True(t, ok)
		require.Equal(t, want, got)
	}
}

func TestAPictureWithoutStripIsNotRead(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		img := image.NewGray(image.Rect(0, 0, 320, 180))
		for i := range img.Pix {
			img.Pix[i] = uint8(r.IntN(256))
		}
		_, ok := strip.Read(img)
		require.False(t, ok)
	}
	_, ok := strip.Read(image.NewGray(image.Rect(0, 0, 640, 360)))
	require.False(t, ok, "black")
	_, ok = strip.Read(image.NewGray(image.Rect(0, 0, 9, 8)))
	require.False(t, ok, "tiny")
}

func TestADamagedStripIsNotRead(t *testing.T) {
	t.Parallel()
	want := strip.Blank()
	want.Soccer, want.Minute = true, 30
	img := paint(want, 640, 360)
	for y := range 360 {
		for x := 200; x < 330; x++ {
			img.SetGray(x, y, color.Gray{Y: 128})
		}
	}
	_, ok := strip.Read(img)
	require.False(t, ok)
}
