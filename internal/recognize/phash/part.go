package phash

import (
	"encoding/binary"

	"github.com/found-footy/found-footy/internal/footy"
)

// A Part is a part of an index in a form that can lie in a file that is mapped: little of it is read for one question.
//
// One telling sample in half a second gives ten keys: five bands of the horizontal and vertical bits together, for the whole picture and
// for its centre. Copies that differ in a few bits keep some bands of some samples whole, at one and the same shift in
// time; chance does not.
type Part struct {
	Buckets  []uint32 // the entry at which each bucket begins, and the end of the last one
	Ends     []uint32 // beats of all sketches up to the end of each video's
	Entries  []byte   // EntryBytes each, sorted by bucket
	Sketches []byte   // one after the other
}

// PartVideos is how many videos a part can hold.
const PartVideos = 1 << videoBits

// PartBuckets is how many buckets it has.
const PartBuckets = 1 << bucketBits

// EntryBytes is what an entry takes. An entry is a video of the part, the beat of the sample, and what of the key its bucket does not say.
const EntryBytes = 4

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

// SketchBytes is what a beat of a sketch takes: four words and the weight.
const SketchBytes = 4*8 + 1

// SketchOf sketches a video.
func SketchOf(fp footy.Fingerprint) Sketch {
	if len(fp.Frames) == 0 {
		return nil
	}
	beat := beatOf(fp.Interval)
	s := make(Sketch, 0, (len(fp.Frames)/beat+1)*SketchBytes)
	for i := 0; i < len(fp.Frames); i += beat {
		for _, w := range fp.Frames[i].Bits {
			s = binary.LittleEndian.AppendUint64(s, w)
		}
		s = append(s, fp.Frames[i].Weight)
	}
	return s
}

// Beats is how many samples it has.
func (s Sketch) Beats() int { return len(s) / SketchBytes }

func (s Sketch) word(beat, k int) uint64 {
	return binary.LittleEndian.Uint64(s[beat*SketchBytes+8*k:])
}

func (s Sketch) weight(beat int) uint8 { return s[beat*SketchBytes+4*8] }

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

// PackPart sorts the keys of up to PartVideos videos by bucket, by counting. each hands out all sketches in their order; it is called twice.
func PackPart(each func(visit func(video int, s Sketch))) (buckets, entries []uint32) {
	buckets = make([]uint32, 1<<bucketBits+2)
	// buckets[b+2] counts bucket b, then becomes its running end while entries are placed, which is the start of b+1.
	each(func(_ int, s Sketch) { s.keys(func(key uint32, _ int) { buckets[key>>restBits+2]++ }) })
	for b := 2; b < len(buckets); b++ {
		buckets[b] += buckets[b-1]
	}
	entries = make([]uint32, buckets[len(buckets)-1])
	each(func(video int, s Sketch) {
		s.keys(func(key uint32, beat int) {
			at := &buckets[key>>restBits+1]
			entries[*at] = uint32(video)<<(placeBits+restBits) | uint32(beat)<<restBits | key&(1<<restBits-1)
			*at++
		})
	})
	return buckets[:len(buckets)-1], entries
}

// Whole reports whether a part has all the entries and sketches that its tables count.
func (p Part) Whole() bool {
	beats := 0
	if n := len(p.Ends); n > 0 {
		beats = int(p.Ends[n-1])
	}
	return len(p.Entries) == int(p.Buckets[PartBuckets])*EntryBytes && len(p.Sketches) == beats*SketchBytes
}

// Sketch is that of a video.
func (p Part) Sketch(video int) Sketch {
	from := 0
	if video > 0 {
		from = int(p.Ends[video-1]) * SketchBytes
	}
	return p.Sketches[from : int(p.Ends[video])*SketchBytes]
}

// bucket holds the entries of the bucket of a key.
func (p Part) bucket(key uint32) []byte {
	return p.Entries[int(p.Buckets[key>>restBits])*EntryBytes : int(p.Buckets[key>>restBits+1])*EntryBytes]
}
