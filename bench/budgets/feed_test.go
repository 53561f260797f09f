package budgets_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Feed simulates API-Football for any number of live matches: two goals and six other events each, and what a test
// adds. It is an http.Handler.
type Feed struct {
	mu      sync.Mutex
	calls   int
	spent   int // of the plan
	kickoff string
	minute  int            // of every match's clock
	third   map[int64]bool // matches whose third goal fell
	waiting int64          // matches from this id on have not begun; 0 = all have
	later   string         // their kickoff
	known   []int64        // what there is: a list of what is under way is asked for without ids
}

// plan is more than a thousand matches need that are polled without a pause: fifty calls each time.
const plan = 150_000_000

// NewFeed makes one whose matches began 90 minutes ago and whose clocks show 70.
func NewFeed() *Feed {
	began := time.Now().UTC().Add(-90 * time.Minute).Truncate(time.Minute)
	return &Feed{kickoff: began.Format(time.RFC3339), minute: 70, third: map[int64]bool{}}
}

// Tick moves every clock on.
func (f *Feed) Tick(minutes int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.minute += minutes
}

// Goal adds a goal to a match.
func (f *Feed) Goal(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.third[id] = true
}

// Wait lets matches from an id on wait for their kickoff.
func (f *Feed) Wait(from int64, kickoff time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting, f.later = from, kickoff.UTC().Format(time.RFC3339)
}

// Calls returns the calls since the last Calls.
func (f *Feed) Calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.calls
	f.calls = 0
	return n
}

func (f *Feed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.calls++
	f.spent++
	left := plan - f.spent
	f.mu.Unlock()
	var ids []int64
	q := r.URL.Query()
	if q.Has("live") {
		ids = f.underWay()
	}
	for word := range strings.SplitSeq(q.Get("ids")+q.Get("id"), "-") {
		if id, err := strconv.ParseInt(word, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("x-ratelimit-requests-limit", strconv.Itoa(plan))
	h.Set("x-ratelimit-requests-remaining", strconv.Itoa(left))
	h.Set("X-RateLimit-Limit", "1200")
	h.Set("X-RateLimit-Remaining", "1100")
	_, _ = w.Write(f.Answer(ids)) // the client went away
}

func (f *Feed) underWay() (out []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range f.known {
		if f.waiting == 0 || id < f.waiting {
			out = append(out, id)
		}
	}
	return out
}

// Know adds a match to the list of what is under way.
func (f *Feed) Know(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known = append(f.known, id)
}

// Answer is the body of one call about some matches.
func (f *Feed) Answer(ids []int64) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = f.match(id)
	}
	return fmt.Appendf(nil, `{"get":"fixtures","parameters":{"ids":"n"},"errors":[],"results":%d,"paging":{"current":1,"total":1},"response":[%s]}`,
		len(list), strings.Join(list, ","))
}

func (f *Feed) match(id int64) string {
	if f.waiting > 0 && id >= f.waiting {
		return spell(id, f.later, notBegun, "null", "null") + `,"events":[]}`
	}
	home, away := 2*id, 2*id+1
	events := []string{goal(12, home, 7, "A. Striker"), goal(55, away, 9, "B. Winger")}
	for i := range 4 {
		events = append(events, event(20+i, home, 20+i, "Carded", "Card", "Yellow Card"))
	}
	for i := range 2 {
		events = append(events, event(60+i, away, 30+i, "Fresh", "subst", fmt.Sprintf("Substitution %d", i+1)))
	}
	score := 1
	if f.third[id] {
		events = append(events, goal(69, home, 11, "C. Forward"))
		score = 2
	}
	return spell(id, f.kickoff, fmt.Sprintf(`{"long":"Second Half","short":"2H","elapsed":%d,"extra":null}`, f.minute), strconv.Itoa(score), "1") +
		`,"events":[` + strings.Join(events, ",") + `]}`
}

const notBegun = `{"long":"Not Started","short":"NS","elapsed":null,"extra":null}`

// Day is the body of a day list of n fixtures that have not begun.
func Day(n int) []byte {
	list := make([]string, n)
	for i := range list {
		list[i] = spell(int64(1000+i), "2026-03-07T15:00:00+00:00", notBegun, "null", "null") + "}"
	}
	return fmt.Appendf(nil, `{"get":"fixtures","parameters":{"date":"2026-03-07"},"errors":[],"results":%d,"paging":{"current":1,"total":1},"response":[%s]}`,
		n, strings.Join(list, ","))
}

// spell is a fixture without its events and its closing brace.
func spell(id int64, kickoff, status, home, away string) string {
	const logo = "https://media.api-sports.io/football/teams/%d.png"
	team := func(id int64) string {
		return fmt.Sprintf(`{"id":%d,"name":"Team %d","logo":"`+logo+`","winner":null}`, id, id, id)
	}
	return fmt.Sprintf(`{"fixture":{"id":%d,"referee":"A. Referee","timezone":"UTC","date":%q,"timestamp":1772895600,"periods":{"first":null,"second":null},`+
		`"venue":{"id":556,"name":"The Ground","city":"The Town"},"status":%s},"league":{"id":39,"name":"Premier League","country":"England",`+
		`"logo":"https://media.api-sports.io/football/leagues/39.png","flag":"https://media.api-sports.io/flags/gb.svg","season":2025,"round":"Regular Season - 28"},`+
		`"teams":{"home":%s,"away":%s},"goals":{"home":%s,"away":%s},"score":{"halftime":{"home":null,"away":null},"fulltime":{"home":null,"away":null},`+
		`"extratime":{"home":null,"away":null},"penalty":{"home":null,"away":null}}`, id, kickoff, status, team(2*id), team(2*id+1), home, away)
}

func goal(minute int, team int64, player int, name string) string {
	return event(minute, team, player, name, "Goal", "Normal Goal")
}

func event(minute int, team int64, player int, name, kind, detail string) string {
	return fmt.Sprintf(`{"time":{"elapsed":%d,"extra":null},"team":{"id":%d,"name":"Team %d"},"player":{"id":%d,"name":%q},`+
		`"assist":{"id":null,"name":null},"type":%q,"detail":%q,"comments":null}`, minute, team, team, player, name, kind, detail)
}
