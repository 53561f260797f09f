// Package view is what pages and API show of matches, goals and clips, and how they word it.
package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// What both the API and the templates show; fields without a JSON name are for templates only.

// Team of a match.
type Team struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Country string `json:"country,omitempty"`
	Logo    string `json:"logo_url"`
}

// League is a competition.
type League struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Country string `json:"country,omitempty"`
	Round   string `json:"round,omitempty"`
	Season  int    `json:"season,omitempty"`
	Logo    string `json:"logo_url"`
}

// Fixture is a match.
type Fixture struct {
	ID        int64        `json:"id"`
	Kickoff   time.Time    `json:"kickoff"`
	Stage     footy.Stage  `json:"stage"`
	Status    Status       `json:"status"`
	League    League       `json:"league"`
	Home      Team         `json:"home"`
	Away      Team         `json:"away"`
	Score     footy.Score  `json:"score"`
	Penalties *footy.Score `json:"penalties,omitempty"`
	Venue     string       `json:"venue,omitempty"`
	Events    []Event      `json:"events"`
	UpdatedAt time.Time    `json:"updated_at,omitzero"`

	Board     Board   `json:"-"`
	Cancelled []Event `json:"-"` // goals that people had seen, newest first
	Zone      string  `json:"-"`
	Revision  int64   `json:"-"` // of the stored document
}

// Status of a match.
type Status struct {
	Code    string `json:"code"`
	Phase   Phase  `json:"phase"`
	Label   string `json:"label"` // for people: 67', HT, FT, Postponed
	Elapsed *int   `json:"elapsed"`
	Extra   *int   `json:"extra"`

	Stored footy.Status `json:"-"`
}

// Event of a match, a goal mostly.
type Event struct {
	ID          string            `json:"id"`
	UID         string            `json:"uid"`
	FixtureID   int64             `json:"fixture_id"`
	Path        string            `json:"path"`
	EarlierIDs  []string          `json:"earlier_ids,omitempty"`
	Kind        footy.Kind        `json:"kind"`
	Detail      string            `json:"detail,omitempty"`
	Minute      footy.Minute      `json:"minute"`
	MinuteLabel string            `json:"minute_label"` // 45+2'
	Team        Team              `json:"team"`
	Side        footy.Side        `json:"side"`
	Player      footy.Person      `json:"player"`
	Assist      footy.Person      `json:"assist"`
	ScoreBefore footy.Score       `json:"score_before"`
	ScoreAfter  footy.Score       `json:"score_after"`
	Status      footy.EventStatus `json:"status"`
	StatusLabel string            `json:"status_label"`
	Outcome     string            `json:"outcome,omitempty"`
	Searches    int               `json:"searches"`
	FirstSeen   time.Time         `json:"first_seen,omitzero"`
	CertainAt   time.Time         `json:"certain_at,omitzero"`
	CompletedAt time.Time         `json:"completed_at,omitzero"`
	UpdatedAt   time.Time         `json:"updated_at,omitzero"`
	Clips       []Clip            `json:"clips"`

	ScoredAt time.Time `json:"-"`
	// FirstLook: it fell before its match was watched.
	FirstLook bool   `json:"-"`
	Zone      string `json:"-"` // of the reader, in a list of matches

	Waiting int       `json:"-"` // posts that are blocked by an outage
	Scorer  string    `json:"-"` // never empty
	Note    string    `json:"-"` // own goal, penalty
	Home    string    `json:"-"`
	Away    string    `json:"-"`
	Board   Board     `json:"-"` // after it
	League  League    `json:"-"`
	Kickoff time.Time `json:"-"`
	Reason  string    `json:"-"` // of a removed goal: what it was, "cancelled by VAR"
	Kept    bool      `json:"-"` // kept by an operator
	Swept   bool      `json:"-"` // of a removed goal: its clips are deleted
}

// Clip that people can see.
type Clip struct {
	ID         string    `json:"id"`
	URL        string    `json:"url"`
	PosterURL  string    `json:"poster_url,omitempty"`
	PagePath   string    `json:"page_path"`
	Rank       int       `json:"rank"`
	Verified   bool      `json:"verified"`
	Evidence   string    `json:"evidence,omitempty"`
	Minute     *int      `json:"minute"`
	Width      int       `json:"width"`
	Height     int       `json:"height"`
	Duration   float64   `json:"duration"`
	Size       int64     `json:"size"`
	Popularity int       `json:"popularity"`
	Pinned     bool      `json:"pinned"`
	Compiled   bool      `json:"compilation"`
	SourceURL  string    `json:"source_url,omitempty"`
	AddedAt    time.Time `json:"added_at,omitzero"`

	Length   string `json:"-"`
	Hidden   bool   `json:"-"`
	Unplayed bool   `json:"-"`
}

// FixturesOf shows several matches.
func FixturesOf(list []footy.Fixture, zone *time.Location) []Fixture {
	out := make([]Fixture, 0, len(list))
	for i := range list {
		out = append(out, FixtureOf(&list[i], zone))
	}
	return out
}

// FixtureOf shows a match with its standing events, newest first, in the reader's zone.
func FixtureOf(f *footy.Fixture, zone *time.Location) Fixture {
	v := Fixture{
		ID: f.ID, Kickoff: f.Match.Kickoff.UTC(), Stage: f.Stage, Status: StatusOf(f.Match.Status), League: LeagueOf(f.League),
		Home: TeamOf(f.Teams.Home), Away: TeamOf(f.Teams.Away), Score: f.Score, Venue: f.Match.Venue, UpdatedAt: f.UpdatedAt,
		Events: []Event{}, Zone: zone.String(),
		Revision: f.Revision,
	}
	if f.Stage == footy.StageCompleted && !f.Match.Status.Terminal() { // it came to rest and was never resumed
		v.Status.Phase, v.Status.Label = PhaseOff, "Not resumed"
	}
	v.Board = boardOf(f, v.Home, v.Away, v.Score)
	if f.Periods.Penalty.Known() {
		v.Penalties = &f.Periods.Penalty
		v.Board.Rows[0].Penalties, v.Board.Rows[1].Penalties = f.Periods.Penalty.Home, f.Periods.Penalty.Away
	}
	v.Board.lead(v.Status.Phase)
	for i := range f.Events {
		e := &f.Events[i]
		shown := EventOf(f, e)
		shown.Zone = v.Zone
		if e.Standing() {
			v.Events = append(v.Events, shown)
		} else if e.Kind == footy.KindGoal && e.Certain() && e.SameAs == "" {
			v.Cancelled = append(v.Cancelled, shown)
		}
	}
	slices.SortStableFunc(v.Events, newestFirst)
	slices.SortStableFunc(v.Cancelled, newestFirst)
	return v
}

// newestFirst orders by the match's clock.
func newestFirst(a, b Event) int {
	return cmp.Or(b.Minute.Elapsed-a.Minute.Elapsed, b.Minute.Extra-a.Minute.Extra, b.ScoreAfter.Total()-a.ScoreAfter.Total(), cmp.Compare(b.UID, a.UID))
}

// TeamOf shows a team.
func TeamOf(t footy.Team) Team {
	return Team{ID: t.ID, Name: t.Name, Country: t.Country, Logo: logoPath("team", t.ID, t.Name)}
}

// LeagueOf shows a competition.
func LeagueOf(l footy.League) League {
	return League{ID: l.ID, Name: l.Name, Country: l.Country, Round: l.Round, Season: l.Season, Logo: logoPath("league", l.ID, l.Name)}
}

// EventOf shows an event, standing or not.
func EventOf(f *footy.Fixture, e *footy.Event) Event {
	v := Event{
		ID: e.ID, UID: e.UID, FixtureID: f.ID, Path: footy.GoalPath(e.ID), EarlierIDs: e.MatchedFrom, Kind: e.Kind, Detail: e.Detail, Minute: e.Minute,
		MinuteLabel: footy.MinuteLabel(e.Minute), Team: TeamOf(e.Team), Side: cmp.Or(e.ScoringTeam, f.Teams.Side(e.Team.ID)), Player: e.Player, Assist: e.Assist,
		ScoreBefore: e.ScoreBefore, ScoreAfter: e.ScoreAfter, Status: e.Status(), Outcome: e.Outcome().String(),
		Searches: e.Round.Searches, FirstSeen: e.FirstSeen, CertainAt: e.CertainAt, CompletedAt: e.CompletedAt, UpdatedAt: e.UpdatedAt,
		Clips: clipsOf(e), Scorer: e.Player.Name, Note: note(e), Home: f.Teams.Home.Name, Away: f.Teams.Away.Name,
		StatusLabel: explain.StatusOf(e).Label, League: LeagueOf(f.League), Kickoff: f.Match.Kickoff,
	}
	v.Scorer = cmp.Or(v.Scorer, "Scorer not known yet")
	v.Board = boardOf(f, TeamOf(f.Teams.Home), TeamOf(f.Teams.Away), e.ScoreAfter)
	if e.Kind.Scores() && e.Standing() {
		v.Board.mark(v.Side)
	}
	if e.Removed {
		v.Reason = explain.RemovedFor(e.RemovedReason)
	}
	v.Kept, v.Swept, v.ScoredAt, v.FirstLook = e.Kept, e.Swept, e.ScoredAt(), e.FirstLook
	return v
}

// clipsOf lists what people may see, best first; a clip that was not ranked yet stands behind all others.
func clipsOf(e *footy.Event) []Clip {
	out := []Clip{}
	for _, c := range e.VisibleClips() {
		out = append(out, ClipOf(e, c))
	}
	slices.SortStableFunc(out, func(a, b Clip) int { return cmp.Compare(cmp.Or(a.Rank, math.MaxInt), cmp.Or(b.Rank, math.MaxInt)) })
	return out
}

// PictureOf is the path of the newest goal's picture; "" if there is none.
func PictureOf(list []footy.Fixture) (path string) {
	var newest time.Time
	for _, e := range footy.Events(list) {
		if !e.Standing() || path != "" && !e.ScoredAt().After(newest) {
			continue
		}
		if clips := clipsOf(e); len(clips) > 0 && clips[0].PosterURL != "" {
			newest, path = e.ScoredAt(), clips[0].PosterURL
		}
	}
	return path
}

// ClipOf shows a clip, visible or not.
func ClipOf(e *footy.Event, c footy.Clip) Clip {
	v := Clip{
		ID: c.ID, URL: footy.ClipPath(e.UID, c.ID, c.Key), PagePath: footy.GoalPath(e.ID) + "?v=" + c.ID, Rank: c.Rank, Verified: c.Verified,
		Evidence: c.Evidence, Minute: c.Minute, Width: c.Width, Height: c.Height, Duration: c.Duration, Size: c.Size,
		Popularity: c.Popularity, Pinned: c.Pinned, Compiled: c.Compiled, SourceURL: SafeURL(c.SourceURL), AddedAt: c.AddedAt,
		Length: Length(c.Duration), Hidden: c.Hidden, Unplayed: c.Unplayed,
	}
	if c.PosterKey != "" {
		v.PosterURL = footy.PosterPath(e.UID, c.ID)
	}
	return v
}

func logoPath(kind string, id int64, name string) string {
	return fmt.Sprintf("/logo/%s/%d?n=%s", kind, id, initials(name))
}

// What the event is, in words: "goal", "red card".
func (v Event) What() string { return v.Kind.Info().One }

// Headline says a goal in one line, for other sites.
func (v Event) Headline() string {
	s := v.Home + " " + Score(v.ScoreAfter.Home) + "–" + Score(v.ScoreAfter.Away) + " " + v.Away
	if v.Kind != footy.KindGoal && v.Note != "" {
		s = v.Note + " · " + s
	}
	return v.Scorer + " " + v.MinuteLabel + " · " + s
}

// Choose picks the clip to show first: the one asked for or its winner, else the best. replaced: it is the winner.
func (v *Event) Choose(e *footy.Event, asked string) (chosen *Clip, replaced bool) {
	if c := explain.CurrentClip(e, asked); c != nil {
		if i := slices.IndexFunc(v.Clips, func(o Clip) bool { return o.ID == c.ID }); i >= 0 {
			return &v.Clips[i], c.ID != asked
		}
	}
	if len(v.Clips) > 0 {
		return &v.Clips[0], false
	}
	return nil, false
}

// Phase is a match's state in broad words, for grouping and colour.
type Phase string

// The phases.
const (
	PhaseAhead Phase = "ahead"
	PhaseLive  Phase = "live"
	PhaseOver  Phase = "over"
	PhaseOff   Phase = "off" // postponed, abandoned, ...: nothing is being played
)

// StatusOf puts a match's status into words.
func StatusOf(st footy.Status) Status {
	in := st.Info()
	v := Status{Stored: st, Code: st.Code, Elapsed: st.Elapsed, Extra: st.Extra, Phase: PhaseLive, Label: in.Short}
	switch {
	case st.Code == "":
		v.Phase, v.Label = PhaseAhead, "Not started"
	case in.Off:
		v.Phase = PhaseOff
	case in.Phase == footy.PhasePre:
		v.Phase = PhaseAhead
	case in.Phase == footy.PhaseTerminal:
		v.Phase = PhaseOver
	case in.Short == "" && st.Elapsed != nil:
		v.Label = footy.MinuteLabel(st.Minute())
	case in.Short == "" && st.Long != "":
		v.Label = st.Long
	case in.Short == "":
		v.Label = st.Code
	}
	return v
}

// note says what kind of event it is where it is no plain goal.
func note(e *footy.Event) string {
	switch d := strings.ToLower(e.Detail); {
	case strings.Contains(d, "own"):
		return "own goal"
	case strings.Contains(d, "missed"):
		return "missed penalty"
	case strings.Contains(d, "penalty"):
		return "penalty"
	case !e.Kind.Scores():
		return strings.TrimSpace(e.Kind.Info().Sign + " " + d)
	}
	return ""
}

// Board is a score as two rows, of a match or after a goal of it.
type Board struct {
	Path string // of the match
	Rows [2]Row // home, away
}

// Row is one side of a board.
type Row struct {
	Team
	Goals, Penalties *int
	Scored           bool // the goal that the board is of
	Bold             bool // it scored, or leads
}

func boardOf(f *footy.Fixture, home, away Team, s footy.Score) Board {
	return Board{Path: MatchPath(f.ID), Rows: [2]Row{{Team: home, Goals: s.Home}, {Team: away, Goals: s.Away}}}
}

// MatchPath is the address of a match.
func MatchPath(id int64) string { return fmt.Sprint("/match/", id) }

func (b *Board) mark(side footy.Side) {
	for i, s := range []footy.Side{footy.SideHome, footy.SideAway} {
		b.Rows[i].Scored, b.Rows[i].Bold = s == side, s == side
	}
}

// lead makes the side that leads bold, once there is something to lead in.
func (b *Board) lead(p Phase) {
	total := func(r Row) (n int) {
		for _, g := range []*int{r.Penalties, r.Goals} {
			if g != nil {
				n = n*100 + *g
			}
		}
		return n
	}
	home, away := total(b.Rows[0]), total(b.Rows[1])
	b.Rows[0].Bold, b.Rows[1].Bold = home > away, away > home
	if p == PhaseAhead {
		b.Rows[0].Bold, b.Rows[1].Bold = false, false
	}
}
