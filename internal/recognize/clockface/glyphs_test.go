package clockface_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

func TestSingleDigitsOfAFamilyItNeverSaw(t *testing.T) {
	t.Parallel()
	glyphs := clockface.NewGlyphs()
	right, all := 0, 0
	for _, face := range goFonts(t) {
		for _, height := range []int{8, 10, 13, 18, 26} {
			set, err := face.Set(float64(height))
			require.NoError(t, err)
			from, to := set.Ink(typeface.Spacing{Even: true})
			for n := range 100 {
				pix := bytes.Repeat([]byte{30}, 200*60)
				line := write(pix, 200, set, fmt.Sprintf("%02d:%02d", 99-n, n), 20, 15, 220)
				p := clockface.NewPlane(200, 60)
				for i, v := range pix {
					p.Pix[i] = float32(v)
				}
				for i, c := range line {
					patch, ok := clockface.Cut(p, clockface.Cell{X: c.Left + from, Y: 15, W: to - from, H: float64(height)}, 1)
					require.True(t, ok)
					if i == 2 {
						continue
					}
					all++
					if glyphs.Read(&patch).Best() == int(c.Rune-'0') {
						right++
					}
				}
			}
		}
	}
	require.Greater(t, right, all*95/100, "%d of %d", right, all)
}

func TestAnEvenShadeHoldsNoGlyph(t *testing.T) {
	t.Parallel()
	_, ok := clockface.Cut(clockface.NewPlane(40, 40), clockface.Cell{X: 10, Y: 10, W: 8, H: 12}, 1)
	require.False(t, ok)
}

func TestTheInkMayBeDark(t *testing.T) {
	t.Parallel()
	p := clockface.NewPlane(20, 20)
	for i := range p.Pix {
		p.Pix[i] = float32(i * 37 % 200)
	}
	c := clockface.Cell{X: 6, Y: 5, W: 6, H: 9}
	light, _ := clockface.Cut(p, c, 1)
	dark, _ := clockface.Cut(p, c, -1)
	for i := range light {
		require.InDelta(t, light[i], -dark[i], 1e-5)
	}
}

func TestBothShadesAtOnceAreTheSameAsEachAlone(t *testing.T) {
	t.Parallel()
	var p, negative clockface.Patch
	for i := range p {
		p[i] = float32(i*37%61)/10 - 3
		negative[i] = -p[i]
	}
	glyphs := clockface.NewGlyphs()
	asIs, exchanged := glyphs.ReadBoth(&p)
	require.Equal(t, glyphs.Read(&p), asIs)
	require.Equal(t, glyphs.Read(&negative), exchanged)
}

func TestBrokenWeightsAreRefused(t *testing.T) {
	t.Parallel()
	layer := func(in, out int) []byte {
		return clockface.Layer{In: in, Out: out, Scale: make([]float32, out), Bias: make([]float32, out), Rows: make([]int8, in*out)}.Append(nil)
	}
	const in = clockface.PatchWidth * clockface.PatchHeight
	good := append(layer(in, 4), layer(4, clockface.Classes)...)
	_, err := clockface.ParseGlyphs(good, clockface.Classes)
	require.NoError(t, err)
	for name, data := range map[string][]byte{
		"nothing": nil, "cut off": good[:len(good)-1], "a size alone": good[:3], "layers that do not fit": append(layer(in, 4), layer(5, clockface.Classes)...),
		"no row for some class": append(layer(in, 4), layer(4, 3)...),
	} {
		_, err := clockface.ParseGlyphs(data, clockface.Classes)
		require.Error(t, err, name)
	}
}
