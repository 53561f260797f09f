package view

import (
	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/footy"
)

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

// Day is one with matches.
type Day struct {
	Date string `json:"date"`
	Counts
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
