package apifootball_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/feed/feedtest"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// vendor is API-Football for a test.
type vendor struct {
	mu      sync.Mutex
	matches []footy.Snapshot
	omitted map[int64]bool
	silent  map[int64]bool
	single  bool
	how     feedtest.Failure
	calls   int
	headers http.Header
	script  []func(http.ResponseWriter) // one-off answers, first served first
	asked   []string
	slow    chan struct{} // the next answer waits for it
}

func newVendor(t *testing.T, timeout time.Duration) (*apifootball.Feed, *vendor) {
	t.Helper()
	v := &vendor{omitted: map[int64]bool{}, silent: map[int64]bool{}, headers: http.Header{}}
	srv := httptest.NewServer(v)
	t.Cleanup(srv.Close)
	return apifootball.New(apifootball.Options{BaseURL: srv.URL, Key: "secret", Timeout: timeout}, httpx.New(httpx.Options{})), v
}

func TestConformance(t *testing.T) {
	t.Parallel()
	feedtest.Run(t, func(t *testing.T) (feed.Feed, feedtest.Vendor) { return newVendor(t, 2*time.Second) })
}

func (v *vendor) Lists(s ...footy.Snapshot)  { v.lock(func() { v.matches = s }) }
func (v *vendor) Omits(id int64)             { v.lock(func() { v.omitted[id] = true }) }
func (v *vendor) Silent(id int64)            { v.lock(func() { v.silent[id] = true }) }
func (v *vendor) Single() bool               { v.lock(func() { v.single = true }); return true }
func (v *vendor) Fails(how feedtest.Failure) { v.lock(func() { v.how = how }) }
func (v *vendor) Recovers()                  { v.Fails("") }
func (v *vendor) Calls() (n int)             { v.lock(func() { n = v.calls }); return n }

func (v *vendor) lock(do func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	do()
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var wait chan struct{}
	v.lock(func() {
		if wait, v.slow = v.slow, nil; wait != nil {
			v.calls++
		}
	})
	if wait != nil {
		<-wait
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.calls++
	v.asked = append(v.asked, r.URL.RequestURI())
	for k, vals := range v.headers {
		w.Header()[k] = vals
	}
	if len(v.script) > 0 {
		next := v.script[0]
		v.script = v.script[1:]
		next(w)
		return
	}
	if r.Header.Get("x-apisports-key") != "secret" {
		fmt.Fprint(w, envelope(`{"token":"Error/Missing application key."}`))
		return
	}
	switch v.how {
	case feedtest.Down:
		w.WriteHeader(http.StatusBadGateway)
	case feedtest.Lying:
		fmt.Fprint(w, envelope(`{"bug":"This is on our side"}`))
	case feedtest.Refused:
		fmt.Fprint(w, envelope(`{"token":"Error/Missing application key."}`))
	case feedtest.Limited:
		fmt.Fprint(w, envelope(`{"rateLimit":"Too many requests. Your rate limit is 10 requests per minute."}`))
	case feedtest.Garbage:
		fmt.Fprint(w, `<html>`)
	case feedtest.Empty:
		fmt.Fprint(w, envelope(`[]`))
	default:
		if v.single && r.URL.Query().Has("ids") {
			fmt.Fprint(w, envelope(`{"plan":"Free plans do not have access to the Ids parameter."}`))
			return
		}
		fmt.Fprint(w, envelope(`[]`, v.pick(r)...))
	}
}

func (v *vendor) pick(r *http.Request) []string {
	var out []string
	q := r.URL.Query()
	ids, live := q.Get("ids")+q.Get("id"), q.Has("live")
	for _, s := range v.matches {
		named := false
		for _, w := range strings.Split(ids, "-") {
			named = named || w == strconv.FormatInt(s.Match.ID, 10)
		}
		if ids != "" && (!named || v.omitted[s.Match.ID]) || live && !s.Match.Status.InPlay() {
			continue
		}
		out = append(out, spell(s, (ids != "" || live) && !v.silent[s.Match.ID]))
	}
	return out
}

func envelope(errors string, fixtures ...string) string {
	return fmt.Sprintf(`{"get":"fixtures","parameters":[],"errors":%s,"results":%d,"paging":{"current":1,"total":1},"response":[%s]}`,
		errors, len(fixtures)+3, strings.Join(fixtures, ","))
}

// spell writes a fixture as the vendor does.
func spell(s footy.Snapshot, events bool) string {
	m := map[string]any{
		"fixture": map[string]any{"id": s.Match.ID, "date": s.Match.Kickoff.Format(time.RFC3339), "referee": nil, "periods": nil, "venue": map[string]any{"id": nil},
			"status": map[string]any{"short": s.Match.Status.Code, "long": "Second Half", "elapsed": s.Match.Status.Elapsed}},
		"league": map[string]any{"id": s.League.ID, "name": s.League.Name, "country": s.League.Country, "season": s.League.Season},
		"teams": map[string]any{"home": map[string]any{"id": s.Teams.Home.ID, "name": s.Teams.Home.Name, "winner": true},
			"away": map[string]any{"id": s.Teams.Away.ID, "name": s.Teams.Away.Name, "winner": false}},
		"goals": map[string]any{"home": s.Score.Home, "away": s.Score.Away},
		"score": map[string]any{"halftime": map[string]any{"home": 0, "away": 0}, "penalty": nil},
	}
	if events {
		list := []any{}
		for _, e := range s.Events {
			list = append(list, map[string]any{"time": map[string]any{"elapsed": e.Minute.Elapsed, "extra": nil}, "team": map[string]any{"id": e.Team.ID},
				"player": map[string]any{"id": e.Player.ID, "name": e.Player.Name}, "assist": map[string]any{"id": nil, "name": nil},
				"type": e.Type, "detail": e.Detail, "comments": nil})
		}
		m["events"] = list
	}
	data, _ := json.Marshal(m)
	return string(data)
}
