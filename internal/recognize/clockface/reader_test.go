package clockface_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

const wide, high = 320, 180

// stadium is larger than what the camera shows of it.
var stadium = sync.OnceValue(func() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]byte, 2*wide*high)
	for i := range out {
		out[i] = byte(60 + i/7%90 + r.IntN(60))
	}
	return out
})

// broadcast is what the reader is shown: ground that moves, a bar that does not, a text on it that changes with time.
type broadcast struct {
	seconds float64
	height  float64 // of the digits
	dark    bool    // dark ink on a light bar
	mirror  bool
	end     int // of the bar; 0: 170
	says    func(t float64) string
}

func (b broadcast) read(t *testing.T, face typeface.Face) clockface.Answer {
	t.Helper()
	set, err := face.Set(b.height)
	require.NoError(t, err)
	r := newReader(wide, high)
	noise, ground := rand.New(rand.NewPCG(1, 2)), stadium()
	bar, ink := byte(25), byte(230)
	if b.dark {
		bar, ink = ink, bar
	}
	for n := range int(b.seconds * clockface.Rate) {
		at := float64(n) / clockface.Rate
		look := r.Buffer()
		for y := range high {
			copy(look[y*wide:(y+1)*wide], ground[y*2*wide+n*7%wide:])
		}
		for y := 20; y < 20+int(b.height*1.9); y++ {
			for x := 30; x < max(170, b.end); x++ {
				look[y*wide+x] = bar
			}
		}
		write(look, wide, set, b.says(at), 45, 20+int(b.height*0.45), ink)
		if b.mirror {
			for y := range high {
				for x := range wide / 2 {
					i, j := y*wide+x, y*wide+wide-1-x
					look[i], look[j] = look[j], look[i]
				}
			}
		}
		noisy(look, noise)
		r.Add(look)
	}
	return r.Answer()
}

// minute runs from so many seconds on.
func minute(start float64) func(float64) string {
	return func(t float64) string { return fmt.Sprintf("%02d:%02d", int(start+t)/60, int(start+t)%60) }
}

func TestAClockIsReadInFontsItNeverSaw(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		for i, start := range []float64{66*60 + 52.3, 9*60 + 57.8, 12*60 + 13.5} {
			b := broadcast{seconds: 7, height: []float64{9, 12, 16}[i], dark: i == 1, says: minute(start)}
			a := b.read(t, face)
			require.NotEmpty(t, a.Readings, "%s, %s: %s", face.File, b.says(0), a.Abstained)
			require.GreaterOrEqual(t, len(a.Readings), 5)
			for _, r := range a.Readings {
				require.Equal(t, b.says(r.At), fmt.Sprintf("%02d:%02d", r.Clock/60, r.Clock%60), "%s at %.1f", face.File, r.At)
			}
			require.InDelta(t, 1, a.Speed, 0.01)
			require.Greater(t, a.Confidence, 0.7)
		}
	}
}

// TestAClockThatFootageShinesThrough stands on it without a box, or on one that hides half of it.
func TestAClockThatFootageShinesThrough(t *testing.T) {
	t.Parallel()
	for name, hidden := range map[string]int{"no box": 0, "half-transparent": 5} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read, all := 0, 0
			for _, face := range goFonts(t) {
				for i, start := range []float64{66*60 + 52.3, 48*60 + 57.8, 12*60 + 13.5} {
					set, err := face.Set([]float64{12, 14, 16}[i])
					require.NoError(t, err)
					says := minute(start)
					a := watch(6, func(pix []byte, at float64) {
						pitch(pix, at)
						for k := range pix {
							if y, x := k/wide, k%wide; y > 18 && y < 50 && x > 35 && x < 140 {
								pix[k] = byte(int(pix[k]) * (10 - hidden) / 10)
							}
							pix[k] = byte(int(pix[k]) / 2)
						}
						write(pix, wide, set, says(at), 45, 26, 235)
						displaced(pix, 0.3, 0.3)
					})
					readRight(t, a, says)
					all++
					if len(a.Readings) > 0 {
						read++
					} else {
						t.Log(face.File, says(0), a.Abstained)
					}
				}
			}
			require.GreaterOrEqual(t, read, all*7/9, "%d of %d", read, all)
		})
	}
}

func TestExtraTimeHasThreeDigitsOfMinutes(t *testing.T) {
	t.Parallel()
	read, all := 0, 0
	for _, face := range goFonts(t) {
		for i, height := range []float64{10, 13} {
			set, err := face.Set(height)
			require.NoError(t, err)
			for _, gap := range []float64{0.06, 0.1, 0.2} {
				for j, start := range []float64{116*60 + 47.3, 105*60 + 55.3, 111*60 + 14.2, 104*60 + 16.4} {
					says, blur := minute(start), []float64{0, 0.4}[(i+j)%2]
					a := watch(6, func(pix []byte, at float64) {
						pitch(pix, at)
						bar(pix, set, "", 45, 26, 120)
						aligned(pix, set, says(at), 55, 26, 0, gap, "")
						displaced(pix, blur, blur)
					})
					readRight(t, a, says)
					all++
					if len(a.Readings) > 0 {
						read++
					} else {
						t.Log(face.File, height, gap, blur, says(0), a.Abstained)
					}
				}
			}
		}
	}
	require.GreaterOrEqual(t, read, all*9/10, "%d of %d", read, all)
}

// TestHoursAreNoHundred: the colon before the minutes may look like the 1 of 116:47, and the hour of 1:16:47 is one.
func TestHoursAreNoHundred(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		for _, height := range []float64{8, 9, 11, 14} {
			set, err := face.Set(height)
			require.NoError(t, err)
			for i, hour := range []string{"1:", "11:", "21:", "10:"} {
				for _, start := range []float64{16*60 + 47.3, 11*60 + 3.2, 60 + 8.4} {
					says, gap, blur := minute(start), []float64{0.03, 0.1, 0.2}[i%3], []float64{0, 0.4}[i%2]
					for _, c := range []struct {
						gap, blur float64
						narrow    string
					}{{gap, blur, ""}, {0, 0.4, "1:"}} {
						a := watch(6, func(pix []byte, at float64) {
							pitch(pix, at)
							bar(pix, set, "", 45, 26, 130)
							aligned(pix, set, hour+says(at), 55, 26, 0, c.gap, c.narrow)
							displaced(pix, c.blur, c.blur)
						})
						require.Empty(t, a.Readings, "%s, %g high, %g apart, blurred by %g: %s%s", face.File, height, c.gap, c.blur, hour, says(0))
					}
				}
			}
		}
	}
}

// TestHoursOfFewPixelsAreNoMinutes: where digits are few pixels wide and stand close, the 1 of 1:16:47 stands as near as that of 116:47, and its
// colon is not seen by the classifier.
func TestHoursOfFewPixelsAreNoMinutes(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		for i, height := range []float64{8.5, 9, 9.5} {
			set, err := face.Set(height)
			require.NoError(t, err)
			for k, narrow := range []string{"1", ""} {
				for _, blur := range []float64{0.3, 0.4} {
					for j, c := range []struct {
						hour  string
						start float64
					}{{"1:", 16*60 + 47.74}, {"1:", 47*60 + 21.15}, {"2:", 59*60 + 40.5}, {"1:", 4*60 + 59.4}, {"2:", 5*60 + 10.3}} {
						says, gap, ground := minute(c.start), []float64{0, 0.03, 0.03}[(i+k+j+2)%3], []int{20, 10}[min(j, 1)]
						a := watch(5, func(pix []byte, at float64) {
							pitch(pix, at)
							bar(pix, set, "", 45-ground, 26, 130)
							aligned(pix, set, c.hour+says(at), 35, 26, 0, gap, narrow)
							displaced(pix, blur, blur)
						})
						require.Empty(t, a.Readings, "%s, %g high, %g apart, blurred by %g, narrow %q: %s%s", face.File, height, gap, blur, narrow, c.hour, says(0))
					}
				}
			}
		}
	}
}

func TestTheTickIsFoundWithinALook(t *testing.T) {
	t.Parallel()
	a := broadcast{seconds: 6, height: 12, says: minute(1234.6)}.read(t, goFonts(t)[0])
	require.InDelta(t, 0.4, a.Phase, 0.11)
}

func TestFootageOfAnotherSpeedSaysSo(t *testing.T) {
	t.Parallel()
	for _, speed := range []float64{1 / 1.06, 1.04, 1.25, 0.5} {
		a := broadcast{seconds: 10, height: 13, says: func(t float64) string { return minute(3456.2)(t * speed) }}.read(t, goFonts(t)[0])
		require.NotEmpty(t, a.Readings, "%.2f: %s", speed, a.Abstained)
		require.InDelta(t, speed, a.Speed, 0.03)
		for _, r := range a.Readings {
			require.InDelta(t, 3456.2+r.At*speed, float64(r.Clock)+0.5, 1)
		}
	}
}

func TestAJumpIsReadOnBothSides(t *testing.T) {
	t.Parallel()
	b := broadcast{seconds: 17, height: 12, says: func(t float64) string {
		if t < 8.4 {
			return minute(700.2)(t)
		}
		return minute(3300.9)(t)
	}}
	a := b.read(t, goFonts(t)[0])
	early, late := 0, 0
	for _, r := range a.Readings {
		require.Equal(t, b.says(r.At), fmt.Sprintf("%02d:%02d", r.Clock/60, r.Clock%60), "at %.1f", r.At)
		if r.At < 8.4 {
			early++
		} else {
			late++
		}
	}
	require.GreaterOrEqual(t, early, 6)
	require.GreaterOrEqual(t, late, 6)
}

// TestAClipOfTwoMomentsIsNeverReadAsOne: where one of its clocks cannot be read, the other decides nothing.
func TestAClipOfTwoMomentsIsNeverReadAsOne(t *testing.T) {
	t.Parallel()
	for _, parts := range [][2]float64{{8, 8}, {6, 6}, {10, 5}, {12, 6}, {9, 9}, {6, 12}} {
		for _, second := range []float64{720.2, 4699.5, 1820.8} {
			t.Run(fmt.Sprint(parts, second), func(t *testing.T) {
				t.Parallel()
				a := broadcast{seconds: parts[0] + parts[1], height: 12, says: func(t float64) string {
					if t < parts[0] {
						return minute(4012.2)(t)
					}
					return minute(second - parts[0])(t)
				}}.read(t, goFonts(t)[0])
				if len(a.Readings) > 0 {
					require.Less(t, a.Readings[0].At, parts[0], "%v", a.Readings)
					require.Greater(t, a.Readings[len(a.Readings)-1].At, parts[0], "%v", a.Readings)
				}
			})
		}
	}
}

// TestAReplayWithoutAClockTakesNothingAway, nor does a picture that stands at the end.
func TestAReplayWithoutAClockTakesNothingAway(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]func(t float64) string{
		"a replay": func(t float64) string {
			if t > 9.3 {
				return ""
			}
			return minute(4012.2)(t)
		},
		"a still": func(t float64) string { return minute(4012.2)(min(t, 9.3)) },
	} {
		a := broadcast{seconds: 20, height: 12, says: says}.read(t, goFonts(t)[0])
		require.GreaterOrEqual(t, len(a.Readings), 8, "%s: %s", name, a.Abstained)
	}
}

func TestALongClipIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	a := broadcast{seconds: 31, height: 12, says: minute(59*60 + 48.2)}.read(t, goFonts(t)[0])
	require.GreaterOrEqual(t, len(a.Readings), 28)
	require.Equal(t, 60*60+18, a.Readings[len(a.Readings)-1].Clock)
	require.Equal(t, 31, a.Seconds)
}

func TestWhatIsNoClock(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		broadcast
		want []clockface.Reason
	}{
		"a clock that stands":                    {broadcast{seconds: 8, says: func(float64) string { return "45:00" }}, []clockface.Reason{clockface.NoBeat}},
		"a countdown":                            {broadcast{seconds: 8, says: func(t float64) string { return minute(0)(700 - t) }}, []clockface.Reason{clockface.Backward}},
		"hours, minutes and seconds":             {broadcast{seconds: 8, says: func(t float64) string { return "20:" + minute(2500)(t) }}, []clockface.Reason{clockface.TimeOfDay, clockface.Ambiguous}},
		"a timer of stoppage time":               {broadcast{seconds: 8, says: func(t float64) string { return "+" + minute(75)(t) }}, []clockface.Reason{clockface.Standing, clockface.Ambiguous}},
		"a timer beside a clock that stands":     {broadcast{seconds: 8, says: func(t float64) string { return "45:00 " + minute(75)(t) }}, []clockface.Reason{clockface.Standing, clockface.TimeOfDay, clockface.Ambiguous}},
		"a timer far from the clock that stands": {broadcast{seconds: 8, end: 300, says: func(t float64) string { return "45:00   ABC  1-2  DEF    " + minute(75)(t) }}, []clockface.Reason{clockface.Standing}},
		"a timer that slides in with its clock": {broadcast{seconds: 9, says: func(t float64) string {
			if t < 2.5 {
				return ""
			}
			return "90:00   " + minute(75)(t)
		}}, []clockface.Reason{clockface.Standing}},
		"hours with one digit":     {broadcast{seconds: 8, says: func(t float64) string { return "7:" + minute(95)(t) }}, []clockface.Reason{clockface.TimeOfDay}},
		"seconds alone":            {broadcast{seconds: 8, says: func(t float64) string { return fmt.Sprint(31 + int(t)) }}, []clockface.Reason{clockface.NoBeat, clockface.Ambiguous}},
		"a mirrored clock":         {broadcast{seconds: 8, mirror: true, says: minute(2467)}, []clockface.Reason{clockface.NoBeat, clockface.Ambiguous, clockface.Backward}},
		"three seconds of a clock": {broadcast{seconds: 3, says: minute(2467)}, []clockface.Reason{clockface.TooShort}},
		"a jump every second":      {broadcast{seconds: 8, says: func(t float64) string { return fmt.Sprintf("%02d:%02d", int(t)*37%90, int(t)*23%60) }}, []clockface.Reason{clockface.NoBeat, clockface.Ambiguous}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.height = 12
			for _, face := range goFonts(t) {
				a := tc.read(t, face)
				require.Empty(t, a.Readings, face.File)
				require.Contains(t, tc.want, a.Abstained, face.File)
			}
		})
	}
}

func TestAFrameOfAnySizeIsRead(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{16, 8}, {18, 10}, {9, 9}, {100, 3}} {
		r := clockface.NewReader(size[0], size[1], clockface.DefaultLimits())
		for n := range 70 {
			look := r.Buffer()
			for i := range look {
				look[i] = byte(n / 10 * 40)
			}
			r.Add(look)
		}
		require.Empty(t, r.Answer().Readings)
	}
}
