// Package stats measures how many goals have a clip, and how soon they had it.
package stats

import (
	"slices"
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
	m.Durations = slices.Concat(m.Durations, o.Durations)
	m.median()
	return m
}

func (m *Measure) median() {
	slices.Sort(m.Durations)
	if n := len(m.Durations); n > 0 {
		m.Median = (m.Durations[(n-1)/2] + m.Durations[n/2]) / 2
	}
}

// Of measures the goals of fixtures; goals that no longer stand are not counted.
func Of(fixtures []footy.Fixture) Measure {
	var m Measure
	for _, e := range footy.Events(fixtures) {
		m.add(e)
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
	if slices.ContainsFunc(clips, func(c footy.Clip) bool { return c.Verified }) {
		m.Verified++
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
	for _, e := range footy.Events(fixtures) {
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
	return k
}

// provenBefore reports whether people could see a verified clip by then; a better copy may have replaced it since.
func provenBefore(e *footy.Event, due time.Time) bool {
	return slices.ContainsFunc(e.Clips, func(c footy.Clip) bool { return c.Verified && !c.Hidden && !c.AddedAt.After(due) })
}

// By is what a shown clip was proven by.
type By string

// What clips are proven by.
const (
	ByClockAndPicture By = "clock_and_picture" // its running clock; a model looked at the picture alone
	ByModel           By = "model"             // what a model read in its frames
	ByClock           By = "clock"             // its running clock, and no model
	ByKnownFootage    By = "known_footage"     // what was read in another clip of the same footage
	NotProven         By = "unverified"
	ByUnknown         By = "not_kept" // proven, but its post is not in the ledger any more
)

// Bys are all of them, in the order in which they are told.
func Bys() []By {
	return []By{ByClockAndPicture, ByModel, ByClock, ByKnownFootage, ByUnknown, NotProven}
}

// Proofs counts what the shown clips of matches were proven by.
type Proofs struct {
	Clips int        // that are shown
	By    map[By]int // of them
}

// ProofsOf counts a match with its posts.
func ProofsOf(f footy.Fixture, posts []footy.Post) Proofs {
	out := Proofs{By: map[By]int{}}
	for i := range f.Events {
		e := &f.Events[i]
		if !e.Standing() {
			continue
		}
		for _, c := range e.VisibleClips() {
			out.Clips++
			out.By[provenBy(e.UID, c, posts)]++
		}
	}
	return out
}

func provenBy(event string, c footy.Clip, posts []footy.Post) By {
	if !c.Verified {
		return NotProven
	}
	by := ByUnknown
	for _, p := range posts {
		if p.EventUID != event || p.Verdict == nil || p.Media == nil || footy.ClipID(p.Media.Digest) != c.ID {
			continue
		}
		switch v := p.Verdict; {
		case v.SameAs != "" && v.SameAs != c.ID: // another post may have brought the very same file earlier
			by = ByKnownFootage
		case v.Proof != footy.ProofClock:
			return ByModel
		case len(v.Readings) > 0:
			return ByClockAndPicture
		default:
			return ByClock
		}
	}
	return by
}

// Plus joins the counts of several matches.
func (p Proofs) Plus(o Proofs) Proofs {
	by := map[By]int{}
	for _, b := range Bys() {
		if n := p.By[b] + o.By[b]; n > 0 {
			by[b] = n
		}
	}
	return Proofs{Clips: p.Clips + o.Clips, By: by}
}
