package inspect

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/phash"
)

// Kept is the fingerprint of something that was seen before, under the name people know it by.
type Kept struct {
	Name        string
	Fingerprint footy.Fingerprint
	Digest      string // of its bytes, where known
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

// Find looks for the footage of a file in the files of directories and among fingerprints kept from before.
func (c Clips) Find(ctx context.Context, file string, dirs []string, kept []Kept) (ClipFind, error) {
	facts, fp, err := c.examine(ctx, file)
	if err == nil {
		err = facts.unusable(fp)
	}
	if err != nil {
		return ClipFind{}, err
	}
	out := ClipFind{File: file, Hits: []ClipHit{}, Rejected: map[string]string{}}
	for _, dir := range dirs {
		more, err := c.prints(ctx, dir, out.Rejected)
		if err != nil {
			return ClipFind{}, err
		}
		kept = append(kept, more...)
	}
	index := phash.NewIndex()
	for i, k := range kept {
		index.Add(fmt.Sprint(i), k.Fingerprint)
	}
	out.Searched = index.Len()
	others := 0
	for _, k := range kept {
		if facts.Digest != "" && k.Digest == facts.Digest {
			out.Hits = append(out.Hits, ClipHit{k.Name, identical(fp)})
		}
		if !k.Fingerprint.Empty() && k.Fingerprint.Version != fp.Version {
			others++
		}
	}
	if others > 0 {
		out.Note = fmt.Sprintf("%s has a fingerprint of version %q, %d videos one of another: versions are not compared", file, fp.Version, others)
		if others == out.Searched {
			return ClipFind{}, footy.Errorf(footy.CodeInvalid, "find clip", "%s; give the video itself", out.Note)
		}
	}
	for _, h := range index.Find(fp, index.Len()) {
		var i int
		_, _ = fmt.Sscan(h.ID, &i) // we wrote it
		if facts.Digest == "" || kept[i].Digest != facts.Digest {
			out.Hits = append(out.Hits, ClipHit{kept[i].Name, comparison(h.Match)})
		}
	}
	return out, nil
}

// prints fingerprints the files of a directory; those that are no videos are noted with their reason.
func (c Clips) prints(ctx context.Context, dir string, rejected map[string]string) ([]Kept, error) {
	names, err := listFiles(dir)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var out []Kept
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, cmp.Or(c.Jobs, runtime.NumCPU())))
	for _, name := range names {
		g.Go(func() error {
			path := filepath.Join(dir, name)
			facts, fp, err := c.examine(ctx, path)
			mu.Lock()
			defer mu.Unlock()
			if err == nil && fp.Empty() {
				rejected[path] = facts.Gate
			} else if err == nil {
				out = append(out, Kept{path, fp, facts.Digest})
			}
			return err
		})
	}
	err = g.Wait()
	slices.SortFunc(out, func(a, b Kept) int { return cmp.Compare(a.Name, b.Name) })
	return out, err
}

// String explains the find to people.
func (f ClipFind) String() string {
	var b strings.Builder
	for _, h := range f.Hits {
		fmt.Fprintf(&b, "%s: %s", h.File, h.ClipComparison)
	}
	fmt.Fprintf(&b, "%d of %d videos show footage of %s", len(f.Hits), f.Searched, f.File)
	if n := len(f.Rejected); n > 0 {
		fmt.Fprintf(&b, "; %d files could not be looked at", n)
	}
	b.WriteString("\n")
	if f.Note != "" {
		b.WriteString(f.Note + "\n")
	}
	return b.String()
}
