package lifecycle

import (
	"cmp"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Merge copies what the feed says into the fixture. What the feed does not know clears nothing: a null score never
// means 0 and never clears a known one. Events are the business of debounce.
func Merge(f *footy.Fixture, s footy.Snapshot, now time.Time) {
	before := *f
	s.Match.Status.Since = cmp.Or(s.Match.Status.Since, s.Answered)
	mergeMatch(&f.Match, s.Match)
	mergeLeague(&f.League, s.League)
	mergeTeam(&f.Teams.Home, s.Teams.Home)
	mergeTeam(&f.Teams.Away, s.Teams.Away)
	mergeScore(&f.Score, s.Score)
	mergeScore(&f.Periods.Halftime, s.Periods.Halftime)
	mergeScore(&f.Periods.Fulltime, s.Periods.Fulltime)
	mergeScore(&f.Periods.Extratime, s.Periods.Extratime)
	mergeScore(&f.Periods.Penalty, s.Periods.Penalty)
	Touch(f, now)
	status := f.Match.Status
	if status.InPlay() && (ahead(before.Match.Status, status) > 0 || !f.Score.Equal(before.Score)) {
		f.PlayedAt = now
	}
	switch {
	case status.Terminal():
		if f.TerminalSince.IsZero() {
			f.TerminalSince = now
		}
	case status.InPlay():
		f.TerminalSince = time.Time{}
	}
	switch {
	case status.Rests() && f.PostponedAt.IsZero():
		f.PostponedAt = now
	case !status.Rests() && !f.PostponedAt.IsZero():
		f.PostponedAt, f.ActivatedAt = time.Time{}, later(f.ActivatedAt, now)
	}
}

// ClockSince is when the feed first gave the minute of an answer, of which before is the answer before; zero: there is none.
func ClockSince(before, s footy.Snapshot) time.Time {
	was, is := before.Match.Status, s.Match.Status
	if was.Code == is.Code && was.Minute() == is.Minute() {
		return cmp.Or(was.Since, before.Answered, s.Answered)
	}
	return s.Answered
}

// Touch notes an answered poll whose content is not believed: the fixture counts as asked, nothing else changes.
func Touch(f *footy.Fixture, now time.Time) { f.LastMonitor = now }

func mergeMatch(m *footy.Match, s footy.Match) {
	if s.Status.Code != "" {
		old := m.Status
		m.Status = s.Status
		// The clock of a match is not cleared by an answer without one; a new phase may have none.
		if m.Status.Elapsed == nil && (old.Code == s.Status.Code || s.Status.Rests() || old.Rests()) {
			m.Status.Elapsed, m.Status.Extra, m.Status.Since = old.Elapsed, old.Extra, old.Since
		}
	}
	if !s.Kickoff.IsZero() {
		m.Kickoff = s.Kickoff
	}
	m.ID, m.Timezone = cmp.Or(s.ID, m.ID), cmp.Or(s.Timezone, m.Timezone)
	m.Referee, m.Venue = cmp.Or(s.Referee, m.Referee), cmp.Or(s.Venue, m.Venue)
}

func mergeLeague(l *footy.League, s footy.League) {
	*l = footy.League{ID: cmp.Or(s.ID, l.ID), Name: cmp.Or(s.Name, l.Name), Country: cmp.Or(s.Country, l.Country),
		Logo: cmp.Or(s.Logo, l.Logo), Round: cmp.Or(s.Round, l.Round), Season: cmp.Or(s.Season, l.Season)}
}

func mergeTeam(t *footy.Team, s footy.Team) {
	*t = footy.Team{ID: cmp.Or(s.ID, t.ID), Name: cmp.Or(s.Name, t.Name), Logo: cmp.Or(s.Logo, t.Logo), Country: cmp.Or(s.Country, t.Country)}
}

func mergeScore(have *footy.Score, said footy.Score) {
	*have = footy.Score{Home: cmp.Or(said.Home, have.Home), Away: cmp.Or(said.Away, have.Away)}
}

const (
	// clockStep is how far a running clock may be ahead of the stored one, which later answers are compared with, before it is written.
	clockStep = 10
	// clockOff is by how many minutes the clock may differ from the stored one counted on, which readers see.
	clockOff = 2
)

// Changed reports whether Merge changed anything that matters. An answer that repeats what is known, its clock gone on as time did, is
// not written.
func Changed(f, after footy.Fixture, w Windows) bool {
	a, b := f.Match, after.Match
	return a.Status.Code != b.Status.Code || !a.Kickoff.Equal(b.Kickoff) || a.Venue != b.Venue || a.Referee != b.Referee ||
		drift(a.Status, b.Status, w.Minute) ||
		f.League != after.League || f.Teams != after.Teams ||
		!f.Score.Equal(after.Score) ||
		!f.Periods.Halftime.Equal(after.Periods.Halftime) || !f.Periods.Fulltime.Equal(after.Periods.Fulltime) ||
		!f.Periods.Extratime.Equal(after.Periods.Extratime) || !f.Periods.Penalty.Equal(after.Periods.Penalty) ||
		f.TerminalSince.IsZero() != after.TerminalSince.IsZero() || f.PostponedAt.IsZero() != after.PostponedAt.IsZero()
}

func drift(a, b footy.Status, minute time.Duration) bool {
	if (a.Elapsed == nil) != (b.Elapsed == nil) {
		return true
	}
	d := ahead(a, b)
	off := a.Counts() != b.Counts() || b.Counts() && b.Began(minute).Sub(a.Began(minute)).Abs() >= clockOff*minute
	return d >= clockStep || d < 0 || off
}

// ahead is by how many minutes the clock went on from one status to the other.
func ahead(a, b footy.Status) int {
	was, is := a.Minute(), b.Minute()
	return is.Elapsed + is.Extra - was.Elapsed - was.Extra
}

// News is what an answer says of a fixture whose stage stays, for people: a later kickoff or a new date, or that it is over, and what holds
// it. Moves come from Plan.
func News(before, f footy.Fixture, w Windows) Move {
	was, later := before.Match.Kickoff, f.Match.Kickoff.Sub(before.Match.Kickoff)
	switch waits := f.Match.Status.Pre() || f.Match.Status.Postponed(); {
	case f.Stage == footy.StageActive && before.TerminalSince.IsZero() && !f.TerminalSince.IsZero():
		open, unlisted := holds(f, w)
		return Move{Kind: footy.EntryOver, Evidence: footy.Evidence{Status: f.Match.Status.Code, Open: open, Unlisted: unlisted}}
	case was.IsZero() || f.Stage == footy.StageCompleted:
	case f.Stage == footy.StageStaging && later.Abs() >= w.Reschedule:
		return back(ReasonNewDate, f)
	case waits && later > 0 && later < w.Reschedule:
		return back(ReasonDelayed, f)
	}
	return Move{}
}
