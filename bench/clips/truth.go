package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/validate/gate"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// truth is one file of a corpus: which goal it shows and what was done to it. Trim and length are seconds of the master.
type truth struct {
	File      string  `json:"file"`
	Kind      string  `json:"kind"` // master, variant, negative
	Match     int     `json:"match"`
	Goal      string  `json:"goal"`
	Transform string  `json:"transform"`
	Trim      float64 `json:"trim"`
	Length    float64 `json:"length"`
	Speed     float64 `json:"speed"`
	Prefix    float64 `json:"prefix"`
	Mirror    bool    `json:"mirror"`
}

type clip struct {
	truth
	path     string
	size     int64
	probe    footy.Probe
	print    footy.Fingerprint
	prepared *phash.Prepared
	gated    bool // the gate lets it pass
}

type corpus struct {
	clips      []clip
	seconds    float64
	unreadable int
}

// load decodes a corpus: DIR/truth.json and DIR/clips. Of each goal at most per re-uploads are read, if per is set.
func load(ctx context.Context, tool *media.Tool, dir string, per, jobs int) (*corpus, error) {
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		return nil, fmt.Errorf("%s is no corpus: %w", dir, err)
	}
	var doc struct {
		Clips []truth `json:"clips"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("read truth.json: %w", err)
	}
	seen := map[string]int{}
	doc.Clips = slices.DeleteFunc(doc.Clips, func(t truth) bool {
		if t.Kind == "variant" {
			seen[t.Goal]++
		}
		return per > 0 && t.Kind == "variant" && seen[t.Goal] > per
	})
	all := make([]clip, len(doc.Clips))
	var unreadable atomic.Int32
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, jobs))
	for i, t := range doc.Clips {
		g.Go(func() error {
			c := clip{truth: t, path: filepath.Join(dir, "clips", t.File)}
			err := c.decode(ctx, tool)
			var e *footy.Error
			if errors.As(err, &e) && e.Code == footy.CodeRejected {
				unreadable.Add(1)
				err = nil
			}
			all[i] = c
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	c := &corpus{unreadable: int(unreadable.Load())}
	for _, k := range all {
		if k.prepared != nil {
			c.clips = append(c.clips, k)
			c.seconds += k.print.Duration
		}
	}
	return c, nil
}

func (c *clip) decode(ctx context.Context, tool *media.Tool) error {
	info, err := os.Stat(c.path)
	if err != nil {
		return err
	}
	c.size = info.Size()
	if c.probe, err = tool.Probe(ctx, c.path); err != nil {
		return err
	}
	d, err := tool.Decode(ctx, c.path, c.probe, media.Wants{SamplesOnly: true})
	if err != nil {
		return err
	}
	c.gated = gate.File(c.probe, c.size) == nil
	c.print = phash.Build(d.Samples)
	c.prepared = phash.Prepare(c.print)
	return nil
}

// label says what a pair is: same footage, different footage, or not to be judged (one goal, too little in common).
type label int

const (
	unjudged label = iota
	positive
	negative
)

func judge(a, b truth) label {
	if a.Goal != b.Goal || a.Kind == "negative" || b.Kind == "negative" {
		return negative
	}
	if min(a.Trim+a.Length, b.Trim+b.Length)-max(a.Trim, b.Trim) >= 1.5 {
		return positive
	}
	return unjudged
}
