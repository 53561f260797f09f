package inspect

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/dedup"
)

// ClipGroups is what becomes of a directory of files if all were clips of one goal.
type ClipGroups struct {
	Clusters     [][]string        `json:"clusters"`               // copies of one footage, the winner first
	Winners      []string          `json:"winners"`                // what people would see
	Rejected     map[string]string `json:"rejected"`               // file -> reason
	Compilations []string          `json:"compilations,omitempty"` // hold several moments; filed under one of them
}

// Dedup treats the files of a directory as the candidates of one goal.
func (c Clips) Dedup(ctx context.Context, dir string) (ClipGroups, error) {
	files, err := listFiles(dir)
	if err != nil {
		return ClipGroups{}, err
	}
	seen := make([]ClipFacts, len(files))
	prints := make([]footy.Fingerprint, len(files))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, cmp.Or(c.Jobs, runtime.NumCPU())))
	for i, name := range files {
		g.Go(func() (err error) {
			seen[i], prints[i], err = c.examine(ctx, filepath.Join(dir, name))
			seen[i].File = name
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return ClipGroups{}, err
	}
	return group(seen, prints), nil
}

func listFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, footy.Errorf(footy.CodeNotFound, "list clips", "%w", err)
	}
	var out []string
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, e.Name())
		}
	}
	if len(out) == 0 {
		return nil, footy.Errorf(footy.CodeNotFound, "list clips", "%s holds no files (directories in it are not searched)", dir)
	}
	return out, nil
}

func group(seen []ClipFacts, prints []footy.Fingerprint) ClipGroups {
	out := ClipGroups{Clusters: [][]string{}, Winners: []string{}, Rejected: map[string]string{}}
	var items []dedup.Item
	files := map[string][]string{} // exact copies share an id
	for i, f := range seen {
		if f.Gate != passed {
			out.Rejected[f.File] = f.Gate
			continue
		}
		id := footy.ClipID(f.Digest)
		if files[id] = append(files[id], f.File); len(files[id]) > 1 {
			continue
		}
		p := f.Probe
		items = append(items, dedup.Item{Fingerprint: prints[i], Clip: footy.Clip{ID: id, Digest: f.Digest, Width: p.Width, Height: p.Height,
			Size: f.Size, Duration: p.Duration, Bitrate: p.Bitrate, FrameRate: p.FrameRate, Posts: []string{f.File}}})
	}
	members := map[string][]string{}
	for _, d := range dedup.Plan(items) {
		winner := cmp.Or(d.ReplacedBy, d.ClipID)
		if d.ClipID == winner {
			members[winner] = append(slices.Clone(files[d.ClipID]), members[winner]...)
			out.Winners = append(out.Winners, files[d.ClipID][0])
		} else {
			members[winner] = append(members[winner], files[d.ClipID]...)
		}
		if d.Compilation {
			out.Compilations = append(out.Compilations, files[d.ClipID]...)
		}
	}
	for id, m := range members {
		own := len(files[id])
		slices.Sort(m[own:])
		out.Clusters = append(out.Clusters, m)
	}
	slices.SortFunc(out.Clusters, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	slices.Sort(out.Winners)
	slices.Sort(out.Compilations)
	return out
}

// String explains the groups to people.
func (g ClipGroups) String() string {
	var b strings.Builder
	for _, c := range g.Clusters {
		fmt.Fprintf(&b, "%s\n", c[0])
		for _, f := range c[1:] {
			fmt.Fprintf(&b, "  = %s\n", f)
		}
	}
	for _, f := range g.Compilations {
		fmt.Fprintf(&b, "several moments: %s\n", f)
	}
	names := make([]string, 0, len(g.Rejected))
	for f := range g.Rejected {
		names = append(names, f)
	}
	slices.Sort(names)
	for _, f := range names {
		fmt.Fprintf(&b, "rejected %s: %s\n", f, g.Rejected[f])
	}
	fmt.Fprintf(&b, "%d clips shown, %d files rejected\n", len(g.Winners), len(g.Rejected))
	return b.String()
}
