package world

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/world/script"
)

// Seen is what a person saw at one time, or over some time as far as health goes.
type Seen struct {
	Health  []PartSeen
	Waiting map[string]int    // posts that wait, by cause
	Waits   map[string]bool   // goals of which a post waits, by event id
	Goals   []GoalOutcome     // as they were then
	Pages   map[string]string // text of each goal's page, by event id
}

// PartSeen is what the health page said of a part.
type PartSeen struct{ Part, State, Reason, Remedy string }

// sight checks what a person must see against what was seen; the same number of things whatever it was.
func (c *check) sight(where string, want script.Sight, got Seen, day Outcome) {
	if want.Clips != nil {
		n := 0
		for _, g := range got.Goals {
			n += g.Clips
		}
		c.count(where, "clips of all goals", want.Clips, n)
	}
	for _, p := range want.Health {
		c.health(where, p, got.Health)
	}
	for _, cause := range slices.Sorted(maps.Keys(want.Waiting)) {
		n, what := got.Waiting[cause], "for "+cause
		if cause == "" {
			what = "for something"
			for _, k := range got.Waiting {
				n += k
			}
		}
		c.that(n >= want.Waiting[cause], where, fmt.Sprintf("at least %d posts that wait %s", want.Waiting[cause], what), fmt.Sprintf("%d of %v", n, got.Waiting))
	}
	for _, text := range want.Pages {
		var silent []string
		for _, id := range slices.Sorted(maps.Keys(got.Waits)) {
			if !strings.Contains(got.Pages[id], text) {
				silent = append(silent, id)
			}
		}
		c.that(len(got.Waits) > 0 && len(silent) == 0, where, fmt.Sprintf("%q on the page of every goal of which a post waits", text),
			fmt.Sprintf("of %d such goals not on those of %v", len(got.Waits), silent))
	}
	for _, name := range slices.Sorted(maps.Keys(want.PagesOf)) {
		g := c.named(name, got.Goals)
		for _, text := range want.PagesOf[name] {
			c.that(strings.Contains(got.Pages[g.EventID], text), where, fmt.Sprintf("%q on the page of %s", text, name), "it is not there")
		}
	}
	for _, why := range want.Never {
		c.that(day.Rejected[why] == 0, where, "no post refused as "+why, day.Rejected[why])
	}
	for _, pair := range want.Sooner {
		one, other := c.named(pair[0], day.Goals), c.named(pair[1], day.Goals)
		c.that(!one.FirstClip.IsZero() && one.FirstClip.Before(other.LastVerdict), where,
			fmt.Sprintf("the first clip of %s before the last verdict on %s", pair[0], pair[1]), fmt.Sprintf("at %s and at %s", one.FirstClip.Format("15:04:05.0"), other.LastVerdict.Format("15:04:05.0")))
	}
}

func (c *check) health(where string, want script.PartExpect, seen []PartSeen) {
	met, said := false, []string{}
	for _, p := range seen {
		if p.Part != want.Part {
			continue
		}
		met = met || p.State == want.State && strings.Contains(p.Reason, want.Says) && strings.Contains(p.Remedy, want.Remedy)
		said = append(said, strings.TrimSpace(p.State+" "+p.Reason+" -> "+p.Remedy))
	}
	expected := "health says of " + want.Part + " that it is " + want.State
	if want.Says != "" {
		expected += fmt.Sprintf(": %q", want.Says)
	}
	if want.Remedy != "" {
		expected += fmt.Sprintf(", and what to do: %q", want.Remedy)
	}
	c.that(met, where, expected, strings.Join(said, "; "))
}

// named is the product's goal for an event of the script that an expectation names.
func (c *check) named(name string, goals []GoalOutcome) GoalOutcome {
	f, e, _ := c.script.Goal(name) // Validate has found it
	g, _ := find(f, e, goals)
	return g
}
