package footage_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/footage"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// shot is a stretch of moving footage, in seconds of a day's broadcast.
type shot struct{ from, to float64 }

// filmed puts shots one after the other.
func filmed(shots ...shot) *phash.Prepared { return phash.Prepare(printed(shots...)) }

func printed(shots ...shot) footy.Fingerprint { return phash.Build(samples(shots...)) }

// seenOnAScreen is the footage with something else over it, as a screen has that is filmed: alike, but much less so than a copy.
func seenOnAScreen(shots ...shot) *phash.Prepared {
	s := samples(shots...)
	for n, pix := range s.Pix {
		r := rand.New(rand.NewPCG(uint64(n), 4))
		for i, v := range pix {
			pix[i] = byte(0.68*float64(v) + 0.32*float64(r.IntN(256)))
		}
	}
	return phash.Prepare(phash.Build(s))
}

func samples(shots ...shot) footy.Samples {
	s := footy.Samples{Interval: footy.SampleInterval}
	for _, shot := range shots {
		for n := int(shot.from / s.Interval); n < int(shot.to/s.Interval); n++ {
			r := rand.New(rand.NewPCG(uint64(n), 3))
			pix := make([]byte, footy.SampleWidth*footy.SampleHeight)
			for i := range pix {
				pix[i] = byte(r.IntN(256))
			}
			s.Pix = append(s.Pix, pix)
		}
	}
	s.Duration = float64(len(s.Pix)) * s.Interval
	return s
}

func read(times ...float64) []footy.Reading {
	var out []footy.Reading
	for _, at := range times {
		out = append(out, footy.Reading{At: at, Soccer: true, Clock: fmt.Sprintf("66:%02d", 10+int(at))})
	}
	return out
}

func TestWhatHoldsForACopy(t *testing.T) {
	t.Parallel()
	judged := filmed(shot{100, 112})
	readings := read(3, 6, 9)
	unlike := read(3, 6, 9)
	unlike[1].Soccer = false
	for name, c := range map[string]struct {
		asked *phash.Prepared
		read  []footy.Reading
		want  []footy.Reading // nil: the model is asked
	}{
		"the whole":                             {judged, readings, readings},
		"a little trimmed":                      {filmed(shot{101, 111.5}), readings, readings},
		"a part with two of the frames":         {filmed(shot{102, 107}), readings, readings[:2]},
		"the same, of which they differ":        {filmed(shot{102, 107}), unlike, nil},
		"the whole, of which they differ":       {judged, unlike, unlike},
		"a part with one of the frames":         {filmed(shot{100, 105}), readings, nil},
		"a second more at the end":              {filmed(shot{100, 113}), readings, readings},
		"with another goal behind it":           {filmed(shot{100, 112}, shot{300, 312}), readings, nil},
		"with another goal in the middle of it": {filmed(shot{100, 106}, shot{300, 303}, shot{106, 112}), readings, nil},
		"another goal":                          {filmed(shot{300, 312}), readings, nil},
		"a film of a screen that shows it":      {seenOnAScreen(shot{100, 112}), readings, nil},
		"nothing read":                          {judged, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := footage.Readings(c.asked, judged, c.read)
			require.Equal(t, c.want != nil, ok)
			if ok {
				require.Equal(t, c.want, got)
			}
		})
	}

	t.Run("a film of a screen is alike all the same", func(t *testing.T) {
		t.Parallel()
		m := seenOnAScreen(shot{100, 112}).Compare(judged)
		require.True(t, m.Same)
		require.Greater(t, m.Share, 0.85)
	})
	t.Run("a part of a compilation goes by its part", func(t *testing.T) {
		t.Parallel()
		both := filmed(shot{100, 112}, shot{300, 312})
		all := read(3, 6, 9, 14, 20)
		got, ok := footage.Readings(filmed(shot{300, 312}), both, all)
		require.True(t, ok)
		require.Equal(t, all[3:], got)
	})
	t.Run("a fingerprint that cannot be compared says nothing", func(t *testing.T) {
		t.Parallel()
		old := printed(shot{100, 112})
		old.Version = "ff1"
		_, ok := footage.Readings(judged, phash.Prepare(old), readings)
		require.False(t, ok)
	})
}
