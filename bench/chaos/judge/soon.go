package judge

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Soon is how soon goals had their first clip, from when they were first seen, on a clock.
type Soon struct {
	Goals   int           `json:"goals"` // that had one
	Median  time.Duration `json:"median"`
	Slowest time.Duration `json:"slowest"`
}

func (s Soon) String() string {
	if s.Goals == 0 {
		return "no goal had a clip"
	}
	return fmt.Sprintf("first clip %.1f s after the goal was first seen (median of %d; the slowest %.1f s)", s.Median.Seconds(), s.Goals, s.Slowest.Seconds())
}

// Soon asks the product's log when each goal had its first clip; a better copy may stand in its place since.
func (s Site) Soon(ctx context.Context, o Outcome) (Soon, error) {
	var all []time.Duration
	for _, g := range o.Goals {
		rows, err := s.timeline(ctx, g.EventID)
		if err != nil {
			return Soon{}, err
		}
		var first time.Time
		for _, r := range rows {
			if r.Kind == "clip" && (first.IsZero() || r.At.Before(first)) {
				first = r.At
			}
		}
		if !first.IsZero() {
			all = append(all, first.Sub(g.FirstSeen))
		}
	}
	return soon(all), nil
}

func soon(all []time.Duration) Soon {
	if len(all) == 0 {
		return Soon{}
	}
	slices.Sort(all)
	return Soon{Goals: len(all), Median: all[(len(all)-1)/2], Slowest: all[len(all)-1]}
}
