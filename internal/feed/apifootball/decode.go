package apifootball

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// parse reads one fixture of a response. A fixture without id, teams or status says nothing that could be trusted.
func parse(raw json.RawMessage, at time.Time) (footy.Snapshot, error) {
	var w wireFixture
	if err := json.Unmarshal(raw, &w); err != nil {
		return footy.Snapshot{}, err
	}
	m := w.Fixture.v
	s := footy.Snapshot{Answered: at, Match: footy.Match{
		ID: m.ID.n, Kickoff: m.kickoff(), Timezone: string(m.Timezone), Referee: string(m.Referee), Venue: string(m.Venue.v.Name),
		Status: footy.Status{Code: string(m.Status.v.Short), Long: string(m.Status.v.Long),
			Elapsed: m.Status.v.Elapsed.small(), Extra: m.Status.v.Extra.small()},
	}}
	l := w.League.v
	s.League = footy.League{ID: l.ID.n, Name: string(l.Name), Country: string(l.Country), Logo: string(l.Logo),
		Season: int(l.Season.n), Round: string(l.Round)}
	s.Teams = footy.Teams{Home: w.Teams.v.Home.v.team(), Away: w.Teams.v.Away.v.team()}
	s.Goals = w.Goals.v.score()
	p := w.Score.v
	s.Score = footy.Breakdown{Halftime: p.Halftime.v.score(), Fulltime: p.Fulltime.v.score(),
		Extratime: p.Extratime.v.score(), Penalty: p.Penalty.v.score()}
	switch {
	case s.Match.ID <= 0:
		return s, errors.New("fixture without an id")
	case s.Teams.Home.ID <= 0 || s.Teams.Away.ID <= 0:
		return s, errors.New("fixture without its teams")
	case s.Match.Status.Code == "":
		return s, errors.New("fixture without a status")
	}
	return s, events(&s, w.Events)
}

// events reads the events list if there is one. A list that cannot be read whole is worse than none: what is missing from it
// would count as gone.
func events(s *footy.Snapshot, raw json.RawMessage) error {
	if len(raw) == 0 || raw[0] != '[' {
		return nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	s.Events, s.HasEvents = make([]footy.FeedEvent, 0, len(list)), true
	for i, item := range list {
		var e wireEvent
		if len(item) == 0 || item[0] != '{' {
			return fmt.Errorf("event %d is not an object", i)
		}
		if err := json.Unmarshal(item, &e); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
		s.Events = append(s.Events, e.event())
	}
	return nil
}

func (e wireEvent) event() footy.FeedEvent {
	at := e.Time.v
	out := footy.FeedEvent{
		Team: e.Team.v.team(), Player: e.Player.v.person(), Assist: e.Assist.v.person(),
		Type: string(e.Type), Detail: string(e.Detail), Comments: string(e.Comments),
		Kind: KindOf(string(e.Type), string(e.Detail), string(e.Comments)),
	}
	if n := at.Elapsed.small(); n != nil {
		out.Minute.Elapsed = *n
	}
	if n := at.Extra.small(); n != nil {
		out.Minute.Extra = *n
	}
	return out
}

func (m wireMatch) kickoff() time.Time {
	if t, err := time.Parse(time.RFC3339, string(m.Date)); err == nil {
		return t.UTC()
	}
	if m.Timestamp.known && m.Timestamp.n > 0 {
		return time.Unix(m.Timestamp.n, 0).UTC()
	}
	return time.Time{}
}

func (t wireTeam) team() footy.Team {
	return footy.Team{ID: t.ID.n, Name: string(t.Name), Logo: string(t.Logo)}
}

func (p wirePerson) person() footy.Person {
	return footy.Person{ID: max(0, p.ID.n), Name: string(p.Name)}
}

func (s wireScore) score() footy.Score {
	return footy.Score{Home: s.Home.small(), Away: s.Away.small()}
}
