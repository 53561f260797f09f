package footy

import "time"

// Seen is what a kept clip shows, as typed evidence for footage that is met again in another match.
type Seen struct {
	FixtureID int64     `json:"fixture_id"`
	EventUID  string    `json:"event_uid"`
	ClipID    string    `json:"clip_id"`
	Home      string    `json:"home"`
	Away      string    `json:"away"`
	League    string    `json:"league,omitempty"`
	Kickoff   time.Time `json:"kickoff"`
	Kind      Kind      `json:"kind"`
	Player    string    `json:"player,omitempty"` // "": not named
	Minute    Minute    `json:"time"`
	AddedAt   time.Time `json:"added_at"` // when the clip was kept: its footage is not younger

	Match *Comparison `json:"match,omitempty"` // how footage that was met again compares to it
}

// SeenIn says what a clip of an event shows.
func SeenIn(f Fixture, e Event, c Clip) Seen {
	return Seen{FixtureID: f.ID, EventUID: e.UID, ClipID: c.ID, Home: f.Teams.Home.Name, Away: f.Teams.Away.Name, League: f.League.Name,
		Kickoff: f.Match.Kickoff.UTC(), Kind: e.Kind, Player: e.Player.Name, Minute: e.Minute, AddedAt: c.AddedAt.UTC()}
}
