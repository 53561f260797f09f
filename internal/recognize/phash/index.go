package phash

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// Index finds, among very many videos, those that show the footage of a new one. It proposes few candidates by exact
// look-ups and lets Compare decide, so it can miss but never invents. It is not safe for concurrent use.
//
// One telling sample in half a second gives ten keys: five bands of the horizontal and vertical bits together, for the whole picture and
// for its centre. Copies that differ in a few bits keep some bands of some samples whole, at one and the same shift in
// time; chance does not.
type Index struct {
	ids    []string
	prints []footy.Fingerprint
	packed int // so many videos have their keys in the fields below; Find packs anew where some were added since

	shift  int      // of a key to its bucket
	starts []uint32 // of each bucket in posts
	posts  []uint32 // video and sample of each key, sorted by bucket
}

// Hit is one video of the index that shows the same footage.
type Hit struct {
	ID    string
	Match Match
}

const (
	bandCount = 5
	bandBits  = 12 // of the horizontal and of the vertical word each
	keyBits   = 24
	clipBits  = 20 // a million clips
	placeBits = 32 - clipBits
	maxPlace  = 1<<placeBits - 1 // samples beyond are not indexed: four minutes

	// buckets larger than maxBucket hold what many videos share, such as a pitch from the main camera; they tell nothing.
	maxBucket = 2048
	// maxGlanced is how many candidates are looked at along one shift, at a microsecond each; maxCompared is how many are
	// compared in full; minGlance is the evidence along the shift that makes that worth while.
	maxGlanced  = 4000
	maxCompared = 64
	minGlance   = 2.0
	// up to smallIndex videos are compared one by one.
	smallIndex = 150
	// samples of less weight than minIndexedWeight are not indexed, and of the others one in indexedBeats: the query brings all of its own, so one of them
	// meets each indexed one.
	minIndexedWeight = 64
	indexedBeats     = 2
)

// NewIndex makes an empty index.
func NewIndex() *Index { return &Index{} }

// Len is the number of videos.
func (x *Index) Len() int { return len(x.ids) }

// Add takes a video in. Videos of other versions are kept out.
func (x *Index) Add(id string, fp footy.Fingerprint) {
	if fp.Version != footy.FingerprintVersion || fp.Empty() || len(x.ids) == 1<<clipBits {
		return
	}
	x.ids, x.prints = append(x.ids, id), append(x.prints, fp)
}

// Pack sorts the keys of all videos by bucket, by counting. Find does so itself where it is needed.
func (x *Index) Pack() {
	total := 0
	for _, p := range x.prints {
		total += 2 * bandCount * len(p.Frames) / (indexedBeats * beatOf(p.Interval))
	}
	width := min(keyBits, max(8, bits.Len(uint(total))-1))
	shift, starts := keyBits-width, make([]uint32, 1<<width+2)
	each := func(f func(bucket, post uint32)) {
		for i, p := range x.prints {
			keys(p, false, indexedBeats*beatOf(p.Interval), func(key uint32, place int) { f(key>>shift, uint32(i)<<placeBits|uint32(place)) })
		}
	}
	// starts[b+2] counts bucket b, then becomes its running end while posts are placed, which is the start of b+1.
	each(func(b, _ uint32) { starts[b+2]++ })
	for b := 2; b < len(starts); b++ {
		starts[b] += starts[b-1]
	}
	posts := make([]uint32, starts[len(starts)-1])
	each(func(b, post uint32) {
		posts[starts[b+1]] = post
		starts[b+1]++
	})
	x.packed, x.shift, x.starts, x.posts = len(x.prints), shift, starts[:len(starts)-1], posts
}

func (x *Index) bucket(key uint32) []uint32 {
	b := key >> x.shift
	return x.posts[x.starts[b]:x.starts[b+1]]
}

// keys calls f with the keys of one in so many samples of a video, and the sample's number.
func keys(fp footy.Fingerprint, mirrored bool, every int, f func(key uint32, place int)) {
	for i := 0; i < min(len(fp.Frames), maxPlace+1); i += every {
		fr := &fp.Frames[i]
		if fr.Weight < minIndexedWeight {
			continue
		}
		for k := outer; k <= inner; k += inner - outer {
			h, v := fr.Bits[k], fr.Bits[k+1]
			if mirrored {
				h, v = mirrorH(h), mirrorV(v)
			}
			for band := range bandCount {
				key := h>>(bandBits*band)&(1<<bandBits-1)<<bandBits | v>>(bandBits*band)&(1<<bandBits-1) | uint64(band)<<32
				f(uint32(key*0x9e3779b97f4a7c15>>(64-keyBits)), i)
			}
		}
	}
}

// Find returns the videos that show the footage of fp, best first, at most limit.
func (x *Index) Find(fp footy.Fingerprint, limit int) []Hit {
	if fp.Version != footy.FingerprintVersion || len(x.ids) == 0 {
		return nil
	}
	query := Prepare(fp)
	var hits []Hit
	for _, c := range x.candidates(query) {
		if m := query.Compare(Prepare(x.prints[c])); m.Same {
			hits = append(hits, Hit{ID: x.ids[c], Match: m})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Match.Score, a.Match.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits[:min(limit, len(hits))]
}

// candidates chooses the videos worth a full comparison.
func (x *Index) candidates(query *Prepared) []uint32 {
	if len(x.ids) <= smallIndex {
		out := make([]uint32, len(x.ids))
		for i := range out {
			out[i] = uint32(i)
		}
		return out
	}
	if x.packed < len(x.ids) {
		x.Pack()
	}
	best := map[uint32]float64{}
	for _, s := range x.sightings(query.fp) {
		if score := query.glance(x.prints[s.clip], s.shift, s.mirrored); score >= minGlance {
			best[s.clip] = max(best[s.clip], score)
		}
	}
	out := make([]uint32, 0, len(best))
	for c := range best {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b uint32) int { return cmp.Or(cmp.Compare(best[b], best[a]), cmp.Compare(a, b)) })
	return out[:min(maxCompared, len(out))]
}

// sighting is a video that shares keys with the query at one shift in time.
type sighting struct {
	clip     uint32
	shift    int // samples into the video at which the query begins
	mirrored bool
}

// sightings collects the videos and shifts that share keys with fp, those with most keys first.
func (x *Index) sightings(fp footy.Fingerprint) []sighting {
	votes := newTally()
	for flip, mirrored := range []bool{false, true} {
		keys(fp, mirrored, 1, func(key uint32, place int) {
			list := x.bucket(key)
			if len(list) > maxBucket {
				return
			}
			for _, post := range list {
				shift := int(post&maxPlace) - place + 1<<placeBits
				votes.add(uint64(post>>placeBits)<<16 | uint64(shift)<<1 | uint64(flip))
			}
		})
	}
	top := votes.top(maxGlanced)
	out := make([]sighting, len(top))
	for i, k := range top {
		out[i] = sighting{clip: uint32(k >> 16), shift: int(k>>1&(1<<15-1)) - 1<<placeBits, mirrored: k&1 == 1}
	}
	return out
}

// glance is the evidence along one shift, without the speeds and masks of a full comparison.
func (p *Prepared) glance(other footy.Fingerprint, shift int, mirrored bool) float64 {
	v := &p.view[0]
	if mirrored {
		v = &p.view[1]
	}
	first := max(0, shift)
	best := float32(0)
	var sums [len(variantPairs)]float32
	for i := first; i < len(other.Frames) && i-shift < len(p.weights); i += p.beat {
		f, k := &other.Frames[i], i-shift
		w := float32(min(p.weights[k], f.Weight)) / 255
		for c, kinds := range variantPairs {
			a, b := kinds[0], kinds[1]
			d := bits.OnesCount64(v.words[a][k]^f.Bits[b]) + bits.OnesCount64(v.words[a+1][k]^f.Bits[b+1])
			sums[c] = max(0, sums[c]+w*(1-min(2, float32(d)/glanceDistance)))
			best = max(best, sums[c])
		}
	}
	return float64(best)
}

// glanceDistance is more than the full comparison allows: captions and marks are not masked here.
const glanceDistance = 34.0

// tally counts by key in one flat table: a map costs ten times as much here.
type tally struct {
	keys []uint64 // key+1; 0 = free
	n    []uint16
	used int
}

func newTally() *tally { return &tally{keys: make([]uint64, 1<<12), n: make([]uint16, 1<<12)} }

func (t *tally) slot(key uint64) int {
	mask := len(t.keys) - 1
	i := int(key*0x9e3779b97f4a7c15>>20) & mask
	for t.keys[i] != 0 && t.keys[i] != key+1 {
		i = (i + 1) & mask
	}
	return i
}

// add counts one more.
func (t *tally) add(key uint64) {
	if i := t.claim(key); t.n[i] < 1<<16-1 {
		t.n[i]++
	}
}

func (t *tally) claim(key uint64) int {
	i := t.slot(key)
	if t.keys[i] != 0 {
		return i
	}
	if t.used++; t.used*4 > len(t.keys)*3 {
		old := *t
		t.keys, t.n = make([]uint64, 2*len(old.keys)), make([]uint16, 2*len(old.n))
		for k, key := range old.keys {
			if key != 0 {
				j := t.slot(key - 1)
				t.keys[j], t.n[j] = key, old.n[k]
			}
		}
		i = t.slot(key)
	}
	t.keys[i] = key + 1
	return i
}

// top returns the keys with the highest counts, highest first; of equal counts the lower key.
func (t *tally) top(limit int) []uint64 {
	type counted struct {
		key uint64
		n   uint16
	}
	var histogram [64]int
	for i, k := range t.keys {
		if k != 0 {
			histogram[min(63, t.n[i])]++
		}
	}
	floor, sum := 63, 0
	for ; floor > 1 && sum+histogram[floor] <= limit; floor-- {
		sum += histogram[floor]
	}
	all := make([]counted, 0, limit)
	for i, k := range t.keys {
		if k != 0 && int(t.n[i]) >= floor {
			all = append(all, counted{k - 1, t.n[i]})
		}
	}
	slices.SortFunc(all, func(a, b counted) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.key, b.key)) })
	out := make([]uint64, 0, limit)
	for _, c := range all[:min(limit, len(all))] {
		out = append(out, c.key)
	}
	return out
}

// Bytes estimates what the index holds in memory.
func (x *Index) Bytes() (keyBytes, printBytes int) {
	for _, p := range x.prints {
		printBytes += len(p.Frames)*(footy.FrameBytes+7) + bits.UintSize
	}
	return 4 * (len(x.starts) + len(x.posts)), printBytes
}
