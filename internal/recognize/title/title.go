// Package title reads the titles under which people post goals ("Home [2] - 1 Away - A. Scorer 45+2'"), and says which of the goals
// that are followed a title names. Pure: values in, values out.
package title

import (
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

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

// parts are the stretches of a title around its score.
type parts struct {
	home, away span
	before     []span // what stands before the teams
	after      []span // what stands behind them
	loose      bool   // nothing divides the away side from what follows it
}

// about returns what a title is about that is no single goal; "" where it may be one.
func (l *line) about() string {
	for _, m := range moments.FindAllIndex(l.plain, -1) {
		l.hide(span{m[0], m[1]}, hidden)
	}
	if w := thread.Find(l.plain); w != nil {
		return "it is about more than one goal, or none: " + strings.ToLower(string(w))
	}
	return ""
}

func (l *line) divide(m match, of *Wanted) parts {
	whole := l.all()
	before, after := span{whole.from, m.at.from}, span{m.at.to, whole.to}
	if m.group.to > m.group.from {
		in := l.inside(m.group)
		if l.hasLetter(span{in.from, m.at.from}) && l.hasLetter(span{m.at.to, in.to}) { // Scorer (Home [2]-1 Away) 35'
			return parts{home: span{in.from, m.at.from}, away: span{m.at.to, in.to},
				after: []span{{whole.from, m.group.from}, {m.group.to, whole.to}}}
		}
	}
	if m.home.to > 0 { // Home 2 - Away [1]
		return parts{home: m.home, away: m.away, after: l.pieces(after)}
	}
	heads := l.pieces(before)
	for len(heads) > 1 && !l.hasLetter(heads[len(heads)-1]) {
		heads = heads[:len(heads)-1]
	}
	if p, ok := l.teamsFirst(heads, after, of); ok {
		return p
	}
	p := parts{home: heads[len(heads)-1], before: heads[:len(heads)-1]}
	if f := goalVersus.FindSubmatchIndex(l.plain[p.home.from:p.home.to]); f != nil { // Scorer goal vs Away [2]-1
		p.after = append([]span{{p.home.from + f[2], p.home.from + f[3]}}, l.pieces(after)...)
		p.away, p.home = span{p.home.from + f[4], p.home.from + f[5]}, span{}
		return p
	}
	tails := l.pieces(after)
	for len(tails) > 1 && !l.hasLetter(tails[0]) {
		tails = tails[1:]
	}
	p.away, p.after = tails[0], tails[1:]
	if len(tails) == 1 {
		p.loose = true
		if f := initial.FindSubmatchIndex(l.plain[p.away.from:p.away.to]); f != nil && l.hasLetter(span{p.away.from, p.away.from + f[0]}) { // Away L. Scorer
			p.away, p.after = span{p.away.from, p.away.from + f[0]}, []span{{p.away.from + f[2], p.away.to}}
		}
	}
	for _, g := range l.groups(tails[0]) { // Away (Scorer 27')
		if _, ok := l.findMinute(g); ok && l.hasLetter(g) {
			p.away.to = min(p.away.to, g.from)
			p.after = append([]span{l.inside(g)}, p.after...)
		}
	}
	if end := l.endOfTeam(p.away, of); end > 0 { // Away Scorer 27'
		p.away.to, p.after = end, append([]span{{end, p.away.to}}, p.after...)
	}
	return p
}

// teamsFirst divides a title that names both teams before the score: Home - Away [1]-0 - Scorer. Where nothing divides the score from what
// follows, one of them must be a team of the goal.
func (l *line) teamsFirst(heads []span, after span, of *Wanted) (parts, bool) {
	last := heads[len(heads)-1]
	if f := versus.FindIndex(l.plain[last.from:last.to]); f != nil && !goalVersus.Match(l.plain[last.from:last.to]) {
		return parts{home: span{last.from, last.from + f[0]}, away: span{last.from + f[1], last.to}, before: heads[:len(heads)-1], after: l.pieces(after)}, true
	}
	if len(heads) < 2 || l.plain[last.from-1] != '-' {
		return parts{}, false
	}
	rest := l.trim(after, "")
	_, minuteNext := l.findMinute(span{rest.from, min(rest.to, rest.from+8)})
	ours := func(s span) bool { return of != nil && of.isTeam(l.original(l.trim(s, ""))) }
	if rest.from < rest.to && !l.separates(rest.from, after) && !minuteNext && !slices.ContainsFunc(heads[len(heads)-2:], ours) {
		return parts{}, false
	}
	return parts{home: heads[len(heads)-2], away: last, before: heads[:len(heads)-2], after: l.pieces(after)}, true
}

// name is a team's name as the title spells it. Brackets hold competitions and countries, except which of a club's teams it is; those behind
// the name may say which club it is.
func (l *line) name(s span) (name, aside string) {
	if f := shout.FindIndex(l.plain[s.from:s.to]); f != nil && l.hasLetter(span{s.from + f[1], s.to}) {
		s.from += f[1]
	}
	if g, ok := l.onlyGroup(s); ok {
		s = l.inside(g)
	}
	for _, g := range l.groups(s) {
		in := l.inside(g)
		if g.from > s.from && names.OnlySide(names.Fold(l.text(in))) != "" {
			continue
		}
		if _, timed := l.findMinute(g); g.from > s.from && in.to-in.from > 1 && l.hasLetter(in) && !timed && !contest.MatchString(l.text(in)) {
			aside += " " + l.original(in)
		}
		l.hide(g, hidden)
	}
	if m, ok := l.findMinute(s); ok {
		l.hide(m.at, minuteSign)
	}
	s = l.trim(s, "|:;,!*\"-/=~#>]}")
	if !l.hasLetter(s) {
		return "", ""
	}
	return l.original(s), aside
}

// onlyGroup is the bracket that holds all that a span says.
func (l *line) onlyGroup(s span) (span, bool) {
	s = l.trim(s, "")
	groups := l.groups(s)
	return s, len(groups) == 1 && groups[0] == s && l.hasLetter(s)
}

// endOfTeam is where the name of one of the goal's teams ends that a span begins with and goes on behind; 0 if it does not. The longest
// name counts: behind "Athletic Club" comes the scorer, and "Club" is none.
func (l *line) endOfTeam(s span, of *Wanted) int {
	if of == nil {
		return 0
	}
	s = l.trim(s, "")
	for end := s.to - 1; end > s.from; end-- {
		if !space(l.plain[end]) || space(l.plain[end-1]) {
			continue
		}
		name, rest := l.original(span{s.from, end}), l.original(span{end, s.to})
		if !of.isTeam(name) {
			continue
		}
		if of.otherTeam(rest) {
			return 0
		}
		return end
	}
	return 0
}

// isTeam reports whether a text is one of the two names and nothing else.
func (w *Wanted) isTeam(text string) bool {
	said := spell(text)
	return len(said.whole) > 2 && !particle.MatchString(said.all[len(said.all)-1]) && slices.ContainsFunc(w.teams[w.Match][:], func(t team) bool {
		f := t.like(said, w.having)
		return f.likeness > partly && !f.more && (said.side == names.Womens || names.SameSide(said.side, t.plays))
	})
}

// otherTeam reports whether what follows a club's name makes it that of its women, its youth or its second team. Scorers are called
// Jong, too, and have initials: those with a dot.
func (w *Wanted) otherTeam(rest string) bool {
	scorer, said := strings.Fields(names.Fold(w.goal().Scorer)), ""
	for i, s := range strings.Fields(rest) {
		if said += " " + names.Fold(s); i > 1 || len(s) == 2 && s[1] == '.' || len(s) > 1 && slices.Contains(scorer, names.Fold(s)) {
			return false
		}
		if names.OnlySide(said[1:]) != "" {
			return true
		}
	}
	return false
}
