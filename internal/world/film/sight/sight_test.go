package sight_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/found-footy/found-footy/internal/world/film/sight"
)

// printed is a picture of one colour with a text in a box, as a JPEG has it.
func printed(t *testing.T, text string, ttf []byte, size float64, ground color.Color, light bool) image.Image {
	t.Helper()
	parsed, err := opentype.Parse(ttf)
	require.NoError(t, err)
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
	require.NoError(t, err)
	img := image.NewRGBA(image.Rect(0, 0, 800, 300))
	draw.Draw(img, img.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	box, ink := color.Gray{Y: 20}, color.Gray{Y: 240}
	if light {
		box, ink = ink, box
	}
	draw.Draw(img, image.Rect(50, 20, 700, 90), image.NewUniform(box), image.Point{}, draw.Src)
	d := font.Drawer{Dst: img, Src: image.NewUniform(ink), Face: face, Dot: fixed.P(70, 70)}
	d.DrawString(text)
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, &jpeg.Options{Quality: 88}))
	out, err := jpeg.Decode(&b)
	require.NoError(t, err)
	return out
}

func TestPrintedClocksAreRead(t *testing.T) {
	t.Parallel()
	grass := color.RGBA{50, 130, 45, 255}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"67:42  RED 1-0 WHI", []string{"67:42"}}, {"RED 2-2 WHI  08:05", []string{"08:05"}}, {"105:31", []string{"105:31"}},
		{"RED 1-0 WHI", nil}, {"12.30", nil}, {"4:2", nil},
	} {
		for _, ttf := range [][]byte{goregular.TTF, gomono.TTF} {
			for _, light := range []bool{false, true} {
				var got []string
				seen := sight.Look(printed(t, c.text, ttf, 34, grass, light))
				for _, text := range seen.Clocks {
					got = append(got, text.Text)
				}
				require.Equal(t, c.want, got, "%s light %v", c.text, light)
				require.True(t, seen.Grass)
				require.False(t, seen.Room)
			}
		}
	}
}

// TestWhatIsTooSmallIsNotGuessed: a viewer that guessed would pass any test of pictures.
func TestWhatIsTooSmallIsNotGuessed(t *testing.T) {
	t.Parallel()
	require.Empty(t, sight.Look(printed(t, "67:42", goregular.TTF, 9, color.Black, false)).Clocks)
}

func TestADarkRoomIsSeen(t *testing.T) {
	t.Parallel()
	seen := sight.Look(printed(t, "67:42", goregular.TTF, 34, color.Gray{Y: 20}, false))
	require.True(t, seen.Room)
	require.False(t, seen.Grass)
}
