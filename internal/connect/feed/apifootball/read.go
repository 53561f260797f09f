package apifootball

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/network/loose"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

// Absent is why the poll of a fixture failed that was asked for and not answered.
const Absent = feed.Absent

// Collection is the fixtures of a response, each once.
type Collection []entry

type entry struct {
	footy.Snapshot
	raw     string
	failure string // why it is not to be trusted; "" = it is
}

// Failure is a fixture whose poll failed.
type Failure struct {
	ID     int64
	Reason string
}

// Read reads every fixture of an envelope. A poll must list the events of each; day lists have none.
func Read(env Envelope, at time.Time, poll bool) (c Collection) {
	place := make(map[int64]int, len(env.Response))
	for _, raw := range env.Response {
		s, err := parse(raw, at)
		if s.Match.ID <= 0 {
			continue
		}
		is := entry{Snapshot: s, raw: raw}
		switch {
		case err != nil:
			is.failure = err.Error()
		case poll && !s.HasEvents:
			is.failure = "no events list"
		}
		i, twice := place[s.Match.ID]
		switch {
		case !twice:
			place[s.Match.ID], c = len(c), append(c, is)
		case c[i].failure == "" && (is.failure != "" || !reflect.DeepEqual(c[i].Snapshot, s)):
			c[i].failure = cmp.Or(is.failure, "listed twice, differently")
		}
	}
	return c
}

// polled is a fixture to trust, with what was said of it; else why there is none.
func (c Collection) polled(id int64) (s footy.Snapshot, why string) {
	i := slices.IndexFunc(c, func(e entry) bool { return e.Match.ID == id })
	if i < 0 {
		return s, Absent
	}
	s = c[i].Snapshot
	s.Said = json.RawMessage(c[i].raw)
	return s, c[i].failure
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
	for _, e := range c {
		if e.failure == "" {
			snapshots = append(snapshots, e.Snapshot)
		} else {
			failed = append(failed, Failure{e.Match.ID, e.failure})
		}
	}
	return snapshots, failed
}

// parse reads one fixture of a response. A fixture without id, teams or status says nothing that could be trusted.
func parse(raw string, at time.Time) (s footy.Snapshot, err error) {
	root := loose.Value{Result: gjson.Parse(raw)}
	m, l, t, p := root.Get("fixture"), root.Get("league"), root.Get("teams"), root.Get("score")
	st := m.Get("status")
	s = footy.Snapshot{
		Answered: at,
		Match: footy.Match{
			ID: m.Get("id").ID(), Kickoff: kickoff(m), Timezone: m.Get("timezone").Text(), Referee: m.Get("referee").Text(),
			Venue: m.Get("venue", "name").Text(),
			Status: footy.Status{Code: st.Get("short").Text(), Long: st.Get("long").Text(), Elapsed: st.Get("elapsed").Count(),
				Extra: st.Get("extra").Count()},
		},
		League: footy.League{ID: l.Get("id").ID(), Name: l.Get("name").Text(), Country: l.Get("country").Text(), Logo: l.Get("logo").Text(),
			Season: l.Get("season").Int(), Round: l.Get("round").Text()},
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
func events(v loose.Value) ([]footy.FeedEvent, bool, error) {
	items, known := list(v)
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

func event(e loose.Value) footy.FeedEvent {
	out := footy.FeedEvent{
		Team: team(e.Get("team")), Player: person(e.Get("player")), Assist: person(e.Get("assist")),
		Type: e.Get("type").Text(), Detail: e.Get("detail").Text(), Comments: e.Get("comments").Text(),
	}
	out.Kind = footy.KindOf(out.Type, out.Detail, out.Comments)
	if n := e.Get("time", "elapsed").Count(); n != nil {
		out.Minute.Elapsed = *n
	}
	if n := e.Get("time", "extra").Count(); n != nil {
		out.Minute.Extra = *n
	}
	return out
}

func kickoff(m loose.Value) time.Time {
	if t, err := time.Parse(time.RFC3339, m.Get("date").Text()); err == nil {
		return t.UTC()
	}
	if n := m.Get("timestamp").ID(); n > 0 {
		return time.Unix(n, 0).UTC()
	}
	return time.Time{}
}

func team(v loose.Value) footy.Team {
	return footy.Team{ID: v.Get("id").ID(), Name: v.Get("name").Text(), Logo: v.Get("logo").Text()}
}

func person(v loose.Value) footy.Person {
	return footy.Person{ID: v.Get("id").ID(), Name: v.Get("name").Text()}
}

func score(v loose.Value) footy.Score {
	return footy.Score{Home: v.Get("home").Count(), Away: v.Get("away").Count()}
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
	root, err := loose.Parse(body)
	if err != nil {
		return Envelope{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	e := Envelope{Parameters: map[string]string{}}
	if p := root.Get("parameters"); p.IsObject() { // [] where there are none
		p.ForEach(func(k, v gjson.Result) bool { e.Parameters[k.String()] = loose.Value{Result: v}.Text(); return true })
	}
	if err := complaint(root, now); err != nil {
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

// complaint reads the errors field of an answer: an object, a list of strings, an empty one of either, or missing.
func complaint(answer loose.Value, now time.Time) (err error) {
	errors := answer.Get("errors")
	if !errors.IsObject() && !errors.IsArray() {
		if said := errors.Text(); said != "" {
			return translate("error", said, now)
		}
		return footy.Errorf(footy.CodeUnavailable, "read answer", "the envelope does not say whether it failed")
	}
	errors.ForEach(func(k, v gjson.Result) bool {
		err = translate(k.String(), cmp.Or(loose.Value{Result: v}.Text(), v.Raw), now)
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

// list is an array, or what an array becomes whose keys have gaps: an object with numbers for keys. An empty object says
// nothing.
func list(v loose.Value) (items []loose.Value, known bool) {
	if v.IsArray() {
		return v.List(), true
	}
	known = v.IsObject()
	v.ForEach(func(k, item gjson.Result) bool {
		_, err := strconv.Atoi(k.String())
		known = known && err == nil
		items = append(items, loose.Value{Result: item})
		return known
	})
	return items, known && len(items) > 0
}
