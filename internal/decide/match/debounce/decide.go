package debounce

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
)

// Decide applies one answered poll to the fixture's events. changed tells whether the fixture must be written; decisions
// can come without a change (a withheld absence). An answer without an events list is no answer. A poll that comes again, or
// after a later one, changes nothing.
func Decide(f *footy.Fixture, s footy.Snapshot, p Poll, o Options) (decisions []Decision, changed bool) {
	if !s.HasEvents || p.ID != "" && p.ID == f.LastPoll || p.Now.Before(f.LastPollAt) {
		return nil, false // no answer, or one that was applied before
	}
	d := decider{f: f, s: s, p: p, o: o.normal(), list: readList(f, s)}
	d.run()
	if d.changed {
		f.LastPoll, f.LastPollAt = p.ID, p.Now
	}
	for i := range d.decisions {
		r := &d.decisions[i]
		r.Key = fmt.Sprintf("%s/%s/%s/%s", r.EventUID, r.Kind, r.Reason, p.ID)
	}
	return d.decisions, d.changed
}

// teams are the fixture's own, or the answer's where the fixture has none yet.
func teams(f *footy.Fixture, s footy.Snapshot) footy.Teams {
	if f.Teams.Home.ID == 0 && f.Teams.Away.ID == 0 {
		return s.Teams
	}
	return f.Teams
}

type decider struct {
	f            *footy.Fixture
	s            footy.Snapshot
	p            Poll
	o            Options
	list         eventList
	decisions    []Decision
	changed      bool
	placeholders []string    // uids of placeholder events to delete
	certain      score.Count // certain, listed goals: the score counts these first
}

func (d *decider) run() {
	d.f.Teams = teams(d.f, d.s)
	of := match(d.f, d.list, d.o.follows)
	for _, si := range of {
		if si >= 0 && d.f.Events[si].Certain() && counts(&d.f.Events[si]) {
			d.certain.Add(d.f.Teams.Side(d.f.Events[si].Team.ID), 1)
		}
	}
	present := make([]bool, len(d.f.Events))
	for li, si := range of {
		if si >= 0 {
			present[si] = true
			d.applySighting(&d.f.Events[si], d.list.events[li])
		}
	}
	for si := range present {
		if e := &d.f.Events[si]; !present[si] && !d.p.SecondLook && e.Standing() && d.o.follows(e.Kind, e.Detail) {
			d.applyAbsence(e)
		}
	}
	for li, si := range of {
		l := d.list.events[li]
		if si < 0 && d.o.follows(l.Kind, l.Detail) && len(d.f.Events) < footy.MaxEvents { // what is stored stays
			d.addEvent(l)
		}
	}
	if len(d.placeholders) > 0 {
		d.f.Events = slices.DeleteFunc(d.f.Events, func(e footy.Event) bool { return slices.Contains(d.placeholders, e.UID) })
	}
	if score.Recount(d.f, d.list.events, d.o.goals()) {
		d.changed = true
	}
}

func (d *decider) addEvent(l footy.FeedEvent) {
	e := d.newEvent(l)
	e.Votes = []string{d.p.ID}
	e.UID, e.ID = identity.NewUID(d.f), identity.NewID(d.f, &e)
	recordIdentity(&e, d.p.Now)
	d.f.Events = append(d.f.Events, e)
	d.note(&e, footy.EntryNew, "", footy.Evidence{Team: e.Team.Name, Votes: 1, Of: d.o.Sightings})
	d.makeCertain(&d.f.Events[len(d.f.Events)-1])
}

// newEvent is a listed event as it is stored, without a name.
func (d *decider) newEvent(l footy.FeedEvent) footy.Event {
	e := footy.Event{
		Kind: l.Kind, Type: l.Type, Detail: l.Detail, Comments: l.Comments, Minute: l.Minute,
		Team: d.team(l.Team), Player: l.Player, Assist: l.Assist, FirstSeen: d.p.Now, LastSeen: d.p.Now, UpdatedAt: d.p.Now,
		HappenedAt:  HappenedAt(d.f.Match.Kickoff, d.s.Match.Status, l.Minute, d.answered(), d.o.Minute),
		MomentKnown: clockTells(d.s.Match.Status, l.Minute),
		CaughtUp:    caughtUp(d.s.Before, d.answered(), d.o.Minute),
		FirstLook:   firstLook(d.s.Before, d.f.Match.Kickoff),
	}
	if !identity.Named(e.Player) {
		e.Player.Name = ""
	} else {
		e.ScorerPolls = 1
	}
	return e
}

// answered is when the feed gave this answer: when a worker died, the decision comes long after its poll.
func (d *decider) answered() time.Time {
	if at := d.s.Answered; !at.IsZero() && at.Before(d.p.Now) {
		return at
	}
	return d.p.Now
}

// team completes what an event says of its team from the fixture.
func (d *decider) team(t footy.Team) footy.Team {
	for _, own := range []footy.Team{d.f.Teams.Home, d.f.Teams.Away} {
		if own.ID == t.ID {
			t.Name = cmp.Or(t.Name, own.Name)
			t.Logo = cmp.Or(t.Logo, own.Logo)
		}
	}
	return t
}

func (d *decider) applySighting(e *footy.Event, l footy.FeedEvent) {
	if e.Removed {
		d.restore(e, l)
		return
	}
	again := !listedLast(e) || e.Kept
	e.Kept = false
	d.correct(e, l)
	if again {
		e.AbsentPolls, e.Withheld = nil, ""
		d.markChanged(e)
	}
	if !d.vote(e, l) && again {
		d.note(e, footy.EntrySighting, "", footy.Evidence{})
	}
}

// vote counts the sighting of an event that is not certain, or whose scorer is not.
func (d *decider) vote(e *footy.Event, l footy.FeedEvent) (counted bool) {
	switch {
	case !e.Certain():
		d.countSighting(e, l)
		d.makeCertain(e)
	case e.ScorerPolls < d.o.ScorerPolls:
		d.countSighting(e, l)
		d.searchForCorrected(e)
	default:
		return false
	}
	return true
}

// countSighting counts this poll's vote once, and how often in a row it named the present scorer. Votes end when the event is certain, and after as
// many as posts are looked for: what nobody names for long has votes enough.
func (d *decider) countSighting(e *footy.Event, l footy.FeedEvent) {
	if slices.Contains(e.Votes, d.p.ID) {
		return
	}
	if !e.Certain() && len(e.Votes) < max(round.MostAhead, d.o.Sightings) {
		e.Votes = append(e.Votes, d.p.ID)
	}
	switch {
	case identity.Named(l.Player) && (mayBeOne(e.Player, l.Player) || identity.SameName(e.Player, l.Player)):
		e.ScorerPolls++
	case !d.p.Distrusted:
		e.ScorerPolls = 0
	}
	e.LastSeen = d.p.Now
	d.markChanged(e)
	if e.Certain() { // the poll is about its scorer
		d.note(e, footy.EntrySighting, "", footy.Evidence{})
		return
	}
	d.note(e, footy.EntrySighting, "", footy.Evidence{Votes: len(e.Votes), Of: d.o.Sightings, Named: e.ScorerPolls})
}

// makeCertain declares the event certain once enough polls agree.
func (d *decider) makeCertain(e *footy.Event) {
	if e.Certain() || !identity.Named(e.Player) || len(e.Votes) < d.o.Sightings || e.ScorerPolls < d.o.ScorerPolls {
		return
	}
	if !d.scoreAllows(e) {
		d.noteNotCounted(e)
		return
	}
	d.certain.Add(d.f.Teams.Side(e.Team.ID), 1)
	e.CertainAt = d.p.Now
	round.Begin(e, d.p.Now)
	d.markChanged(e)
	d.note(e, footy.EntryCertain, "", footy.Evidence{Round: e.Round.Number, Workflow: e.Round.Workflow})
}

// searchForCorrected opens a new round once a corrected scorer was named often enough; a search that is complete, or already looks
// for him, is left alone.
func (d *decider) searchForCorrected(e *footy.Event) {
	if e.ScorerPolls < d.o.ScorerPolls || e.DownloadComplete || round.SearchesFor(*e) {
		return
	}
	round.Begin(e, d.p.Now)
	d.markChanged(e)
	d.note(e, footy.EntryChanged, ReasonNewRound, footy.Evidence{Round: e.Round.Number, Workflow: e.Round.Workflow})
}

func (d *decider) restore(e *footy.Event, l footy.FeedEvent) {
	e.Removed, e.RemovedReason, e.RemovedAt, e.SameAs = false, "", time.Time{}, ""
	e.AbsentPolls, e.Withheld = nil, ""
	if e.Swept { // too late: its clips were deleted
		e.Swept, e.Clips, e.DownloadComplete = false, nil, false
	}
	d.correct(e, l)
	if e.Certain() && !e.DownloadComplete && e.ScorerPolls >= d.o.ScorerPolls {
		round.Begin(e, d.p.Now)
	}
	d.markChanged(e)
	d.note(e, footy.EntryRestored, "", footy.Evidence{Round: e.Round.Number})
	d.vote(e, l)
}

// applyAbsence counts an absence, or says why it does not count.
func (d *decider) applyAbsence(e *footy.Event) {
	if why := d.whyWithheld(e); why != "" {
		d.note(e, footy.EntryWithheld, why, footy.Evidence{Score: &d.s.Score})
		if e.Withheld == why {
			d.decisions[len(d.decisions)-1].Repeat = true
			return
		}
		e.Withheld = why
		d.markChanged(e)
		return
	}
	if slices.Contains(e.AbsentPolls, d.p.ID) {
		return
	}
	e.AbsentPolls, e.Withheld = append(e.AbsentPolls, d.p.ID), ""
	d.markChanged(e)
	n := len(e.AbsentPolls)
	d.note(e, footy.EntryAbsence, "", footy.Evidence{Absences: n, Of: d.o.Absences, Score: &d.s.Score})
	if n < d.o.Absences {
		return
	}
	if !identity.Known(e.Player) && !e.Certain() {
		d.placeholders = append(d.placeholders, e.UID)
		d.note(e, footy.EntryRemoved, footy.ReasonPlaceholder, footy.Evidence{})
		return
	}
	why := footy.ReasonVAR
	if o := d.copyOf(e); o != nil {
		why, e.SameAs = footy.ReasonListedTwice, o.UID
	}
	e.Removed, e.RemovedAt, e.RemovedReason = true, d.p.Now, why
	d.note(e, footy.EntryRemoved, why, footy.Evidence{Score: &d.s.Score})
}

// copyOf is the goal that stands for one that was listed beside it. Two goals of a scorer that differ in their minute, and were both counted, were
// two, unless both are listed where the score counts one: else the second was taken back.
func (d *decider) copyOf(e *footy.Event) *footy.Event {
	listed := slices.ContainsFunc(d.s.Events, func(l footy.FeedEvent) bool {
		return l.Kind == e.Kind && l.Team.ID == e.Team.ID && l.Minute == e.Minute && mayBeOne(l.Player, e.Player)
	})
	for i := range d.f.Events {
		if o := &d.f.Events[i]; copies(o, e) && noAbsences(o) && (listed || o.Minute == e.Minute || !e.Certain()) {
			return o
		}
	}
	return nil
}

// whyWithheld says why an absence does not count: "" if it does.
func (d *decider) whyWithheld(e *footy.Event) footy.Reason {
	status := d.s.Match.Status
	switch {
	case e.Kept:
		return footy.ReasonKept
	case d.p.Distrusted:
		return footy.ReasonAnomaly
	case status.Pre() || status.Postponed():
		return ReasonNotBegun
	case !e.Kind.Scores() && len(d.s.Events) == 0 && d.s.Score.Total() > 0:
		return ReasonEmptyList // it does not even list the goals of its own score
	case !e.Kind.Scores():
		return ""
	}
	side := d.f.Teams.Side(e.Team.ID)
	listed := d.list.goals.On(side)
	if side == "" {
		listed = d.list.goals.Total()
	}
	if n, known := d.s.Score.On(side); !known || listed < n {
		return footy.ReasonScoreNeeds
	}
	return ""
}
