// Package day is the match day that chaos is played on: small, and such that every useful post is found whatever happens.
package day

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
)

// JSON is the script, as footy world takes it.
//
//go:embed day.json
var JSON []byte

// Script is what the comparison needs of it.
type Script struct {
	Fixtures []Fixture `json:"fixtures"`
}

// Fixture is a match.
type Fixture struct {
	ID     int     `json:"id"`
	Events []Event `json:"events"`
	Expect struct {
		Stage string `json:"stage"`
		Home  int    `json:"home"`
		Away  int    `json:"away"`
		Goals int    `json:"goals"`
	} `json:"expect"`
}

// Event is a goal with its posts.
type Event struct {
	Key   string `json:"key"`
	Posts []struct {
		Kind string `json:"kind"`
	} `json:"posts"`
	Expect struct {
		Removed bool `json:"removed"`
		Clips   struct {
			Min int `json:"min"`
			Max int `json:"max"`
		} `json:"clips"`
	} `json:"expect"`
}

// Read decodes the day.
func Read() (Script, error) {
	var s Script
	if err := json.Unmarshal(JSON, &s); err != nil {
		return s, fmt.Errorf("the day of chaos: %w", err)
	}
	return s, nil
}

// serialBits are the bits of a simulated post's id that hold its place in the script.
const serialBits = 22

// Post names a simulated post by what it is in the script: "own 2 reencode"; its id where it is none of the day's.
func (s Script) Post(id string) string {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return id
	}
	serial := int(n&(1<<serialBits-1)) - 1
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			if serial >= 0 && serial < len(e.Posts) {
				return fmt.Sprintf("%s %d %s", e.Key, serial+1, e.Posts[serial].Kind)
			}
			serial -= len(e.Posts)
		}
	}
	return id
}

// Clips is how many clips the day must show at least and at most.
func (s Script) Clips() (atLeast, atMost int) {
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			atLeast += e.Expect.Clips.Min
			atMost += e.Expect.Clips.Max
		}
	}
	return atLeast, atMost
}
