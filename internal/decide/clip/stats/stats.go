// Package stats measures how many goals have a clip, and how soon they had it.
package stats

import (
	"sort"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Measure says how many goals have a clip, and how soon they had it.
type Measure struct {
	Goals     int             `json:"goals"`
	WithClip  int             `json:"with_clip"`
	Verified  int             `json:"verified"`  // with at least one clip whose moment is proven
	Open      int             `json:"open"`      // still searching
	Median    time.Duration   `json:"median_ns"` // from first seen to first clip; 0 where no goal has one
	Durations []time.Duration `json:"-"`
}

// Share is the part of the goals that has a verified clip, 0..1.
func (m Measure) Share() float64 {
	if m.Goals == 0 {
		return 0
	}
	return float64(m.Verified) / float64(m.Goals)
}

// Plus joins two measures.
func (m Measure) Plus(o Measure) Measure {
	m.Goals, m.WithClip, m.Verified, m.Open = m.Goals+o.Goals, m.WithClip+o.WithClip, m.Verified+o.Verified, m.Open+o.Open
	m.Durations = append(append([]time.Duration(nil), m.Durations...), o.Durations...)
	m.median()
	return m
}

func (m *Measure) median() {
	sort.Slice(m.Durations, func(i, j int) bool { return m.Durations[i] < m.Durations[j] })
	if n := len(m.Durations); n > 0 {
		m.Median = (m.Durations[(n-1)/2] + m.Durations[n/2]) / 2
	}
}

// Of measures the goals of fixtures; goals that no longer stand are not counted.
func Of(fixtures []footy.Fixture) Measure {
	var m Measure
	for i := range fixtures {
		for j := range fixtures[i].Events {
			m.add(&fixtures[i].Events[j])
		}
	}
	m.median()
	return m
}

func (m *Measure) add(e *footy.Event) {
	if !e.Standing() || e.Kind != footy.KindGoal {
		return
	}
	m.Goals++
	if !e.DownloadComplete {
		m.Open++
	}
	clips := e.VisibleClips()
	if len(clips) == 0 {
		return
	}
	m.WithClip++
	for _, c := range clips {
		if c.Verified {
			m.Verified++
			break
		}
	}
	// Losers count here too: the first clip people saw may have been replaced since.
	first := time.Time{}
	for _, c := range e.Clips {
		if !c.AddedAt.IsZero() && (first.IsZero() || c.AddedAt.Before(first)) {
			first = c.AddedAt
		}
	}
	if !first.IsZero() && !e.FirstSeen.IsZero() && !first.Before(e.FirstSeen) {
		m.Durations = append(m.Durations, first.Sub(e.FirstSeen))
	}
}

// Objective is what coverage should be: a share of the goals with a verified clip in time.
type Objective struct {
	Share  float64       // 0..1
	Within time.Duration // from the goal, as far as it can be told, to its first verified clip
}

// Kept counts the goals whose time is over by how the objective fared.
type Kept struct{ Met, Missed int }

// Goals is how many there are.
func (k Kept) Goals() int { return k.Met + k.Missed }

// Percent is the share that met it, rounded down: 89.9 % is less than 90 %. Of no goals it is 0.
func (k Kept) Percent() int {
	if k.Goals() == 0 {
		return 0
	}
	return 100 * k.Met / k.Goals()
}

// Over counts the goals of fixtures whose time ended after since and not after now. A goal that was caught up, because nobody looked
// when it fell, counts from when it fell: time in which the product was off is no excuse.
func (o Objective) Over(fixtures []footy.Fixture, since, now time.Time) (k Kept) {
	for i := range fixtures {
		for j := range fixtures[i].Events {
			e := &fixtures[i].Events[j]
			due := e.ScoredAt().Add(o.Within)
			if !e.Standing() || e.Kind != footy.KindGoal || e.FirstSeen.IsZero() || !due.After(since) || due.After(now) {
				continue
			}
			if provenBefore(e, due) {
				k.Met++
			} else {
				k.Missed++
			}
		}
	}
	return k
}

// provenBefore reports whether people could see a verified clip by then; a better copy may have replaced it since.
func provenBefore(e *footy.Event, due time.Time) bool {
	for _, c := range e.Clips {
		if c.Verified && !c.Hidden && !c.AddedAt.After(due) {
			return true
		}
	}
	return false
}
