package script

import (
	"math"
	"strconv"
	"strings"
)

// Status is that of a match, as the feed writes it. Elapsed < 0 and Extra == 0 mean null.
type Status struct {
	Short   string
	Elapsed int
	Extra   int
}

// Phase is one stretch of a match: product minutes [From, To) with the match clock running from Clock.
type Phase struct {
	Short    string
	From, To float64
	Clock    float64 // match minutes at From
	Regular  int     // minute at which elapsed stops and extra begins
	Running  bool
}

// Phases lists the stretches of a match in order, the terminal one last (To = +Inf).
func (f Fixture) Phases() []Phase {
	var out []Phase
	t := f.Kickoff
	add := func(short string, minutes, clock float64, regular int, running bool) {
		out = append(out, Phase{short, t, t + minutes, clock, regular, running})
		t += minutes
	}
	add("1H", 45+f.FirstStoppage, 0, 45, true)
	add("HT", f.HalfTime, 45, 45, false)
	add("2H", 45+f.SecondStoppage, 45, 90, true)
	last := "FT"
	if f.ExtraTime {
		add("BT", 3, 90, 90, false)
		add("ET", 16, 90, 105, true)
		add("BT", 1, 105, 105, false)
		add("ET", 16, 105, 120, true)
		last = "AET"
	}
	if f.Shootout {
		add("BT", 2, 120, 120, false)
		add("P", 6, 120, 120, false)
		last = "PEN"
	}
	regular := 90
	if f.ExtraTime {
		regular = 120
	}
	out = append(out, Phase{last, t, math.Inf(1), float64(regular), regular, false})
	return out
}

// StatusAt is the true status at a product minute.
func (f Fixture) StatusAt(p float64) Status {
	for i := len(f.Turns) - 1; i >= 0; i-- {
		if p >= f.Turns[i].At {
			return f.turned(f.Turns[i])
		}
	}
	return f.played(p)
}

func (f Fixture) turned(t Turn) Status {
	s := f.played(f.Turns[0].At) // the clock stopped when play did
	s.Short = t.Status
	switch t.Status {
	case "NS", "TBD", "PST", "CANC", "WO", "AWD":
		return Status{Short: t.Status, Elapsed: -1}
	}
	return s
}

func (f Fixture) played(p float64) Status {
	if f.KickoffHours != 0 || p < f.Kickoff {
		return Status{Short: "NS", Elapsed: -1}
	}
	for _, ph := range f.Phases() {
		if p >= ph.To {
			continue
		}
		s := Status{Short: ph.Short, Elapsed: ph.Regular}
		if !ph.Running {
			return s
		}
		minute := int(ph.Clock+p-ph.From) + 1
		if minute <= ph.Regular {
			s.Elapsed = minute
		} else {
			s.Extra = minute - ph.Regular
		}
		return s
	}
	return Status{Short: "FT", Elapsed: 90}
}

// half-way into its minute: a goal's moment, so that its footage and its feed minute agree.
const within = 0.5

// Happens is the product minute at which an event happens.
func (f Fixture) Happens(e Event) float64 {
	if e.Kind == ShootoutScored || e.Kind == ShootoutMissed {
		for _, ph := range f.Phases() {
			if ph.Short == "P" {
				return ph.From + 0.5*float64(e.Extra)
			}
		}
	}
	clock := float64(e.Minute+e.Extra-1) + within
	for _, ph := range f.Phases() {
		if ph.Running && e.Minute <= ph.Regular {
			return ph.From + clock - ph.Clock
		}
	}
	return f.Kickoff + clock
}

// Scores reports whether an event of this kind changes the score of the match.
func Scores(kind string) bool { return kind == Goal || kind == OwnGoal || kind == Penalty }

// Team finds a team by id.
func (s *Script) Team(id int) Team {
	for _, t := range s.Teams {
		if t.ID == id {
			return t
		}
	}
	return Team{ID: id}
}

// League finds a league by id.
func (s *Script) League(id int) League {
	for _, l := range s.Leagues {
		if l.ID == id {
			return l
		}
	}
	return League{ID: id}
}

// Fixture finds a fixture by id.
func (s *Script) Fixture(id int) (Fixture, bool) {
	for _, f := range s.Fixtures {
		if f.ID == id {
			return f, true
		}
	}
	return Fixture{}, false
}

// Event finds an event of a fixture by key.
func (f Fixture) Event(key string) (Event, bool) {
	for _, e := range f.Events {
		if e.Key == key {
			return e, true
		}
	}
	return Event{}, false
}

// Goal finds an event by its name in expectations: "1300101/first".
func (s *Script) Goal(name string) (Fixture, Event, bool) {
	id, key, _ := strings.Cut(name, "/")
	for _, f := range s.Fixtures {
		if strconv.Itoa(f.ID) == id {
			e, ok := f.Event(key)
			return f, e, ok
		}
	}
	return Fixture{}, Event{}, false
}

// End is the product minute at which nothing more will happen: every match over and every post's search round run out.
func (s *Script) End() float64 {
	end := 0.0
	for _, f := range s.Fixtures {
		if f.KickoffHours != 0 || f.Untracked {
			continue
		}
		if len(f.Turns) > 0 {
			end = max(end, f.Turns[len(f.Turns)-1].At)
		} else if ph := f.Phases(); len(ph) > 0 {
			end = max(end, ph[len(ph)-1].From)
		}
		for _, e := range f.Events {
			end = max(end, f.Happens(e)+13)
		}
	}
	for _, o := range s.Outages {
		end = max(end, o.From+o.Minutes)
	}
	return end
}
