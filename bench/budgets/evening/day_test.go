// Package evening plays the searches of a busy evening in simulated time: the product's own budget, sharing, scrolling,
// priorities and waits, against a simulated X. It answers whether every goal gets its ten usable searches, and which not.
package evening_test

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/decide/post/query"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Options of an evening.
type Options struct {
	Seed    uint64
	Matches int
	Goals   int
	Spread  time.Duration // from the first kickoff to the last, in three waves
	Tabs    int
	Alone   bool            // goals do not share: what it would be without
	Outage  time.Duration   // X answers errors for this long, from the middle of the evening
	Failing float64         // share of searches that end in an error for no reason
	At      []time.Duration // when searches are made, since the goal was certain; nil = when the product does
}

// Defaults are the evening that budgets are made for: forty goals in fourteen matches that are all played at once.
func Defaults() Options {
	return Options{Seed: 1, Matches: 14, Goals: 40, Tabs: 2, Failing: 0.03}
}

// EveryMinute is ten searches, one a minute.
func EveryMinute() (at []time.Duration) {
	for i := range policy.Defaults().Searches {
		at = append(at, time.Duration(i)*time.Minute)
	}
	return at
}

// matchTime is from kickoff to the last whistle.
const matchTime = 110 * time.Minute

// goal is one goal's search, as TwitterWorkflow does it.
type goal struct {
	Goal
	player string
	team   footy.Team
	pair   query.Pair
	seen   time.Time // first sighting
	event  footy.Event
	known  []string
	failed int // unusable searches in a row
	opened time.Time
	begun  time.Time // the present search
}

// scored is the moment of the goal, which the feed reports half a minute later.
func (g *goal) scored() time.Time { return g.seen.Add(-30 * time.Second) }

// play is an evening under way.
type play struct {
	o      Options
	t      policy.Timing
	rng    *rand.Rand
	x      x
	quota  *quota.Quota
	now    time.Time
	goals  []*goal
	events queue // what happens when
	ready  queue // searches that wait for a tab, by priority
	free   int
	report Report
}

// Play plays an evening to its end.
func Play(o Options) (Report, error) {
	p := &play{o: o, t: policy.Defaults(), rng: rand.New(rand.NewPCG(o.Seed, 14)), free: o.Tabs,
		quota: quota.New(quota.Options{}, 1, 3),
		now:   time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)}
	start := p.now
	if o.At != nil {
		p.t.SearchAt = o.At
	}
	if err := p.draw(start); err != nil {
		return Report{}, err
	}
	p.x.write(p.rng, p.goals, start, o.Spread+matchTime+time.Hour)
	if o.Outage > 0 {
		from := start.Add((o.Spread + matchTime) / 2)
		p.x.down = [2]time.Time{from, from.Add(o.Outage)}
	}
	for _, g := range p.goals {
		g.opened = g.seen.Add(32 * time.Second) // three looks and a start
		g.event = footy.Event{CertainAt: g.opened, Round: footy.Round{Number: 1, OpenedAt: g.opened}}
		p.at(g.opened, func() { p.want(g) })
	}
	for len(p.events) > 0 {
		next := heap.Pop(&p.events).(item)
		p.now = next.at
		next.do()
		for p.free > 0 && len(p.ready) > 0 {
			heap.Pop(&p.ready).(item).do()
		}
	}
	for _, g := range p.goals {
		p.report.Goals = append(p.report.Goals, g.Goal)
	}
	return p.report, nil
}

// draw spreads the goals over the matches and the evening.
func (p *play) draw(start time.Time) error {
	for n := range p.o.Goals {
		match := n % p.o.Matches
		if n >= p.o.Matches { // the rest fall where they like
			match = p.rng.IntN(p.o.Matches)
		}
		minute := time.Duration(match%3)*p.o.Spread/2 + time.Duration(p.rng.Int64N(int64(matchTime)))
		g := &goal{Goal: Goal{Match: match + 1, After: minute}, seen: start.Add(minute)}
		g.player, g.team = name(n)+" "+name(n+100), footy.Team{ID: int64(match), Name: name(200+match) + " United"}
		var err error
		if g.pair, err = query.Build(g.player, g.team, footy.TeamAliases{}); err != nil {
			return fmt.Errorf("draw an evening: %w", err)
		}
		p.goals = append(p.goals, g)
	}
	slices.SortFunc(p.goals, func(a, b *goal) int { return a.seen.Compare(b.seen) })
	return nil
}

func (p *play) at(t time.Time, do func()) {
	p.report.steps++
	heap.Push(&p.events, item{at: t, seq: p.report.steps, do: do})
}
