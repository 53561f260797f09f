package apifootball

import (
	"errors"
	"fmt"
	"time"

	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/footy"
)

// parse reads one fixture of a response. A fixture without id, teams or status says nothing that could be trusted.
func parse(raw string, at time.Time) (s footy.Snapshot, err error) {
	root := gjson.Parse(raw)
	m, l, t, p := root.Get("fixture"), root.Get("league"), root.Get("teams"), root.Get("score")
	st := m.Get("status")
	season, _ := number(l.Get("season"))
	s = footy.Snapshot{
		Answered: at,
		Match: footy.Match{
			ID: id(m.Get("id")), Kickoff: kickoff(m), Timezone: text(m.Get("timezone")), Referee: text(m.Get("referee")),
			Venue: text(m.Get("venue.name")),
			Status: footy.Status{Code: text(st.Get("short")), Long: text(st.Get("long")), Elapsed: small(st.Get("elapsed")),
				Extra: small(st.Get("extra"))},
		},
		League: footy.League{ID: id(l.Get("id")), Name: text(l.Get("name")), Country: text(l.Get("country")), Logo: text(l.Get("logo")),
			Season: int(season), Round: text(l.Get("round"))},
		Teams: footy.Teams{Home: team(t.Get("home")), Away: team(t.Get("away"))},
		Score: score(root.Get("goals")),
		Periods: footy.Periods{Halftime: score(p.Get("halftime")), Fulltime: score(p.Get("fulltime")),
			Extratime: score(p.Get("extratime")), Penalty: score(p.Get("penalty"))},
	}
	switch {
	case s.Match.ID == 0:
		return s, errors.New("fixture without an id")
	case s.Teams.Home.ID == 0 || s.Teams.Away.ID == 0:
		return s, errors.New("fixture without its teams")
	case s.Match.Status.Code == "":
		return s, errors.New("fixture without a status")
	}
	s.Events, s.HasEvents, err = events(root.Get("events"))
	return s, err
}

// events reads the events list if there is one. A list that cannot be read whole is worse than none: what is missing from it
// would count as gone.
func events(r gjson.Result) ([]footy.FeedEvent, bool, error) {
	items, known := list(r)
	if !known {
		return nil, false, nil
	}
	out := make([]footy.FeedEvent, 0, len(items))
	for i, item := range items {
		if !item.IsObject() {
			return nil, false, fmt.Errorf("event %d is not an object", i)
		}
		out = append(out, event(item))
	}
	return out, true, nil
}

func event(e gjson.Result) footy.FeedEvent {
	out := footy.FeedEvent{
		Team: team(e.Get("team")), Player: person(e.Get("player")), Assist: person(e.Get("assist")),
		Type: text(e.Get("type")), Detail: text(e.Get("detail")), Comments: text(e.Get("comments")),
	}
	out.Kind = footy.KindOf(out.Type, out.Detail, out.Comments)
	if n := small(e.Get("time.elapsed")); n != nil {
		out.Minute.Elapsed = *n
	}
	if n := small(e.Get("time.extra")); n != nil {
		out.Minute.Extra = *n
	}
	return out
}

func kickoff(m gjson.Result) time.Time {
	if t, err := time.Parse(time.RFC3339, text(m.Get("date"))); err == nil {
		return t.UTC()
	}
	if n, known := number(m.Get("timestamp")); known && n > 0 {
		return time.Unix(n, 0).UTC()
	}
	return time.Time{}
}

func team(r gjson.Result) footy.Team {
	return footy.Team{ID: id(r.Get("id")), Name: text(r.Get("name")), Logo: text(r.Get("logo"))}
}

func person(r gjson.Result) footy.Person {
	return footy.Person{ID: id(r.Get("id")), Name: text(r.Get("name"))}
}

func score(r gjson.Result) footy.Score {
	return footy.Score{Home: small(r.Get("home")), Away: small(r.Get("away"))}
}
