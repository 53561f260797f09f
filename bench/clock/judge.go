package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"sort"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
)

// result is a clip and what was read.
type result struct {
	clip
	answer clockface.Answer
}

// wrong reports whether a reading is not what the clock showed then. A moment at a tick may be either second.
func (r result) wrong() bool {
	for _, x := range r.answer.Readings {
		if r.Kind != "clock" || math.Abs(float64(x.Clock)+0.5-(r.Start+x.At)) > 1 {
			return true
		}
	}
	return false
}

func readAll(ctx context.Context, tool *media.Tool, o options, clips []clip) ([]result, error) {
	out := make([]result, len(clips))
	g, limited := errgroup.WithContext(ctx)
	g.SetLimit(max(1, o.jobs))
	for i, k := range clips {
		g.Go(func() error {
			d, err := read(limited, tool, filepath.Join(o.dir, k.File), media.Wants{SamplesOnly: true, Clock: true})
			out[i] = result{k, d.Clock}
			return err
		})
	}
	return out, g.Wait()
}

func read(ctx context.Context, tool *media.Tool, path string, wants media.Wants) (media.Decoded, error) {
	probe, err := tool.Probe(ctx, path)
	if err != nil {
		return media.Decoded{}, err
	}
	return tool.Decode(ctx, path, probe, wants)
}

type tally struct{ all, read, wrong int }

func (t tally) String() string {
	return fmt.Sprintf("%5d %6d %6.1f %% %6d %6d", t.all, t.read, 100*float64(t.read)/float64(max(1, t.all)), t.wrong, t.all-t.read)
}

func report(results []result, list bool) {
	by := map[string]*tally{}
	why := map[string]int{}
	for _, r := range results {
		name := fmt.Sprintf("%4d lines", r.Lines)
		if r.Kind != "clock" {
			name = "x " + r.Kind
		}
		for _, n := range []string{name, map[bool]string{true: "all with a clock", false: "x all without"}[r.Kind == "clock"]} {
			if by[n] == nil {
				by[n] = &tally{}
			}
			by[n].all++
			if len(r.answer.Readings) > 0 {
				by[n].read++
			}
			if r.wrong() {
				by[n].wrong++
			}
		}
		if r.Kind == "clock" && r.answer.Abstained != "" {
			why[string(r.answer.Abstained)]++
		}
		if list && (r.wrong() || r.Kind == "clock" && len(r.answer.Readings) == 0) {
			fmt.Printf("%s: %d lines, %d/s, crf %d, %.1f s, digits %.1f, %s, starts %.1f, from %.1f: %s %v\n", r.File, r.Lines, r.Rate, r.CRF, r.Seconds, r.Digits, r.Font, r.Start, r.From, r.answer.Abstained, r.answer.Readings)
		}
	}
	var names []string
	for n := range by {
		names = append(names, n)
	}
	sort.Strings(names)
	fmt.Printf("\n%-28s %5s %6s %8s %6s %6s\n", "", "clips", "read", "", "wrong", "abst.")
	for _, n := range names {
		fmt.Printf("%-28s %s\n", n, by[n])
	}
	fmt.Printf("abstained, by reason: %v\n", why)
}
