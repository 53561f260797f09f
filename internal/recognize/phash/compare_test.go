package phash_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
	"github.com/found-footy/found-footy/internal/recognize/phash/phashtest"
)

func zoom(by, dx, dy float64) edit {
	return func(x, y float64) (float64, float64, float64) { return dx + x*by, dy + y*by, -1 }
}

// box shows the picture in a part of the frame and paint around it.
func box(x0, y0, x1, y1, paint float64) edit {
	return func(x, y float64) (float64, float64, float64) {
		if x < x0 || x >= x1 || y < y0 || y >= y1 {
			return 0, 0, paint
		}
		return (x - x0) / (x1 - x0), (y - y0) / (y1 - y0), -1
	}
}

func caption(x, y float64) (float64, float64, float64) {
	if y < 0.82 {
		return x, y, -1
	}
	if math.Mod(x*9, 1) < 0.3 && y > 0.86 && y < 0.95 {
		return 0, 0, 230
	}
	return 0, 0, 40
}

func bars(x, y float64) (float64, float64, float64) {
	if y < 0.2 || y >= 0.8 {
		return 0, 0, 0
	}
	return x, y, -1
}

func watermark(x, y float64) (float64, float64, float64) {
	if x > 0.75 && x < 0.92 && y > 0.1 && y < 0.2 {
		return 0, 0, 200
	}
	return x, y, -1
}

func TestCopiesAreRecognised(t *testing.T) {
	t.Parallel()
	s := newScene(1)
	whole := film(s, 0, 14, 1, keep)
	original := build(whole)
	for name, tc := range map[string]struct {
		copy     footy.Samples
		mirrored bool
		offset   float64
	}{
		"as it is":                 {whole, false, 0},
		"trimmed between samples":  {film(s, 2.13, 11.4, 1, keep), false, 2.25},
		"a sub-clip of six":        {film(s, 5, 11, 1, keep), false, 5},
		"brighter, more contrast":  {tone(whole, func(v float64) float64 { return 30 + 1.2*v }), false, 0},
		"another gamma":            {tone(whole, func(v float64) float64 { return 255 * math.Pow(v/255, 0.7) }), false, 0},
		"noise of a bad encoder":   {tone(whole, func(v float64) float64 { return math.Round(v/12) * 12 }), false, 0},
		"mirrored":                 {film(s, 0, 14, 1, func(x, y float64) (float64, float64, float64) { return 1 - x, y, -1 }), true, 0},
		"cropped by four per cent": {film(s, 0, 14, 1, zoom(0.96, 0.02, 0.02)), false, 0},
		"cropped by eight":         {film(s, 0, 14, 1, zoom(0.92, 0.04, 0.04)), false, 0},
		"letterbox":                {film(s, 0, 14, 1, box(0, 0.12, 1, 0.88, 0)), false, 0},
		"bars drawn over it":       {film(s, 0, 14, 1, bars), false, 0},
		"pillar box":               {film(s, 0, 14, 1, box(0.125, 0, 0.875, 1, 0)), false, 0},
		"picture in picture":       {film(s, 0, 14, 1, box(0.1, 0.2, 0.8, 0.9, 90)), false, 0},
		"caption":                  {film(s, 0, 14, 1, caption), false, 0},
		"watermark":                {film(s, 0, 14, 1, watermark), false, 0},
		"intro card":               {join(card(2), whole), false, -2},
		"outro card":               {join(whole, card(3)), false, 0},
		"two per cent faster":      {film(s, 0, 14, 1.02, keep), false, 0},
		"five per cent slower":     {film(s, 0, 14, 0.95, keep), false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			copied := build(tc.copy)
			m := phash.Compare(original, copied)
			require.True(t, m.Same, "%+v", m)
			require.Equal(t, tc.mirrored, m.Mirrored)
			require.InDelta(t, tc.offset, m.Offset, 0.6)
			require.GreaterOrEqual(t, m.Score, 0.5)
			require.Positive(t, m.MatchedFrames)
			require.True(t, phash.Compare(copied, original).Same, "the other way round")
		})
	}
}

func moving(seconds float64) footy.Samples { return film(newScene(77), 0, seconds, 1, keep) }

func TestAMovingCardHidesNoCopy(t *testing.T) {
	t.Parallel()
	s, other := newScene(3), newScene(2)
	intro, whole := moving(5), film(s, 0, 14, 1, keep)
	for name, pair := range map[string][2]footy.Samples{
		"both with the card":              {join(intro, whole), join(intro, film(s, 0, 12, 1, keep))},
		"one trimmed":                     {join(intro, whole), join(intro, film(s, 3, 14, 1, keep))},
		"little in common but the card":   {join(intro, whole), join(intro, film(s, 9, 13, 1, keep))},
		"one without":                     {join(intro, whole), whole},
		"a compilation that begins alike": {film(s, 0, 30, 1, keep), join(film(s, 0, 9, 1, keep), film(other, 0, 14, 1, keep))},
		"a compilation that ends alike":   {whole, join(film(other, 0, 14, 1, keep), film(s, 6, 14, 1, keep))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, two := build(pair[0]), build(pair[1])
			require.True(t, phash.Compare(one, two).Same)
			require.True(t, phash.Compare(two, one).Same, "the other way round")
		})
	}
}

func TestSpeedIsTold(t *testing.T) {
	t.Parallel()
	s := newScene(4)
	m := phash.Compare(build(film(s, 0, 30, 1, keep)), build(film(s, 0, 30, 1.04, keep)))
	require.True(t, m.Same, "%+v", m)
	require.InDelta(t, 1.04, m.Speed, 0.015)
}

func TestNoMoreFootageIsSharedThanThereIs(t *testing.T) {
	t.Parallel()
	for _, seconds := range []float64{6, 6.1, 7.8} {
		fp := build(film(newScene(4), 0, seconds, 1, keep))
		m := phash.Compare(fp, fp)
		require.True(t, m.Same)
		require.LessOrEqual(t, m.Seconds, float64(len(fp.Frames))*fp.Interval)
	}
}

func TestOtherFootageIsNot(t *testing.T) {
	t.Parallel()
	s, other := newScene(1), newScene(2)
	a, b, intro := film(s, 0, 14, 1, keep), film(other, 0, 14, 1, keep), moving(5)
	wipe := film(newScene(5), 0, 1, 1, keep)
	black := footy.Samples{Interval: footy.SampleInterval}
	for range 160 {
		black.Pix = append(black.Pix, make([]byte, width*height))
	}
	for name, pair := range map[string][2]footy.Samples{
		"another scene":            {a, b},
		"the same intro card":      {join(card(4), a), join(card(4), b)},
		"the same moving intro":    {join(intro, a), join(intro, b)},
		"the same before little":   {join(intro, film(s, 0, 4, 1, keep)), join(intro, film(other, 0, 5, 1, keep))},
		"the same moving outro":    {join(a, moving(4)), join(film(other, 0, 11, 1, keep), moving(4))},
		"cards only":               {card(10), card(10)},
		"black only":               {black, black},
		"another part of it":       {film(s, 0, 8, 1, keep), film(s, 30, 40, 1, keep)},
		"a second in common":       {film(s, 0, 8, 1, keep), film(s, 7, 14, 1, keep)},
		"the same wipe in the run": {join(a, wipe, film(newScene(6), 0, 5, 1, keep)), join(b, wipe, film(newScene(7), 0, 5, 1, keep))},
		"nothing":                  {a, {Interval: footy.SampleInterval}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := phash.Compare(build(pair[0]), build(pair[1]))
			require.False(t, m.Same, "%+v", m)
			require.Less(t, m.Score, 0.5)
		})
	}
}

func TestVersionsAreNeverCompared(t *testing.T) {
	t.Parallel()
	a := build(film(newScene(1), 0, 8, 1, keep))
	b := a
	b.Version = "ff0"
	m := phash.Compare(a, b)
	require.False(t, m.Same)
	require.Equal(t, footy.MismatchVersion, m.Mismatch)
}

func TestEmptyAndTinyVideosDoNotBreak(t *testing.T) {
	t.Parallel()
	for _, seconds := range []float64{0, 0.0625, 0.25, 0.5, 1} {
		fp := build(film(newScene(3), 0, seconds, 1, keep))
		require.False(t, phash.Compare(fp, fp).Same)
	}
}

func BenchmarkCompare13s(b *testing.B) {
	x, y := build(film(newScene(1), 0, 13, 1, keep)), build(film(newScene(2), 0, 13, 1, keep))
	b.ReportAllocs()
	for b.Loop() {
		phash.Compare(x, y)
	}
}

func BenchmarkPlain13s(b *testing.B) {
	x, y := words(newScene(1)), words(newScene(2))
	b.ReportAllocs()
	for b.Loop() {
		if phashtest.MatchSimple(x, y, phashtest.FirstPolicy) {
			b.Fatal("different scenes match")
		}
	}
}

func words(s *scene) (out []uint64) {
	for _, f := range build(film(s, 0, 13, 1, keep)).Frames {
		out = append(out, f.Bits[0])
	}
	return out
}

func BenchmarkBuild13s(b *testing.B) {
	s := film(newScene(1), 0, 13, 1, keep)
	for b.Loop() {
		phash.Build(s)
	}
}

func TestANegativeIsTheFurthestOfAll(t *testing.T) {
	t.Parallel()
	a := build(film(newScene(1), 0, 10, 1, keep))
	b := a
	b.Frames = nil
	for _, f := range a.Frames {
		for k := range f.Bits {
			f.Bits[k] = ^f.Bits[k]
		}
		f.Detail ^= 1<<56 - 1
		b.Frames = append(b.Frames, f)
	}
	require.False(t, phash.Compare(a, b).Same)
}
