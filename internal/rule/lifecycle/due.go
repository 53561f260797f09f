package lifecycle

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/calls"
)

// Due tells whether an open fixture is asked for in this cycle, and how it can be seen.
//
// Where several matches share a call, all of them are asked at the pace of the matches under way. Where each costs a call of its
// own, only a list shows cheaply what is under way, so that the others are asked as rarely as they may: one that waits not before
// its kickoff, one that has not begun a quarter of an hour later once a slot, one that is over once a slot, unless votes on a goal of
// its last minutes are open.
func (r Reckoning) Due(f footy.Fixture, now time.Time, p Pace) (m calls.Match, due bool) {
	m = calls.Match{ID: f.ID, Seen: calls.Apart, Asked: f.LastMonitor}
	w, status := r.Windows, f.Match.Status
	if f.Stage == footy.StageStaging {
		return m, r.Can.IDs && StagingDue(f, now, w.StagingSlot*time.Duration(p.Staging))
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
	switch {
	case status.InPlay() && !r.leftTheList(f, now), status.Info().Phase == footy.PhaseUnknown:
		m.Seen = calls.UnderWay
		return m, true
	case r.Can.IDs:
		if status.Pre() {
			m.Seen, m.Slot = calls.Expected, r.slotTurn(now, p.Live, 0)
		}
		return m, true
	case status.Pre():
		late := now.Sub(f.Match.Kickoff)
		m.Seen, m.Slot = calls.Expected, late >= w.StagingSlot && r.slotTurn(now, p.Live, f.ID)
		return m, late >= 0
	}
	return m, votesOpen(f, now, w) || r.slotTurn(now, p.Live, f.ID)
}

// leftTheList reports whether a match that was under way must be over by now and was not seen for long: no list shows it any more.
// While it is played its clock moves on, which is noted.
func (r Reckoning) leftTheList(f footy.Fixture, now time.Time) bool {
	return !r.Can.IDs && now.Sub(f.Match.Kickoff) >= r.Windows.Played && now.Sub(f.LastMonitor) >= 2*r.Windows.StagingSlot
}

// SlotBegins reports whether this is the first cycle of a slot.
func (r Reckoning) SlotBegins(now time.Time) bool { return r.slotTurn(now, 1, 0) }

// shares is how many moments of a slot matches are spread over, so that no minute has all of them.
const shares = 15

// slotTurn reports whether this is the one turn of the slot that belongs to a share. It depends on the clock alone, so that nobody
// needs to remember who was asked.
func (r Reckoning) slotTurn(now time.Time, stretch int, share int64) bool {
	slot, turn := int64(r.Windows.StagingSlot), int64(r.Cycle)*int64(max(stretch, 1))
	if slot <= 0 {
		return true
	}
	return (now.UnixNano()-share%shares*slot/shares)%slot < turn
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
