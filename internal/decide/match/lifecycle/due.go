package lifecycle

import (
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/footy"
)

// Due tells whether an open fixture is asked for in this cycle, and how it can be seen.
//
// Where several matches share a call, all of them are asked at the pace of the matches under way. Where each costs a call of its
// own, only a list shows cheaply what is under way, so that the others are asked as rarely as they may: one that waits not before
// its kickoff, one that has not begun a quarter of an hour later once a slot, one that is over once a slot, unless votes on a goal of
// its last minutes are open. There every answer to a question by id is noted (Touch).
func (r Reckoning) Due(f footy.Fixture, now time.Time, p Pace) (m calls.Match, due bool) {
	m = calls.Match{ID: f.ID, Seen: calls.Apart, Asked: f.LastMonitor}
	w, status := r.Windows, f.Match.Status
	if f.Stage == footy.StageStaging {
		return m, r.Can.IDs && StagingDue(f, now, stagingSlot(f, now, p, w))
	}
	if f.Stage != footy.StageActive || !Turn(now, r.Cycle, p.Live) {
		return m, false
	}
	if Rare(f, now, w) {
		slot := w.PostponedPoll
		if !r.Can.IDs {
			slot *= time.Duration(p.Staging)
		}
		return m, StagingDue(f, now, slot)
	}
	slotPassed := now.Sub(f.LastMonitor) >= w.StagingSlot
	switch {
	case status.InPlay() && !r.leftTheList(f, now), status.Info().Phase == footy.PhaseUnknown:
		m.Seen = calls.UnderWay
		return m, true
	case r.Can.IDs:
		if status.Pre() {
			m.Seen, m.Slot = calls.Expected, r.slotBegins(now, p.Live)
		}
		return m, true
	case status.Pre():
		late := now.Sub(f.Match.Kickoff)
		m.Seen, m.Slot = calls.Expected, late >= w.StagingSlot && slotPassed
		return m, late >= 0
	}
	return m, slotPassed || votesOpen(f, now, w)
}

// leftTheList reports whether a match that was under way must be over by now and was not seen for long: no list shows it any more.
// While it is played its clock moves on, which is noted.
func (r Reckoning) leftTheList(f footy.Fixture, now time.Time) bool {
	return !r.Can.IDs && now.Sub(f.Match.Kickoff) >= r.Windows.Played && now.Sub(f.LastMonitor) >= 2*r.Windows.StagingSlot
}

// SlotBegins reports whether this is the first cycle of a slot.
func (r Reckoning) SlotBegins(now time.Time) bool { return r.slotBegins(now, 1) }

// slotBegins reports whether this is the first turn of a slot. It depends on the clock alone, so that nobody needs to remember who was
// asked.
func (r Reckoning) slotBegins(now time.Time, stretch int) bool {
	slot := r.Windows.StagingSlot
	return slot <= 0 || now.Sub(now.Truncate(slot)) < r.Cycle*time.Duration(max(stretch, 1))
}

// votesOpen reports whether the next answers decide about an event that was seen, or missed, lately. One that nobody could decide
// on in two slots, like a goal whose scorer stays unknown, does not cost a call each cycle.
func votesOpen(f footy.Fixture, now time.Time, w Windows) bool {
	for i := range f.Events {
		e := &f.Events[i]
		if !e.Standing() {
			continue
		}
		if !e.Certain() && now.Sub(e.FirstSeen) < 2*w.StagingSlot || len(e.AbsentPolls) > 0 && now.Sub(e.UpdatedAt) < 2*w.StagingSlot {
			return true
		}
	}
	return false
}
