package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
)

// result is a clip and what was read.
type result struct {
	clip
	answer clockface.Answer
}

// outcome is what a reading is against what was drawn.
type outcome int

const (
	absent outcome = iota
	right
	wrong
)

// minute judges the clock. A moment at a tick may be either second.
func (r result) minute() outcome {
	for _, x := range r.answer.Readings {
		if r.Kind != clock || math.Abs(float64(x.Clock)+0.5-(r.Start+x.At)) > 1 {
			return wrong
		}
	}
	return of(len(r.answer.Readings) > 0, true)
}

// others counts the score, the clubs' words and the label of the half by outcome, where the clock was read right.
func (r result) others() (out [3][3]int) {
	s := r.answer.Score
	out[0][of(s != nil, s != nil && *s == clockface.Score{Left: r.Score[0], Right: r.Score[1]})]++
	drawn := []string{r.Label}
	for _, c := range r.Clubs {
		words := append(strings.Fields(c.Name), c.Code)
		out[1][of(slices.ContainsFunc(r.answer.Codes, func(w string) bool { return slices.Contains(words, w) }), true)]++
		drawn = append(drawn, words...)
	}
	for _, w := range r.answer.Codes {
		if !slices.Contains(drawn, w) {
			out[1][wrong]++
		}
	}
	if half := r.answer.Half; half != 0 || r.Half != 0 {
		out[2][of(half != 0, half == r.Half)]++
	}
	return out
}

func of(read, same bool) outcome {
	switch {
	case !read:
		return absent
	case same:
		return right
	}
	return wrong
}

// readAll draws each clip once and reads it. It says how far it is now and then; when it is interrupted, what was read until then is its answer.
func readAll(ctx context.Context, tool *media.Tool, o options, clips []clip) ([]result, error) {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(clips, "", " ")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(o.dir, "truth.json"), text, 0o644); err != nil {
		return nil, err
	}
	fmt.Printf("drawing %d clips in %s (once) and reading them\n", len(clips), o.dir)
	var mu sync.Mutex
	var out []result
	g, limited := errgroup.WithContext(ctx)
	g.SetLimit(max(1, o.jobs))
	for _, k := range clips {
		g.Go(func() error {
			err := k.draw(limited, o.dir)
			var d media.Decoded
			if err == nil {
				d, err = read(limited, tool, filepath.Join(o.dir, k.File), media.Wants{SamplesOnly: true, Clock: true})
			}
			if ctx.Err() != nil {
				return nil // interrupted: what was read before counts
			}
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if out = append(out, result{k, d.Clock}); len(out)%100 == 0 {
				fmt.Println(progress(out))
			}
			return nil
		})
	}
	err = g.Wait()
	fmt.Println(progress(out))
	return out, err
}

// progress says how many clips were read, and how many wrongly.
func progress(results []result) string {
	var t tally
	for _, r := range results {
		t.add(r)
	}
	return fmt.Sprintf("%d clips: %d minutes right, %d wrong; wrong beside them: %d scores, %d codes, %d halves", len(results), t.minute[right], t.minute[wrong],
		t.others[0][wrong], t.others[1][wrong], t.others[2][wrong])
}

func read(ctx context.Context, tool *media.Tool, path string, wants media.Wants) (media.Decoded, error) {
	probe, err := tool.Probe(ctx, path)
	if err != nil {
		return media.Decoded{}, err
	}
	return tool.Decode(ctx, path, probe, wants)
}

// tally counts the clips of one row.
type tally struct {
	length map[string][2]int // read right, of so many
	minute [3]int            // by outcome
	others [3][3]int
}

func (t *tally) add(r result) {
	m := r.minute()
	t.minute[m]++
	if t.length == nil {
		t.length = map[string][2]int{}
	}
	n := t.length[r.Length]
	n[1]++
	if m == right {
		n[0]++
		for i, some := range r.others() {
			for o, n := range some {
				t.others[i][o] += n
			}
		}
	}
	t.length[r.Length] = n
}

func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d %3d %%", part, whole, 100*part/whole)
}

func (t *tally) String() string {
	var b strings.Builder
	for _, l := range lengths() {
		fmt.Fprintf(&b, " %14s", share(t.length[l.name][0], t.length[l.name][1]))
	}
	fmt.Fprintf(&b, " |%6d %6d %6d |", t.minute[right], t.minute[absent], t.minute[wrong])
	for _, o := range t.others {
		fmt.Fprintf(&b, " %14s %5d", share(o[right], o[right]+o[absent]+o[wrong]), o[wrong])
	}
	return b.String()
}

// rows are those that a clip counts in. What no person could read is in none with what people can.
func (r result) rows() []string {
	switch {
	case r.Kind != clock:
		return []string{"3 no clock: " + r.Kind, "3 no clock: all"}
	case !r.Readable:
		return []string{"2 unreadable: " + r.Manner, "2 unreadable: all"}
	}
	return []string{"1 design: " + r.Design, "1 manner: " + r.Manner, "1 period: " + r.Period, "1 readable: all"}
}

func report(results []result, list bool) {
	slices.SortFunc(results, func(a, b result) int { return strings.Compare(a.File, b.File) })
	by := map[string]*tally{}
	var rows []string
	why := map[string]int{}
	for _, r := range results {
		for _, n := range r.rows() {
			if by[n] == nil {
				by[n] = &tally{}
				rows = append(rows, n)
			}
			by[n].add(r)
		}
		if r.Kind == clock && r.Readable && r.answer.Abstained != "" {
			why[string(r.answer.Abstained)]++
		}
		if list && r.surprises() {
			fmt.Printf("%-5s %s: %s, %d/s, crf %d, %.1f s, digits %.1f, %s, starts %.1f, from %.1f, %v %d-%d %s: %s %v %v %v %d\n", []string{"", "read", "WRONG"}[r.minute()], r.File, r.Period, r.Rate, r.CRF, r.Seconds,
				r.Digits, r.Font, r.Start, r.From, r.Clubs, r.Score[0], r.Score[1], r.Label, r.answer.Abstained, r.answer.Readings, r.answer.Score, r.answer.Codes, r.answer.Half)
		}
	}
	slices.Sort(rows)
	fmt.Printf("\n%-36s %14s %14s %14s |%6s %6s %6s |", "", lengths()[0].name, lengths()[1].name, lengths()[2].name, "right", "abst.", "WRONG")
	for _, n := range []string{"score", "codes", "half"} {
		fmt.Printf(" %14s WRONG", n)
	}
	fmt.Println()
	for _, n := range rows {
		fmt.Printf("%-36s%s\n", n[2:], by[n])
	}
	fmt.Printf("abstained though readable, by reason: %v\n", why)
}

// surprises reports whether a clip was read otherwise than it should.
func (r result) surprises() bool {
	m := r.minute()
	o := r.others()
	return m == wrong || r.Kind == clock && r.Readable && m == absent || m == right && o[0][wrong]+o[1][wrong]+o[2][wrong] > 0
}
