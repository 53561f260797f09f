package inspect

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// ClipComparison says whether two files show the same footage.
type ClipComparison struct {
	Match         bool    `json:"match"`
	Score         float64 `json:"score"` // 0..1; from 0.5 they match
	OffsetS       float64 `json:"offset_s"`
	Mirrored      bool    `json:"mirrored"`
	Speed         float64 `json:"speed"`
	MatchedFrames int     `json:"matched_frames"`
	Reason        string  `json:"reason"`
}

// Compare fingerprints two files and compares them, whatever the gate says of them.
func (c Clips) Compare(ctx context.Context, a, b string) (ClipComparison, error) {
	var fps [2]footy.Fingerprint
	var digests [2]string
	for i, file := range []string{a, b} {
		facts, fp, err := c.usable(ctx, file)
		if err != nil {
			return ClipComparison{}, err
		}
		fps[i], digests[i] = fp, facts.Digest
	}
	if digests[0] != "" && digests[0] == digests[1] {
		return identical(fps[0]), nil
	}
	return comparison(phash.Compare(fps[0], fps[1])), nil
}

// identical answers for two files with the same bytes, whatever they show.
func identical(fp footy.Fingerprint) ClipComparison {
	return ClipComparison{Match: true, Score: 1, Speed: 1, MatchedFrames: len(fp.Frames), Reason: "the same file, byte for byte (by digest)"}
}

func comparison(m footy.Comparison) ClipComparison {
	return ClipComparison{Match: m.Same, Score: rounded(m.Score), OffsetS: rounded(m.Offset), Mirrored: m.Mirrored, Speed: m.Speed,
		MatchedFrames: m.MatchedFrames, Reason: explain.Comparison(m)}
}

// rounded keeps three decimals: more would pretend.
func rounded(v float64) float64 { return math.Round(v*1000) / 1000 }

// ClipGroups is what becomes of a directory of files if all were clips of one goal.
type ClipGroups struct {
	Clusters     [][]string        `json:"clusters"`               // copies of one footage, the winner first
	Winners      []string          `json:"winners"`                // what people would see
	Rejected     map[string]string `json:"rejected"`               // file -> reason
	Compilations []string          `json:"compilations,omitempty"` // hold several moments; filed under one of them
}

// Dedup treats the files of a directory as the candidates of one goal.
func (c Clips) Dedup(ctx context.Context, dir string) (ClipGroups, error) {
	seen, err := c.all(ctx, dir)
	if err != nil {
		return ClipGroups{}, err
	}
	out := ClipGroups{Clusters: [][]string{}, Winners: []string{}, Rejected: map[string]string{}}
	var items []dedup.Item
	files := map[string][]string{} // exact copies share an id
	for _, f := range seen {
		name := filepath.Base(f.File)
		if f.Gate != passed {
			out.Rejected[name] = f.Gate
			continue
		}
		id := footy.ClipID(f.Digest)
		if files[id] = append(files[id], name); len(files[id]) > 1 {
			continue
		}
		p := f.Probe
		items = append(items, dedup.Item{Fingerprint: f.print, Clip: footy.Clip{ID: id, Digest: f.Digest, Width: p.Width, Height: p.Height,
			Size: f.Size, Duration: p.Duration, Bitrate: p.Bitrate, FrameRate: p.FrameRate, Posts: []string{name}}})
	}
	var shown []string
	copies := map[string][]string{} // of those shown
	for _, d := range dedup.Plan(items, phash.Unkept) {
		if d.ReplacedBy == "" {
			shown = append(shown, d.ClipID)
		} else {
			copies[d.ReplacedBy] = append(copies[d.ReplacedBy], files[d.ClipID]...)
		}
		if d.Compilation {
			out.Compilations = append(out.Compilations, files[d.ClipID]...)
		}
	}
	for _, id := range shown {
		slices.Sort(copies[id])
		out.Winners = append(out.Winners, files[id][0])
		out.Clusters = append(out.Clusters, slices.Concat(files[id], copies[id]))
	}
	slices.SortFunc(out.Clusters, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	slices.Sort(out.Winners)
	slices.Sort(out.Compilations)
	return out, nil
}

// ClipFind says where the footage of a file was seen before.
type ClipFind struct {
	File     string            `json:"file"`
	Searched int               `json:"searched"` // videos it was held against
	Hits     []ClipHit         `json:"hits"`     // best first
	Rejected map[string]string `json:"rejected"` // file -> why it could not be looked at
	Note     string            `json:"note,omitempty"`
}

// ClipHit is one video that shows the same footage.
type ClipHit struct {
	File string `json:"file"`
	ClipComparison
}

// Find looks for the footage of a file in the files of directories.
func (c Clips) Find(ctx context.Context, file string, dirs []string) (ClipFind, error) {
	facts, fp, err := c.usable(ctx, file)
	if err != nil {
		return ClipFind{}, err
	}
	out := ClipFind{File: file, Hits: []ClipHit{}, Rejected: map[string]string{}}
	var files []examined
	for _, dir := range dirs {
		seen, err := c.all(ctx, dir)
		if err != nil {
			return ClipFind{}, err
		}
		for _, f := range seen {
			if f.print.Empty() {
				out.Rejected[f.File] = f.Gate
			} else {
				files = append(files, f)
			}
		}
	}
	out.Searched = len(files)
	query, others := phash.Prepare(fp), 0
	for _, k := range files {
		same := facts.Digest != "" && k.Digest == facts.Digest
		m := query.Compare(phash.Prepare(k.print))
		if m.Mismatch == footy.MismatchVersion {
			others++
		}
		switch {
		case same:
			out.Hits = append(out.Hits, ClipHit{File: k.File, ClipComparison: identical(fp)})
		case m.Same:
			out.Hits = append(out.Hits, ClipHit{File: k.File, ClipComparison: comparison(m)})
		}
	}
	slices.SortStableFunc(out.Hits, func(a, b ClipHit) int { return cmp.Compare(b.Score, a.Score) })
	if others > 0 {
		out.Note = fmt.Sprintf("%s has a fingerprint of version %q, %d videos one of another: versions are not compared", file, fp.Version, others)
		if others == out.Searched {
			return ClipFind{}, footy.Errorf(footy.CodeInvalid, "find clip", "%s; give the video itself", out.Note)
		}
	}
	return out, nil
}
