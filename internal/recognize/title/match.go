package title

import "github.com/found-footy/found-footy/internal/footy"

// Tolerance is how many minutes a title may be beside the feed: people round, and read the clock a little later.
const Tolerance = 3

// Goal is a goal that is followed, as the feed reports it.
type Goal struct {
	Home, Away TeamName
	Score      footy.Score // after it
	Side       footy.Side  // that profits
	Scorer     string
	Minute     footy.Minute
	Siblings   []footy.Score // after each other goal of the match
}

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
	OtherMatch Mismatch = "other_match" // other teams, or the same clubs' women, youth or reserves
	OtherGoal  Mismatch = "other_goal"  // of the same two teams, today or years ago
)

// Agreement is how far a title agrees with a goal.
type Agreement struct {
	Mismatch Mismatch `json:"mismatch,omitempty"` // "" = the title names the goal
	Score    Said     `json:"score,omitempty"`
	Scorer   Said     `json:"scorer,omitempty"`
	Minute   Said     `json:"minute,omitempty"`
	Swapped  bool     `json:"swapped,omitempty"` // the title names the away side first
}

// OK reports whether the title names the goal.
func (a Agreement) OK() bool { return a.Mismatch == "" }

// Compare says whether a title names a goal. Both teams must be named, since every score is that of several matches at a time; then the
// score says which goal it is, and scorer or minute must bear it out, since the same two teams have met before. A wrong minute
// does not matter where the scorer is right, nor a wrong scorer where the minute is.
func Compare(t Title, g Goal) Agreement {
	a := compare(t, g)
	if !t.Goal() || t.Scorer != "" || g.Home.isCalled(t.Home) == unlike && g.Away.isCalled(t.Home) == unlike {
		return a
	}
	cut := parse(t.Text, &g)
	if !cut.Goal() { // what stands behind the teams is about something else
		return compare(cut, g)
	}
	// What is left behind the team's name may be the rest of that name. So it bears a title out, and takes nothing from one.
	if b := compare(cut, g); b.Scorer == Agrees || a.OK() && b.OK() {
		return b
	}
	return a
}

// compare takes a title as it was read.
func compare(t Title, g Goal) Agreement {
	if !t.Goal() {
		return Agreement{Mismatch: NoGoal}
	}
	home, away := g.Home.isCalled(t.Home), g.Away.isCalled(t.Away)
	a := Agreement{}
	if home == unlike || away == unlike {
		home, away = g.Home.isCalled(t.Away), g.Away.isCalled(t.Home)
		a.Swapped = true
		t.Score.Home, t.Score.Away = t.Score.Away, t.Score.Home
		t.ScoringSide = opposite(t.ScoringSide)
	}
	if home == unlike || away == unlike {
		return Agreement{Mismatch: OtherMatch}
	}
	a.Score, a.Scorer = t.compareScore(g.Score), compareScorers(t.Scorer, g.Scorer)
	apart, timed := t.minutesApart(g.Minute)
	switch {
	case timed && apart <= Tolerance:
		a.Minute = Agrees
	case timed:
		a.Minute = Differs
	}
	doubtful := home == loosely && away == loosely || t.ScoringSide != "" && g.Side != "" && t.ScoringSide != g.Side
	if !a.borneOut(doubtful, timed && apart <= 1, t.anotherScored(g.Siblings)) {
		a.Mismatch = OtherGoal
	}
	return a
}

// borneOut reports whether what a title says of a goal of the right two teams is enough.
func (a Agreement) borneOut(doubtful, sameMinute, siblings bool) bool {
	switch {
	case doubtful:
		return a.Score == Agrees && a.Scorer == Agrees
	case a.Score == Differs: // miscounted, unless another goal of the match made it that
		return a.Scorer == Agrees && sameMinute && !siblings
	case a.Score == SaidNothing:
		return a.Scorer == Agrees && a.Minute == Agrees
	case a.Scorer == SaidNothing && a.Minute == SaidNothing:
		return true
	}
	return a.Scorer == Agrees || a.Minute == Agrees
}

func (t Title) compareScore(s footy.Score) Said {
	switch {
	case !s.Known():
		return SaidNothing
	case *s.Home == t.Score.Home && *s.Away == t.Score.Away:
		return Agrees
	}
	return Differs
}

// anotherScored reports whether one of the siblings made the score in the title.
func (t Title) anotherScored(siblings []footy.Score) bool {
	for _, s := range siblings {
		if t.compareScore(s) == Agrees {
			return true
		}
	}
	return false
}

// minutesApart compares minutes over the whole match, since some write 90+3 and some 93; not known where one is missing.
func (t Title) minutesApart(m footy.Minute) (apart int, known bool) {
	if t.Minute == 0 || !m.Known() {
		return 0, false
	}
	apart = t.Minute + t.Extra - m.Elapsed - m.Extra
	return max(apart, -apart), true
}

func opposite(s footy.Side) footy.Side {
	switch s {
	case footy.SideHome:
		return footy.SideAway
	case footy.SideAway:
		return footy.SideHome
	}
	return s
}
