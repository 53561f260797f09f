package footage_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/footage"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// filmed is the fingerprint of some seconds of a broadcast.
func filmed(from, to float64) footy.Fingerprint {
	s := footy.Samples{Interval: footy.SampleInterval, Duration: to - from}
	for n := int(from / s.Interval); n < int(to/s.Interval); n++ {
		r := rand.New(rand.NewPCG(uint64(n), 3))
		pix := make([]byte, footy.SampleWidth*footy.SampleHeight)
		for i := range pix {
			pix[i] = byte(r.IntN(256))
		}
		s.Pix = append(s.Pix, pix)
	}
	return phash.Build(s)
}

func TestAMemoryAnswersAsComparingDoes(t *testing.T) {
	t.Parallel()
	long, part, other := filmed(100, 110), filmed(102, 108), filmed(300, 308)
	var m footage.Memory
	for range 2 {
		require.Equal(t, phash.Compare(long, part), m.Prepare("long", long).Compare(m.Prepare("part", part)))
		require.Equal(t, phash.Compare(part, long), m.Prepare("part", part).Compare(m.Prepare("long", long)), "the other way round it has other seconds")
		require.Equal(t, phash.Compare(long, other), m.Prepare("long", long).Compare(m.Prepare("other", other)))
	}
	require.Same(t, m.Prepare("long", long), m.Known("long"))
	require.Equal(t, phash.Compare(long, part), m.Prepare("long", long).Compare(phash.Prepare(part)), "one that has no name")

	older := long
	older.Version = "ff0"
	require.Equal(t, footy.MismatchVersion, m.Prepare("long", older).Compare(m.Prepare("part", part)).Mismatch, "another version is another fingerprint")
	require.True(t, m.Prepare("long", long).Compare(m.Prepare("part", part)).Same)
}

func TestAMemoryForgets(t *testing.T) {
	t.Parallel()
	short := filmed(0, 0.5)
	var m footage.Memory
	first := m.Prepare("first", short)
	for n := range 200 {
		m.Prepare(fmt.Sprint(n), short)
	}
	require.Nil(t, m.Known("first"))
	require.NotNil(t, m.Known("199"))
	require.Equal(t, phash.Compare(short, short), first.Compare(m.Known("199")), "what is in use goes on")

	var none *footage.Memory
	require.Nil(t, none.Known("first"))
	require.NotNil(t, none.Prepare("first", short))
	m.Prepare("", short)
	require.Nil(t, m.Known(""))
}
