package lifecycle

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Merge copies what the feed says into the fixture. What the feed does not know clears nothing: a null score never
// means 0 and never clears a known one. Events are the business of debounce.
func Merge(f *footy.Fixture, s footy.Snapshot, pollID string, now time.Time) {
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
	status := s.Match.Status
	switch {
	case status.Terminal():
		if f.TerminalSince.IsZero() {
			f.TerminalSince = now
		}
		f.TerminalPoll = pollID
	case status.InPlay():
		f.TerminalSince, f.TerminalPoll = time.Time{}, ""
	}
	switch {
	case status.Postponed():
		if f.PostponedAt.IsZero() {
			f.PostponedAt = now
		}
	case status.Info().Phase != footy.PhaseUnknown:
		f.PostponedAt = time.Time{}
	}
}

// Touch notes an answered poll whose content is not believed: the fixture counts as asked, nothing else changes.
func Touch(f *footy.Fixture, now time.Time) { f.LastMonitor = now }

func mergeMatch(m *footy.Match, s footy.Match) {
	if s.Status.Code != "" {
		old := m.Status
		m.Status = s.Status
		// The clock of a running match is not cleared by an answer without one; a new phase may have none.
		if m.Status.Elapsed == nil && old.Code == s.Status.Code {
			m.Status.Elapsed, m.Status.Extra = old.Elapsed, old.Extra
		}
	}
	if !s.Kickoff.IsZero() {
		m.Kickoff = s.Kickoff
	}
	m.ID = orID(s.ID, m.ID)
	m.Timezone = orText(s.Timezone, m.Timezone)
	m.Referee = orText(s.Referee, m.Referee)
	m.Venue = orText(s.Venue, m.Venue)
}

func mergeLeague(l *footy.League, s footy.League) {
	l.ID = orID(s.ID, l.ID)
	l.Name = orText(s.Name, l.Name)
	l.Country = orText(s.Country, l.Country)
	l.Logo = orText(s.Logo, l.Logo)
	l.Round = orText(s.Round, l.Round)
	if s.Season != 0 {
		l.Season = s.Season
	}
}

func mergeTeam(t *footy.Team, s footy.Team) {
	t.ID = orID(s.ID, t.ID)
	t.Name = orText(s.Name, t.Name)
	t.Logo = orText(s.Logo, t.Logo)
	t.Country = orText(s.Country, t.Country)
}

func mergeScore(have *footy.Score, said footy.Score) {
	if said.Home != nil {
		have.Home = said.Home
	}
	if said.Away != nil {
		have.Away = said.Away
	}
}

func orText(said, have string) string {
	if said != "" {
		return said
	}
	return have
}

func orID(said, have int64) int64 {
	if said != 0 {
		return said
	}
	return have
}
