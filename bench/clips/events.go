package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// events consolidates each goal's clips together with a look-alike of every other goal of its match, shuffled, and counts
// the goals whose group is the truth: all its clips behind one winner, no stranger among them.
func events(c *corpus) {
	goals := map[string][]clip{}
	var order []string
	for _, k := range c.clips {
		if k.Kind == "negative" {
			continue
		}
		if goals[k.Goal] == nil {
			order = append(order, k.Goal)
		}
		goals[k.Goal] = append(goals[k.Goal], k)
	}
	right, rightGated := 0, 0
	r := rand.New(rand.NewPCG(1, 2))
	for _, g := range order {
		if ok, _ := consolidate(c, g, goals[g], r, false); ok {
			right++
		}
		if ok, why := consolidate(c, g, goals[g], r, true); ok {
			rightGated++
		} else {
			fmt.Printf("   %s: %s\n", g, why)
		}
	}
	fmt.Printf("%-24s %6d of %6d, with what the gate refuses %d\n\n", "goals in one true group", rightGated, len(order), right)
}

func consolidate(c *corpus, goal string, own []clip, r *rand.Rand, onlyGated bool) (bool, string) {
	var items []dedup.Item
	mine := map[string]bool{}
	add := func(k clip) {
		items = append(items, dedup.Item{Fingerprint: k.print, Clip: footy.Clip{ID: k.File, Digest: k.File, Size: k.size, Width: k.probe.Width, Height: k.probe.Height,
			Duration: k.probe.Duration, Bitrate: k.probe.Bitrate, FrameRate: k.probe.FrameRate, Posts: []string{k.File}}})
	}
	for _, k := range own {
		if !onlyGated || k.gated {
			add(k)
			mine[k.File] = true
		}
	}
	for _, k := range c.clips {
		if k.Kind == "master" && k.Goal != goal && k.Match == own[0].Match {
			add(k)
		}
	}
	r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	group := map[string]string{}
	for _, d := range dedup.Plan(items, phash.Unkept) {
		group[d.ClipID] = cmp.Or(d.ReplacedBy, d.ClipID)
	}
	winner := ""
	for id := range mine {
		if winner == "" {
			winner = group[id]
		}
		if group[id] != winner {
			return false, fmt.Sprintf("%s and %s stand apart", group[id], winner)
		}
	}
	for id, w := range group {
		if !mine[id] && w == winner {
			return false, id + " was merged into it"
		}
	}
	return true, ""
}
