package apifootball

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

// Absent is why the poll of a fixture failed that was asked for and not answered.
const Absent = feed.Absent

// Collection is what a response holds: fixtures to trust and fixtures not to.
type Collection struct {
	good  map[int64]footy.Snapshot
	bad   map[int64]string
	said  map[int64]string // the entry of a good one
	order []int64
}

// Failure is a fixture whose poll failed.
type Failure struct {
	ID     int64
	Reason string
}

// Read reads every fixture of an envelope. A poll must list the events of each; day lists have none.
func Read(env Envelope, at time.Time, poll bool) Collection {
	c := Collection{good: make(map[int64]footy.Snapshot, len(env.Response)), bad: map[int64]string{}, said: map[int64]string{}}
	for _, raw := range env.Response {
		s, err := parse(raw, at)
		id := s.Match.ID
		if id <= 0 {
			continue
		}
		other, twice := c.good[id]
		if !twice && c.bad[id] == "" {
			c.order = append(c.order, id)
		}
		switch {
		case err != nil:
			c.fail(id, err.Error())
		case poll && !s.HasEvents:
			c.fail(id, "no events list")
		case c.bad[id] != "":
		case twice && !reflect.DeepEqual(other, s):
			c.fail(id, "listed twice, differently")
		default:
			c.good[id], c.said[id] = s, raw
		}
	}
	return c
}

func (c Collection) fail(id int64, why string) {
	delete(c.good, id)
	c.bad[id] = why
}

// polled is a fixture to trust, with what was said of it.
func (c Collection) polled(id int64) (footy.Snapshot, bool) {
	s, ok := c.good[id]
	s.Said = json.RawMessage(c.said[id])
	return s, ok
}

// unread are the parts of an answer that nothing reads, and most of its bytes.
var unread = []string{"lineups", "players", "statistics"}

// Parse implements feed.Feed.
func (f *Feed) Parse(said []byte, answered time.Time) (footy.Snapshot, error) {
	s, err := parse(string(said), answered)
	s.Said = said
	return s, footy.Wrap(footy.CodeInvalid, "read what was said of a fixture", err)
}

// WithIDs implements feed.Feed. Line-ups, players and statistics are left out.
func (f *Feed) WithIDs(said []byte, ids []string) (json.RawMessage, error) {
	o, err := feed.Object(said)
	if err != nil {
		return nil, err
	}
	for _, name := range unread {
		delete(o, name)
	}
	events, _ := o["events"].([]any) // an object with numbers for keys keeps them
	feed.SetIDs(events, ids)
	return json.Marshal(o)
}

// All returns the fixtures to trust and why the others are not, in the order of the response.
func (c Collection) All() (snapshots []footy.Snapshot, failed []Failure) {
	for _, id := range c.order {
		if s, ok := c.good[id]; ok {
			snapshots = append(snapshots, s)
		} else {
			failed = append(failed, Failure{id, c.bad[id]})
		}
	}
	return snapshots, failed
}

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
	case !st.IsObject() && !st.IsArray(): // an empty one leaves what is known
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

// Envelope is a response's body, opened: the fixtures as they lie in it. HTTP 200 can carry failure, so it is opened
// with suspicion.
type Envelope struct {
	Parameters map[string]string
	Response   []string // JSON of one entry each
}

// Open reads an envelope. Only an empty errors list (or object) is success; a missing one is not.
func Open(body []byte, now time.Time) (Envelope, error) {
	const op = "read answer"
	if !json.Valid(body) { // everything below takes valid JSON for granted
		return Envelope{}, footy.Wrap(footy.CodeUnavailable, op, json.Unmarshal(body, new(json.RawMessage)))
	}
	root := gjson.ParseBytes(body)
	e := Envelope{Parameters: map[string]string{}}
	if p := root.Get("parameters"); p.IsObject() { // [] where there are none
		p.ForEach(func(k, v gjson.Result) bool { e.Parameters[k.String()] = text(v); return true })
	}
	if err := complaint(root.Get("errors"), now); err != nil {
		return e, err
	}
	entries, known := list(root.Get("response"))
	if !known {
		return e, footy.Errorf(footy.CodeUnavailable, op, "the envelope holds no response list")
	}
	for _, v := range entries {
		e.Response = append(e.Response, v.Raw)
	}
	return e, nil
}

// Asked returns the ids a response was asked for, in order; none for lists.
func (e Envelope) Asked() []int64 {
	var out []int64
	for _, w := range strings.Split(e.Parameters["ids"]+"-"+e.Parameters["id"], "-") {
		if id, err := strconv.ParseInt(w, 10, 64); err == nil && id > 0 {
			out = append(out, id)
		}
	}
	return out
}

// complaint reads the errors field: an object, a list of strings, an empty one of either, or missing.
func complaint(errors gjson.Result, now time.Time) (err error) {
	if !errors.IsObject() && !errors.IsArray() {
		if said := text(errors); said != "" {
			return translate("error", said, now)
		}
		return footy.Errorf(footy.CodeUnavailable, "read answer", "the envelope does not say whether it failed")
	}
	errors.ForEach(func(k, v gjson.Result) bool {
		said := cmp.Or(text(v), v.Raw)
		err = translate(k.String(), said, now)
		return false // the first says enough
	})
	return err
}

// translate gives a vendor's complaint its code. Unknown ones are "could not look".
func translate(key, said string, now time.Time) error {
	e := footy.Errorf(footy.CodeUnavailable, "", "%s: %s", key, said)
	low := strings.ToLower(said)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(low, w) {
				return true
			}
		}
		return false
	}
	switch { // a refusal of the plan, a spent day and a wrong key look alike but for the key, so it goes before the words
	case key == "plan":
		e.Code = footy.CodeNotInPlan
	case key == "requests" || has("request limit for the day"):
		e.Code, e.RetryAfter, e.Err = footy.CodeRateLimited, lifecycle.Midnight(now).Sub(now), feed.ErrDaySpent
	case key == "rateLimit" || has("too many requests", "rate limit"):
		e.Code, e.RetryAfter, e.Err = footy.CodeRateLimited, time.Minute, fmt.Errorf("the plan's calls of this minute are used up (%s)", said)
	case key == "token" || key == "access" || has("application key", "api key", "suspended", "subscription"):
		e.Code, e.Err = footy.CodeAuthRequired, fmt.Errorf("the key is refused (%s: %s)", key, said)
	case has("plans do not have access", "plan does not have access"):
		e.Code = footy.CodeNotInPlan
	case key == "bug" || key == "report" || key == "server" || key == "error":
	case key == "required" || has("field", "parameter", "plan"):
		e.Code = footy.CodeInvalid
	}
	return e
}

// The vendor's JSON tolerates no schema: every field may be null, absent or of the wrong shape. An empty PHP array arrives as []
// where an object belongs, numbers arrive as text. What must be there is checked afterwards, in one place.

// list is an array, or what an array becomes whose keys have gaps: an object with numbers for keys. An empty object says
// nothing.
func list(r gjson.Result) (items []gjson.Result, known bool) {
	if r.IsArray() {
		return r.Array(), true
	}
	known = r.IsObject()
	r.ForEach(func(k, v gjson.Result) bool {
		_, err := strconv.Atoi(k.String())
		known = known && err == nil
		items = append(items, v)
		return known
	})
	return items, known && len(items) > 0
}

// text is a string, or a number as it is written; "" for everything else.
func text(r gjson.Result) string {
	if r.Type == gjson.String || r.Type == gjson.Number {
		return strings.TrimSpace(r.String())
	}
	return ""
}

// number is an integer that may be written as text or as a float.
func number(r gjson.Result) (n int64, known bool) {
	if r.Type != gjson.String && r.Type != gjson.Number {
		return 0, false
	}
	s := strings.TrimPrefix(strings.TrimSpace(r.String()), "+")
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && f == float64(int64(f)) {
		return int64(f), true
	}
	return 0, false
}

// id is a positive number, 0 where there is none.
func id(r gjson.Result) int64 {
	n, _ := number(r)
	return max(0, n)
}

// small is a count of minutes or goals; nil where unknown or absurd.
func small(r gjson.Result) *int {
	n, known := number(r)
	if !known || n < 0 || n > 1000 {
		return nil
	}
	i := int(n)
	return &i
}
