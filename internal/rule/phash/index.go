package phash

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// Index finds, among very many videos, those that show the footage of a new one. It proposes few candidates by exact
// look-ups and lets Compare decide, so it can miss but never invents. It is not safe for concurrent use while growing.
//
// Each telling sample gives eight keys: four bands of two rows, each of the horizontal and vertical bits together, for
// the whole picture and for its centre. Copies that differ in a few bits keep some bands of some samples whole, at one
// and the same shift in time; chance does not.
type Index struct {
	ids    []string
	prints []footy.Fingerprint
	starts []uint32            // of each bucket in posts, once frozen
	posts  []uint32            // clip and sample of each key, sorted by bucket
	recent map[uint32][]uint32 // what was added since
	frozen int                 // clips in posts
}

// Hit is one video of the index that shows the same footage.
type Hit struct {
	ID    string
	Match Match
}

const (
	bandCount  = 4
	bucketBits = 22
	clipBits   = 20 // a million clips
	placeBits  = 32 - clipBits
	maxPlace   = 1<<placeBits - 1 // samples beyond are not indexed: a quarter of an hour

	// crowded buckets hold what many videos share, such as a pitch from the main camera; they tell nothing.
	crowded = 4096
	// minVotes is how many keys must agree on a shift in time before a candidate is compared.
	minVotes = 2
	// checked is how many candidates are compared, at 70 microseconds each.
	checked = 96
	// quiet samples are not indexed.
	quiet = 64
)

// NewIndex makes an empty index.
func NewIndex() *Index { return &Index{recent: map[uint32][]uint32{}} }

// Len is the number of videos.
func (x *Index) Len() int { return len(x.ids) }

// Add takes a video in. Videos of other versions are kept out.
func (x *Index) Add(id string, fp footy.Fingerprint) {
	if fp.Version != footy.FingerprintVersion || fp.Empty() || len(x.ids) == 1<<clipBits {
		return
	}
	clip := uint32(len(x.ids)) << placeBits
	x.ids, x.prints = append(x.ids, id), append(x.prints, fp)
	keys(fp, false, true, func(bucket uint32, place int) {
		x.recent[bucket] = append(x.recent[bucket], clip|uint32(place))
	})
}

// Freeze packs what was added so far; look-ups get faster and memory smaller. Adding goes on as before.
func (x *Index) Freeze() {
	starts := make([]uint32, 1<<bucketBits+1)
	count := func(b uint32) uint32 { return uint32(len(x.packed(b)) + len(x.recent[b])) }
	total := uint32(0)
	for b := range uint32(1 << bucketBits) {
		starts[b] = total
		total += count(b)
	}
	starts[1<<bucketBits] = total
	posts := make([]uint32, 0, total)
	for b := range uint32(1 << bucketBits) {
		posts = append(append(posts, x.packed(b)...), x.recent[b]...)
	}
	x.starts, x.posts, x.recent, x.frozen = starts, posts, map[uint32][]uint32{}, len(x.ids)
}

func (x *Index) packed(b uint32) []uint32 {
	if x.starts == nil {
		return nil
	}
	return x.posts[x.starts[b]:x.starts[b+1]]
}

// keys calls f with every key of a video: its bucket and its sample number.
func keys(fp footy.Fingerprint, mirrored, centre bool, f func(bucket uint32, place int)) {
	for i, fr := range fp.Frames {
		if fr.Weight < quiet || i > maxPlace {
			continue
		}
		for k := outer; k <= inner; k += inner - outer {
			if k == inner && !centre {
				continue
			}
			h, v := fr.Bits[k], fr.Bits[k+1]
			if mirrored {
				h, v = mirrorH(h), mirrorV(v)
			}
			for band := range bandCount {
				key := h>>(16*band)&0xffff<<16 | v>>(16*band)&0xffff | uint64(band)<<32
				f(uint32(key*0x9e3779b97f4a7c15>>(64-bucketBits)), i)
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
	for _, c := range x.candidates(fp) {
		if m := query.Compare(Prepare(x.prints[c])); m.Same {
			hits = append(hits, Hit{ID: x.ids[c], Match: m})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Match.Score, a.Match.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits[:min(limit, len(hits))]
}

// candidates ranks the videos by how many keys agree on one shift in time.
func (x *Index) candidates(fp footy.Fingerprint) []uint32 {
	best := newTally()
	for _, mirrored := range []bool{false, true} {
		votes := newTally()
		keys(fp, mirrored, true, func(b uint32, place int) {
			for _, list := range [2][]uint32{x.packed(b), x.recent[b]} {
				if len(list) > crowded {
					continue
				}
				for _, post := range list {
					clip, at := post>>placeBits, int(post&maxPlace)
					// Neighbouring shifts share a slot, in two overlapping ways, so that half-sample shifts and small speed
					// changes still meet.
					shift := uint32(at - place + 1<<placeBits)
					n := votes.add(uint64(clip)<<16 | uint64(shift>>1)<<1)
					if m := votes.add(uint64(clip)<<16 | uint64((shift+1)>>1)<<1 | 1); m > n {
						n = m
					}
					if n >= minVotes {
						best.raise(uint64(clip), n)
					}
				}
			}
		})
	}
	return best.top(checked)
}

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

// add counts one more and returns the count.
func (t *tally) add(key uint64) uint16 {
	i := t.claim(key)
	if t.n[i] < 1<<16-1 {
		t.n[i]++
	}
	return t.n[i]
}

// raise keeps the highest count.
func (t *tally) raise(key uint64, n uint16) {
	i := t.claim(key)
	t.n[i] = max(t.n[i], n)
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

// top returns the keys with the highest counts, highest first.
func (t *tally) top(limit int) []uint32 {
	var all []uint64 // count above key, so that one sort orders both
	for i, k := range t.keys {
		if k != 0 {
			all = append(all, uint64(t.n[i])<<32|(1<<32-k))
		}
	}
	slices.SortFunc(all, func(a, b uint64) int { return cmp.Compare(b, a) })
	out := make([]uint32, 0, min(limit, len(all)))
	for _, v := range all[:min(limit, len(all))] {
		out = append(out, uint32(1<<32-v&(1<<32-1))-1)
	}
	return out
}

// Bytes estimates what the index holds in memory.
func (x *Index) Bytes() (keyBytes, printBytes int) {
	keyBytes = 4 * (len(x.starts) + len(x.posts))
	for _, l := range x.recent {
		keyBytes += 4*cap(l) + 40
	}
	for _, p := range x.prints {
		printBytes += len(p.Frames)*(footy.FrameBytes+7) + bits.UintSize
	}
	return keyBytes, printBytes
}
