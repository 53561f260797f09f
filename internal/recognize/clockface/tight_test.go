package clockface_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// TestClocksAreReadRightOrNot draws clocks at random, as tight, narrow and blurred as can be: what is read is what they show, and hours are not
// read. CLOCKS=6000 draws so many, also in the fonts that make fonts installs, and says what became of them.
func TestClocksAreReadRightOrNot(t *testing.T) {
	t.Parallel()
	faces, draws := goFonts(t), 200
	many := os.Getenv("CLOCKS")
	if many != "" {
		var err error
		draws, err = strconv.Atoi(many)
		require.NoError(t, err)
		for _, split := range []typeface.Split{typeface.Limits, typeface.Judge} {
			more, err := typeface.Load(typeface.Dir, split)
			require.NoError(t, err)
			faces = append(faces, more...)
		}
	}
	r := rand.New(rand.NewPCG(1, 7)) // the same clocks each time
	one := func(of ...float64) float64 { return of[r.IntN(len(of))] }
	right, wrong := map[string]int{}, map[string]int{}
	for range draws {
		face := faces[r.IntN(len(faces))]
		height := 8 + 10*r.Float64()
		set, err := face.Set(height)
		require.NoError(t, err)
		gap, blur, left := one(0, 0.03, 0.06, 0.1, 0.2), one(0, 0.2, 0.4, 0.6), one(0, 0.5, 1)
		narrow := []string{"", "1", "1:", "0123456789:", ":"}[r.IntN(5)]
		kind := []string{"two digits", "below fifteen", "one digit", "three digits", "hours"}[r.IntN(5)]
		hour, start := "", 0.3+float64(r.IntN(60))
		switch kind {
		case "two digits":
			start += 60 * float64(15+r.IntN(84))
		case "below fifteen":
			start += 60 * float64(r.IntN(15))
		case "one digit":
			start += 60 * float64(r.IntN(9))
		case "three digits":
			start += 60 * float64(100+r.IntN(19))
		default:
			hour, start = fmt.Sprint(r.IntN(12), ":"), start+60*float64(r.IntN(59))
		}
		says := minute(start)
		shows := func(at float64) string {
			if kind == "one digit" {
				return says(at)[1:]
			}
			return hour + says(at)
		}
		a := watch(6, func(pix []byte, at float64) {
			pitch(pix, at)
			bar(pix, set, "", 35, 26, 150)
			aligned(pix, set, shows(at), 60, 26, left, gap, narrow)
			displaced(pix, blur, blur)
		})
		if len(a.Readings) == 0 {
			continue
		}
		first := a.Readings[0]
		read := fmt.Sprintf("%02d:%02d", first.Clock/60, first.Clock%60)
		if hour == "" && read == says(first.At) {
			right[kind]++
			continue
		}
		wrong[kind]++
		how := fmt.Sprintf("%s, %.1f high, %g apart, narrow %q, blurred by %g: %s was read as %s", face.File, height, gap, narrow, blur, shows(first.At), read)
		if many == "" {
			t.Error(how)
		} else {
			t.Log(how)
		}
	}
	t.Logf("%d clocks: right %v, wrong %v", draws, right, wrong)
	require.Greater(t, len(right), 3, "of each kind but hours some are read")
}

// TestAStrokeInPlaceOfTheColonIsNoOne: compressed, the colon of 6:27 is a 1, and the gap right of it was taken for the colon of 61:27.
func TestAStrokeInPlaceOfTheColonIsNoOne(t *testing.T) {
	t.Parallel()
	for _, face := range goFonts(t) {
		for _, height := range []float64{9, 11, 13} {
			set, err := face.Set(height)
			require.NoError(t, err)
			for _, gap := range []float64{0.03, 0.06, 0.1, 0.15} {
				says := minute(6*60 + 27.3)
				a := watch(5, func(pix []byte, at float64) {
					pitch(pix, at)
					bar(pix, set, "", 35, 26, 150)
					aligned(pix, set, strings.Replace(says(at)[1:], ":", "1", 1), 60, 26, 0.5, gap, "1")
					displaced(pix, 0.3, 0.3)
				})
				require.Empty(t, a.Readings, "%s, %.0f high, %g apart", face.File, height, gap)
			}
		}
	}
}
