package debounce

import (
	"cmp"
	"slices"
	"strings"

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
	events = withoutDuplicates(teams, events, s.Score)
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

// withoutDuplicates drops an event listed twice. No two events of a match share moment, team, player and kind; only where
// the score really counts both (two goals of unknown scorers in one minute) they stay.
func withoutDuplicates(teams footy.Teams, events []footy.FeedEvent, counts footy.Score) []footy.FeedEvent {
	out := events[:0:0]
	count := score.CountGoals(teams, events)
	for i, e := range events {
		if i > 0 && duplicate(events[i-1], e) && !scoreCountsBoth(teams, e, count, counts) {
			if e.Kind.Scores() {
				count = countWithout(teams, e, count)
			}
			continue
		}
		out = append(out, e)
	}
	return out
}

func duplicate(a, b footy.FeedEvent) bool {
	return a.Minute == b.Minute && a.Team.ID == b.Team.ID && a.Kind == b.Kind && a.Player == b.Player &&
		strings.EqualFold(a.Detail, b.Detail)
}

func scoreCountsBoth(teams footy.Teams, e footy.FeedEvent, count score.Count, counts footy.Score) bool {
	if !e.Kind.Scores() {
		return false
	}
	side := teams.Side(e.Team.ID)
	n, known := counts.On(side)
	return known && count.On(side) <= n
}

func countWithout(teams footy.Teams, e footy.FeedEvent, c score.Count) score.Count {
	switch teams.Side(e.Team.ID) {
	case footy.SideHome:
		c.Home--
	case footy.SideAway:
		c.Away--
	default:
		c.Other--
	}
	return c
}
