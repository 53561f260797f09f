package main

import (
	"fmt"
	"regexp"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
)

var scoreText = regexp.MustCompile(`^[A-Z]{3} (\d)(?:-|   )(\d) [A-Z]{3}$`)

// score is what is drawn beside the clock of a clip, nil for none.
func (k clip) score() (*clockface.Score, error) {
	g, err := k.graphic()
	if err != nil {
		return nil, err
	}
	for _, p := range g.pieces {
		if m := scoreText.FindStringSubmatch(p.says(0)); m != nil {
			return &clockface.Score{Left: int(m[1][0] - '0'), Right: int(m[2][0] - '0')}, nil
		}
	}
	return nil, nil
}

// reportScores prints how many scores were read beside the clocks that were read, and how many of them wrongly.
func reportScores(results []result, list bool) error {
	var drawn, read, wrong int
	for _, r := range results {
		if len(r.answer.Readings) == 0 {
			continue
		}
		want, err := r.score()
		if err != nil {
			return err
		}
		got := r.answer.Score
		if want != nil {
			drawn++
		}
		if got != nil {
			read++
		}
		bad := got != nil && (want == nil || *got != *want)
		if bad {
			wrong++
		}
		if list && (bad || got == nil && want != nil) {
			fmt.Printf("score of %s: drawn %v, read %v\n", r.File, want, got)
		}
	}
	fmt.Printf("scores beside the clocks that were read: %d drawn, %d read (%.1f %%), %d wrong\n", drawn, read, 100*float64(read)/float64(max(1, drawn)), wrong)
	return nil
}
