package phash

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

const (
	// keys that more samples of a part have than maxCommon are what many videos share, such as a pitch from the main camera; they tell nothing.
	maxCommon = 1024
	// maxGlanced is how many candidates are looked at along one shift, at a microsecond each; maxCompared is how many are
	// compared in full; minGlance is the evidence along the shift that makes that worth while.
	maxGlanced  = 4000
	maxCompared = 64
	minGlance   = 2.0
)

// Candidate is a video that a full comparison is worth while with.
type Candidate struct{ Part, Video int }

// Search chooses few videos of an index by exact look-ups. It can miss some; whether they show the same footage a full comparison decides.
// Videos that are not wanted do not count for what is looked at; nil: all are.
func (p *Prepared) Search(parts []Part, wanted func(Candidate) bool) []Candidate {
	var votes []uint64
	asked := p.questions()
	for i := range parts {
		votes = parts[i].vote(votes, i, asked, p.beat)
	}
	best := map[Candidate]float64{}
	for _, v := range p.sightings(votes, wanted) {
		if score := p.glance(parts[v.Part].Sketches[v.Video], v.shift, v.mirrored); score >= minGlance {
			best[v.Candidate] = max(best[v.Candidate], score)
		}
	}
	out := make([]Candidate, 0, len(best))
	for c := range best {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(best[b], best[a]), cmp.Compare(a.Part, b.Part), cmp.Compare(a.Video, b.Video))
	})
	return out[:min(maxCompared, len(out))]
}

// question is a key of the video that is looked for.
type question struct {
	key   uint32
	place uint16 // its sample
	flip  uint8  // 1: of the mirrored picture
}

// questions are the keys of every telling sample, those of one bucket side by side.
func (p *Prepared) questions() []question {
	var out []question
	for i := range min(len(p.weights), p.beat<<placeBits) {
		if p.weights[i] < minIndexedWeight {
			continue
		}
		for k := outer; k <= inner; k += inner - outer {
			h, v := p.fp.Frames[i].Bits[k], p.fp.Frames[i].Bits[k+1]
			bands(h, v, func(key uint32) { out = append(out, question{key, uint16(i), 0}) })
			bands(mirrorH(h), mirrorV(v), func(key uint32) { out = append(out, question{key, uint16(i), 1}) })
		}
	}
	slices.SortFunc(out, func(a, b question) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.place, b.place), cmp.Compare(a.flip, b.flip))
	})
	return out
}

// A vote is for a video at a shift in time: the part, the video, the shift and whether it is mirrored.
const (
	shiftBits = 20 // of both signs
	shiftZero = 1 << (shiftBits - 1)
)

// vote adds a vote for each key that a video of a part, at a shift, shares with what is asked for.
func (p Part) vote(votes []uint64, part int, asked []question, beat int) []uint64 {
	var list []uint32
	var same []uint32
	for i := 0; i < len(asked); {
		if i == 0 || asked[i].key>>restBits != asked[i-1].key>>restBits {
			list = p.bucket(asked[i].key)
		}
		rest := asked[i].key & (1<<restBits - 1)
		same = same[:0]
		for _, e := range list {
			if e&(1<<restBits-1) == rest {
				same = append(same, e>>restBits)
			}
		}
		next := i + 1
		for next < len(asked) && asked[next].key == asked[i].key {
			next++
		}
		if len(same) <= maxCommon {
			for _, q := range asked[i:next] {
				for _, e := range same {
					shift := int(e&(1<<placeBits-1))*beat - int(q.place) + shiftZero
					votes = append(votes, (uint64(part)<<videoBits|uint64(e>>placeBits))<<(shiftBits+1)|uint64(shift)<<1|uint64(q.flip))
				}
			}
		}
		i = next
	}
	return votes
}

// elected are the votes that came most often, most often first; of those that came equally often the lower ones.
func elected(votes []uint64, most int) []uint64 {
	slices.Sort(votes)
	var often [64]int // how many came so often, and the last how many came oftener
	counted := func(visit func(vote uint64, times int)) {
		for i := 0; i < len(votes); {
			next := i + 1
			for next < len(votes) && votes[next] == votes[i] {
				next++
			}
			visit(votes[i], next-i)
			i = next
		}
	}
	counted(func(_ uint64, times int) { often[min(times, len(often)-1)]++ })
	least, sum := len(often)-1, 0
	for ; least > 1 && sum+often[least] <= most; least-- {
		sum += often[least]
	}
	type count struct {
		vote  uint64
		times int
	}
	var all []count
	counted(func(vote uint64, times int) {
		if times >= least {
			all = append(all, count{vote, times})
		}
	})
	slices.SortStableFunc(all, func(a, b count) int { return cmp.Compare(b.times, a.times) })
	out := make([]uint64, 0, most)
	for _, c := range all[:min(most, len(all))] {
		out = append(out, c.vote)
	}
	return out
}

// sighting is a video that shares keys with the query at one shift in time.
type sighting struct {
	Candidate
	shift    int // samples into the video at which the query begins
	mirrored bool
}

// sightings are the videos and shifts with most votes, those of one video side by side.
func (p *Prepared) sightings(votes []uint64, wanted func(Candidate) bool) []sighting {
	var out []sighting
	for _, k := range elected(votes, maxGlanced) {
		video := int(k >> (shiftBits + 1))
		s := sighting{Candidate: Candidate{Part: video >> videoBits, Video: video & (PartVideos - 1)}, shift: int(k>>1&(1<<shiftBits-1)) - shiftZero, mirrored: k&1 == 1}
		if wanted == nil || wanted(s.Candidate) {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b sighting) int {
		return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.Video, b.Video), cmp.Compare(a.shift, b.shift))
	})
	return out
}

// glance is the evidence along one shift, without the speeds and masks of a full comparison.
func (p *Prepared) glance(other Sketch, shift int, mirrored bool) float64 {
	v := &p.view[0]
	if mirrored {
		v = &p.view[1]
	}
	best := float32(0)
	var sums [len(variantPairs)]float32
	for beat := range other.Beats() {
		k := beat*p.beat - shift
		if k < 0 {
			continue
		}
		if k >= len(p.weights) {
			break
		}
		w := float32(min(p.weights[k], other.weight(beat))) / 255
		for c, kinds := range variantPairs {
			a, b := kinds[0], kinds[1]
			d := bits.OnesCount64(v.words[a][k]^other.word(beat, b)) + bits.OnesCount64(v.words[a+1][k]^other.word(beat, b+1))
			sums[c] = max(0, sums[c]+w*(1-min(2, float32(d)/glanceDistance)))
			best = max(best, sums[c])
		}
	}
	return float64(best)
}

// glanceDistance is more than the full comparison allows: captions and marks are not masked here.
const glanceDistance = 34.0

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
