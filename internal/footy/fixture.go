package footy

import (
	"encoding/json"
	"iter"
	"slices"
	"time"
)

// Stage is how far a fixture has come. Readers of the database see each as a view of its own.
type Stage string

// The stages, earliest first.
const (
	StageStaging   Stage = "staging"
	StageActive    Stage = "active"
	StageCompleted Stage = "completed"
)

// Stages lists the stages, latest first.
var Stages = []Stage{StageCompleted, StageActive, StageStaging}

// Fixture is one match and the aggregate of everything known about it: one document, written atomically.
// Embedded Snapshot holds what the feed said last; Events hold what we made of it.
type Fixture struct {
	ID       int64 `json:"_id"`
	Revision int64 `json:"_revision"`
	Stage    Stage `json:"_stage"`

	Match   Match   `json:"fixture"`
	League  League  `json:"league"`
	Teams   Teams   `json:"teams"`
	Score   Score   `json:"goals"`
	Periods Periods `json:"score"`

	Events []Event `json:"events"`

	Sequences     map[string]int `json:"_sequences,omitempty"` // highest seq ever given per "{team}_{player}_{type}"; never reused
	IngestedAt    time.Time      `json:"_ingested_at,omitzero"`
	ActivatedAt   time.Time      `json:"activated_at,omitzero"`
	CompletedAt   time.Time      `json:"completed_at,omitzero"`
	LastMonitor   time.Time      `json:"_last_monitor,omitzero"`   // last answered poll
	LastPoll      string         `json:"_last_poll,omitempty"`     // id of the last poll that changed an event
	LastPollAt    time.Time      `json:"_last_poll_at,omitzero"`   // when it was answered; older ones come too late
	TerminalSince time.Time      `json:"_terminal_since,omitzero"` // first terminal answer; a live answer clears it
	PlayedAt      time.Time      `json:"_played_at,omitzero"`      // last answer in which its clock or score went on
	PostponedAt   time.Time      `json:"_postponed_at,omitzero"`   // first answer of those that say it rests: PST, SUSP, INT, a status that is not known
	UpdatedAt     time.Time      `json:"_updated_at,omitzero"`
	Named         bool           `json:"_named,omitempty"`   // a person named it: followed whatever the settings say
	Trouble       *Trouble       `json:"_trouble,omitempty"` // set while answers are missing or not believed
}

// MaxEvents is how many events of one match are believed and kept: twice the goals of the highest score ever recorded, 149-0 in 2002. A
// hundred lines, of goals, cards, changes of players and decisions of the VAR, are a lot.
const MaxEvents = 300

// Trouble is a stretch of polls whose answers failed or were not believed; each kind is told once.
type Trouble struct {
	Since time.Time   `json:"since"`
	Kinds []EntryKind `json:"kinds"`
}

// Snapshot is what the feed says of one fixture now.
type Snapshot struct {
	Match   Match       `json:"fixture"`
	League  League      `json:"league"`
	Teams   Teams       `json:"teams"`
	Score   Score       `json:"goals"`
	Periods Periods     `json:"score"`
	Events  []FeedEvent `json:"events"`
	// HasEvents is false where the answer carried no events list at all (day lists), which is not "no events".
	HasEvents bool `json:"has_events"`
	// Said is the answer that all of this was read from, as it came; nil in day lists.
	Said json.RawMessage `json:"-"`
	// Answered is when the feed answered.
	Answered time.Time `json:"answered"`
	// Before is when it answered about this fixture the time before; zero if it never did.
	Before time.Time `json:"before,omitzero"`
}

// Match is the fixture's own data.
type Match struct {
	ID       int64     `json:"id"`
	Kickoff  time.Time `json:"date"`
	Timezone string    `json:"timezone,omitempty"`
	Referee  string    `json:"referee,omitempty"`
	Venue    string    `json:"venue,omitempty"`
	Status   Status    `json:"status"`
}

// League is the competition.
type League struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Country string `json:"country,omitempty"`
	Logo    string `json:"logo,omitempty"`
	Season  int    `json:"season,omitempty"`
	Round   string `json:"round,omitempty"`
}

// Team is one side.
type Team struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Logo    string `json:"logo,omitempty"`
	Country string `json:"country,omitempty"`
	Code    string `json:"code,omitempty"` // what graphics call it, where the feed says so: ARS
}

// Teams are the two sides; a neutral venue keeps the feed's order.
type Teams struct {
	Home Team `json:"home"`
	Away Team `json:"away"`
}

// Score counts goals; nil means unknown, never 0.
type Score struct {
	Home *int `json:"home"`
	Away *int `json:"away"`
}

// Known reports whether both sides are known.
func (s Score) Known() bool { return s.Home != nil && s.Away != nil }

// Total is the number of goals; 0 where unknown (ask Known first).
func (s Score) Total() int {
	n := 0
	if s.Home != nil {
		n += *s.Home
	}
	if s.Away != nil {
		n += *s.Away
	}
	return n
}

// Equal compares by value; unknown equals unknown only.
func (s Score) Equal(o Score) bool { return equalGoals(s.Home, o.Home) && equalGoals(s.Away, o.Away) }

func equalGoals(a, b *int) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// On is the number of goals of one side; of neither side: of both.
func (s Score) On(side Side) (n int, known bool) {
	goals := s.Home
	switch side {
	case SideAway:
		goals = s.Away
	case "":
		return s.Total(), s.Known()
	}
	if goals == nil {
		return 0, false
	}
	return *goals, true
}

// ScoreOf makes a known score.
func ScoreOf(home, away int) Score { return Score{Home: &home, Away: &away} }

// Periods is the score by period; Penalty is the shoot-out.
type Periods struct {
	Halftime  Score `json:"halftime"`
	Fulltime  Score `json:"fulltime"`
	Extratime Score `json:"extratime"`
	Penalty   Score `json:"penalty"`
}

// Person is a player; ID 0 means the feed gave none, Name "" means unknown.
type Person struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// Minute is a moment of play: minutes, ordinal (the first minute is 1);
// broadcast clock = Elapsed + Extra - 1.
type Minute struct {
	Elapsed int `json:"elapsed"`
	Extra   int `json:"extra,omitempty"`
}

// Known reports whether the feed gave a minute; a null one is read as 0.
func (m Minute) Known() bool { return m.Elapsed > 0 }

// Clock is the whole minute a broadcast clock shows at this moment.
func (m Minute) Clock() int { return m.Elapsed + m.Extra - 1 }

// Event finds an event by uid, by current id or by any id it ever had; nil if there is none.
func (f *Fixture) Event(id string) *Event {
	for i := range f.Events {
		if f.Events[i].UID == id || f.Events[i].ID == id {
			return &f.Events[i]
		}
	}
	for i := range f.Events {
		if slices.Contains(f.Events[i].MatchedFrom, id) {
			return &f.Events[i]
		}
	}
	return nil
}

// Events are those of several matches, each with its own.
func Events(all []Fixture) iter.Seq2[*Fixture, *Event] {
	return func(yield func(*Fixture, *Event) bool) {
		for i := range all {
			for j := range all[i].Events {
				if !yield(&all[i], &all[i].Events[j]) {
					return
				}
			}
		}
	}
}

// Side tells on which side a team plays: "home", "away" or "" for neither.
func (t Teams) Side(teamID int64) Side {
	switch teamID {
	case t.Home.ID:
		return SideHome
	case t.Away.ID:
		return SideAway
	}
	return ""
}

// Side is home or away.
type Side string

// The sides.
const (
	SideHome Side = "home"
	SideAway Side = "away"
)
