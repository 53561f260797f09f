package football

import (
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/world/script"
)

// media is where the vendor keeps its pictures.
const media = "https://media.api-sports.io/football/"

// fixtureJSON turns a sheet into the vendor's JSON, without its events.
func (s *Server) fixtureJSON(sh fixtureReport) fixture {
	f := sh.f
	home, away, lg := s.script.Team(f.Home), s.script.Team(f.Away), s.script.League(f.League)
	kick := s.kickoff(sh)
	venueName := home.City + " Stadium"
	out := fixture{
		Fixture: match{
			ID: f.ID, Timezone: "UTC", Date: kick.Format("2006-01-02T15:04:05-07:00"), Timestamp: kick.Unix(),
			Venue:  venue{Name: &venueName, City: &home.City},
			Status: status{Long: long[sh.status.Short], Short: sh.status.Short},
		},
		League: league{ID: lg.ID, Name: lg.Name, Country: lg.Country, Season: lg.Season, Round: lg.Round,
			Logo: fmt.Sprintf("%sleagues/%d.png", s.media, lg.ID)},
		Teams: teams{Home: team{ID: home.ID, Name: home.Name, Logo: s.crest(home.ID)},
			Away: team{ID: away.ID, Name: away.Name, Logo: s.crest(away.ID)}},
	}
	if sh.status.Elapsed >= 0 {
		out.Fixture.Status.Elapsed = ptr(sh.status.Elapsed)
	}
	if sh.status.Extra > 0 {
		out.Fixture.Status.Extra = ptr(sh.status.Extra)
	}
	if sh.blank {
		return out
	}
	s.addPeriods(&out, f)
	addScore(&out, sh)
	return out
}

// kickoff is when the match begins, as the feed says.
func (s *Server) kickoff(sh fixtureReport) time.Time {
	kick := s.day.Wall(sh.date)
	if sh.hours != 0 {
		kick = s.day.Start().Add(time.Duration(sh.hours * float64(time.Hour)))
	}
	return kick.UTC().Truncate(time.Second)
}

func (s *Server) addPeriods(out *fixture, f script.Fixture) {
	for _, ph := range f.Phases() {
		if s.day.Minutes() < ph.From {
			continue
		}
		switch ph.Short {
		case "1H":
			out.Fixture.Periods.First = ptr(s.day.Wall(ph.From).Unix())
		case "2H":
			out.Fixture.Periods.Second = ptr(s.day.Wall(ph.From).Unix())
		}
	}
}

func addScore(out *fixture, sh fixtureReport) {
	h, a := sh.score()
	out.Goals = pair{ptr(h), ptr(a)}
	first := func(e reportedEvent) bool { return e.Minute <= 45 }
	regular := func(e reportedEvent) bool { return e.Minute <= 90 }
	out.Score.Halftime = counted(sh, first)
	over := map[string]bool{"FT": true, "AET": true, "PEN": true, "ET": true, "BT": true, "P": true}[sh.status.Short]
	if over {
		out.Score.Fulltime = counted(sh, regular)
	}
	if sh.f.ExtraTime && over && sh.status.Elapsed > 90 {
		out.Score.Extratime = counted(sh, func(e reportedEvent) bool { return e.Minute > 90 })
	}
	if sh.status.Short == "P" || sh.status.Short == "PEN" {
		ph, pa := sh.kicks()
		out.Score.Penalty = pair{ptr(ph), ptr(pa)}
	}
	if h != a { // the flag is the live leader, long before the end
		out.Teams.Home.Winner, out.Teams.Away.Winner = ptr(h > a), ptr(a > h)
	}
	if ph, pa := sh.kicks(); sh.status.Short == "PEN" && ph != pa {
		out.Teams.Home.Winner, out.Teams.Away.Winner = ptr(ph > pa), ptr(pa > ph)
	}
}

func counted(sh fixtureReport, keep func(reportedEvent) bool) pair {
	h, a := sh.goals(keep)
	return pair{ptr(h), ptr(a)}
}

// events is what is listed, newest first: the vendor's order means nothing and must not be relied on.
func (s *Server) events(sh fixtureReport) []event {
	out := []event{}
	for i := len(sh.entries) - 1; i >= 0; i-- {
		e := sh.entries[i]
		if e.varNote != "" {
			out = append(out, s.event(sh, e, "Var", e.varNote, nil))
		}
		if !e.listed {
			continue
		}
		kind, detail, comment := eventWords(e.Kind)
		out = append(out, s.event(sh, e, kind, detail, comment))
	}
	return out
}

func (s *Server) event(sh fixtureReport, e reportedEvent, kind, detail string, comment *string) event {
	t := s.script.Team(sh.f.Home)
	if e.Side == "away" {
		t = s.script.Team(sh.f.Away)
	}
	out := event{Team: side{t.ID, t.Name, s.crest(t.ID)},
		Player: personJSON(e.player), Type: kind, Detail: detail, Comments: comment}
	if e.Minute > 0 {
		out.Time.Elapsed = ptr(e.Minute)
	}
	if e.Extra > 0 {
		out.Time.Extra = ptr(e.Extra)
	}
	if e.Assist != nil {
		out.Assist = personJSON(*e.Assist)
	}
	return out
}

func eventWords(kind string) (typ, detail string, comment *string) {
	shootout := ptr("Penalty Shootout")
	switch kind {
	case script.OwnGoal:
		return "Goal", "Own Goal", nil
	case script.Penalty:
		return "Goal", "Penalty", nil
	case script.MissedPenalty:
		return "Goal", "Missed Penalty", nil
	case script.ShootoutScored:
		return "Goal", "Penalty", shootout
	case script.ShootoutMissed:
		return "Goal", "Missed Penalty", shootout
	case script.YellowCard:
		return "Card", "Yellow Card", ptr("Foul")
	case script.RedCard:
		return "Card", "Red Card", ptr("Serious foul")
	case script.VARDecision:
		return "Var", "Penalty confirmed", nil
	}
	return "Goal", "Normal Goal", nil
}

func personJSON(p script.Player) person {
	var out person
	if p.ID != 0 {
		out.ID = ptr(p.ID)
	}
	if p.Name != "" {
		out.Name = ptr(p.Name)
	}
	return out
}

func (s *Server) crest(id int) string { return fmt.Sprintf("%steams/%d.png", s.media, id) }

func ptr[T any](v T) *T { return &v }
