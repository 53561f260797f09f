package phash_test

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

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

// packed makes parts of the index of fingerprints.
func packed(prints []footy.Fingerprint, size int) (parts []phash.Part) {
	for some := range slices.Chunk(prints, size) {
		sketches := make([]phash.Sketch, len(some))
		for i, fp := range some {
			sketches[i] = phash.SketchOf(fp)
		}
		parts = append(parts, phash.PartOf(sketches))
	}
	return parts
}

// TestTheIndexFindsAmongHundreds: those that are worth a full comparison, in whichever part they are.
func TestTheIndexFindsAmongHundreds(t *testing.T) {
	t.Parallel()
	const many, size = 500, 300
	var prints []footy.Fingerprint
	for i := range uint64(many) {
		prints = append(prints, noise(i, 40))
	}
	parts := packed(prints, size)
	bytes := 0
	for _, p := range parts {
		bytes += p.Bytes()
	}
	require.LessOrEqual(t, float64(bytes)/(many*10), 220.0, "bytes of keys and sketches a second of video, but for the table of buckets")
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 20 {
		place := i * 25
		for _, mirrored := range []bool{false, true} {
			query := phash.Prepare(reupload(prints[place], i%13, mirrored, r))
			found := query.Search(parts, nil)
			require.Equal(t, []phash.Candidate{{Part: place / size, Video: place % size}}, found, "video %d, mirrored %t", place, mirrored)
			m := query.Compare(phash.Prepare(prints[place]))
			require.True(t, m.Same)
			require.Equal(t, mirrored, m.Mirrored)
			require.Empty(t, query.Search(parts, func(c phash.Candidate) bool { return c != found[0] }), "it is not wanted")
		}
		require.Empty(t, phash.Prepare(noise(uint64(many+i), 40)).Search(parts, nil), "it was never seen")
	}
}

func TestTheIndexFindsCroppedAndMirroredCopies(t *testing.T) {
	t.Parallel()
	var prints []footy.Fingerprint
	for i := range 12 {
		prints = append(prints, build(film(newScene(uint64(i)), 0, 8, 1, keep)))
	}
	parts := packed(prints, phash.PartVideos)
	for _, scene := range []int{3, 10} {
		for name, e := range map[string]edit{"as it is": keep, "cropped": zoom(0.92, 0.04, 0.04), "mirrored": func(x, y float64) (float64, float64, float64) { return 1 - x, y, -1 }} {
			found := phash.Prepare(build(film(newScene(uint64(scene)), 1.1, 7.5, 1, e))).Search(parts, nil)
			require.NotEmpty(t, found, name)
			require.Equal(t, phash.Candidate{Video: scene}, found[0], name)
		}
	}
}
