package title

import (
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

// Tolerance is how many minutes a title may be beside the feed: people round, and read the clock a little later.
const Tolerance = 3

// Match is a match of the hours around a post, whether it has goals or not: its teams are names of the day.
type Match struct {
	Home, Away TeamName
	League     string // its competition; "" = unknown
	Goals      []Goal
}

// Goal is a goal as the feed reports it.
type Goal struct {
	Score  footy.Score // after it
	Side   footy.Side  // that profits
	Scorer string
	Minute footy.Minute
	Since  time.Time // no earlier post shows it; zero = unknown
}

// Wanted is one goal of a day.
type Wanted struct {
	*Day
	Match, Goal int
}

func (w Wanted) goal() Goal { return w.matches[w.Match].Goals[w.Goal] }

// Day weighs titles against all matches of some hours.
type Day struct {
	matches []Match
	teams   [][2]team
	leagues [][]string     // the words of their competitions
	having  map[string]int // how many teams of a side have a word in their names
}

// NewDay reads the names of the matches.
func NewDay(matches []Match) *Day {
	d := &Day{matches: matches, having: map[string]int{}}
	seen := map[string]bool{}
	for _, m := range matches {
		pair := [2]team{newTeam(m.Home, m.League), newTeam(m.Away, m.League)}
		if (pair[0].plays == names.Womens) != (pair[1].plays == names.Womens) { // the feed says it of one
			pair[0].plays, pair[1].plays = names.Womens, names.Womens
		}
		d.teams = append(d.teams, pair)
		d.leagues = append(d.leagues, strings.Fields(names.Fold(m.League)))
		for _, t := range pair {
			if seen[t.plays+t.whole] {
				continue
			}
			seen[t.plays+t.whole] = true
			for _, w := range t.words {
				d.having[t.plays+w]++
			}
		}
	}
	return d
}

// Names says whether a title names the goal: it fits this one, and no other of the day as well.
func (w Wanted) Names(t Title, posted time.Time) Agreement {
	if w.Day == nil { // there is no such goal
		return Agreement{Mismatch: OtherGoal}
	}
	a := w.weigh(t, posted, w.named(t, t.spelt(), w.Match))
	if !a.OK() {
		return a
	}
	if best, b := w.Find(t, posted); best == nil {
		return b
	} else if best.Match != w.Match {
		return Agreement{Mismatch: OtherMatch}
	} else if !best.same(w) {
		return Agreement{Mismatch: OtherGoal}
	}
	return a
}

// Find is the goal that a title names, with its evidence; nil without one, and why there is none.
func (d *Day) Find(t Title, posted time.Time) (best *Wanted, found Agreement) {
	if !t.Goal() {
		return nil, Agreement{Mismatch: NoGoal}
	}
	none, said := OtherMatch, t.spelt()
	rival := false
	var near []int // the matches of such clubs with such a goal, but for its scorer
	for m := range d.matches {
		n := d.named(t, said, m)
		for g := range d.matches[m].Goals {
			w := Wanted{d, m, g}
			a := w.weigh(t, posted, n)
			if said[0].side+said[1].side == "" && n.clubs && a.Score == Agrees && a.Minute == Agrees {
				near = append(near, m)
			}
			switch {
			case a.Mismatch == NoGoal, a.Mismatch == OtherGoal && none != NoGoal:
				none = a.Mismatch
			case !a.OK() || best != nil && a.weight() < found.weight():
			case best == nil || a.weight() > found.weight():
				best, found, rival = &w, a, false
			case !best.same(w):
				rival = true
			}
		}
	}
	if best == nil {
		return nil, Agreement{Mismatch: none}
	}
	if rival || found.Scorer == Differs && slices.ContainsFunc(near, func(m int) bool { return m != best.Match }) {
		return nil, Agreement{Mismatch: Alike}
	}
	return best, found
}

// same reports whether two goals are one that the feed lists twice.
func (w Wanted) same(o Wanted) bool {
	x, y := w.goal(), o.goal()
	return w.Match == o.Match && (w.Goal == o.Goal || x.Score.Known() && x.Score.Equal(y.Score) && x.Side == y.Side)
}

// weigh takes a title as it was read and, where nothing parts the scorer from the away side, as the names of the match divide it.
func (w Wanted) weigh(t Title, posted time.Time, n sides) Agreement {
	if !t.Goal() {
		return Agreement{Mismatch: NoGoal}
	}
	if !posted.IsZero() && t.year > 0 && t.year < posted.Year() {
		return Agreement{Mismatch: OtherGoal}
	}
	early := !posted.IsZero() && posted.Before(w.goal().Since)
	a := w.compare(t, n, early)
	if t.Scorer != "" || n.foreign || n.high() == strange {
		return a
	}
	cut := parse(t.Text, &w)
	if !cut.Goal() { // what stands behind the teams is about something else
		return Agreement{Mismatch: NoGoal}
	}
	// What is left behind the team's name may be the rest of that name. So it bears a title out, and takes nothing from one.
	if b := w.compare(cut, w.named(cut, cut.spelt(), w.Match), early); b.OK() && (a.OK() || b.Scorer == Agrees) {
		return b
	}
	return a
}
