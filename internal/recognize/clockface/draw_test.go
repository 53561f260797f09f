package clockface_test

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
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

// grain is what the noise of every camera is cut from, from 0 to 4: drawing it anew for each pixel would cost more than reading the clocks.
var grain = sync.OnceValue(func() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]byte, 4*wide*high)
	for i := range out {
		out[i] = byte(r.IntN(5))
	}
	return out
})

// noisy adds the noise of a camera to a picture.
func noisy(pix []byte, r *rand.Rand) { addNoise(pix, r.IntN(len(grain())-len(pix))) }

// addNoise adds -2 to 2 to each pixel, to eight at once where none of them comes to an end of the range.
func addNoise(pix []byte, from int) {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	g := grain()[from : from+len(pix)]
	for i := 0; i < len(pix); i += 8 {
		if i+8 <= len(pix) {
			if x := binary.LittleEndian.Uint64(pix[i:]); ((x-2*ones)&^x|(^x-2*ones)&x)&high == 0 {
				binary.LittleEndian.PutUint64(pix[i:], x-2*ones+binary.LittleEndian.Uint64(g[i:]))
				continue
			}
		}
		for k := i; k < min(i+8, len(pix)); k++ {
			pix[k] = byte(min(255, max(0, int(pix[k])+int(g[k])-2)))
		}
	}
}

// done holds the looks of clips that were read: a reader's first looks cost as much as its reading, where memory is new.
var done sync.Pool

func newReader(w, h int) *clockface.Reader {
	r := clockface.NewReader(w, h, clockface.DefaultLimits())
	r.Borrow(&done)
	return r
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
