package debounce

import (
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

// What the second feed says of an event.
const (
	ReasonSecondAlone   footy.Reason = "second_feed_alone"        // only it lists the event
	ReasonSecondLists   footy.Reason = "second_feed_lists"        // it lists the event, too
	ReasonSecondScorer  footy.Reason = "second_feed_other_scorer" // it names another scorer
	ReasonSecondLacks   footy.Reason = "second_feed_lacks"        // it has the match, and not the event
	ReasonSecondDropped footy.Reason = "second_feed_dropped"      // it listed the event, and does so no longer
	ReasonSecondNoMatch footy.Reason = "second_feed_no_match"     // it does not have the match
	ReasonSecondTwo     footy.Reason = "second_feed_two_matches"  // two of its matches may be the one
	ReasonSecondSilent  footy.Reason = "second_feed_unreachable"  // it could not be asked
)

// notHeard says why the second feed says nothing about an event.
var notHeard = map[footy.SecondState]footy.Reason{footy.SecondNoMatch: ReasonSecondNoMatch, footy.SecondAmbiguous: ReasonSecondTwo, footy.SecondUnreachable: ReasonSecondSilent}

// readSecond is what the second feed lists of goals; nil where it gave no answer.
func readSecond(f *footy.Fixture, s footy.Snapshot) *eventList {
	if s.SecondFeed == nil || s.SecondFeed.State != footy.SecondAnswered {
		return nil
	}
	goals := slices.DeleteFunc(slices.Clone(s.SecondFeed.Events), func(l footy.FeedEvent) bool { return !l.Kind.Scores() })
	slices.SortStableFunc(goals, byMoment)
	return &eventList{goals, score.AroundEach(teams(f, s), goals), score.CountGoals(teams(f, s), goals), s.SecondFeed.Score}
}

// agreed reports whether both feeds list the same goal: team, scorer and score after it. A poll that contradicts itself agrees with nobody,
// nor does a second feed whose own score does not count what it lists.
func (d *decider) agreed(li int) bool {
	l, after := d.list.events[li], d.list.around[li].After
	side := d.f.Teams.Side(l.Team.ID)
	if d.second == nil || d.p.Distrusted || side == "" || !identity.Named(l.Player) {
		return false
	}
	if n, known := d.second.score.On(side); !known || n < d.second.goals.On(side) {
		return false
	}
	for i, o := range d.second.events {
		if o.Kind == l.Kind && o.Team.ID == l.Team.ID && d.second.around[i].After.Equal(after) && sameScorer(l.Player, o.Player) {
			return true
		}
	}
	return false
}

// sameScorer compares scorers by name: the feeds share no ids.
func sameScorer(a, b footy.Person) bool {
	return identity.Named(a) && identity.Named(b) && names.SamePlayer(a.Name, b.Name)
}

// secondPasses recognise a goal in the other feed, from the surest to the weakest.
var secondPasses = []pass{
	func(e *footy.Event, l footy.FeedEvent, _ bool) bool {
		return sameScorer(e.Player, l.Player) && minutesApart(e, l) <= farMinutes
	},
	func(e *footy.Event, l footy.FeedEvent, sameScore bool) bool {
		return sameScore && minutesApart(e, l) <= correctedMinutes
	},
	func(e *footy.Event, l footy.FeedEvent, _ bool) bool { return minutesApart(e, l) <= nearMinutes },
}

// matchSecond pairs events with a list of the other feed; indices into events by index of the list, -1 for none. What is paired in of is left
// out.
func (d *decider) matchSecond(events []footy.Event, list eventList, of []int) []int {
	m := matcher{f: &footy.Fixture{Events: events}, list: list, of: slices.Repeat([]int{-1}, len(list.events)), taken: make([]bool, len(events))}
	const elsewhere = 1 << 30
	for li := range of {
		if of[li] >= 0 {
			m.of[li] = elsewhere
		}
	}
	all := m.stored(func(e *footy.Event) bool { return e.Kind.Scores() && !e.Swept })
	for _, p := range secondPasses {
		m.matchPass(all, p)
	}
	for li := range m.of {
		if m.of[li] == elsewhere {
			m.of[li] = -1
		}
	}
	return m.of
}

// listedBySecond tells of each stored event whether the second feed lists it.
func (d *decider) listedBySecond() []bool {
	out := make([]bool, len(d.f.Events))
	if d.second == nil {
		return out
	}
	known := slices.Concat(d.f.Events, d.f.Foretold)
	for _, si := range d.matchSecond(known, *d.second, nil) {
		if si >= 0 && si < len(out) {
			out[si] = true
		}
	}
	return out
}

// cancelled reports whether the feed in charge says itself that a goal was taken back: by a VAR entry of its team from that minute on.
func (d *decider) cancelled(e *footy.Event) bool {
	return slices.ContainsFunc(d.list.events, func(l footy.FeedEvent) bool {
		detail := strings.ToLower(l.Detail)
		after := l.Minute.Clock() - e.Minute.Clock()
		return l.Kind == footy.KindVAR && l.Team.ID == e.Team.ID && (strings.Contains(detail, "cancel") || strings.Contains(detail, "disallow")) &&
			(!l.Minute.Known() || !e.Minute.Known() || after >= -1 && after <= farMinutes)
	})
}

// matchForetold tells which listed events are new to us and were foretold, and takes these off the list of the foretold.
func (d *decider) matchForetold(of []int) []*footy.Event {
	out := make([]*footy.Event, len(of))
	if len(d.f.Foretold) == 0 {
		return out
	}
	var taken []string
	for li, fi := range d.matchSecond(d.f.Foretold, d.list, of) {
		if fi >= 0 && d.o.follows(d.list.events[li].Kind, d.list.events[li].Detail) {
			out[li] = at(d.f.Foretold[fi])
			taken = append(taken, out[li].UID)
		}
	}
	d.dropForetold(taken...)
	return out
}

func (d *decider) dropForetold(uids ...string) {
	if len(uids) > 0 {
		d.f.Foretold = slices.DeleteFunc(slices.Clone(d.f.Foretold), func(e footy.Event) bool { return slices.Contains(uids, e.UID) })
		d.changed = true
	}
}

// takeOver makes a newly listed event the one that was foretold: what was found for that is its own.
func (d *decider) takeOver(e, foretold *footy.Event) {
	e.UID, e.ID, e.MatchedFrom = foretold.UID, foretold.ID, foretold.MatchedFrom
	identity.Rekey(d.f, e)
	e.FirstSeen, e.CaughtUp, e.FirstLook, e.SecondFeed = foretold.FirstSeen, foretold.CaughtUp, foretold.FirstLook, foretold.SecondFeed
	e.UploadWorkflow, e.Retries = foretold.UploadWorkflow, foretold.Retries
	if e.HappenedAt.After(e.FirstSeen) {
		e.HappenedAt = e.FirstSeen
	}
}

// hearSecond notes what the second feed says of the events, where that is new, and keeps what it alone lists.
func (d *decider) hearSecond() {
	switch {
	case d.s.SecondFeed == nil:
	case d.second == nil:
		for i := range d.f.Events { // at certainty: whether it agrees is of no interest before
			if e := &d.f.Events[i]; e.CertainAt.Equal(d.p.Now) && e.SecondFeed.Says == "" && e.Kind.Scores() {
				d.secondSays(e, notHeard[d.s.SecondFeed.State], footy.Evidence{})
			}
		}
	default:
		known := slices.Concat(d.f.Events, d.f.Foretold)
		of := d.matchSecond(known, *d.second, nil)
		listed := make([]int, len(known)) // by stored event, -1: not listed
		for si := range listed {
			listed[si] = slices.Index(of, si)
		}
		for si := range d.f.Events {
			if e := &d.f.Events[si]; e.Standing() && e.Kind.Scores() && d.o.follows(e.Kind, e.Detail) {
				d.compareSecond(e, listed[si])
			}
		}
		d.hearAgain(listed[len(d.f.Events):])
		d.foretell(of)
	}
}

// compareSecond notes how the second feed stands to a listed event.
func (d *decider) compareSecond(e *footy.Event, li int) {
	switch sight := &e.SecondFeed; {
	case li >= 0:
		why, row := ReasonSecondLists, footy.Evidence{}
		switch {
		case sight.Says == "" && len(sight.Polls) > 0: // it was foretold, and this poll lists it
			row.Lead = d.p.Now.Sub(sight.FirstSeen).Seconds()
		case sight.FirstSeen.IsZero() && sight.Lacked: // else nobody knows who was first
			row.Lead = e.FirstSeen.Sub(d.p.Now).Seconds()
		}
		if sight.FirstSeen.IsZero() {
			sight.FirstSeen = d.p.Now
			d.markChanged(e)
		}
		if o := d.second.events[li].Player; identity.Named(o) && identity.Named(e.Player) && !sameScorer(e.Player, o) {
			why, row.To = ReasonSecondScorer, at(o)
		}
		d.secondSays(e, why, row)
	case !sight.FirstSeen.IsZero() && sight.Says != "":
		if !d.p.Second {
			d.secondSays(e, ReasonSecondDropped, footy.Evidence{})
		}
	case !sight.Lacked:
		sight.Lacked = true
		d.markChanged(e)
		fallthrough
	default:
		if e.Certain() {
			d.secondSays(e, ReasonSecondLacks, footy.Evidence{})
		}
	}
}

// secondSays notes what the second feed says of an event, once.
func (d *decider) secondSays(e *footy.Event, why footy.Reason, row footy.Evidence) {
	if e.SecondFeed.Says == why {
		return
	}
	e.SecondFeed.Says = why
	d.markChanged(e)
	row.Feed = d.s.SecondFeed.Feed
	d.note(e, footy.EntrySecond, why, row)
}

// hearAgain keeps what only the second feed lists as it lists it now. It goes without ceremony once three polls lack it, or once the feed in
// charge has as many goals of its team: then it was one of these. listed is by foretold event.
func (d *decider) hearAgain(listed []int) {
	var gone []string
	for i := range d.f.Foretold {
		e := &d.f.Foretold[i]
		side := d.f.Teams.Side(e.Team.ID)
		switch li := listed[i]; {
		case li < 0 && d.p.Second: // a second look misses nothing
		case li < 0 && e.SecondFeed.Missed+1 >= d.o.Absences, li >= 0 && d.goalsOn(side) >= d.second.goals.On(side):
			gone = append(gone, e.UID)
			d.note(e, footy.EntrySecond, ReasonSecondDropped, footy.Evidence{Feed: d.s.SecondFeed.Feed})
		case li < 0:
			e.SecondFeed.Missed++
			d.changed = true
		default:
			d.tellAgain(e, li)
		}
	}
	d.dropForetold(gone...)
}

// goalsOn counts the goals of a side that the feed in charge lists.
func (d *decider) goalsOn(side footy.Side) (n int) {
	for i := range d.f.Events {
		if e := &d.f.Events[i]; e.Standing() && e.Kind.Scores() && d.f.Teams.Side(e.Team.ID) == side {
			n++
		}
	}
	return n
}

// tellAgain takes over what the second feed says now of an event that it alone lists. Its polls are noted as long as each starts a search.
func (d *decider) tellAgain(e *footy.Event, li int) {
	l, around := d.second.events[li], d.second.around[li]
	if identity.Named(l.Player) && l.Player != e.Player {
		e.Player = l.Player
		identity.Rekey(d.f, e)
		d.markChanged(e)
	}
	if l.Minute.Known() && l.Minute != e.Minute || !around.After.Equal(e.ScoreAfter) || e.SecondFeed.Missed > 0 {
		e.Minute, e.ScoreBefore, e.ScoreAfter, e.SecondFeed.Missed = l.Minute, around.Before, around.After, 0
		d.markChanged(e)
	}
	if len(e.SecondFeed.Polls) < round.MostAhead && !slices.Contains(e.SecondFeed.Polls, d.p.ID) {
		e.SecondFeed.Polls, e.LastSeen = append(e.SecondFeed.Polls, d.p.ID), d.p.Now
		d.markChanged(e)
	}
}

// foretell keeps the goals that only the second feed lists, so that their clips are looked for. It does so only where that counts more goals
// of a team than the feed in charge lists, and each of those that are new may be one of them: else a goal would be looked for twice.
func (d *decider) foretell(of []int) {
	if !d.s.Match.Status.InPlay() {
		return
	}
	for _, side := range []footy.Side{footy.SideHome, footy.SideAway} {
		var fresh []int
		for li, si := range of {
			if l := d.second.events[li]; si < 0 && d.f.Teams.Side(l.Team.ID) == side && d.o.follows(l.Kind, l.Detail) {
				fresh = append(fresh, li)
			}
		}
		more := d.second.goals.On(side) - d.goalsOn(side)
		for i := range d.f.Foretold {
			if d.f.Teams.Side(d.f.Foretold[i].Team.ID) == side {
				more--
			}
		}
		if n, known := d.second.score.On(side); len(fresh) > more || !known || n < d.second.goals.On(side) {
			continue
		}
		for _, li := range fresh {
			if len(d.f.Events)+len(d.f.Foretold) < footy.MaxEvents {
				d.addForetold(li, side)
			}
		}
	}
}

func (d *decider) addForetold(li int, side footy.Side) {
	e := d.newEvent(d.second.events[li])
	e.ScoreBefore, e.ScoreAfter, e.ScoringTeam = d.second.around[li].Before, d.second.around[li].After, side
	e.ScorerPolls, e.SecondFeed = 0, footy.SecondSight{FirstSeen: d.p.Now, Polls: []string{d.p.ID}}
	e.UID = identity.NewUID(d.f)
	e.ID = identity.NewID(d.f, &e)
	d.f.Foretold = append(d.f.Foretold, e)
	d.changed = true
	d.note(&e, footy.EntrySecond, ReasonSecondAlone, footy.Evidence{Team: e.Team.Name, Feed: d.s.SecondFeed.Feed})
}
