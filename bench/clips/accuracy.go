package main

import (
	"fmt"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/footage"
	"github.com/found-footy/found-footy/internal/recognize/phash/phashtest"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// beat is a quarter of a second in samples.
const beat = int(0.25 / footy.SampleInterval)

// tally counts pairs and those that were joined.
type tally struct{ pairs, joined, simple int }

func (t *tally) add(same, simple bool) {
	t.pairs++
	if same {
		t.joined++
	}
	if simple {
		t.simple++
	}
}

func (t tally) recall() float64 {
	if t.pairs == 0 {
		return 1
	}
	return float64(t.joined) / float64(t.pairs)
}

// lengthClasses are those of masters: a short one has little to show.
var lengthClasses = []string{"of 5 s", "of 10 s", "longer"}

func lengthClass(seconds float64) string {
	switch {
	case seconds < 7.5:
		return lengthClasses[0]
	case seconds < 12:
		return lengthClasses[1]
	}
	return lengthClasses[2]
}

// accuracy compares every pair and prints recall against the master by transformation, over all pairs, and the false
// merges. Beside it stands the plain method of earlier systems: 64 bits, 10 allowed, three samples in a row.
func accuracy(c *corpus) {
	byKind, inAll := map[string]*tally{}, map[string]*tally{} // against the master; in pairs with any clip
	byLength := map[string]*tally{}                           // of the master, against it
	count := func(m map[string]*tally, name string, same, simple bool) {
		if m[name] == nil {
			m[name] = &tally{}
		}
		m[name].add(same, simple)
	}
	var all, gated, wrong tally
	var names []string
	plain := make([][]uint64, len(c.clips))
	for i, k := range c.clips {
		for at := 0; at < len(k.print.Frames); at += beat {
			plain[i] = append(plain[i], k.print.Frames[at].Bits[0])
		}
	}
	var merges, missed []string
	var closest float64
	var closestPair string
	var old tally // of one goal, either way round
	oldWrong, oldLikely := 0, 0.0
	for i := range c.clips {
		for j := i + 1; j < len(c.clips); j++ {
			a, b := &c.clips[i], &c.clips[j]
			l := judge(a.truth, b.truth)
			if l == unjudged {
				continue
			}
			m := a.prepared.Compare(b.prepared)
			back := b.prepared.Compare(a.prepared)
			for _, is := range []bool{footage.OldBy(a.print, m), footage.OldBy(b.print, back)} {
				switch {
				case l == positive:
					old.add(is, false)
				case is:
					oldWrong++
				}
			}
			if l == negative {
				oldLikely = max(oldLikely, m.Score, back.Score)
			}
			simple := phashtest.MatchSimple(plain[i], plain[j], phashtest.FirstPolicy)
			if l == negative {
				wrong.add(m.Same, simple)
				if m.Score > closest {
					closest, closestPair = m.Score, fmt.Sprintf("%s / %s: %s", a.File, b.File, explain.Comparison(m))
				}
				if m.Same {
					merges = append(merges, fmt.Sprintf("%s = %s: %s", a.File, b.File, explain.Comparison(m)))
				}
				continue
			}
			all.add(m.Same, simple)
			if !m.Same {
				missed = append(missed, fmt.Sprintf("%s / %s: score %.2f, %s", a.File, b.File, m.Score, explain.Comparison(m)))
			}
			if a.gated && b.gated {
				gated.add(m.Same, simple)
			}
			for _, k := range []*clip{a, b} {
				if k.Kind != "master" {
					count(inAll, k.Transform, m.Same, simple)
				}
			}
			if a.Kind == "master" != (b.Kind == "master") {
				master, copied := a, b
				if b.Kind == "master" {
					master, copied = b, a
				}
				count(byKind, copied.Transform, m.Same, simple)
				count(byLength, lengthClass(master.Length), m.Same, simple)
			}
		}
	}
	for name := range byKind {
		names = append(names, name)
	}
	slices.Sort(names)
	fmt.Printf("%-16s %22s   %22s\n%-16s %6s %7s %7s   %6s %7s %7s\n", "", "against the master", "in any pair", "", "pairs", "recall", "plain", "pairs", "recall", "plain")
	for _, n := range names {
		t, u := byKind[n], inAll[n]
		fmt.Printf("%-16s %6d %7.3f %7.3f   %6d %7.3f %7.3f\n", n, t.pairs, t.recall(), float64(t.simple)/float64(t.pairs), u.pairs, u.recall(), float64(u.simple)/float64(u.pairs))
	}
	fmt.Println()
	for _, name := range lengthClasses {
		if t := byLength[name]; t != nil {
			fmt.Printf("%-24s %6d of %6d = %.3f (plain %.3f)\n", name+", to the master", t.joined, t.pairs, t.recall(), float64(t.simple)/float64(t.pairs))
		}
	}
	fmt.Printf("%-24s %6d of %6d = %.3f (plain %.3f)\n", "all positive pairs", all.joined, all.pairs, all.recall(), float64(all.simple)/float64(max(1, all.pairs)))
	fmt.Printf("%-24s %6d of %6d = %.3f\n", "those past the gate", gated.joined, gated.pairs, gated.recall())
	fmt.Printf("%-24s %6d of %6d = %.3f, of other goals %d of %d (closest score %.2f)\n", "known as old footage", old.joined, old.pairs, old.recall(), oldWrong, 2*wrong.pairs, oldLikely)
	fmt.Printf("%-24s %6d of %6d (plain %d)\n", "false merges", wrong.joined, wrong.pairs, wrong.simple)
	fmt.Printf("   closest: score %.2f (limit 0.5), %s\n", closest, closestPair)
	for _, m := range merges {
		fmt.Println("   merged:", m)
	}
	for _, m := range missed {
		fmt.Println("   missed:", m)
	}
}
