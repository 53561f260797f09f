package clockface_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// goFonts are of a family that the classifier never saw.
func goFonts(t *testing.T) []typeface.Face {
	t.Helper()
	var out []typeface.Face
	for i, data := range [][]byte{gobold.TTF, gomono.TTF, goregular.TTF} {
		f, err := typeface.Parse("Go", []string{"bold", "mono", "regular"}[i], data)
		require.NoError(t, err)
		out = append(out, f)
	}
	return out
}

// grain is what the noise of every camera is cut from: drawing it anew for each pixel would cost more than reading the clocks.
var grain = sync.OnceValue(func() []int8 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]int8, 4*wide*high)
	for i := range out {
		out[i] = int8(r.IntN(5) - 2)
	}
	return out
})

// noisy adds the noise of a camera to a picture.
func noisy(pix []byte, r *rand.Rand) {
	at := r.IntN(len(grain()) - len(pix))
	for i, n := range grain()[at : at+len(pix)] {
		pix[i] = byte(min(255, max(0, int32(pix[i])+int32(n))))
	}
}

// write puts a text on a picture, its upper left corner at (x, y), and returns its cells.
func write(pix []byte, width int, set typeface.Set, text string, x, y int, ink byte) []typeface.Placed {
	line, _ := set.Line(text, typeface.Spacing{Even: true, Loose: 0.04})
	for i, p := range line {
		x0, y0 := x+int(p.Pen+p.X+0.5), y+int(p.Y+0.5)
		for j := range p.Ink.Rect.Dy() {
			for k := range p.Ink.Rect.Dx() {
				at, a := (y0+j)*width+x0+k, int(p.Ink.Pix[j*p.Ink.Stride+k])
				pix[at] = byte((int(pix[at])*(255-a) + int(ink)*a) / 255)
			}
		}
		line[i].Left, line[i].Right = p.Left+float64(x), p.Right+float64(x)
	}
	return line
}
