package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Difference is one thing that came out otherwise than on the calm day.
type Difference struct {
	Where         string // a goal's key, or a match
	EventID       string // of the goal as it is now, "" where there is none
	Expected, Got string
}

func (d Difference) String() string {
	return fmt.Sprintf("%s\n      expected  %s\n      got       %s", d.Where, d.Expected, d.Got)
}

// Compare lists what of got differs from the calm day. name is that of a content.
func Compare(calm, got Outcome, name func(id string) string) []Difference {
	var out []Difference
	for _, id := range union(calm.Fixtures, got.Fixtures) {
		if w, g := calm.Fixtures[id], got.Fixtures[id]; w != g {
			out = append(out, Difference{Where: fmt.Sprintf("match %d", id), Expected: w.Stage + " " + w.Score, Got: g.Stage + " " + g.Score})
		}
	}
	for _, key := range union(calm.Goals, got.Goals) {
		w, known := calm.Goals[key]
		g, there := got.Goals[key]
		d := Difference{Where: key, EventID: g.EventID, Expected: w.shown(name), Got: g.shown(name)}
		if !known {
			d.Expected = "no such goal"
		}
		if !there {
			d.Got = "no such goal"
		}
		if d.Expected != d.Got {
			out = append(out, d)
		}
	}
	return out
}

// shown must be equal: which clips in which order, and what stands beside each.
func (g Goal) shown(name func(string) string) string {
	state := "complete"
	if !g.Complete {
		state = "under way"
	}
	if len(g.Clips) == 0 {
		return state + ", no clip"
	}
	var clips []string
	seen := map[string]bool{}
	for _, c := range g.Clips {
		proof := "unverified"
		if c.Verified {
			proof = "verified"
		}
		double := ""
		if seen[c.ID] {
			double = ", DOUBLED"
		}
		seen[c.ID] = true
		clips = append(clips, fmt.Sprintf("%s (%s, %d posts%s)", name(c.ID), proof, c.Popularity, double))
	}
	return state + ": " + strings.Join(clips, "; ")
}

func union[K int | string, V any](a, b map[K]V) []K {
	all := maps.Clone(a)
	if all == nil {
		all = map[K]V{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}
