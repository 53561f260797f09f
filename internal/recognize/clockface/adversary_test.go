package clockface_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// watch shows the reader what a function paints, with the noise of a camera.
func watch(seconds float64, paint func(pix []byte, at float64)) clockface.Answer {
	r := newReader(wide, high)
	noise := rand.New(rand.NewPCG(3, 4))
	for n := range int(seconds * clockface.Rate) {
		look := r.Buffer()
		paint(look, float64(n)/clockface.Rate)
		noisy(look, noise)
		r.Add(look)
	}
	return r.Answer()
}

// pitch is footage that pans, of tiles that are seven wide and six lines high.
func pitch(pix []byte, at float64) {
	for y := range high {
		line := pix[y*wide : (y+1)*wide]
		if y%6 > 0 {
			copy(line, pix[(y-1)*wide:])
			continue
		}
		shift, v := int(70*at), y/6
		for x, u := 0, shift/7; x < wide; u++ {
			shade := byte(60 + (u*31+v*57+u*v*7)%120)
			for end := min(wide, 7*(u+1)-shift); x < end; x++ {
				line[x] = shade
			}
		}
	}
}

// bar is a graphic with a text.
func bar(pix []byte, set typeface.Set, text string, x, y, length int) {
	for j := y - int(set.Height*0.5); j < y+int(set.Height*1.5); j++ {
		for i := x - 8; i < x-8+length; i++ {
			pix[j*wide+i] = 25
		}
	}
	write(pix, wide, set, text, x, y, 230)
}

// displaced is the picture moved by parts of a pixel, as by a hand.
func displaced(pix []byte, dx, dy float64) {
	old := append([]byte(nil), pix...)
	const edge = 12 // what a hand moves stays within
	ix, iy := int(math.Floor(dx)), int(math.Floor(dy))
	fx, fy := int32(256*(dx-math.Floor(dx))), int32(256*(dy-math.Floor(dy)))
	for y := edge; y < high-edge; y++ {
		out, at := pix[y*wide+edge:(y+1)*wide-edge], (y+iy)*wide+edge+ix
		above, below := old[at:at+len(out)+1], old[at+wide:at+wide+len(out)+1]
		left := int32(above[0])*(256-fy) + int32(below[0])*fy
		for i := range out {
			right := int32(above[i+1])*(256-fy) + int32(below[i+1])*fy
			out[i] = byte((left*(256-fx) + right*fx) >> 16)
			left = right
		}
	}
}

// Where the clock of an adversary starts, and the goal that it pretends to show.
const (
	adversaryStart  = 66*60 + 51.3
	adversaryMinute = 68
)

// proven is what an answer proves of a goal: where no model is set up and the post names the match, and what one would be asked.
func proven(a clockface.Answer, goal footy.Minute) (footy.Outcome, clock.Ruling) {
	q := clock.Question{Minute: goal, Tolerance: 3}
	v, ruling := clock.CheckRunning(a.Running(), q)
	if ruling == clock.AskAll {
		return footy.OutcomeUnverified, ruling
	}
	return clock.WithoutModel(q, v, true).Outcome, ruling
}

// readRight demands that what was read is what was shown.
func readRight(t *testing.T, a clockface.Answer, says func(float64) string) {
	t.Helper()
	for _, r := range a.Readings {
		require.Equal(t, says(r.At), fmt.Sprintf("%02d:%02d", r.Clock/60, r.Clock%60), "at %.1f", r.At)
	}
}

// TestWhatTheClockAloneCannotTell: each of these shows a right clock that runs and stands still in the picture. Without a model they are
// verified; with one, it is asked what the picture is. The README says so.
func TestWhatTheClockAloneCannotTell(t *testing.T) {
	t.Parallel()
	set, err := goFonts(t)[0].Set(11)
	require.NoError(t, err)
	right := minute(adversaryStart)
	for name, c := range map[string]struct {
		minute int
		says   func(float64) string
		paint  func(pix []byte, at float64)
	}{
		"a still picture with a clock drawn over it": {adversaryMinute, right, func(pix []byte, _ float64) { pitch(pix, 0) }},
		"a video game that runs as fast as a match":  {adversaryMinute, right, pitch},
		"a handball match in the same minute":        {22, minute(20*60 + 51.3), pitch},
		"a screen filmed from a tripod": {adversaryMinute, right, func(pix []byte, at float64) {
			pitch(pix, at)
			bar(pix, set, right(at), 45, 26, 120)
			displaced(pix, 1.4, -0.7)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := watch(8, func(pix []byte, at float64) {
				c.paint(pix, at)
				if name != "a screen filmed from a tripod" {
					bar(pix, set, c.says(at), 45, 26, 120)
				}
			})
			require.GreaterOrEqual(t, len(a.Readings), 6, "%s", a.Abstained)
			readRight(t, a, c.says)
			outcome, ruling := proven(a, footy.Minute{Elapsed: c.minute})
			require.Equal(t, footy.OutcomeVerified, outcome)
			require.Equal(t, clock.AskPicture, ruling)
			v, _ := clock.CheckRunning(a.Running(), clock.Question{Minute: footy.Minute{Elapsed: c.minute}, Tolerance: 3})
			no := []footy.Reading{{At: 1}, {At: 3}, {At: 5}}
			require.Equal(t, footy.ReasonNotSoccer, clock.WithPicture(clock.Question{}, v, no, "m").Reason, "a model that sees no football refuses it")
		})
	}
}

// TestAPhoneBeforeAScreen: the clock is right and runs, but is held by a hand.
func TestAPhoneBeforeAScreen(t *testing.T) {
	t.Parallel()
	says := minute(66*60 + 56.3) // the minute changes on the way
	sway := func(slow, size float64) func(at float64) (dx, dy float64) {
		return func(at float64) (dx, dy float64) {
			return size * (math.Sin(slow*at+1) + 0.4*math.Sin(2.7*slow*at)), size * (math.Sin(0.8*slow*at+2) + 0.4*math.Sin(2.1*slow*at))
		}
	}
	for name, c := range map[string]struct {
		hand func(at float64) (dx, dy float64)
		want clockface.Reason
	}{
		"none: the same film is read": {func(float64) (dx, dy float64) { return 1.4, -0.7 }, ""},
		"a hand that trembles":        {func(at float64) (dx, dy float64) { return 0.4 * math.Sin(53*at), 0.4 * math.Sin(47*at) }, clockface.NoBeat},
		"a hand that sways":           {sway(2.5, 1.5), clockface.NoBeat},
		"a steady hand":               {sway(0.8, 0.5), clockface.Moves},
		"a very steady hand":          {sway(0.6, 0.3), clockface.Moves},
		"a slow zoom is refused too":  {func(at float64) (dx, dy float64) { return 0.1 * at, 0.06 * at }, clockface.Moves},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, face := range goFonts(t) {
				set, err := face.Set([]float64{8, 11, 9}[i])
				require.NoError(t, err)
				a := watch(7, func(pix []byte, at float64) {
					pitch(pix, at)
					bar(pix, set, says(at), 45, 26, 120)
					displaced(pix, 0.3, 0.3) // a lens blurs
					dx, dy := c.hand(at)
					displaced(pix, dx, dy)
				})
				if c.want == "" {
					require.GreaterOrEqual(t, len(a.Readings), 5, "%s: %s", face.File, a.Abstained)
					continue
				}
				require.Empty(t, a.Readings, face.File)
				require.Equal(t, c.want, a.Abstained, face.File)
			}
		})
	}
}

func TestAVideoGameRunsTooFast(t *testing.T) {
	t.Parallel()
	set, err := goFonts(t)[0].Set(11)
	require.NoError(t, err)
	for _, half := range []float64{4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20} { // minutes a half lasts
		t.Run(fmt.Sprintf("halves of %g minutes", half), func(t *testing.T) {
			t.Parallel()
			a := watch(12, func(pix []byte, at float64) {
				pitch(pix, at)
				bar(pix, set, minute(adversaryStart)(at*45/half), 45, 26, 120)
			})
			require.Empty(t, a.Readings)
			require.Contains(t, []clockface.Reason{clockface.NoBeat, clockface.Ambiguous}, a.Abstained)
		})
	}
}

func TestClocksOfOtherSportsAndOfNone(t *testing.T) {
	t.Parallel()
	one := func(says func(float64) string) []func(float64) string { return []func(float64) string{says} }
	stops := func(start, from, to float64) func(float64) string { // the clock stands in between
		return func(at float64) string { return minute(start)(min(at, from) + max(0, at-to)) }
	}
	down := func(start float64) func(float64) string {
		return func(at float64) string { return minute(0)(start - at) }
	}
	fixed := func(text string) func(float64) string { return func(float64) string { return text } }
	for name, c := range map[string]struct {
		clocks []func(float64) string // one below the other
		reads  int                    // seconds at least, of the first clock
		why    []clockface.Reason     // nothing is read, and it says so
		goal   footy.Minute
		proves footy.Outcome
	}{
		"futsal counts down":                          {one(down(18*60 + 21.7)), 0, []clockface.Reason{clockface.Backward}, footy.Minute{Elapsed: 18}, footy.OutcomeUnverified},
		"ice hockey counts down from twenty":          {one(down(20*60 + 2.2)), 0, []clockface.Reason{clockface.Backward}, footy.Minute{Elapsed: 20}, footy.OutcomeUnverified},
		"basketball counts down with tenths":          {one(func(at float64) string { return fmt.Sprintf("%.1f", 48.6-at) }), 0, []clockface.Reason{clockface.Backward, clockface.NoBeat, clockface.Ambiguous}, footy.Minute{Elapsed: 48}, footy.OutcomeUnverified},
		"handball of another minute":                  {one(minute(41*60 + 7.5)), 8, nil, footy.Minute{Elapsed: adversaryMinute}, footy.OutcomeRejected},
		"handball's clock stops for a time-out":       {one(stops(22*60+10.2, 6, 12)), 5, nil, footy.Minute{Elapsed: 24}, footy.OutcomeVerified},
		"a clock that stands through the goal":        {one(stops(adversaryStart, 0, 12)), 0, []clockface.Reason{clockface.NoBeat}, footy.Minute{Elapsed: adversaryMinute}, footy.OutcomeUnverified},
		"a clock that stands at the end of the match": {one(fixed("90:00")), 0, []clockface.Reason{clockface.NoBeat}, footy.Minute{Elapsed: 90}, footy.OutcomeUnverified},
		"two matches in one picture":                  {[]func(float64) string{minute(adversaryStart), minute(23*60 + 5.6)}, 0, []clockface.Reason{clockface.Several}, footy.Minute{Elapsed: adversaryMinute}, footy.OutcomeUnverified},
		"the same match twice":                        {[]func(float64) string{minute(adversaryStart), minute(adversaryStart)}, 8, nil, footy.Minute{Elapsed: adversaryMinute}, footy.OutcomeVerified},
		"the time of day stands below":                {[]func(float64) string{minute(adversaryStart), fixed("21:08")}, 8, nil, footy.Minute{Elapsed: adversaryMinute}, footy.OutcomeVerified},
		"the time of day runs below":                  {[]func(float64) string{minute(adversaryStart), func(at float64) string { return "21:" + minute(8*60+11.9)(at) }}, 8, nil, footy.Minute{Elapsed: adversaryMinute}, footy.OutcomeVerified},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, face := range goFonts(t)[:2] {
				set, err := face.Set(11)
				require.NoError(t, err)
				a := watch(12, func(pix []byte, at float64) {
					pitch(pix, at)
					for i, says := range c.clocks {
						bar(pix, set, says(at), 45, 26+60*i, 120)
					}
				})
				if c.why == nil {
					require.GreaterOrEqual(t, len(a.Readings), c.reads, "%s: %s", face.File, a.Abstained)
					readRight(t, a, c.clocks[0])
				} else {
					require.Empty(t, a.Readings, face.File)
					require.Contains(t, c.why, a.Abstained, face.File)
				}
				outcome, _ := proven(a, c.goal)
				require.Equal(t, c.proves, outcome, face.File)
			}
		})
	}
}

// TestATimerOfStoppageTimeRefusesNothing: where the clock that stands above it is not seen, its timer is read for it, and is small.
func TestATimerOfStoppageTimeRefusesNothing(t *testing.T) {
	t.Parallel()
	timer := minute(2*60 + 11.4)
	for _, face := range goFonts(t)[:2] {
		set, err := face.Set(11)
		require.NoError(t, err)
		a := watch(8, func(pix []byte, at float64) {
			pitch(pix, at)
			bar(pix, set, "90:00", 45, 26, 120)
			bar(pix, set, timer(at), 45, 26+60, 120)
		})
		require.NotEmpty(t, a.Readings, "if this one is seen through, move the clock farther away")
		readRight(t, a, timer)
		outcome, _ := proven(a, footy.Minute{Elapsed: 90, Extra: 3})
		require.Equal(t, footy.OutcomeVerified, outcome, "a timer counts in the stoppage time it belongs to")
		outcome, ruling := proven(a, footy.Minute{Elapsed: adversaryMinute})
		require.Equal(t, footy.OutcomeUnverified, outcome)
		require.Equal(t, clock.AskAll, ruling)
	}
}
