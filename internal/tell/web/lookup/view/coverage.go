package view

import "github.com/found-footy/found-footy/internal/decide/clip/stats"

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
