package evening_test

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// Goal is what came of one goal's search.
type Goal struct {
	Match  int
	After  time.Duration // since the first kickoff
	Usable int           // searches that count, ten wanted
	Shared int           // of them answered by another goal's call
	Tries  int
	Waits  int           // for budget; they use no try
	Found  int           // candidates handed on
	Good   int           // of them show the goal and pass the checks
	Posted int           // posts of the evening that do
	First  time.Duration // from the goal to the first of them
	Done   time.Duration
	Lost   string // why it did not get its ten; "" = it did
}

// Report of an evening.
type Report struct {
	Goals   []Goal
	Calls   int // SearchTimeline calls made
	Refused int // by X itself
	steps   int
}

// Lost are the goals that did not get their searches.
func (r Report) Lost() []Goal {
	var out []Goal
	for _, g := range r.Goals {
		if g.Lost != "" {
			out = append(out, g)
		}
	}
	return out
}

// Usable counts the searches that count.
func (r Report) Usable() int {
	n := 0
	for _, g := range r.Goals {
		n += g.Usable
	}
	return n
}

// Clips counts the goals that got a clip, those that had one, and gives the time since the goal: median and upper quartile.
func (r Report) Clips() (got, of int, median, upper time.Duration) {
	var first []time.Duration
	for _, g := range r.Goals {
		if g.Posted > 0 {
			of++
		}
		if g.Good > 0 {
			first = append(first, g.First)
		}
	}
	if got = len(first); got == 0 {
		return 0, of, 0, 0
	}
	slices.Sort(first)
	return got, of, first[got/2], first[got*3/4]
}

// CallsEach is how many calls a goal took.
func (r Report) CallsEach() float64 { return float64(r.Calls) / float64(max(len(r.Goals), 1)) }

// Draws plays an evening so many times, each with other goals and posts, and counts them as one.
func Draws(o Options, n int) (out Report, err error) {
	for seed := range n {
		o.Seed = uint64(seed)
		r, err := Play(o)
		if err != nil {
			return out, err
		}
		out.Goals, out.Calls, out.Refused = append(out.Goals, r.Goals...), out.Calls+r.Calls, out.Refused+r.Refused
	}
	return out, nil
}

// String is one line of a comparison.
func (r Report) String() string {
	var shared, waits, least int
	var slowest time.Duration
	least = 10
	for _, g := range r.Goals {
		shared, waits, least, slowest = shared+g.Shared, waits+g.Waits, min(least, g.Usable), max(slowest, g.Done)
	}
	return fmt.Sprintf("%d of %d searches, %d calls, %d shared, %d waits; slowest goal %s, %d of %d goals short of ten (least %d)",
		r.Usable(), 10*len(r.Goals), r.Calls, shared, waits, slowest.Round(time.Second), len(r.Lost()), len(r.Goals), least)
}

// Write prints one line per goal.
func (r Report) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(t, "goal\tmatch\tminute\tusable\tshared\ttries\twaits\ttook\tclips\t")
	for i, g := range r.Goals {
		fmt.Fprintf(t, "%d\t%d\t%.0f\t%d\t%d\t%d\t%d\t%s\t%d\t%s\n", i+1, g.Match, g.After.Minutes(), g.Usable, g.Shared, g.Tries, g.Waits,
			g.Done.Round(time.Second), g.Found, g.Lost)
	}
	return t.Flush()
}
