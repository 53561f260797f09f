package phash

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// Index finds, among many videos in memory, those that show the footage of a new one. It proposes few candidates by exact
// look-ups and lets Compare decide, so it can miss but never invents. It is not safe for concurrent use.
type Index struct {
	ids    []string
	prints []footy.Fingerprint
	packed int // so many videos are in the parts; Find packs anew where some were added since
	parts  []Part
	bytes  int // of the parts
}

// Hit is one video of the index that shows the same footage.
type Hit struct {
	ID    string
	Match Match
}

// Few is up to how many videos are compared one by one.
const Few = 150

// NewIndex makes an empty index.
func NewIndex() *Index { return &Index{} }

// Len is the number of videos.
func (x *Index) Len() int { return len(x.ids) }

// Add takes a video in. Videos of other versions are kept out.
func (x *Index) Add(id string, fp footy.Fingerprint) {
	if fp.Version != footy.FingerprintVersion || fp.Empty() {
		return
	}
	x.ids, x.prints = append(x.ids, id), append(x.prints, fp)
}

// Pack sorts the keys of all videos. Find does so itself where it is needed.
func (x *Index) Pack() {
	x.parts, x.bytes, x.packed = nil, 0, len(x.prints)
	for some := range slices.Chunk(x.prints, PartVideos) {
		var p Part
		for _, fp := range some {
			p.Sketches = append(p.Sketches, SketchOf(fp)...)
			p.Ends = append(p.Ends, uint32(len(p.Sketches)/SketchBytes))
		}
		var entries []uint32
		p.Buckets, entries = PackPart(func(visit func(int, Sketch)) {
			for i := range p.Ends {
				visit(i, p.Sketch(i))
			}
		})
		p.Entries = make([]byte, 0, EntryBytes*len(entries))
		for _, e := range entries {
			p.Entries = binary.LittleEndian.AppendUint32(p.Entries, e)
		}
		x.parts, x.bytes = append(x.parts, p), x.bytes+len(p.Entries)+len(p.Sketches)+4*(len(p.Buckets)+len(p.Ends))
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
func (x *Index) candidates(query *Prepared) (out []int) {
	if len(x.ids) <= Few {
		for i := range x.ids {
			out = append(out, i)
		}
		return out
	}
	if x.packed < len(x.ids) {
		x.Pack()
	}
	for _, c := range query.Search(x.parts, nil) {
		out = append(out, c.Part*PartVideos+c.Video)
	}
	return out
}

// Bytes estimates what the index holds in memory.
func (x *Index) Bytes() (indexBytes, printBytes int) {
	for _, p := range x.prints {
		printBytes += len(p.Frames)*(footy.FrameBytes+7) + bits.UintSize
	}
	return x.bytes, printBytes
}
