package clockface_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// upload is a clip whose picture was cut at a column before it was posted.
type upload struct {
	pad    int  // of the clock's box, left of its digits
	column int  // the first that is left; 0: all are
	right  int  // the first that is cut off on the right; 0: none is
	fill   byte // of the bar in place of what is cut; 0: there is none
	blur   bool // the bar is the blurred picture
	dark   bool // dark ink on a light box
	boxes  bool // another box begins where the clock's ends
	bare   bool // the clock stands on the footage, without a box
}

// film is what was shown, look by look, and the bar that stands in the place of what is cut off. One is cut at many columns: drawing it costs
// more than reading its clock.
type film struct{ shown, bar [][]byte }

func (u upload) film(set typeface.Set, says func(float64) string) (f film) {
	noise := rand.New(rand.NewPCG(3, 4))
	ground, ink := byte(25), byte(230)
	if u.dark {
		ground, ink = ink, ground
	}
	for n := range 6 * clockface.Rate {
		at, pix := float64(n)/clockface.Rate, make([]byte, wide*high)
		for y := range high {
			copy(pix[y*wide:(y+1)*wide], stadium()[y*2*wide+n*7%wide:])
		}
		if u.bare {
			for i, v := range pix {
				pix[i] = byte(int(v) * 2 / 3)
			}
		}
		text := says(at)
		_, long := set.Line(text, typeface.Spacing{Even: true, Loose: 0.04})
		for y := 26 - int(set.Height*0.5); y < 26+int(set.Height*1.5); y++ {
			for x := clockAt - u.pad - 30; x < clockAt+int(long)+40; x++ {
				switch {
				case u.bare:
				case x >= clockAt-u.pad && x < clockAt+int(long)+8:
					pix[y*wide+x] = ground
				case u.boxes:
					pix[y*wide+x] = 130
				}
			}
		}
		write(pix, wide, set, text, clockAt, 26, ink)
		from := noise.IntN(len(grain()) - len(pix))
		if u.barred() {
			bar := u.drawBar(pix)
			addNoise(bar, from)
			f.bar = append(f.bar, bar)
		}
		addNoise(pix, from)
		f.shown = append(f.shown, pix)
	}
	return f
}

// drawBar is a picture of nothing but the bar.
func (u upload) drawBar(pix []byte) []byte {
	bar := bytes.Repeat([]byte{u.fill}, len(pix))
	for y := range high {
		if u.blur {
			sum := 0
			for x := range 24 {
				sum += int(pix[y/12*12*wide+wide-1-x*3])
			}
			for x := range wide {
				bar[y*wide+x] = byte(sum/24 + x/8)
			}
		}
	}
	return bar
}

func (u upload) barred() bool { return u.fill > 0 || u.blur }

func (u upload) read(f film) clockface.Answer {
	if u.right == 0 {
		u.right = wide
	}
	x0, x1 := u.column, u.right
	if u.barred() {
		x0, x1 = 0, wide
	}
	r := newReader(x1-x0, high)
	for n, pix := range f.shown {
		look := r.Buffer()
		for y := range high {
			row := look[y*(x1-x0) : (y+1)*(x1-x0)]
			copy(row[u.column-x0:], pix[y*wide+u.column:y*wide+u.right])
			if u.barred() {
				copy(row[:u.column], f.bar[n][y*wide:])
				copy(row[u.right:], f.bar[n][y*wide+u.right:])
			}
		}
		r.Add(look)
	}
	return r.Answer()
}

const clockAt = 90 // the clock's first column

// TestACutClockIsReadAsNoOther: of 77:24 nothing is left but 7:24, of 104:16 04:16 or 4:16, at any column, with a bar in place of what was cut
// or without. What is read must be what the clock showed.
func TestACutClockIsReadAsNoOther(t *testing.T) {
	t.Parallel()
	short := func(start float64) func(float64) string {
		return func(t float64) string { return fmt.Sprintf("%d:%02d", int(start+t)/60, int(start+t)%60) }
	}
	for name, says := range map[string]func(float64) string{
		"77:24": minute(77*60 + 24.4), "87:08": minute(87*60 + 8.4), "17:42": minute(17*60 + 42.4), "104:16": short(104*60 + 16.4), "111:11": short(111*60 + 11.4),
	} {
		for way, u := range map[string]upload{
			"cut": {}, "black bar": {fill: 16}, "a bar like the ground": {fill: 26}, "a bar like grass": {fill: 100}, "a light bar": {fill: 235}, "blurred": {blur: true}, "dark ink": {dark: true},
			"dark ink, a light bar": {dark: true, fill: 230}, "among boxes": {boxes: true},
		} {
			t.Run(name+" "+way, func(t *testing.T) {
				t.Parallel()
				for i, face := range goFonts(t) {
					set, err := face.Set([]float64{13, 10, 12}[i])
					require.NoError(t, err)
					_, all := set.Line(says(0), typeface.Spacing{Even: true, Loose: 0.04})
					_, seconds := set.Line(":00", typeface.Spacing{Even: true, Loose: 0.04})
					u.pad = 7
					f := u.film(set, says)
					for column := clockAt - 3; column < clockAt+int(all-seconds); column += 1 + i {
						u.column = column
						a := u.read(f)
						readRight(t, a, func(at float64) string { return fmt.Sprintf("%05s", says(at)) })
						if len(a.Readings) > 0 {
							require.Less(t, column, clockAt+int(set.Height/2), "%s: nothing but %s is left", face.File, says(0)[1:])
						}
					}
				}
			})
		}
	}
}

// TestACutClockWithoutABoxIsReadAsNoOther: what is dark there is of one shade, whether it is footage or a bar.
func TestACutClockWithoutABoxIsReadAsNoOther(t *testing.T) {
	t.Parallel()
	for way, u := range map[string]upload{"cut": {}, "black bar": {fill: 16}, "a bar like grass": {fill: 100}, "a bar of the lightest that is left out": {fill: 128}, "blurred": {blur: true}} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			whole := 0
			for i, face := range goFonts(t) {
				set, err := face.Set([]float64{13, 10, 12}[i])
				require.NoError(t, err)
				for _, start := range []float64{77*60 + 24.4, 17*60 + 42.4, 107*60 + 32.4} {
					says := minute(start)
					_, all := set.Line(says(0), typeface.Spacing{Even: true, Loose: 0.04})
					_, seconds := set.Line(":00", typeface.Spacing{Even: true, Loose: 0.04})
					u.bare = true
					f := u.film(set, says)
					for _, column := range []int{0, clockAt + int(set.Height*0.25), clockAt + int(set.Height*0.45), clockAt + int(set.Height*0.6), clockAt + int(set.Height*0.75), clockAt + int(all-seconds) - 5} {
						u.column = column
						a := u.read(f)
						readRight(t, a, says)
						if column == 0 && len(a.Readings) > 0 {
							whole++
						}
					}
				}
			}
			require.GreaterOrEqual(t, whole, 6, "of nine clocks that are not cut")
		})
	}
}

// TestAClockCutOnTheRightIsReadAsNoOther: through the seconds, with a bar or without.
func TestAClockCutOnTheRightIsReadAsNoOther(t *testing.T) {
	t.Parallel()
	says := minute(77*60 + 24.4)
	for way, u := range map[string]upload{"cut": {}, "a black bar": {fill: 16}, "a light bar": {fill: 235}} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			for i, face := range goFonts(t) {
				set, err := face.Set([]float64{13, 10, 12}[i])
				require.NoError(t, err)
				_, all := set.Line(says(0), typeface.Spacing{Even: true, Loose: 0.04})
				u.pad = 7
				f := u.film(set, says)
				for right := clockAt + int(all-2*set.Height); right < clockAt+int(all)+4; right++ {
					u.right = right
					readRight(t, u.read(f), says)
				}
			}
		})
	}
}

// TestAClockOfThreeDigitsIsRead where all that stands left of the minutes is its own ground, for a digit or until its box ends.
func TestAClockOfThreeDigitsIsRead(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]func(float64) string{
		"3:58":  func(t float64) string { return minute(3*60 + 51.4)(t)[1:] },
		"0:09":  func(t float64) string { return minute(2.4)(t)[1:] },
		"03:58": minute(3*60 + 51.4), "12:13": minute(12*60 + 13.4),
	} {
		for way, u := range map[string]upload{
			"a long ground": {pad: 24}, "dark ink": {pad: 24, dark: true}, "among boxes": {pad: 24, boxes: true}, "its box ends before a digit": {pad: 7}, "and another begins": {pad: 7, boxes: true},
			"a black bar far away": {pad: 7, column: 60, fill: 16}, "a cut far away": {pad: 7, column: 50}, "a blurred bar far away": {pad: 7, column: 50, blur: true},
		} {
			t.Run(name+" "+way, func(t *testing.T) {
				t.Parallel()
				read := 0
				for i, face := range goFonts(t) {
					set, err := face.Set([]float64{13, 10, 12}[i])
					require.NoError(t, err)
					a := u.read(u.film(set, says))
					if len(a.Readings) > 0 {
						read++
					}
					readRight(t, a, func(at float64) string { return fmt.Sprintf("%05s", says(at)) })
				}
				require.GreaterOrEqual(t, read, 2, "of three fonts: in one the end of a box looks like a 1")
			})
		}
	}
}

// TestANarrowBoxIsRead: its edge is blurred, and the clock's first digit stands close to it, but farther than from another digit.
func TestANarrowBoxIsRead(t *testing.T) {
	t.Parallel()
	for _, pad := range []float64{0.25, 0.3} {
		for _, narrow := range []string{"", "0123456789"} {
			readMost(t, 0.7, 6, []float64{9, 12}, []float64{28*60 + 56.4, 30*60 + 30.4, 6*60 + 44.9, 29*60 + 13.2}, func(pix []byte, set typeface.Set, text string) {
				aligned(pix, set, text, 37+int(pad*set.Height+0.5), 26, 0, 0.08, narrow)
				for range 3 {
					displaced(pix, 0.5, 0.5)
				}
			})
		}
	}
}
