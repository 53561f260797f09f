package lifecycle

import (
	"math"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/footy"
)

// Quota is what the vendor said of the calls left; -1 where unknown.
type Quota struct{ DayLimit, DayRemaining, MinuteLimit, MinuteRemaining int }

// Demand is what polling at full pace would still cost until the vendor's day ends at midnight UTC.
type Demand struct {
	Live    int           // calls for active fixtures, once a cycle
	Staging int           // calls for those that wait, once a slot
	Fixed   int           // calls for those that the list of what is under way does not show, where each costs a call of its own
	AtOnce  int           // calls of one cycle as things stand
	Cycle   time.Duration // between polls of active fixtures
	Slot    time.Duration // between polls of staging fixtures
	Minute  time.Duration // that the vendor counts calls by
	Single  bool          // each match that the list does not show costs a call of its own
}

// Pace is how much slower than wanted to poll: 1 = full pace.
type Pace struct {
	Staging int `json:"staging"`
	Live    int `json:"live"`
	// Of a stretched pace: how often is asked now, and the limit of calls a minute if that is why; else it is the day's.
	StagingEvery time.Duration `json:"staging_every_ns,omitempty"`
	LiveEvery    time.Duration `json:"live_every_ns,omitempty"`
	MinuteLimit  int           `json:"minute_limit,omitempty"`
}

// Stretched reports whether it is slower than wanted.
func (p Pace) Stretched() bool { return p.Staging > 1 || p.Live > 1 }

// AtItsSlowest reports whether live matches are looked at as rarely as they ever are: the plan is too small for the day.
func (p Pace) AtItsSlowest() bool { return p.Live >= maxLiveStretch }

const (
	maxStagingStretch = 8  // a staging fixture is still asked every two hours
	maxLiveStretch    = 20 // a live one every ten minutes: votes then take half an hour, but no goal is missed
	reserveShare      = 0.05
)

// Govern stretches first the staging polls, then the live ones, so that the day's calls last until midnight. Without
// the vendor's numbers the pace is full. was is the pace until now: one that changed with every call would leave gaps between the turns.
func Govern(q Quota, d Demand, was Pace) Pace {
	p := govern(q, d)
	if keep := was.Live; p.Live > 1 && keep > p.Live && 4*p.Live > 3*keep {
		p.Live, p.LiveEvery = keep, d.Cycle*time.Duration(keep)
	}
	return p
}

func govern(q Quota, d Demand) Pace {
	full := Pace{Staging: 1, Live: 1}
	if q.DayRemaining < 0 || d.Cycle <= 0 || d.Slot <= 0 {
		return full
	}
	budget := float64(q.DayRemaining - reserve(q))
	budget -= min(float64(d.Fixed), budget/2) // goals are found by the other half
	live, staging := float64(d.Live), float64(d.Staging)
	if live+staging <= budget {
		return perMinute(full, q, d)
	}
	p := full
	p.Staging = stretch(staging, budget-live, maxStagingStretch)
	if live+staging/float64(p.Staging) > budget {
		p.Live = stretch(live, budget-staging/float64(p.Staging), maxLiveStretch)
	}
	return perMinute(p, q, d)
}

// reserve is what of a day's calls is kept back.
func reserve(q Quota) int { return int(reserveShare * float64(max(q.DayLimit, q.DayRemaining))) }

// Allowance is how many calls may be made just now. Where each match costs a call of its own, the list of what is under way, which
// finds the goals, goes before the others until midnight.
func Allowance(q Quota, d Demand, p Pace) calls.Budget {
	b := calls.Budget{Now: -1, Apart: -1}
	if b.Now = q.MinuteRemaining; b.Now > 1 {
		b.Now-- // for ingest and for people who ask
	}
	if q.DayRemaining < 0 {
		return b
	}
	today := max(1, q.DayRemaining) // else nobody would learn that there are calls again
	if b.Now < 0 || today < b.Now {
		b.Now = today
	}
	if d.Single {
		keep := 1
		if d.Live > 0 {
			keep = reserve(q) + d.Live/max(p.Live, 1)
		}
		b.Apart = max(0, q.DayRemaining-keep)
	}
	return b
}

// perMinute slows live polling down where one cycle alone needs more calls than a minute allows.
func perMinute(p Pace, q Quota, d Demand) Pace {
	cycles := float64(d.Minute) / float64(d.Cycle)
	if need := float64(d.AtOnce) * cycles; q.MinuteLimit > 0 && need > float64(q.MinuteLimit*p.Live) {
		p.Live = stretch(need, float64(q.MinuteLimit), maxLiveStretch)
		p.MinuteLimit = q.MinuteLimit
	}
	if p.Stretched() {
		p.StagingEvery, p.LiveEvery = d.Slot*time.Duration(p.Staging), d.Cycle*time.Duration(p.Live)
	}
	return p
}

// Turn reports whether a cycle may poll live matches at a stretched pace. It depends on the clock alone, so that a
// repeated or restarted cycle decides the same.
func Turn(now time.Time, cycle time.Duration, stretch int) bool {
	if stretch <= 1 || cycle <= 0 {
		return true
	}
	return now.UnixNano()/int64(cycle)%int64(stretch) == 0
}

// Reckoning is what the costs of polling depend on.
type Reckoning struct {
	Windows  Windows
	Cycle    time.Duration // between two polls of active fixtures at full pace
	Minute   time.Duration // that the vendor counts calls by
	Together int           // so many matches share a call by ids
	Can      calls.Can
}

// Ahead estimates the calls that polling costs between two moments at full pace: the cheapest ones that see the matches under way
// each cycle, those that wait once a slot.
func (r Reckoning) Ahead(kickoffs []time.Time, from, to time.Time) Demand {
	w := r.Windows
	d := Demand{Cycle: r.Cycle, Slot: w.StagingSlot, Minute: r.Minute, Single: !r.Can.IDs}
	if r.Cycle <= 0 || r.Together <= 0 || w.StagingSlot <= 0 {
		return d
	}
	live, staging, fixed := 0.0, 0.0, 0.0
	groups := byKickoff(kickoffs)
	for _, part := range stretches(groups, from, to, w) {
		var m calls.Mix
		waiting := 0
		for _, g := range groups {
			switch k, at := g.at, part.middle(); {
			case at.Before(k.Add(-w.StagingNear)):
			case at.Before(k.Add(-w.PreActivate)):
				waiting += g.matches
			case at.Before(k):
				m.Expected += g.matches
			case at.Before(k.Add(w.InPlay)):
				m.UnderWay += g.matches
			case at.Before(k.Add(w.Played)):
				m.Apart += g.matches
			}
			if over := g.at.Add(w.InPlay); !r.Can.IDs && !over.Before(part.from) && over.Before(part.to) {
				fixed += float64(g.matches) // who is missing from the list is asked for
			}
		}
		slots := part.length() / w.StagingSlot.Seconds()
		if !r.Can.IDs { // Due asks for them less often
			fixed += float64(m.Apart) * slots
			m.Apart, m.Expected, waiting = 0, 0, 0
		}
		live += float64(calls.Cost(r.Can, r.Together, m)) * part.length() / r.Cycle.Seconds()
		staging += math.Ceil(float64(waiting)/float64(r.Together)) * slots
	}
	d.Live, d.Staging, d.Fixed = int(math.Ceil(live)), int(math.Ceil(staging)), int(math.Ceil(fixed))
	return d
}

// kickoffGroup is how many matches begin at the same time.
type kickoffGroup struct {
	at      time.Time
	matches int
}

func byKickoff(kickoffs []time.Time) []kickoffGroup {
	var out []kickoffGroup
	for _, k := range slices.SortedFunc(slices.Values(kickoffs), time.Time.Compare) {
		if n := len(out); n > 0 && out[n-1].at.Equal(k) {
			out[n-1].matches++
			continue
		}
		out = append(out, kickoffGroup{k, 1})
	}
	return out
}

// stretchOfTime is one in which no match changes how it can be seen.
type stretchOfTime struct{ from, to time.Time }

func (s stretchOfTime) length() float64   { return s.to.Sub(s.from).Seconds() }
func (s stretchOfTime) middle() time.Time { return s.from.Add(s.to.Sub(s.from) / 2) }

// stretches cuts a time at each moment at which a match is expected to change how it can be seen.
func stretches(groups []kickoffGroup, from, to time.Time, w Windows) []stretchOfTime {
	cuts := []time.Time{to}
	for _, g := range groups {
		for _, at := range []time.Duration{-w.StagingNear, -w.PreActivate, 0, w.InPlay, w.Played} {
			if cut := g.at.Add(at); cut.After(from) && cut.Before(to) {
				cuts = append(cuts, cut)
			}
		}
	}
	slices.SortFunc(cuts, time.Time.Compare)
	var out []stretchOfTime
	for _, cut := range cuts {
		if cut.After(from) {
			out = append(out, stretchOfTime{from, cut})
			from = cut
		}
	}
	return out
}

// Demand estimates what open fixtures would still cost until the vendor's day ends.
func (r Reckoning) Demand(open []footy.Fixture, now time.Time) Demand {
	w := r.Windows
	kickoffs := make([]time.Time, 0, len(open))
	var due calls.Mix
	for _, f := range open {
		k := f.Match.Kickoff
		if f.Stage == footy.StageActive && !Rare(f, now, w) {
			lasts := w.Played
			switch status := f.Match.Status; {
			case status.InPlay() && !r.leftTheList(f, now):
				due.UnderWay++
				if !r.Can.IDs {
					lasts = w.InPlay
				}
			case status.Pre():
				due.Expected++
			default:
				due.Apart++
			}
			if late := now.Add(w.StagingSlot - lasts); k.Before(late) {
				k = late // runs late: it will a little longer
			}
		}
		kickoffs = append(kickoffs, k)
	}
	d := r.Ahead(kickoffs, now, Midnight(now))
	if !r.Can.IDs {
		due.Apart = 0 // spread over the slot
	}
	d.AtOnce = calls.Cost(r.Can, r.Together, due)
	return d
}

// stretch is how many times fewer calls to make, of steps that are far enough apart to stay at one for a while.
func stretch(want, have float64, most int) int {
	if have <= 0 {
		return most
	}
	for _, n := range []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 15} {
		if n >= most || want <= have*float64(n) {
			return min(n, most)
		}
	}
	return most
}

// Midnight is when the vendor counts the day's calls anew.
func Midnight(now time.Time) time.Time {
	now = now.UTC()
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
}
