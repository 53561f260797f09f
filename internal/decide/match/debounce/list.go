package debounce

import (
	"cmp"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/footy"
)

// eventList is an answer's events in an order that does not depend on the feed's.
type eventList struct {
	events []footy.FeedEvent
	around []score.Around
	goals  score.Count
	score  footy.Score
}

func readList(f *footy.Fixture, s footy.Snapshot) eventList {
	teams := teams(f, s)
	events := slices.Clone(s.Events)
	slices.SortStableFunc(events, byMoment)
	events = withMinutes(f, teams, events, s.Score)
	slices.SortStableFunc(events, byMoment)
	markShootoutKicks(f, teams, s, events)
	events = withoutRepeats(teams, events, s.Score, func(i int) bool { return repeats(events, i, s.Score.Known()) })
	return eventList{events, score.AroundEach(teams, events), score.CountGoals(teams, events), s.Score}
}

func byMoment(a, b footy.FeedEvent) int {
	if c := cmp.Or(
		cmp.Compare(a.Minute.Elapsed, b.Minute.Elapsed), cmp.Compare(a.Minute.Extra, b.Minute.Extra),
		cmp.Compare(a.Team.ID, b.Team.ID), cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Player.ID, b.Player.ID), strings.Compare(a.Player.Name, b.Player.Name),
	); c != 0 {
		return c // without making lower case, which is most of what a decision allocates
	}
	return cmp.Or(
		strings.Compare(strings.ToLower(a.Detail), strings.ToLower(b.Detail)), strings.Compare(a.Comments, b.Comments),
		cmp.Compare(a.Assist.ID, b.Assist.ID), strings.Compare(a.Assist.Name, b.Assist.Name),
	)
}

// withoutRepeats drops the events that repeat others, unless the score really counts both (two goals of unknown scorers in one minute).
func withoutRepeats(teams footy.Teams, events []footy.FeedEvent, counts footy.Score, repeats func(i int) bool) []footy.FeedEvent {
	out := events[:0:0]
	count := score.CountGoals(teams, events)
	for i, e := range events {
		side := teams.Side(e.Team.ID)
		if n, known := counts.On(side); repeats(i) && !(e.Kind.Scores() && known && count.On(side) <= n) {
			if e.Kind.Scores() {
				count.Add(side, -1)
			}
			continue
		}
		out = append(out, e)
	}
	return out
}

// repeats reports whether another entry of the list is the same event and says more of it, or as much and comes first. No player scores twice in
// two minutes where the score counts one goal less than are listed.
func repeats(events []footy.FeedEvent, i int, counted bool) bool {
	b := events[i]
	for j, a := range events {
		if j == i || a.Team.ID != b.Team.ID || a.Kind != b.Kind {
			continue
		}
		same := a.Minute == b.Minute && (a.Player == b.Player && strings.EqualFold(a.Detail, b.Detail) || b.Kind.Scores() && identity.SameScorer(a.Player, b.Player)) ||
			counted && b.Kind.Scores() && mayBeOne(a.Player, b.Player) && apart(a.Minute, b.Minute) <= nearMinutes ||
			counted && b.Kind.Scores() && a.Minute == b.Minute && identity.Known(a.Player) && !identity.Known(b.Player)
		if better := cmp.Compare(known(a.Player), known(b.Player)); same && (better > 0 || better == 0 && j < i) {
			return true
		}
	}
	return false
}

// mayBeOne reports whether a feed may mean one scorer by the two: they are the same, or one has no number and the names do not speak against it.
func mayBeOne(a, b footy.Person) bool {
	return identity.SameScorer(a, b) || (a.ID == 0 || b.ID == 0) && identity.Shortens(a, b)
}

func known(p footy.Person) int {
	if p.ID != 0 {
		return 2
	}
	return len(p.Name[:min(1, len(p.Name))])
}
