package debounce

import (
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

func counts(e *footy.Event) bool { return e.Standing() && e.Kind.Scores() }

// scoreAllows reports whether the score counts one more goal of this side than are certain. An unknown score
// forbids nothing; in an answer that contradicts itself the higher of the known scores holds.
func (d *decider) scoreAllows(e *footy.Event) bool {
	if !e.Kind.Scores() {
		return true
	}
	side := d.f.Teams.Side(e.Team.ID)
	sure := d.certain.On(side)
	if side == "" {
		sure = d.certain.Total()
	}
	n, known := d.s.Score.On(side)
	if held, ok := d.f.Score.On(side); known && ok && d.p.Distrusted {
		n = max(n, held)
	}
	return !known || sure < n
}

// noteNotCounted says on this poll's sighting why a goal that was seen often enough is not certain.
func (d *decider) noteNotCounted(e *footy.Event) {
	for i := range slices.Backward(d.decisions) {
		if at := &d.decisions[i]; at.EventUID == e.UID && at.Kind != footy.EntryRenamed && at.Kind != footy.EntryChanged {
			at.Reason, at.Data.Votes, at.Data.Score = ReasonNotCounted, len(e.Votes), &d.s.Score
			return
		}
	}
}

// markShootoutKicks gives kicks of a shoot-out that are listed as penalties of the match their own kind: the score never counts
// them, so they are the penalties beyond it. They must not replace a goal that the list leaves out.
func markShootoutKicks(f *footy.Fixture, teams footy.Teams, s footy.Snapshot, events []footy.FeedEvent) {
	if !s.Match.Status.Info().Shootout {
		return
	}
	for _, side := range []footy.Side{footy.SideHome, footy.SideAway} {
		left, known := s.Score.On(side)
		if !known {
			continue
		}
		left -= max(matchGoalsStored(f, side), matchGoalsListed(teams, events, side))
		for i := range events {
			if e := &events[i]; teams.Side(e.Team.ID) == side && maybeShootoutKick(e.Kind, e.Detail, e.Minute) {
				if left <= 0 {
					e.Kind = footy.KindShootout
				}
				left--
			}
		}
	}
}

// maybeShootoutKick reports what may be a kick of a shoot-out.
func maybeShootoutKick(k footy.Kind, detail string, m footy.Minute) bool {
	return k == footy.KindGoal && strings.EqualFold(detail, "penalty") && (m.Elapsed >= 120 || !m.Known())
}

func matchGoalsListed(teams footy.Teams, events []footy.FeedEvent, side footy.Side) (n int) {
	for _, e := range events {
		if e.Kind.Scores() && !maybeShootoutKick(e.Kind, e.Detail, e.Minute) && teams.Side(e.Team.ID) == side {
			n++
		}
	}
	return n
}

func matchGoalsStored(f *footy.Fixture, side footy.Side) (n int) {
	for i := range f.Events {
		if e := &f.Events[i]; counts(e) && !maybeShootoutKick(e.Kind, e.Detail, e.Minute) && f.Teams.Side(e.Team.ID) == side {
			n++
		}
	}
	return n
}
