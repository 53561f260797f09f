package phash

import (
	"cmp"
	"math/bits"
	"slices"
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
