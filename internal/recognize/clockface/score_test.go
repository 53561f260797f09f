package clockface_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

func TestTheScoreBesideAClock(t *testing.T) {
	t.Parallel()
	type text struct {
		x, y int
		says func(at float64) string
	}
	fixed := func(s string) func(float64) string { return func(float64) string { return s } }
	right := func(s string) []text { return []text{{120, 40, fixed(s)}} }
	score := func(left, right int) []*clockface.Score { return []*clockface.Score{{Left: left, Right: right}} }
	none := []*clockface.Score{nil}
	for name, c := range map[string]struct {
		texts []text
		want  []*clockface.Score // any of these
	}{
		"right of it":                       {right("LIV 2-1 ARS"), score(2, 1)},
		"with a wide space":                 {right("LIV 3   0 ARS"), score(3, 0)},
		"a draw of letters that look alike": {right("BOS 0-5 OSI"), score(0, 5)},
		"above it":                          {[]text{{45, 16, fixed("LIV 2-4 ARS")}}, score(2, 4)},
		"below it":                          {[]text{{45, 64, fixed("LIV 2-4 ARS")}}, score(2, 4)},
		"a goal falls: what stood before or after": {[]text{{120, 40, func(at float64) string {
			if at < 4.5 {
				return "LIV 1-0 ARS"
			}
			return "LIV 2-0 ARS"
		}}}, append(score(1, 0), score(2, 0)[0], nil)},
		"none":                             {nil, none},
		"names alone":                      {right("LIV - ARS"), none},
		"letters that look like digits":    {right("SOS O-I BIO"), append(score(0, 1), nil)},
		"two digits are no score":          {right("LIV 12-1 ARS"), none},
		"nor are the goals of two legs":    {right("LIV 2-1 ARS 3-2"), none},
		"the time of day":                  {[]text{{45, 64, fixed("21:08")}}, none},
		"the board of added minutes":       {right("+4"), none},
		"a date":                           {right("22-11-26"), none},
		"a date of few digits":             {right("1 - 2 - 26"), none},
		"two different ones, one above it": {[]text{{45, 16, fixed("LIV 2-4 ARS")}, {45, 64, fixed("BVB 0-1 FCB")}}, none},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, err := goFonts(t)[0].Set(11)
			require.NoError(t, err)
			a := watch(8, func(pix []byte, at float64) {
				pitch(pix, at)
				bar(pix, set, minute(adversaryStart)(at), 45, 40, 60)
				for _, s := range c.texts {
					bar(pix, set, s.says(at), s.x, s.y, 190)
				}
			})
			require.NotEmpty(t, a.Readings, "%s", a.Abstained)
			require.Contains(t, c.want, a.Score)
		})
	}
}

// TestOfAFourWhatIsLightMayBeAOne: where only what is light can be read, a score that the whole brightness shows otherwise is not believed.
func TestOfAFourWhatIsLightMayBeAOne(t *testing.T) {
	t.Parallel()
	for slope, want := range map[byte]*clockface.Score{235: {Left: 4, Right: 2}, 124: nil} { // of the 4: as light as its stem, or just dark
		set, err := goFonts(t)[0].Set(16)
		require.NoError(t, err)
		score := make([]byte, wide*high)
		line := write(score, wide, set, "LIV 4-2 ARS", 130, 26, 235)
		four := line[slices.IndexFunc(line, func(p typeface.Placed) bool { return p.Rune == '4' })]
		left, right, stem, most := int(four.Left), int(four.Right), 0, 0
		for x := left; x < right; x++ {
			ink := 0
			for y := range high {
				ink += int(score[y*wide+x])
			}
			if ink > most {
				stem, most = x, ink
			}
		}
		for k, v := range score {
			if x := k % wide; x >= left && x < right && max(x-stem, stem-x) > 1 {
				score[k] = min(v, slope)
			}
		}
		a := watch(6, func(pix []byte, at float64) {
			pitch(pix, at)
			for k, v := range pix { // much that moves, below what is light, but not behind the score
				if pix[k] = byte(int(v) * 7 / 10); pix[k] > 120 {
					pix[k] = 120 - pix[k]%40
				}
				if k/wide > 18 && k/wide < 50 && k%wide > 120 {
					pix[k] = 0
				}
			}
			write(pix, wide, set, minute(66*60+52.3)(at), 45, 26, 235)
			for k, v := range score {
				pix[k] = max(pix[k], v)
			}
			displaced(pix, 0.3, 0.3)
		})
		require.NotEmpty(t, a.Readings, "%s", a.Abstained)
		require.Equal(t, want, a.Score, slope)
	}
}

func TestNoScoreWithoutAClock(t *testing.T) {
	t.Parallel()
	set, err := goFonts(t)[0].Set(11)
	require.NoError(t, err)
	a := watch(8, func(pix []byte, at float64) {
		pitch(pix, at)
		bar(pix, set, "90:00", 45, 26, 60)
		bar(pix, set, "LIV 2-1 ARS", 120, 26, 190)
	})
	require.Empty(t, a.Readings)
	require.Nil(t, a.Score)
}
