package view

import (
	"strings"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// EventCounts says what happened in a match: "3 goals, 1 red card".
func (f Fixture) EventCounts() string {
	var out []string
	for _, k := range footy.Kinds() {
		n := 0
		for i := range f.Events {
			if f.Events[i].Kind == k.Kind {
				n++
			}
		}
		if n > 0 {
			out = append(out, explain.Plural(n, k.One, k.Many))
		}
	}
	return strings.Join(out, ", ")
}

// Counts are the figures of a day.
type Counts struct {
	Fixtures int `json:"fixtures"`
	Live     int `json:"live"`
	Goals    int `json:"goals"`
	WithClip int `json:"with_clip"`
}

// Add counts a match in.
func (c *Counts) Add(f Fixture) {
	c.Fixtures++
	if f.Status.Phase == PhaseLive {
		c.Live++
	}
	for _, e := range f.Events {
		if e.Kind != footy.KindGoal {
			continue
		}
		c.Goals++
		if len(e.Clips) > 0 {
			c.WithClip++
		}
	}
}

// Coverage is how many goals of a day, or of several, have a clip.
type Coverage struct {
	Date string `json:"date"`
	stats.Measure
	Share         float64 `json:"share"`
	MedianSeconds float64 `json:"median_seconds"`
}

// CoverageOf shows a measure; no date stands for several days.
func CoverageOf(date string, m stats.Measure) Coverage {
	return Coverage{Date: date, Measure: m, Share: m.Share(), MedianSeconds: m.Median.Seconds()}
}
