package clockface_test

import (
	"fmt"
	"image"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// TestFourSecondsAreRead: a clip of four seconds holds three whole ones, wherever its ticks lie.
func TestFourSecondsAreRead(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		read, all := 0, 0
		for tenth := range 10 {
			for _, start := range []float64{66*60 + 52, 9*60 + 13, 31*60 + 27} {
				b := broadcast{seconds: 4, height: 11, dark: tenth%2 == 1, says: minute(start + float64(tenth)/10)}
				a := b.read(t, face)
				readRight(t, a, b.says)
				all++
				if len(a.Readings) > 0 {
					require.InDelta(t, 1, a.Speed, 0.001)
					read++
				}
			}
		}
		require.Greater(t, read, all*9/10, "%s: %d of %d", face.File, read, all)
	}
}

// TestFourSecondsOfAnotherSpeedAreNotRead: three ticks measure a speed too badly to search for one.
func TestFourSecondsOfAnotherSpeedAreNotRead(t *testing.T) {
	t.Parallel()
	for _, speed := range []float64{0.5, 0.8, 1.25, 1.5, 2.25, 4.5} {
		for _, start := range []float64{66*60 + 52.3, 12*60 + 13.5} {
			a := broadcast{seconds: 4, height: 12, says: func(t float64) string { return minute(start)(t * speed) }}.read(t, goFonts(t)[0])
			require.Empty(t, a.Readings, "%.2f", speed)
		}
	}
}

// aligned puts a text on a picture in figures as close as the gap, in parts of their height, at the left edge of its bar (0), in the
// middle, or at the right edge (1). Those that are as wide as their ink move what stands beside them.
func aligned(pix []byte, set typeface.Set, text string, x, y int, left, gap float64, narrow string) {
	from, to := set.Ink(typeface.Spacing{Even: true})
	advance := func(r rune) float64 {
		ink := float64(set.Glyphs[r].Ink.Rect.Dx())
		if r >= '0' && r <= '9' && !strings.ContainsRune(narrow, r) {
			ink = to - from
		}
		return ink + gap*set.Height
	}
	at, full := float64(x), 0.0
	for _, r := range text {
		at -= left * advance(r)
	}
	for _, r := range "00:00" {
		full += advance(r)
	}
	at += left * full
	for _, r := range text {
		g := set.Glyphs[r]
		x0 := int(at + (advance(r)-gap*set.Height-float64(g.Ink.Rect.Dx()))/2 + 0.5)
		for j := range g.Ink.Rect.Dy() {
			for k := range g.Ink.Rect.Dx() {
				i, a := (y+int(g.Y+0.5)+j)*wide+x0+k, int(g.Ink.Pix[j*g.Ink.Stride+k])
				pix[i] = byte((int(pix[i])*(255-a) + 230*a) / 255)
			}
		}
		at += advance(r)
	}
}

// readMost wants a part of the clocks read, and none wrongly, in some heights and from some seconds on.
func readMost(t *testing.T, part, seconds float64, heights, starts []float64, put func(pix []byte, set typeface.Set, text string)) {
	t.Helper()
	read, all := 0, 0
	for _, face := range goFonts(t) {
		for _, height := range heights {
			set, err := face.Set(height)
			require.NoError(t, err)
			for _, start := range starts {
				says := minute(start)
				a := watch(seconds, func(pix []byte, at float64) {
					pitch(pix, at)
					bar(pix, set, "", 45, 26, 120)
					put(pix, set, says(at))
				})
				readRight(t, a, says)
				all++
				if len(a.Readings) > 0 {
					read++
				} else {
					t.Log(face.File, height, says(0), a.Abstained)
				}
			}
		}
	}
	require.GreaterOrEqual(t, float64(read), part*float64(all), "%d of %d", read, all)
}

// TestACarryNearTheStart: the digits beside the beating one change, too, and the minutes with them; where they stand close, they look
// like one.
func TestACarryNearTheStart(t *testing.T) {
	t.Parallel()
	for _, seconds := range []float64{4, 5, 6, 7} {
		t.Run(fmt.Sprint(seconds), func(t *testing.T) {
			t.Parallel()
			readMost(t, 0.9, seconds, []float64{9, 12, 15}, []float64{43*60 + 58.4, 43*60 + 59.3, 58*60 + 59.6, 9*60 + 58.7, 67*60 + 48.7, 19*60 + 58.2}, func(pix []byte, set typeface.Set, text string) {
				aligned(pix, set, text, 55, 26, 0.5, 0.03, "")
				displaced(pix, 0.5, 0.5)
			})
		})
	}
}

func TestProportionalFigures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		left   float64
		narrow string
	}{
		"a narrow 1 at the left":  {0, "1"},
		"in the middle":           {0.5, "1"},
		"at the right":            {1, "1"},
		"all of their own widths": {0.5, "0123456789"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			readMost(t, 0.9, 6, []float64{10, 12}, []float64{66*60 + 22.3, 23*60 + 48.5, 31*60 + 38.8, 74*60 + 6.2, 12*60 + 13.5, 57*60 + 59.4}, func(pix []byte, set typeface.Set, text string) {
				aligned(pix, set, text, 55, 26, c.left, 0.15, c.narrow)
			})
		})
	}
}

// TestADigitIsNoColon: 6:25 of 66:25, the colon taken from the second 6, or an edge of the bar read as a 1 in the place of the first, is no
// reading beside the right one.
func TestADigitIsNoColon(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		t.Run(face.File, func(t *testing.T) {
			t.Parallel()
			for _, height := range []float64{8, 10} {
				set, err := face.Set(height)
				require.NoError(t, err)
				for _, m := range []float64{66, 68, 86, 88, 33} {
					for _, gap := range []float64{0.08, 0.2} {
						for _, blur := range []float64{0.1, 0.3, 0.5} {
							says := minute(m*60 + 22.3)
							a := watch(6, func(pix []byte, at float64) {
								pitch(pix, at)
								bar(pix, set, "", 45, 26, 120)
								aligned(pix, set, says(at), 55, 26, 0, gap, "")
								displaced(pix, blur, blur)
							})
							require.NotEmpty(t, a.Readings, "%g high, %g apart, blurred by %g: %s of %s", height, gap, blur, a.Abstained, says(0))
							readRight(t, a, says)
						}
					}
				}
			}
		})
	}
}

// TestAOneThatStandsApart: the stem of a wide 4 is read as a 1, farther from the digit before it than the others are from one another.
func TestAOneThatStandsApart(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		set, err := face.Set(12)
		require.NoError(t, err)
		from, to := set.Ink(typeface.Spacing{Even: true})
		for _, by := range []float64{1.3, 1.4} {
			apart := int(by * (to - from + 0.05*12))
			a := watch(6, func(pix []byte, at float64) {
				pitch(pix, at)
				bar(pix, set, "", 45, 26, 120)
				aligned(pix, set, "3", 55, 26, 0, 0.05, "")
				aligned(pix, set, minute(31*60 + 24.3)(at)[1:], 55+apart, 26, 0, 0.05, "")
			})
			require.Empty(t, a.Readings, "%s, by %d", face.File, apart)
		}
	}
}

// bare is a set whose 1 has no foot and little of a flag, as in most of the fonts on air.
func bare(set typeface.Set) typeface.Set {
	one := set.Glyphs['1']
	w, h := one.Ink.Rect.Dx(), one.Ink.Rect.Dy()
	from, to := w, 0 // the stem
	for x := range w {
		n := 0
		for y := range h {
			if one.Ink.Pix[y*one.Ink.Stride+x] > 128 {
				n++
			}
		}
		if 3*n > 2*h {
			from, to = min(from, x), x+1
		}
	}
	from = max(0, from-2)
	ink := image.NewAlpha(image.Rect(0, 0, to-from, h))
	for y := range h {
		for x := from; x < to; x++ {
			if x >= from+2 || 3*y < h {
				ink.Pix[y*ink.Stride+x-from] = one.Ink.Pix[y*one.Ink.Stride+x]
			}
		}
	}
	one.Ink = ink
	set.Glyphs = maps.Clone(set.Glyphs)
	set.Glyphs['1'] = one
	return set
}

// TestADigitBetweenOthersIsNotSkipped: the ones of 116:55 stand closer than other digits, and without that in the middle it would be 16:55.
func TestADigitBetweenOthersIsNotSkipped(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		for _, height := range []float64{9, 12, 15} {
			set, err := face.Set(height)
			require.NoError(t, err)
			set = bare(set)
			for _, gap := range []float64{0.03, 0.1, 0.2} {
				for _, start := range []float64{116*60 + 50.3, 113*60 + 30.2, 110*60 + 40.3, 11*60 + 32.3, 21*60 + 36.3} {
					says := minute(start)
					a := watch(6, func(pix []byte, at float64) {
						pitch(pix, at)
						bar(pix, set, "", 45, 26, 120)
						aligned(pix, set, says(at), 60, 26, 0, gap, "1")
					})
					readRight(t, a, says)
				}
			}
		}
	}
}

// TestTheOneOfAHundredIsSeen: beside narrow figures, and in one with a wide foot, it stands farther from the next digit than others do.
func TestTheOneOfAHundredIsSeen(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		for _, height := range []float64{8, 11, 13.1} {
			set, err := face.Set(height)
			require.NoError(t, err)
			for _, gap := range []float64{0.06, 0.1, 0.2} {
				for _, narrow := range []string{"", "1", "0123456789:"} {
					for _, start := range []float64{107*60 + 32.3, 105*60 + 40.3} {
						says := minute(start)
						a := watch(6, func(pix []byte, at float64) {
							pitch(pix, at)
							bar(pix, set, "", 45, 26, 120)
							aligned(pix, set, says(at), 60, 26, 0, gap, narrow)
						})
						readRight(t, a, says)
					}
				}
			}
		}
	}
}

// TestAClockAmongMuchThatBeats: compressed much, still parts of a picture change with each key frame, once a second, and more than a digit does.
func TestAClockAmongMuchThatBeats(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		set, err := face.Set(12)
		require.NoError(t, err)
		for _, start := range []float64{85*60 + 4.4, 32*60 + 11.2, 42*60 + 6.7, 31*60 + 11.2} {
			says := minute(start)
			a := watch(4, func(pix []byte, at float64) {
				for i := range pix {
					block, frame := i/wide/16*31+i%wide/16*17, 0
					if i >= 144*wide {
						frame = int(at + 0.5)
					}
					pix[i] = byte(40 + (block*7+frame*(60+block%40))%160)
				}
				bar(pix, set, "", 45, 26, 120)
				aligned(pix, set, says(at), 55, 26, 0.5, 0.1, "")
			})
			readRight(t, a, says)
			require.NotEmpty(t, a.Readings, "%s: %s: %s", face.File, says(0), a.Abstained)
		}
	}
}

// TestWhatStandsBeforeAClockIsNoHundred: 3-1 close to 16:26 made 116:26 of it, and so did a line between the two or a pale I.
func TestWhatStandsBeforeAClockIsNoHundred(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		for _, height := range []float64{11, 14, 18} {
			set, err := face.Set(height)
			require.NoError(t, err)
			for _, before := range []func(pix []byte, digit int){
				func(pix []byte, digit int) { write(pix, wide, set, "3-1", 105-digit*3-digit/4, 26, 230) },
				func(pix []byte, digit int) { write(pix, wide, set, "3 - 1", 105-digit*5-digit/4, 26, 230) },
				func(pix []byte, digit int) { write(pix, wide, set, "I", 105-digit, 26, 170) },
				func(pix []byte, digit int) {
					for y := 24; y < 28+int(height); y++ {
						pix[y*wide+105-digit/3], pix[y*wide+104-digit/3] = 230, 230
					}
				},
			} {
				for _, start := range []float64{16*60 + 26.4, 4*60 + 23.8, 21*60 + 49.1} {
					says := minute(start)
					a := watch(6, func(pix []byte, at float64) {
						pitch(pix, at)
						bar(pix, set, "", 30, 26, 180)
						line := write(pix, wide, set, says(at), 105, 26, 230)
						before(pix, int(line[1].Left-line[0].Left+0.5))
					})
					readRight(t, a, says)
				}
			}
		}
	}
}

// TestHoursBeforeADotAreHours: of 06.43.47 the match clock 43:47 was left.
func TestHoursBeforeADotAreHours(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		for _, height := range []float64{11, 14, 18} {
			set, err := face.Set(height)
			require.NoError(t, err)
			for _, start := range []float64{43*60 + 47.2, 40*60 + 56.7, 17*60 + 1.1} {
				a := watch(6, func(pix []byte, at float64) {
					pitch(pix, at)
					bar(pix, set, "06."+strings.ReplaceAll(minute(start)(at), ":", "."), 45, 26, 180)
				})
				require.Empty(t, a.Readings, "%s, %g high", face.File, height)
			}
		}
	}
}
