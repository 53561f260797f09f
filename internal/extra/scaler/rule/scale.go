// Package rule decides how many workers and browsers there should be: workers by what waits for each, browsers by the goals that are
// searched for, and both ahead of the kickoffs that the list of fixtures knows.
package rule

import (
	"fmt"
	"time"
)

// Options are the bounds and thresholds.
type Options struct {
	Min, Max int           // of workers, and of browsers
	Up, Down int           // waiting tasks for each worker: above Up one comes, below Down one goes
	Cooldown time.Duration // between two changes of one service
}

const (
	// ahead is how long before a kickoff its match counts: containers start, databases warm up, and the first goal may fall at once.
	ahead = 15 * time.Minute
	// matchLasts is how long after its kickoff a match may still bring goals to search for.
	matchLasts = 2*time.Hour + 30*time.Minute
	// goalsPerBrowser is what one account of X can search for: one search a minute for each goal uses it up at about three.
	goalsPerBrowser = 3
	// matchesPerWorker is how many matches at once make one worker more before anything waits: each brings some three goals, five
	// clips a search.
	matchesPerWorker = 5
	// tooOld is how long a task may wait however few they are: a few slow ones are a backlog, too.
	tooOld = time.Minute
)

// Service is one of the two that are scaled.
type Service struct {
	Running int       // copies now
	Changed time.Time // when their number was changed last
}

// Seen is what there is to decide by.
type Seen struct {
	Now               time.Time
	Workers, Browsers Service
	Waiting           int           // tasks of the workers' queues that nobody has taken
	Oldest            time.Duration // how long the oldest of them has waited
	Working           bool          // activities of the workers run now
	Goals             int           // that are searched for
	Searching         bool          // searches wait or run now
	Kickoffs          []time.Time   // of the fixtures that are followed
}

// Target is how many copies there should be, and why.
type Target struct {
	Copies int
	Why    string
}

// Plan is what to do.
type Plan struct{ Workers, Browsers Target }

// Decide plans one step: workers change by one at a time as the backlog tells, browsers to what the goals need. Nothing is taken away
// while work runs, and nothing changes within the cool-down, except that the least number is always there.
func Decide(s Seen, o Options) Plan {
	matches := 0
	for _, k := range s.Kickoffs {
		if !s.Now.Before(k.Add(-ahead)) && s.Now.Before(k.Add(matchLasts)) {
			matches++
		}
	}
	return Plan{Workers: o.workers(s, matches), Browsers: o.browsers(s, matches)}
}

func (o Options) workers(s Seen, matches int) Target {
	n := s.Workers.Running
	least := o.within(ceil(matches, matchesPerWorker))
	switch {
	case n < o.Min:
		return Target{o.Min, fmt.Sprintf("at least %d", o.Min)}
	case n > o.Max && !s.Working:
		return Target{o.Max, fmt.Sprintf("at most %d", o.Max)}
	case s.cools(s.Workers, o):
		return Target{n, "changed a moment ago"}
	case n < least:
		return Target{least, fmt.Sprintf("%d matches are under way or about to begin", matches)}
	case n < o.Max && s.Waiting > n*o.Up:
		return Target{n + 1, fmt.Sprintf("%d tasks wait, more than %d for each worker", s.Waiting, o.Up)}
	case n < o.Max && s.Waiting > 0 && s.Oldest > tooOld:
		return Target{n + 1, fmt.Sprintf("a task has waited for %s", s.Oldest.Round(time.Second))}
	case n > least && s.Waiting < n*o.Down && s.Working:
		return Target{n, "fewer would do, but work runs"}
	case n > least && s.Waiting < n*o.Down:
		return Target{n - 1, fmt.Sprintf("%d tasks wait, fewer than %d for each worker", s.Waiting, o.Down)}
	}
	return Target{n, "enough"}
}

func (o Options) browsers(s Seen, matches int) Target {
	n := s.Browsers.Running
	// A match brings about three goals in two hours, so at any time one in five or so is searched for.
	want := o.within(max(ceil(s.Goals, goalsPerBrowser), ceil(matches, matchesPerWorker)))
	why := fmt.Sprintf("%d goals are searched for, %d matches are under way or about to begin", s.Goals, matches)
	switch {
	case n < o.Min:
		return Target{max(want, o.Min), why}
	case n == want:
		return Target{n, "enough"}
	case s.cools(s.Browsers, o):
		return Target{n, "changed a moment ago"}
	case n > want && s.Searching:
		return Target{n, "fewer would do, but searches run"}
	case n > want:
		return Target{n - 1, why}
	}
	return Target{want, why}
}

func (o Options) within(n int) int { return min(max(n, o.Min), o.Max) }

func (s Seen) cools(of Service, o Options) bool {
	return !of.Changed.IsZero() && s.Now.Sub(of.Changed) < o.Cooldown
}

func ceil(n, by int) int { return (n + by - 1) / by }
