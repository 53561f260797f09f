package cycle

import (
	"cmp"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
)

// ClocksDiffer is by how much the clock of another worker may be ahead of ours; nothing waits for longer because of it.
const ClocksDiffer = 2 * time.Minute

// Right puts right what was written while a clock was ahead: of a time that has not come nothing may be waited for, and no search may ask
// for posts of it. An event that was first seen then counts as first seen now; if it was searched for, it is searched for anew, because
// those searches could find nothing. So is one whose search ended short then: its time was over only by that clock. It tells of those
// events, and whether anything changed.
func (r Rules) Right(f *footy.Fixture, now time.Time) (told []footy.Entry, changed bool) {
	ahead := func(t time.Time) bool { return t.After(now.Add(ClocksDiffer)) }
	right := func(times ...*time.Time) {
		for _, t := range times {
			if ahead(*t) {
				*t, changed = now, true
			}
		}
	}
	right(&f.LastMonitor, &f.LastPollAt, &f.TerminalSince, &f.PlayedAt, &f.PostponedAt, &f.UpdatedAt)
	if f.Trouble != nil {
		right(&f.Trouble.Since)
	}
	for i := range f.Events {
		e := &f.Events[i]
		right(&e.CertainAt, &e.UpdatedAt, &e.Round.OpenedAt, &e.Round.SearchedAt, &e.Round.Blocked.Since)
		seen, short := ahead(e.FirstSeen), ahead(e.Round.EndedAt) && e.Round.End != "" // with all its searches no clock ended it
		right(&e.Round.EndedAt, &e.CompletedAt)
		again := (seen || short) && e.Certain() && e.Standing()
		if !seen && !again {
			continue
		}
		if seen {
			right(&e.FirstSeen)
			e.HappenedAt, e.CaughtUp = debounce.HappenedAt(f.Match.Kickoff, footy.Status{}, e.Minute, now, cmp.Or(r.Votes.Minute, time.Minute)), true
		}
		if again {
			round.Begin(e, now)
			changed = true
		}
		told = append(told, footy.Entry{
			Key:       fmt.Sprintf("%s/%s/%d", e.UID, debounce.ReasonClockAhead, now.UnixMilli()),
			FixtureID: f.ID, EventUID: e.UID, At: now, Kind: footy.EntryChanged, Reason: debounce.ReasonClockAhead,
			Data: footy.Evidence{Player: e.Player.Name, Round: e.Round.Number},
		})
	}
	return told, changed
}
