package title

import (
	"cmp"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

// Said is what a title says of one fact about a goal.
type Said string

// What a title can say of a fact.
const (
	SaidNothing Said = "" // or the fact is unknown
	Agrees      Said = "agrees"
	Differs     Said = "differs"
)

// Mismatch is why a title does not name a goal.
type Mismatch string

// The mismatches. None of them is a fact about the clip: a title is only where to look.
const (
	NoGoal     Mismatch = "no_goal"     // the title is not that of a goal
	OtherMatch Mismatch = "other_match" // other teams, the same clubs' women, youth or reserves, or another match of the day
	OtherGoal  Mismatch = "other_goal"  // of this match, or of the same two teams years ago
	Alike      Mismatch = "alike"       // another goal of the day fits as well
)

// Agreement is how far a title agrees with a goal.
type Agreement struct {
	Mismatch Mismatch // "" = the title names the goal
	Score    Said
	Scorer   Said
	Minute   Said
	Swapped  bool   // the title names the away side first
	Strange  string // a name that is not the team's own
	Team     string // whose it must be
	named    bool   // it is known for another of the team; else only the other facts explain it

	home, away likeness
	half       bool // the names do not say just which side plays
	apart      int  // minutes
	side       Said // which side scored
}

// OK reports whether the title names the goal.
func (a Agreement) OK() bool { return a.Mismatch == "" }

// OtherTeam agrees where only the other facts explain a strange name.
const OtherTeam = "other team"

// Evidence is the agreement for the record of a post.
func (a Agreement) Evidence(source string) *footy.TitleEvidence {
	out := &footy.TitleEvidence{Source: source, Agrees: []string{"teams"}, Strange: a.Strange, Team: a.Team}
	if a.Team != "" && !a.named {
		out.Agrees[0] = OtherTeam
	}
	for _, f := range []struct {
		fact string
		said Said
	}{{"score", a.Score}, {"scorer", a.Scorer}, {"minute", a.Minute}} {
		switch f.said {
		case Agrees:
			out.Agrees = append(out.Agrees, f.fact)
		case Differs:
			out.Differs = append(out.Differs, f.fact)
		}
	}
	return out
}

func (a Agreement) weight() int {
	w := 2 * (int(a.home) + int(a.away))
	for _, s := range []Said{a.Score, a.Scorer, a.Scorer, a.Scorer, a.Minute, a.side} { // who scored says most
		switch s {
		case Agrees:
			w += 4
		case Differs:
			w -= 4
		}
	}
	if a.Minute == Agrees {
		w -= a.apart
	}
	if a.half {
		w -= 4
	}
	return w
}

// sides is how the names in a title are those of a match.
type sides struct {
	home, away fit
	swapped    bool
	other      bool   // one is that of another side of the club
	foreign    bool   // one is the name of another team of the day
	doubt      bool   // only the other facts can say that they are the match's
	clubs      bool   // they are its clubs', whichever side of them plays
	half       bool   // they do not say just which side plays
	strange    string // the name that is not the team's own
	team       string // and the team's
	named      bool   // it is known for another
}

func (s sides) low() likeness  { return min(s.home.likeness, s.away.likeness) }
func (s sides) high() likeness { return max(s.home.likeness, s.away.likeness) }

// known reports whether the names may be the match's. One that is strange, or only resembles, is no obstacle beside one that is known; two are.
func (s sides) known() bool { return s.high() >= surely || s.low() >= loosely }

// spelt are the names of a title. What is said of the clubs' side besides them is of both.
func (t Title) spelt() (out [2]spelling) {
	for i, name := range []string{t.Home, t.Away} {
		out[i] = spell(name)
		out[i].side = cmp.Or(out[i].side, t.side)
		out[i].aside = strings.Fields(names.Fold(t.aside[i]))
	}
	out[0].beside, out[1].beside = out[1].words, out[0].words
	return out
}

// named compares the names in a title with those of a match, in both orders.
func (d *Day) named(t Title, said [2]spelling, match int) sides {
	s, turned := d.inOrder(said, match), d.inOrder([2]spelling{said[1], said[0]}, match)
	if x, y := s.home.likeness+s.away.likeness, turned.home.likeness+turned.away.likeness; y > x || y == x && turned.home.share+turned.away.share > s.home.share+s.away.share {
		s, s.swapped = turned, true
	}
	written := [2]string{t.Home, t.Away}
	if s.swapped {
		written = [2]string{t.Away, t.Home}
	}
	for i, f := range []fit{s.home, s.away} {
		none := f.likeness < resembling && (f.more || f.likeness == strange)
		if s.known() && (none || f.named && s.team == "") {
			s.strange, s.team, s.named = written[i], d.teams[match][i].Name, f.named
		}
	}
	return s
}

func (d *Day) inOrder(said [2]spelling, match int) (s sides) {
	teams := d.teams[match]
	for i, f := range []*fit{&s.home, &s.away} {
		club := teams[i].like(said[i], d.having)
		s.clubs = club.likeness >= resembling && (i == 0 || s.clubs)
		var unsaid bool
		*f, unsaid = club.ofSide(said[i].side, said[1-i].side, teams[i])
		s.half = s.half || said[i].side != teams[i].plays
		s.other = s.other || f.likeness == strange && club.likeness > strange
		another := d.another(said[i], match, teams[i], *f, unsaid)
		s.foreign = s.foreign || another && (unsaid || f.more || f.likeness == strange)
		s.doubt = s.doubt || another || unsaid
		for _, w := range said[i].aside {
			if !teams[i].has(w) && !slices.Contains(teams[i].all, w) && !slices.Contains(d.leagues[match], w) {
				s.doubt = true
			}
		}
	}
	return s
}

// ofSide is how well a name fits a team with the sides that both names of the title say, and whether the title or the feed leaves the side out:
// then the other facts must say it. The competition says which side plays, and titles leave it out, or write it behind one name. Where none is
// known, feeds leave out that women play, which both names of a title must say then.
func (f fit) ofSide(said, beside string, t team) (fit, bool) {
	switch {
	case names.SameSide(said, t.plays), said == "" && (beside == t.plays || t.league != ""):
		return f, false
	case said == "" && beside == "", t.plays == "" && (t.contest && (said == "" || beside == "") || beside == said && (t.contest || said == names.Womens)):
		return f, true
	}
	return fit{}, false
}

// another reports whether something written is the whole name of a team of another match, and rather that than what it is like.
func (d *Day) another(said spelling, match int, own team, f fit, unsaid bool) bool {
	men := unsaid && said.side == "" && own.plays != "" // rather theirs, if they play
	for i, pair := range d.teams {
		for _, t := range pair {
			if i == match || said.side != "" && !names.SameSide(said.side, t.plays) || men && t.plays != "" || said.side == "" && !men && (t.whole == own.whole || t.plays != own.plays && f.likeness > partly) {
				continue
			}
			if theirs := t.like(said, d.having); !theirs.left && (theirs.likeness >= surely || said.side == t.plays && theirs.likeness >= loosely && f.likeness < loosely) && (unsaid || theirs.share > f.share) {
				return true
			}
		}
	}
	return false
}

// compare says how far a title agrees with a goal. The score says which goal of a match it is, and scorer or minute must bear it out,
// since the same two teams have met before. A wrong minute does not matter where the scorer is right, nor a wrong scorer where the
// minute is, both names are whole and the competition is known. A name that is none of the team's is no obstacle where the rest agrees. A post from before the goal,
// an early one, shows another.
func (w Wanted) compare(t Title, n sides, early bool) Agreement {
	a := Agreement{home: n.home.likeness, away: n.away.likeness, Swapped: n.swapped, Strange: n.strange, Team: n.team, named: n.named, half: n.half}
	if n.swapped {
		t.Score.Home, t.Score.Away = t.Score.Away, t.Score.Home
		t.ScoringSide = opposite[t.ScoringSide]
	}
	g := w.goal()
	a.Score, a.Scorer = t.compareScore(g.Score), compareScorers(t.Scorer, g.Scorer)
	var timed bool
	if a.apart, timed = t.minutesApart(g.Minute); timed {
		a.Minute = agreeing[a.apart <= Tolerance]
	}
	if a.Scorer == Differs && a.Minute == Agrees && otherInitial(t.Scorer, g.Scorer) {
		a.Scorer = SaidNothing
	}
	if t.ScoringSide != "" && g.Side != "" {
		a.side = agreeing[t.ScoringSide == g.Side]
	}
	if t.OwnGoal && t.Scorer == "" && ownGoal.MatchString(g.Scorer) {
		a.Scorer = Agrees
	}
	contest := w.teams[w.Match][0].contest
	nick := nickname(t.Scorer, contest) && a.Score == Agrees && a.Minute == Agrees && a.side != Differs && a.apart < 2 && n.low() >= surely && !n.half && !n.home.kind && !n.away.kind
	unsaid := a.Scorer == SaidNothing
	rest := !early && a.Score == Agrees && a.Minute == Agrees && a.side != Differs && !(n.doubt && n.low() < resembling) &&
		(a.Scorer == Agrees || unsaid && t.Scorer != "" && n.high() >= surely && !n.half && !n.doubt && !n.swapped && a.apart < 2)
	switch {
	case n.other || n.foreign || !n.known():
		a.Mismatch = OtherMatch
	case rest:
	case n.low() < resembling || n.doubt:
		a.Mismatch = OtherMatch
	case n.low() < surely && unsaid && t.Scorer == "" && !(t.OwnGoal && n.high() == wholly): // Equatorial Guinea is not Guinea
		a.Mismatch = OtherGoal
	case (n.low() < wholly || n.half || !contest) && a.Scorer == Differs && !t.OwnGoal && !nick: // the women of the same clubs play, too
		a.Mismatch = OtherGoal
	case early || !a.borneOut(n.low() == resembling || n.high() <= loosely || n.half || a.side == Differs, slices.ContainsFunc(w.matches[w.Match].Goals, func(o Goal) bool { return t.compareScore(o.Score) == Agrees })):
		a.Mismatch = OtherGoal
	}
	return a
}

var agreeing = map[bool]Said{true: Agrees, false: Differs}

// borneOut reports whether what a title says of a goal of the right two teams is enough.
func (a Agreement) borneOut(doubtful, scored bool) bool {
	switch {
	case doubtful:
		return a.Score == Agrees && a.Scorer == Agrees
	case a.Score == Differs: // miscounted, unless another goal of the match made it that
		return a.Scorer == Agrees && a.Minute == Agrees && a.apart <= 1 && !scored
	case a.Score == SaidNothing:
		return a.Scorer == Agrees && a.Minute == Agrees
	case a.Scorer == SaidNothing && a.Minute == SaidNothing:
		return true
	}
	return a.Scorer == Agrees || a.Minute == Agrees
}

func (t Title) compareScore(s footy.Score) Said {
	if !s.Known() {
		return SaidNothing
	}
	return agreeing[*s.Home == t.Score.Home && *s.Away == t.Score.Away]
}

// minutesApart compares minutes over the whole match, since some write 90+3 and some 93; not known where one is missing.
func (t Title) minutesApart(m footy.Minute) (apart int, known bool) {
	if t.Minute == 0 || !m.Known() {
		return 0, false
	}
	apart = t.Minute + t.Extra - m.Elapsed - m.Extra
	return max(apart, -apart), true
}

var opposite = map[footy.Side]footy.Side{footy.SideHome: footy.SideAway, footy.SideAway: footy.SideHome}
