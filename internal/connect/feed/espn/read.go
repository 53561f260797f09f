// Package espn reads fixtures from ESPN's public scoreboard. It needs no key; nobody documents it, and it may change or end any day. What
// its answers look like was learned from recordings. Its ids are its own: they never mean a match, a team or a league of another feed.
package espn

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/network/loose"
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
	const op = "read scoreboard"
	answer, err := loose.Parse(body)
	switch events := answer.Get("events"); {
	case err != nil:
		return Scoreboard{}, footy.Errorf(footy.CodeUnavailable, op, "that is no scoreboard of ESPN: %w", err)
	case answer.Get("code").Int() != 0 || answer.Get("message").Text() != "":
		return Scoreboard{}, footy.Errorf(footy.CodeUnavailable, op, "ESPN refused: %s (%d)", answer.Get("message").Text(), answer.Get("code").Int())
	case !events.IsArray(): // a day without matches has an empty list
		return Scoreboard{}, footy.Errorf(footy.CodeUnavailable, op, "that is no scoreboard of ESPN: it has no list of events")
	}
	out := Scoreboard{Failed: map[int64]string{}}
	for i, e := range answer.Get("events").List() {
		id := e.Get("id").ID()
		if id == 0 {
			return Scoreboard{}, footy.Errorf(footy.CodeUnavailable, op, "match %d of the list has no id that can be read", i+1)
		}
		s, err := snapshot(e, answer.Get("leagues"), at)
		s.Said = json.RawMessage(e.Raw)
		if err != nil {
			out.Failed[id] = err.Error()
			continue
		}
		out.Snapshots = append(out.Snapshots, s)
	}
	return out, nil
}

// Parse implements feed.Feed.
func (f *Feed) Parse(said []byte, answered time.Time) (footy.Snapshot, error) {
	const op = "read what was said of a match"
	e, err := loose.Parse(said)
	if err != nil {
		return footy.Snapshot{}, footy.Wrap(footy.CodeInvalid, op, err)
	}
	s, err := snapshot(e, loose.Value{}, answered)
	s.Said = said
	if boards := e.Get("leagues").List(); len(boards) == 1 {
		s.League = byWord(boards[0].Get("slug").Text()).of(s)
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

var leagueOf = regexp.MustCompile(`(?:^|~)l:(\d+)(?:~|$)`)

func snapshot(e, leagues loose.Value, at time.Time) (footy.Snapshot, error) {
	competitions := e.Get("competitions").List()
	if len(competitions) != 1 {
		return footy.Snapshot{}, fmt.Errorf("a match is one competition, not %d", len(competitions))
	}
	c := competitions[0]
	home, away := side(c, footy.SideHome), side(c, footy.SideAway)
	if !home.Present() || !away.Present() {
		return footy.Snapshot{}, errors.New("match without its teams")
	}
	status := statusOf(c.Get("status"))
	if status.name == "" {
		return footy.Snapshot{}, errors.New("match without a status")
	}
	kickoff, err := time.Parse("2006-01-02T15:04Z07:00", e.Get("date").Text())
	if err != nil { // seconds were never seen, and would be no surprise
		kickoff, err = time.Parse(time.RFC3339, e.Get("date").Text())
	}
	if err != nil {
		return footy.Snapshot{}, fmt.Errorf("kickoff: %w", err)
	}
	s := footy.Snapshot{
		Answered: at,
		Match:    footy.Match{ID: e.Get("id").ID(), Kickoff: kickoff.UTC(), Venue: c.Get("venue", "fullName").Text(), Status: status.ours()},
		League:   league(e, leagues),
		Teams:    footy.Teams{Home: team(home), Away: team(away)},
		Periods:  footy.Periods{Penalty: footy.Score{Home: home.Get("shootoutScore").Count(), Away: away.Get("shootoutScore").Count()}},
	}
	s.League.Round = strings.TrimPrefix(strings.TrimPrefix(c.Get("altGameNote").Text(), s.League.Name), ", ") // "FIFA World Cup, Round of 32"
	if s.Match.Status.Code == "NS" && c.Get("timeValid").Type == gjson.False {
		s.Match.Status.Code = "TBD"
	}
	untold := s.Match.Status.Terminal() && home.Get("score").Text() == "" && away.Get("score").Text() == "" // of a match that was awarded, say
	if code := s.Match.Status.Code; !s.Match.Status.Pre() && code != "PST" && code != "CANC" && !untold {   // of those it shows 0-0
		if s.Score, err = scoreOf(home, away); err != nil {
			return s, err
		}
	}
	details := c.Get("details")
	switch {
	case !details.Present() && !s.Match.Status.Pre():
		return s, nil // no list is not an empty one
	case details.Present() && !details.IsArray():
		return s, errors.New("its goals and cards are no list")
	}
	s.Events, s.HasEvents = []footy.FeedEvent{}, true
	for _, d := range details.List() {
		f, err := event(d, s.Teams)
		if err != nil {
			return s, err
		}
		s.Events = append(s.Events, f)
	}
	return s, nil
}

// league is the match's: its number stands in the uid (s:600~l:<league>~e:<event>), since the list of several leagues names none.
func league(e, leagues loose.Value) footy.League {
	out := footy.League{Season: e.Get("season", "year").Int()}
	if m := leagueOf.FindStringSubmatch(e.Get("uid").Text()); m != nil {
		out.ID, _ = strconv.ParseInt(m[1], 10, 64) // digits; 0 where they are too many
	}
	for _, l := range leagues.List() {
		if l.Get("id").ID() == out.ID {
			out.Name = l.Get("name").Text()
		}
	}
	return out
}

// side is the competitor of a side; a missing value where it has no team.
func side(c loose.Value, side footy.Side) loose.Value {
	for _, o := range c.Get("competitors").List() {
		if o.Get("homeAway").Text() == string(side) && o.Get("team", "id").ID() != 0 {
			return o
		}
	}
	return loose.Value{}
}

func team(competitor loose.Value) footy.Team {
	t := competitor.Get("team")
	return footy.Team{ID: t.Get("id").ID(), Name: t.Get("displayName").Text(), Logo: t.Get("logo").Text(), Code: t.Get("abbreviation").Text()}
}

func scoreOf(home, away loose.Value) (footy.Score, error) {
	h, err := strconv.Atoi(home.Get("score").Text())
	if err != nil {
		return footy.Score{}, fmt.Errorf("score %q of the home team is no number", home.Get("score").Text())
	}
	a, err := strconv.Atoi(away.Get("score").Text())
	if err != nil {
		return footy.Score{}, fmt.Errorf("score %q of the away team is no number", away.Get("score").Text())
	}
	return footy.ScoreOf(h, a), nil
}

// status is that of a match in ESPN's words.
type status struct {
	clock, name, text string
	state             string // pre, in, post
	period            int
	completed         bool
}

func statusOf(v loose.Value) status {
	is := v.Get("type")
	return status{clock: v.Get("displayClock").Text(), period: v.Get("period").Int(), name: is.Get("name").Text(), state: is.Get("state").Text(),
		completed: is.Get("completed").Bool(), text: is.Get("description").Text()}
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
	out := footy.Status{Code: s.code(), Long: s.text}
	if m := minute(s.clock); m.Known() && !out.Pre() {
		out.Elapsed = &m.Elapsed
		if m.Extra > 0 {
			out.Extra = &m.Extra
		}
	}
	return out
}

// code weighs what the status says: that the match is completed ends it whatever its name, and no name ends a match that is not.
func (s status) code() string {
	name := strings.ToUpper(s.name)
	code := statuses[name]
	for _, w := range words {
		if code == "" && strings.Contains(name, w.in) {
			code = w.code
		}
	}
	is := footy.Status{Code: code}
	final := strings.Contains(name, "FINAL") && s.state != "in" && s.state != "pre"
	switch {
	case (s.completed || final) && !is.Terminal():
		return s.ending(name, is)
	case is.Terminal() && !s.completed && s.state == "in": // a name of an end, and ESPN plays on
		if is.Info().Off {
			return "SUSP"
		}
		return "BT"
	case s.state == "pre" && code != "PST" && !is.Terminal():
		return "NS" // a delayed start, too
	case code != "":
		return code
	case s.state != "in":
		return s.name // after play and not completed, or no state at all: how it goes on is not said
	case strings.Contains(name, "END_"):
		if s.period == 1 {
			return "HT"
		}
		return "BT"
	}
	return cmp.Or(map[int]string{1: "1H", 2: "2H", 3: "ET", 4: "ET", 5: "P"}[s.period], "LIVE")
}

// ending is how a completed match ended whose name says something else, or nothing that is known.
func (s status) ending(name string, is footy.Status) string {
	switch {
	case is.Postponed():
		return "CANC"
	case is.Rests():
		return "ABD" // it was being played, and is not played on
	case s.period >= 5 || strings.Contains(name, "_PEN") || strings.Contains(name, "SHOOTOUT"):
		return "PEN"
	case s.period >= 3 || strings.Contains(name, "AET") || strings.Contains(name, "OVERTIME") || strings.Contains(name, "EXTRA"):
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

// event is a goal, a card or a kick of the shoot-out in the words of footy. It has no id, and its minute and type may change hours after the match:
// how a goal was scored is left out. An own goal's team is the one that gets it.
func event(d loose.Value, teams footy.Teams) (footy.FeedEvent, error) {
	if !d.IsObject() {
		return footy.FeedEvent{}, errors.New("a goal or card cannot be read")
	}
	is := func(what string) bool { return d.Get(what).Bool() }
	out := footy.FeedEvent{Type: d.Get("type", "text").Text(), Minute: minute(d.Get("clock", "displayValue").Text())} // the seconds beside it stop at 45, 90 and 120 minutes
	switch {
	case is("shootout"):
		out.Type, out.Detail, out.Comments = "Goal", "Penalty", "Penalty Shootout"
	case is("scoringPlay") && is("ownGoal"):
		out.Type, out.Detail = "Goal", "Own Goal"
	case is("scoringPlay") && is("penaltyKick"):
		out.Type, out.Detail = "Goal", "Penalty"
	case is("scoringPlay"):
		out.Type, out.Detail = "Goal", "Normal Goal"
	case is("redCard"):
		out.Type, out.Detail = "Card", "Red Card"
	case is("yellowCard"):
		out.Type, out.Detail = "Card", "Yellow Card"
	}
	out.Kind = footy.KindOf(out.Type, out.Detail, out.Comments)
	switch id := d.Get("team", "id").ID(); id {
	case teams.Home.ID:
		out.Team = teams.Home
	case teams.Away.ID:
		out.Team = teams.Away
	default:
		if is("scoringPlay") {
			return out, fmt.Errorf("a goal of team %s, which does not play", d.Get("team", "id").Text())
		}
	}
	if who := d.Get("athletesInvolved").List(); len(who) > 0 { // may be missing
		out.Player = footy.Person{ID: who[0].Get("id").ID(), Name: who[0].Get("displayName").Text()}
	}
	return out, nil
}
