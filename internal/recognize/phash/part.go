package phash

import (
	"encoding/binary"

	"github.com/found-footy/found-footy/internal/footy"
)

// A Part is a part of an index. One telling sample in half a second gives ten keys: five bands of the horizontal and vertical bits together, for the whole picture and
// for its centre. Copies that differ in a few bits keep some bands of some samples whole, at one and the same shift in
// time; chance does not.
type Part struct {
	Sketches []Sketch
	buckets  []uint32 // the entry at which each bucket begins, and the end of the last one
	entries  []uint32 // by bucket: a video of the part, the beat of the sample, and what of the key its bucket does not say
}

// PartVideos is how many videos a part can hold.
const PartVideos = 1 << videoBits

const (
	bandCount = 5
	bandBits  = 12 // of the horizontal and of the vertical word each

	videoBits  = 15
	placeBits  = 10 // beats: what is later than four minutes is not indexed
	restBits   = 32 - videoBits - placeBits
	bucketBits = 17
	keyBits    = bucketBits + restBits

	// samples of less weight than minIndexedWeight are not indexed, and of the others one in indexedBeats: the query brings all of its own, so one of them
	// meets each indexed one.
	minIndexedWeight = 64
	indexedBeats     = 2
)

// Sketch is what an index keeps of a video, to see whether a full comparison is worth while: the layout of one sample a beat.
type Sketch []byte

// sketchBytes is what a beat of a sketch takes: four words and the weight.
const sketchBytes = 4*8 + 1

// SketchOf sketches a video.
func SketchOf(fp footy.Fingerprint) Sketch {
	if len(fp.Frames) == 0 {
		return nil
	}
	beat := beatOf(fp.Interval)
	s := make(Sketch, 0, (len(fp.Frames)/beat+1)*sketchBytes)
	for i := 0; i < len(fp.Frames); i += beat {
		for _, w := range fp.Frames[i].Bits {
			s = binary.LittleEndian.AppendUint64(s, w)
		}
		s = append(s, fp.Frames[i].Weight)
	}
	return s
}

// Beats is how many samples it has.
func (s Sketch) Beats() int { return len(s) / sketchBytes }

func (s Sketch) word(beat, k int) uint64 {
	return binary.LittleEndian.Uint64(s[beat*sketchBytes+8*k:])
}

func (s Sketch) weight(beat int) uint8 { return s[beat*sketchBytes+4*8] }

// keys calls f with the keys of one in so many beats, and the beat.
func (s Sketch) keys(f func(key uint32, beat int)) {
	for i := 0; i < min(s.Beats(), 1<<placeBits); i += indexedBeats {
		if s.weight(i) < minIndexedWeight {
			continue
		}
		for k := outer; k <= inner; k += inner - outer {
			bands(s.word(i, k), s.word(i, k+1), func(key uint32) { f(key, i) })
		}
	}
}

// bands calls f with the keys of one variant of a sample.
func bands(h, v uint64, f func(key uint32)) {
	for band := range bandCount {
		key := h>>(bandBits*band)&(1<<bandBits-1)<<bandBits | v>>(bandBits*band)&(1<<bandBits-1) | uint64(band)<<32
		f(uint32(key * 0x9e3779b97f4a7c15 >> (64 - keyBits)))
	}
}

// PartOf makes a part of up to PartVideos sketches. It sorts their keys by bucket, by counting.
func PartOf(sketches []Sketch) Part {
	buckets := make([]uint32, 1<<bucketBits+2)
	// buckets[b+2] counts bucket b, then becomes its running end while entries are placed, which is the start of b+1.
	for _, s := range sketches {
		s.keys(func(key uint32, _ int) { buckets[key>>restBits+2]++ })
	}
	for b := 2; b < len(buckets); b++ {
		buckets[b] += buckets[b-1]
	}
	entries := make([]uint32, buckets[len(buckets)-1])
	for video, s := range sketches {
		s.keys(func(key uint32, beat int) {
			at := &buckets[key>>restBits+1]
			entries[*at] = uint32(video)<<(placeBits+restBits) | uint32(beat)<<restBits | key&(1<<restBits-1)
			*at++
		})
	}
	return Part{sketches, buckets[:len(buckets)-1], entries}
}

// bucket holds the entries of the bucket of a key.
func (p Part) bucket(key uint32) []uint32 {
	return p.entries[p.buckets[key>>restBits]:p.buckets[key>>restBits+1]]
}
