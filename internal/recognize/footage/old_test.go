package footage_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/footage"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// stretch is some seconds of a film: moving, or one picture that stands still.
type stretch struct {
	scene   uint64
	seconds float64
	still   bool
}

func spliced(parts ...stretch) footy.Fingerprint {
	s := footy.Samples{Interval: footy.SampleInterval}
	for _, p := range parts {
		for n := range int(p.seconds / s.Interval) {
			if p.still {
				n = 0
			}
			r := rand.New(rand.NewPCG(p.scene, uint64(n)))
			pix := bytes.Repeat([]byte{128}, footy.SampleWidth*footy.SampleHeight)
			for i := range pix {
				pix[i] = byte(r.IntN(256))
			}
			s.Pix = append(s.Pix, pix)
		}
	}
	s.Duration = float64(len(s.Pix)) * s.Interval
	return phash.Build(s)
}

func TestWhatIsOldFootage(t *testing.T) {
	t.Parallel()
	moving := func(scene uint64, seconds float64) stretch { return stretch{scene: scene, seconds: seconds} }
	still := func(scene uint64, seconds float64) stretch {
		return stretch{scene: scene, seconds: seconds, still: true}
	}
	kept := spliced(moving(1, 6), moving(2, 6))
	template := spliced(moving(7, 3), still(20, 6), moving(8, 3))
	for name, c := range map[string]struct {
		video, kept footy.Fingerprint
		want        bool
	}{
		"the same":                                  {kept, kept, true},
		"a part of it":                              {spliced(moving(1, 6)), kept, true},
		"a second of something else behind it":      {spliced(moving(1, 6), moving(2, 6), moving(3, 1)), kept, true},
		"three seconds of something else behind it": {spliced(moving(1, 6), moving(2, 6), moving(3, 3)), kept, false},
		"half of it is another goal":                {spliced(moving(1, 6), moving(3, 6)), kept, false},
		"the wipe before it":                        {spliced(moving(1, 2), moving(3, 8)), kept, false},
		"a card that stands still":                  {spliced(still(20, 8)), template, false},
		"a template around another card":            {spliced(moving(7, 3), still(21, 6), moving(8, 3)), template, false},
		"too short to tell":                         {spliced(moving(1, 2.5)), kept, false},
		"another one":                               {spliced(moving(3, 12)), kept, false},
	} {
		require.Equal(t, c.want, footage.OldBy(c.video, phash.Compare(c.video, c.kept)), name)
	}
}
