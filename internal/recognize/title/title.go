// Package title reads the titles under which people post goals ("Home [2] - 1 Away - A. Scorer 45+2'"), and says which of the goals
// that are followed a title names. Pure: values in, values out.
package title

import "github.com/found-footy/found-footy/internal/footy"

// Kind is what a post is about.
type Kind string

// The kinds of posts. Cards, saves, missed penalties, goals that did not count and threads about a match are all other.
const (
	KindGoal  Kind = "goal"
	KindOther Kind = "other"
)

// Title is what a post's title says. One that is no goal has only the reason.
type Title struct {
	Text    string
	Kind    Kind
	Because string // why it is no goal, for people; "" for a goal

	Home, Away  string // as the title spells them; "" where it does not name them
	Score       Score  // after the goal
	ScoringSide footy.Side
	Scorer      string // "" where the title does not say; of an own goal who put it in
	Minute      int    // 0 where the title does not say
	Extra       int
	OwnGoal     bool
	Penalty     bool

	side  string    // of the clubs, that is said besides their names
	aside [2]string // what brackets add to their names
	year  int       // the last in which the goal may have been, as it says; 0 = it says none
}

// Score is a score as a title writes it; unlike the feed's it is never unknown.
type Score struct{ Home, Away int }

// Goal reports whether the title is that of a goal.
func (t Title) Goal() bool { return t.Kind == KindGoal }

// Parse reads a title. Brackets mark the side that scored, and without them the side that is not at nil; anything else that a
// title says is looked for by its look, not by its place, because people write as they like.
func Parse(s string) Title { return parse(s, nil) }

// parse reads a title; where the goal it may be about is known, so is where the name of its away side ends.
func parse(s string, of *Wanted) Title {
	other := func(why string) Title { return Title{Text: s, Kind: KindOther, Because: why} }
	l := newLine(s)
	if why := l.about(); why != "" {
		return other(why)
	}
	l.hideAggregates()
	m, ok := l.findScore()
	if !ok {
		return other("it has no score of a match")
	}
	t := Title{Text: s, Kind: KindGoal, Score: m.score, ScoringSide: m.side}
	if m.score == (Score{}) {
		return other("nobody has scored")
	}
	p := l.divide(m, of)
	t.year = l.year(p)
	said := l.read(p)
	if why := said.noGoal(m.bracketed); why != "" {
		return other(why)
	}
	_, home := l.onlyGroup(p.home)
	_, away := l.onlyGroup(p.away)
	if home != away && !m.bracketed { // [Home] 2-1 Away
		t.ScoringSide, _ = scoringSide(m.score, home, away)
	}
	t.Home, t.aside[0] = l.name(p.home)
	t.Away, t.aside[1] = l.name(p.away)
	if t.Home == "" && t.Away == "" || !m.bracketed && (t.Home == "" || t.Away == "") {
		return other("it does not name two teams")
	}
	t.Scorer, t.Minute, t.Extra = said.scorer, said.minute, said.extra
	t.OwnGoal, t.Penalty = said.ownGoal, said.penalty
	t.side = said.side()
	return t
}
