// Package espn reads fixtures from ESPN's public scoreboard. It needs no key; nobody documents it, and it may change or end any day. What
// its answers look like was learned from recordings. Its ids are its own: they never mean a match, a team or a league of another feed.
package espn

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
)

// Scoreboard is what one answer says: a league's matches of one day. A match that cannot be read whole is in Failed with the reason: an
// event that is missing from a list would count as cancelled.
type Scoreboard struct {
	Snapshots []footy.Snapshot
	Failed    map[int64]string
}

// Read reads an answer of .../soccer/{league}/scoreboard that came at that time.
func Read(body []byte, at time.Time) (Scoreboard, error) {
	var answer struct {
		Leagues []league          `json:"leagues"`
		Events  []json.RawMessage `json:"events"`
		Code    int               `json:"code"`
		Message string            `json:"message"`
	}
	const op = "read scoreboard"
	switch err := json.Unmarshal(body, &answer); {
	case err != nil:
		return Scoreboard{}, footy.Errorf(footy.CodeUnavailable, op, "that is no scoreboard of ESPN: %w", err)
	case answer.Code != 0 || answer.Message != "":
		return Scoreboard{}, footy.Errorf(footy.CodeUnavailable, op, "ESPN refused: %s (%d)", answer.Message, answer.Code)
	case answer.Events == nil: // a day without matches has an empty list
		return Scoreboard{}, footy.Errorf(footy.CodeUnavailable, op, "that is no scoreboard of ESPN: it has no list of events")
	}
	out := Scoreboard{Failed: map[int64]string{}}
	for i, raw := range answer.Events {
		var which struct {
			ID id `json:"id"`
		}
		if err := json.Unmarshal(raw, &which); err != nil || which.ID == 0 {
			return Scoreboard{}, footy.Errorf(footy.CodeUnavailable, op, "match %d of the list has no id that can be read", i+1)
		}
		s, err := snapshot(raw, answer.Leagues, at)
		s.Said = raw
		if err != nil {
			out.Failed[int64(which.ID)] = err.Error()
			continue
		}
		out.Snapshots = append(out.Snapshots, s)
	}
	return out, nil
}

// Parse implements feed.Feed.
func (f *Feed) Parse(said []byte, answered time.Time) (footy.Snapshot, error) {
	const op = "read what was said of a match"
	var board struct {
		Leagues []struct {
			Word string `json:"slug"`
		} `json:"leagues"`
	}
	if err := json.Unmarshal(said, &board); err != nil {
		return footy.Snapshot{}, footy.Wrap(footy.CodeInvalid, op, err)
	}
	s, err := snapshot(said, nil, answered)
	s.Said = said
	if len(board.Leagues) == 1 {
		s.League = byWord(board.Leagues[0].Word).of(s)
	}
	return s, footy.Wrap(footy.CodeInvalid, op, err)
}

// withLeague adds ESPN's word for the league, which stands beside the matches of a board.
func withLeague(said []byte, word string) (json.RawMessage, error) {
	o, err := feed.Object(said)
	if err != nil {
		return nil, err
	}
	o["leagues"] = []any{map[string]any{"slug": word}}
	return json.Marshal(o)
}

// WithIDs implements feed.Feed.
func (f *Feed) WithIDs(said []byte, ids []string) (json.RawMessage, error) {
	o, err := feed.Object(said)
	if err != nil {
		return nil, err
	}
	if c, _ := o["competitions"].([]any); len(c) == 1 {
		match, _ := c[0].(map[string]any)
		details, _ := match["details"].([]any)
		feed.SetIDs(details, ids)
	}
	return json.Marshal(o)
}

// id is a number that is written as text; null is none.
type id int64

// UnmarshalJSON implements json.Unmarshaler.
func (i *id) UnmarshalJSON(body []byte) error {
	n, err := strconv.ParseInt(strings.Trim(string(body), `"`), 10, 64)
	if err != nil && string(body) != "null" {
		return fmt.Errorf("id %s is no number", body)
	}
	*i = id(n)
	return nil
}

type league struct {
	ID   id     `json:"id"`
	Name string `json:"name"`
}

type event struct {
	ID     id     `json:"id"`
	UID    string `json:"uid"` // s:600~l:<league>~e:<event>
	Date   string `json:"date"`
	Season struct {
		Year int `json:"year"`
	} `json:"season"`
	Competitions []competition `json:"competitions"`
}

type competition struct {
	Competitors []competitor `json:"competitors"`
	Details     []detail     `json:"details"`
	Note        string       `json:"altGameNote"` // "FIFA World Cup, Round of 32"
	Status      status       `json:"status"`
	TimeValid   *bool        `json:"timeValid"`
	Venue       struct {
		Name string `json:"fullName"`
	} `json:"venue"`
}

type competitor struct {
	Side          footy.Side `json:"homeAway"`
	Score         string     `json:"score"`
	ShootoutScore *int       `json:"shootoutScore"`
	Team          struct {
		ID   id     `json:"id"`
		Name string `json:"displayName"`
		Logo string `json:"logo"`
		Code string `json:"abbreviation"`
	} `json:"team"`
}

type status struct {
	Clock  string `json:"displayClock"`
	Period int    `json:"period"`
	Type   struct {
		Name      string `json:"name"`
		State     string `json:"state"` // pre, in, post
		Completed bool   `json:"completed"`
		Text      string `json:"description"`
	} `json:"type"`
}

// detail is a goal, a card or a kick of the shoot-out. It has no id, and its minute and type may change hours after the match.
type detail struct {
	Type struct {
		Text string `json:"text"`
	} `json:"type"`
	Clock struct {
		Shown string `json:"displayValue"` // 45'+2'; the seconds beside it stop at 45, 90 and 120 minutes
	} `json:"clock"`
	Team struct {
		ID id `json:"id"`
	} `json:"team"` // an own goal's is the one that gets it
	Scoring  bool `json:"scoringPlay"`
	Own      bool `json:"ownGoal"`
	Penalty  bool `json:"penaltyKick"`
	Shootout bool `json:"shootout"`
	Yellow   bool `json:"yellowCard"`
	Red      bool `json:"redCard"`
	Athletes []struct {
		ID   id     `json:"id"`
		Name string `json:"displayName"`
	} `json:"athletesInvolved"` // may be missing
}

var leagueOf = regexp.MustCompile(`(?:^|~)l:(\d+)(?:~|$)`)

func snapshot(raw json.RawMessage, leagues []league, at time.Time) (footy.Snapshot, error) {
	var e event
	if err := json.Unmarshal(raw, &e); err != nil {
		return footy.Snapshot{}, err
	}
	if len(e.Competitions) != 1 {
		return footy.Snapshot{}, fmt.Errorf("a match is one competition, not %d", len(e.Competitions))
	}
	c := e.Competitions[0]
	home, away := c.side(footy.SideHome), c.side(footy.SideAway)
	if home == nil || away == nil {
		return footy.Snapshot{}, errors.New("match without its teams")
	}
	if c.Status.Type.Name == "" {
		return footy.Snapshot{}, errors.New("match without a status")
	}
	kickoff, err := time.Parse("2006-01-02T15:04Z07:00", e.Date)
	if err != nil { // seconds were never seen, and would be no surprise
		kickoff, err = time.Parse(time.RFC3339, e.Date)
	}
	if err != nil {
		return footy.Snapshot{}, fmt.Errorf("kickoff: %w", err)
	}
	s := footy.Snapshot{
		Answered: at,
		Match:    footy.Match{ID: int64(e.ID), Kickoff: kickoff.UTC(), Venue: c.Venue.Name, Status: c.Status.ours()},
		League:   e.league(leagues),
		Teams:    footy.Teams{Home: home.team(), Away: away.team()},
		Periods:  footy.Periods{Penalty: footy.Score{Home: home.ShootoutScore, Away: away.ShootoutScore}},
	}
	s.League.Round = strings.TrimPrefix(strings.TrimPrefix(c.Note, s.League.Name), ", ")
	if s.Match.Status.Code == "NS" && c.TimeValid != nil && !*c.TimeValid {
		s.Match.Status.Code = "TBD"
	}
	untold := s.Match.Status.Terminal() && home.Score == "" && away.Score == ""                           // of a match that was awarded, say
	if code := s.Match.Status.Code; !s.Match.Status.Pre() && code != "PST" && code != "CANC" && !untold { // of those it shows 0-0
		if s.Score, err = scoreOf(*home, *away); err != nil {
			return s, err
		}
	}
	if c.Details == nil && !s.Match.Status.Pre() {
		return s, nil // no list is not an empty one
	}
	s.Events, s.HasEvents = []footy.FeedEvent{}, true
	for _, d := range c.Details {
		f, err := d.ours(s.Teams)
		if err != nil {
			return s, err
		}
		s.Events = append(s.Events, f)
	}
	return s, nil
}

// league is the match's: its number stands in the uid, since the list of several leagues names none.
func (e event) league(leagues []league) footy.League {
	out := footy.League{Season: e.Season.Year}
	if m := leagueOf.FindStringSubmatch(e.UID); m != nil {
		out.ID, _ = strconv.ParseInt(m[1], 10, 64) // digits; 0 where they are too many
	}
	if i := slices.IndexFunc(leagues, func(l league) bool { return int64(l.ID) == out.ID }); i >= 0 {
		out.Name = leagues[i].Name
	}
	return out
}

func (c competition) side(side footy.Side) *competitor {
	i := slices.IndexFunc(c.Competitors, func(o competitor) bool { return o.Side == side && o.Team.ID != 0 })
	if i < 0 {
		return nil
	}
	return &c.Competitors[i]
}

func (c competitor) team() footy.Team {
	return footy.Team{ID: int64(c.Team.ID), Name: c.Team.Name, Logo: c.Team.Logo, Code: c.Team.Code}
}

func scoreOf(home, away competitor) (footy.Score, error) {
	h, err := strconv.Atoi(home.Score)
	if err != nil {
		return footy.Score{}, fmt.Errorf("score %q of the home team is no number", home.Score)
	}
	a, err := strconv.Atoi(away.Score)
	if err != nil {
		return footy.Score{}, fmt.Errorf("score %q of the away team is no number", away.Score)
	}
	return footy.ScoreOf(h, a), nil
}

// statuses are ours by ESPN's names. STATUS_IN_PROGRESS stands for either half, and a state of "post" for a match that was put off.
var statuses = map[string]string{
	"STATUS_SCHEDULED":         "NS",
	"STATUS_FIRST_HALF":        "1H",
	"STATUS_HALFTIME":          "HT",
	"STATUS_SECOND_HALF":       "2H",
	"STATUS_END_OF_REGULATION": "BT",
	"STATUS_OVERTIME":          "ET",
	"STATUS_HALFTIME_ET":       "BT",
	"STATUS_END_OF_EXTRATIME":  "BT",
	"STATUS_SHOOTOUT":          "P",
	"STATUS_FULL_TIME":         "FT",
	"STATUS_FINAL":             "FT",
}

// words are parts of names and what they say wherever they stand, first match first: ESPN invents names.
var words = []struct{ in, code string }{{"POSTPON", "PST"}, {"SUSPEN", "SUSP"}, {"ABANDON", "ABD"}, {"CANCEL", "CANC"}, {"FORFEIT", "AWD"}, {"AWARD", "AWD"},
	{"WALKOVER", "WO"}, {"DELAY", "INT"}, {"INTERRUPT", "INT"}, {"BREAK", "INT"}, {"FINAL_PEN", "PEN"}, {"FULL_PEN", "PEN"}, {"FINAL_AET", "AET"}}

// ours is the status in the words of footy. One that no table has keeps its name, and rests.
func (s status) ours() footy.Status {
	out := footy.Status{Code: s.code(), Long: s.Type.Text}
	if m := minute(s.Clock); m.Known() && !out.Pre() {
		out.Elapsed = &m.Elapsed
		if m.Extra > 0 {
			out.Extra = &m.Extra
		}
	}
	return out
}

// code weighs what the status says: that the match is completed ends it whatever its name, and no name ends a match that is not.
func (s status) code() string {
	name := strings.ToUpper(s.Type.Name)
	code := statuses[name]
	for _, w := range words {
		if code == "" && strings.Contains(name, w.in) {
			code = w.code
		}
	}
	is := footy.Status{Code: code}
	final := strings.Contains(name, "FINAL") && s.Type.State != "in" && s.Type.State != "pre"
	switch {
	case (s.Type.Completed || final) && !is.Terminal():
		return s.ending(name, is)
	case is.Terminal() && !s.Type.Completed && s.Type.State == "in": // a name of an end, and ESPN plays on
		if is.Info().Off {
			return "SUSP"
		}
		return "BT"
	case s.Type.State == "pre" && code != "PST" && !is.Terminal():
		return "NS" // a delayed start, too
	case code != "":
		return code
	case s.Type.State != "in":
		return s.Type.Name // after play and not completed, or no state at all: how it goes on is not said
	case strings.Contains(name, "END_"):
		if s.Period == 1 {
			return "HT"
		}
		return "BT"
	}
	return cmp.Or(map[int]string{1: "1H", 2: "2H", 3: "ET", 4: "ET", 5: "P"}[s.Period], "LIVE")
}

// ending is how a completed match ended whose name says something else, or nothing that is known.
func (s status) ending(name string, is footy.Status) string {
	switch {
	case is.Postponed():
		return "CANC"
	case is.Rests():
		return "ABD" // it was being played, and is not played on
	case s.Period >= 5 || strings.Contains(name, "_PEN") || strings.Contains(name, "SHOOTOUT"):
		return "PEN"
	case s.Period >= 3 || strings.Contains(name, "AET") || strings.Contains(name, "OVERTIME") || strings.Contains(name, "EXTRA"):
		return "AET"
	}
	return "FT"
}

var shown = regexp.MustCompile(`^(\d{1,3})'(?:\+(\d{1,2})')?$`)

// minute reads 9' and 45'+2', the only two forms that were ever seen; of any other it is unknown.
func minute(text string) (out footy.Minute) {
	if m := shown.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		out.Elapsed, _ = strconv.Atoi(m[1]) // digits
		out.Extra, _ = strconv.Atoi(m[2])   // digits, or nothing
	}
	return out
}

// ours is the event in the words of footy. How a goal was scored is left out: it changes between two answers.
func (d detail) ours(teams footy.Teams) (footy.FeedEvent, error) {
	out := footy.FeedEvent{Type: d.Type.Text, Minute: minute(d.Clock.Shown)}
	switch {
	case d.Shootout:
		out.Type, out.Detail, out.Comments = "Goal", "Penalty", "Penalty Shootout"
	case d.Scoring && d.Own:
		out.Type, out.Detail = "Goal", "Own Goal"
	case d.Scoring && d.Penalty:
		out.Type, out.Detail = "Goal", "Penalty"
	case d.Scoring:
		out.Type, out.Detail = "Goal", "Normal Goal"
	case d.Red:
		out.Type, out.Detail = "Card", "Red Card"
	case d.Yellow:
		out.Type, out.Detail = "Card", "Yellow Card"
	}
	out.Kind = footy.KindOf(out.Type, out.Detail, out.Comments)
	switch int64(d.Team.ID) {
	case teams.Home.ID:
		out.Team = teams.Home
	case teams.Away.ID:
		out.Team = teams.Away
	default:
		if d.Scoring {
			return out, fmt.Errorf("a goal of team %d, which does not play", d.Team.ID)
		}
	}
	if len(d.Athletes) > 0 {
		out.Player = footy.Person{ID: int64(d.Athletes[0].ID), Name: d.Athletes[0].Name}
	}
	return out, nil
}
