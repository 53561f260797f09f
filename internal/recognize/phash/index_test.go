package phash_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

func TestTheIndexFindsCopiesAndNothingElse(t *testing.T) {
	t.Parallel()
	x := phash.NewIndex()
	require.Empty(t, x.Find(build(film(newScene(1), 0, 5, 1, keep)), 10), "an empty index")
	for i := range 12 {
		x.Add(fmt.Sprintf("scene%d", i), build(film(newScene(uint64(i)), 0, 8, 1, keep)))
	}
	require.Equal(t, 12, x.Len())
	for _, scene := range []uint64{3, 10} {
		for name, e := range map[string]edit{"as it is": keep, "cropped": zoom(0.92, 0.04, 0.04), "mirrored": func(x, y float64) (float64, float64, float64) { return 1 - x, y, -1 }} {
			hits := x.Find(build(film(newScene(scene), 1.1, 7.5, 1, e)), 10)
			require.Len(t, hits, 1, name)
			require.Equal(t, fmt.Sprintf("scene%d", scene), hits[0].ID, name)
			require.Equal(t, name == "mirrored", hits[0].Match.Mirrored)
		}
	}
	require.Empty(t, x.Find(build(film(newScene(1000), 0, 8, 1, keep)), 10))
}

// beat is a quarter of a second in samples.
const beat = int(0.25 / footy.SampleInterval)

// noise makes the fingerprint of footage that nothing else looks like, and that changes each beat.
func noise(seed uint64, beats int) footy.Fingerprint {
	r := rand.New(rand.NewPCG(seed, 3))
	fp := footy.Fingerprint{Version: footy.FingerprintVersion, Interval: footy.SampleInterval, Duration: float64(beats*beat) * footy.SampleInterval}
	for range beats {
		f := footy.Frame{Bits: [4]uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}, Detail: r.Uint64() >> 8, Weight: 255}
		for range beat {
			fp.Frames = append(fp.Frames, f)
		}
	}
	return fp
}

// reupload trims a fingerprint, flips some of its bits and perhaps mirrors it.
func reupload(fp footy.Fingerprint, trim int, mirrored bool, r *rand.Rand) footy.Fingerprint {
	out := fp
	out.Frames = slices.Clone(fp.Frames[trim:])
	flip := func(w uint64) uint64 { return bits.ReverseBytes64(bits.Reverse64(w)) } // each row backwards
	for i := range out.Frames {
		f := &out.Frames[i]
		for k := range f.Bits {
			for range 4 {
				f.Bits[k] ^= 1 << r.IntN(64)
			}
			if mirrored {
				if f.Bits[k] = flip(f.Bits[k]); k%2 == 0 { // steps to the right become steps to the left
					f.Bits[k] = ^f.Bits[k]
				}
			}
		}
		if mirrored {
			f.Detail = flip(f.Detail)
		}
	}
	return out
}

// TestTheIndexFindsAmongHundreds: that many are no longer compared one by one.
func TestTheIndexFindsAmongHundreds(t *testing.T) {
	t.Parallel()
	const many = 500
	x := phash.NewIndex()
	for i := range uint64(many) {
		x.Add(fmt.Sprint(i), noise(i, 40))
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, added := range []int{0, 1} { // keys are packed anew
		for i := range uint64(added) {
			x.Add("late", noise(2*many+i, 40))
		}
		for i := range uint64(20) {
			place := i * 25
			for _, mirrored := range []bool{false, true} {
				hits := x.Find(reupload(noise(place, 40), int(i)%13, mirrored, r), 10)
				require.Len(t, hits, 1, "video %d, mirrored %t, %d added", place, mirrored, added)
				require.Equal(t, fmt.Sprint(place), hits[0].ID)
				require.Equal(t, mirrored, hits[0].Match.Mirrored)
			}
			require.Empty(t, x.Find(noise(many+i, 40), 10), "nobody has seen it")
		}
	}
	keys, prints := x.Bytes()
	require.Positive(t, prints)
	require.LessOrEqual(t, float64(keys-4<<17)/(many*10), 220.0, "bytes of keys and sketches a second of video, but for the table of buckets")
}

func TestTheIndexKeepsOtherVersionsOut(t *testing.T) {
	t.Parallel()
	x := phash.NewIndex()
	fp := build(film(newScene(1), 0, 8, 1, keep))
	old := fp
	old.Version = "ff0"
	x.Add("old", old)
	x.Add("nothing", footy.Fingerprint{Version: footy.FingerprintVersion})
	require.Zero(t, x.Len())
	x.Add("new", fp)
	require.Empty(t, x.Find(old, 10))
	require.Len(t, x.Find(fp, 10), 1)
}

func TestTheIndexReturnsTheBestFirstAndNoMoreThanAsked(t *testing.T) {
	t.Parallel()
	x := phash.NewIndex()
	for i := range 6 {
		x.Add(fmt.Sprintf("part%d", i), build(film(newScene(1), 0, float64(6+i), 1, keep)))
	}
	hits := x.Find(build(film(newScene(1), 0, 12, 1, keep)), 3)
	require.Len(t, hits, 3)
	require.Equal(t, "part5", hits[0].ID)
	require.GreaterOrEqual(t, hits[0].Match.Score, hits[1].Match.Score)
}
