package espn_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/espn"
	"github.com/found-footy/found-footy/internal/connect/feed/feedtest"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// vendor is a stand-in for ESPN: it knows one league, eng.1, whatever the league of the matches says.
type vendor struct {
	mu              sync.Mutex
	matches         []footy.Snapshot
	omitted, silent map[int64]bool
	how             feedtest.Failure
	asked           []string
	broken          string // a league that answers 500
	status          string // of matches under way; "" = STATUS_IN_PROGRESS
	etag            string // the answer's; whoever has it gets 304
	now             time.Time
}

func (v *vendor) Lists(s ...footy.Snapshot)  { v.lock(func() { v.matches = append(v.matches, s...) }) }
func (v *vendor) Omits(id int64)             { v.lock(func() { v.omitted[id] = true }) }
func (v *vendor) Silent(id int64)            { v.lock(func() { v.silent[id] = true }) }
func (v *vendor) Single() bool               { return false }
func (v *vendor) Fails(how feedtest.Failure) { v.lock(func() { v.how = how }) }
func (v *vendor) Recovers()                  { v.lock(func() { v.how = "" }) }
func (v *vendor) Calls() (n int)             { v.lock(func() { n = len(v.asked) }); return n }
func (v *vendor) clock() (now time.Time)     { v.lock(func() { now = v.now }); return now }
func (v *vendor) passes(d time.Duration)     { v.lock(func() { v.now = v.now.Add(d) }) }
func (v *vendor) lock(do func())             { v.mu.Lock(); defer v.mu.Unlock(); do() }
func (v *vendor) path(league, d string) string {
	return "/apis/site/v2/sports/soccer/" + league + "/scoreboard?dates=" + d + "&limit=200"
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.asked = append(v.asked, r.URL.RequestURI())
	switch v.how {
	case feedtest.Down:
		w.WriteHeader(http.StatusBadGateway)
		return
	case feedtest.Lying:
		fmt.Fprint(w, `{"code":500,"message":"Failed to get events endpoint."}`)
		return
	case feedtest.Refused:
		w.WriteHeader(http.StatusForbidden)
		return
	case feedtest.Limited:
		w.Header().Set("Retry-After", "40")
		w.WriteHeader(http.StatusTooManyRequests)
		return
	case feedtest.Garbage:
		fmt.Fprint(w, "<html>")
		return
	}
	day := r.URL.Query().Get("dates")
	if v.broken != "" && r.URL.RequestURI() == v.path(v.broken, day) {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if r.URL.RequestURI() != v.path("eng.1", day) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"code":400,"message":"Failed to get events endpoint."}`)
		return
	}
	if v.etag != "" {
		w.Header().Set("ETag", v.etag)
		if r.Header.Get("If-None-Match") == v.etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	events := []any{}
	for _, s := range v.matches {
		if v.how != feedtest.Empty && !v.omitted[s.Match.ID] && s.Match.Kickoff.Format("20060102")[:len(day)] == day {
			events = append(events, spell(s, !v.silent[s.Match.ID], v.status))
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"leagues": []any{map[string]any{"id": "700", "name": "English Premier League", "slug": "eng.1"}}, "events": events})
}

// spell writes a match as ESPN does.
func spell(s footy.Snapshot, events bool, status string) any {
	text := func(id int64) string { return strconv.FormatInt(id, 10) }
	side := func(where string, t footy.Team, score *int) any {
		return map[string]any{"homeAway": where, "score": strconv.Itoa(*score), "team": map[string]any{"id": text(t.ID), "displayName": t.Name}}
	}
	name, state := cmp.Or(status, "STATUS_IN_PROGRESS"), "in"
	if status == "STATUS_OF_TOMORROW" || status == "STATUS_POSTPONED" {
		state = "post"
	}
	if s.Match.Status.Terminal() {
		name, state = "STATUS_FULL_TIME", "post"
	}
	c := map[string]any{"competitors": []any{side("home", s.Teams.Home, s.Score.Home), side("away", s.Teams.Away, s.Score.Away)},
		"status": map[string]any{"displayClock": fmt.Sprintf("%d'", *s.Match.Status.Elapsed), "period": 2, "type": map[string]any{"name": name, "state": state}}}
	if events {
		details := []any{}
		for _, e := range s.Events {
			details = append(details, map[string]any{"type": map[string]any{"text": "Goal"}, "clock": map[string]any{"displayValue": fmt.Sprintf("%d'", e.Minute.Elapsed)},
				"team": map[string]any{"id": text(e.Team.ID)}, "scoringPlay": true,
				"athletesInvolved": []any{map[string]any{"id": text(e.Player.ID), "displayName": e.Player.Name}}})
		}
		c["details"] = details
	}
	return map[string]any{"id": text(s.Match.ID), "uid": "s:600~l:700~e:" + text(s.Match.ID), "date": s.Match.Kickoff.Format("2006-01-02T15:04Z"), "competitions": []any{c}}
}

// start is a feed that follows leagues, at four in the afternoon of the day of feedtest's matches.
func start(t *testing.T, leagues ...string) (*espn.Feed, *vendor) {
	t.Helper()
	v := &vendor{omitted: map[int64]bool{}, silent: map[int64]bool{}, now: feedtest.Match(1, 0).Match.Kickoff.Add(time.Hour)}
	srv := httptest.NewServer(v)
	t.Cleanup(srv.Close)
	follows := func(context.Context) ([]string, error) { return leagues, nil }
	return espn.New(espn.Options{BaseURL: srv.URL, Leagues: follows, Now: v.clock}, httpx.New(httpx.Options{})), v
}

func TestFeed(t *testing.T) {
	t.Parallel()
	feedtest.Run(t, func(t *testing.T) (feed.Feed, feedtest.Vendor) { t.Helper(); return start(t, "eng.1") })
}

func ids(a feed.Answer) (out []int64) {
	for _, s := range a.Snapshots {
		out = append(out, s.Match.ID)
	}
	return out
}

func TestALeagueIsAskedForWhenItCanHaveNews(t *testing.T) {
	t.Parallel()
	f, v := start(t, "eng.1")
	m := feedtest.Match(1, 0)
	m.Match.Status.Code = "FT"
	later := feedtest.Match(2, 0)
	later.Match.Kickoff = m.Match.Kickoff.Add(3 * time.Hour)
	later.Match.Status.Code = "FT" // which is how the stand-in says that nothing moves
	v.Lists(m, later)
	poll := func() int {
		t.Helper()
		before := v.Calls()
		a, err := f.ByIDs(context.Background(), []int64{1, 2})
		require.NoError(t, err)
		require.Equal(t, []int64{1, 2}, ids(a))
		return v.Calls() - before
	}
	require.Equal(t, 2, poll(), "its day, and tomorrow's, are looked through for matches that are not known yet")
	v.passes(59 * time.Minute)
	require.Zero(t, poll(), "nothing is under way")
	v.passes(2 * time.Minute)
	require.Equal(t, 1, poll(), "an hour has passed")
	v.lock(func() { v.matches[1] = feedtest.Match(2, 1) })
	v.passes(time.Hour)
	require.Equal(t, 1, poll())
	require.Zero(t, poll(), "both matches of the next call share the answer")
	v.passes(9 * time.Second)
	require.Zero(t, poll())
	v.passes(5 * time.Second)
	require.Equal(t, 1, poll(), "a match is under way: looks that are 15 s apart, one a little late, are each answered anew")
	v.lock(func() { v.matches[1] = later })
	v.passes(15 * time.Second)
	require.Equal(t, 1, poll())
	v.passes(15 * time.Second)
	require.Equal(t, 1, poll(), "what has just ended is still corrected")
	v.passes(30 * time.Minute)
	require.Equal(t, 1, poll())
	v.passes(30 * time.Minute)
	require.Zero(t, poll())
}

func TestABoardThatDidNotChangeIsAnAnswer(t *testing.T) {
	t.Parallel()
	f, v := start(t, "eng.1")
	v.Lists(feedtest.Match(1, 1))
	v.lock(func() { v.etag = `"one"` })
	first, err := f.ByIDs(context.Background(), []int64{1})
	require.NoError(t, err)
	v.passes(30 * time.Second)
	second, err := f.ByIDs(context.Background(), []int64{1})
	require.NoError(t, err)
	require.Equal(t, 30*time.Second, second.Snapshots[0].Answered.Sub(first.Snapshots[0].Answered), "it is an answer of now")
	require.Equal(t, first.Snapshots[0].Events, second.Snapshots[0].Events)
}

func TestALeagueWithoutABoardHasNoMatches(t *testing.T) {
	t.Parallel()
	f, v := start(t, "eng.1", "uefa.euro")
	v.Lists(feedtest.Match(1, 1))
	day, err := f.Day(context.Background(), v.clock())
	require.NoError(t, err)
	require.Len(t, day, 1)
	require.Equal(t, "Premier League", day[0].League.Name)
	require.Equal(t, "England", day[0].League.Country)

	f, _ = start(t, "uefa.euro")
	_, err = f.Day(context.Background(), v.clock())
	require.Error(t, err, "nothing answered")
}

func TestALeagueThatFailsHidesNoOther(t *testing.T) {
	t.Parallel()
	f, v := start(t, "eng.1", "esp.1")
	v.Lists(feedtest.Match(1, 1))
	v.lock(func() { v.broken = "esp.1" })
	a, err := f.ByIDs(context.Background(), []int64{1})
	require.NoError(t, err)
	require.Equal(t, []int64{1}, ids(a))
	_, err = f.Day(context.Background(), v.clock())
	require.Error(t, err, "a list that lacks a league is no list")
}

func TestAMatchOfTheEveningInAmericaIsFoundOnTheBoardOfTheDayBefore(t *testing.T) {
	t.Parallel()
	f, v := start(t, "eng.1")
	late := feedtest.Match(1, 1)
	v.Lists(late)
	v.passes(11 * time.Hour) // three in the morning
	a, err := f.ByIDs(context.Background(), []int64{1})
	require.NoError(t, err)
	require.Equal(t, []int64{1}, ids(a))
}

// TestAMatchThatIsNotOverIsFoundWhateverTheHour: suspended matches rest for days, and we may be started anew meanwhile.
func TestAMatchThatIsNotOverIsFoundWhateverTheHour(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, 11 * time.Hour, 20 * time.Hour, 26 * time.Hour, 4 * 24 * time.Hour, 6 * 24 * time.Hour} {
		f, v := start(t, "eng.1")
		v.Lists(feedtest.Match(1, 1))
		v.passes(after)
		a, err := f.ByIDs(context.Background(), []int64{1})
		require.NoError(t, err)
		require.Equal(t, []int64{1}, ids(a), "%s after its kickoff", after)
		v.passes(10 * time.Second)
		before := v.Calls()
		_, err = f.ByIDs(context.Background(), []int64{1})
		require.NoError(t, err)
		require.Equal(t, before+1, v.Calls(), "its own board is asked from then on")
	}
}

func TestAMatchThatRestsIsAskedForSeldom(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"STATUS_SUSPENDED", "STATUS_DELAYED", "STATUS_OF_TOMORROW", "STATUS_POSTPONED"} {
		f, v := start(t, "eng.1")
		v.Lists(feedtest.Match(1, 1))
		v.lock(func() { v.status = status })
		v.passes(4 * time.Hour)
		for range 3 { // the first time it is found
			_, err := f.ByIDs(context.Background(), []int64{1})
			require.NoError(t, err)
			v.passes(9 * time.Minute)
		}
		before := v.Calls()
		v.passes(6 * time.Minute)
		a, err := f.ByIDs(context.Background(), []int64{1})
		require.NoError(t, err)
		require.Equal(t, []int64{1}, ids(a))
		require.Equal(t, before+1, v.Calls(), "%s: each look of the monitor gets an answer of its own", status)
	}
}

// TestAMatchThatIsOverNeedsNoList: of one that was awarded ESPN may list nothing.
func TestAMatchThatIsOverNeedsNoList(t *testing.T) {
	t.Parallel()
	f, v := start(t, "eng.1")
	m := feedtest.Match(1, 1)
	m.Match.Status.Code = "FT"
	v.Lists(m)
	v.Silent(1)
	a, err := f.ByIDs(context.Background(), []int64{1})
	require.NoError(t, err)
	require.Equal(t, []int64{1}, ids(a))
	require.False(t, a.Snapshots[0].HasEvents, "no list is not an empty one")
}

func TestARefusalNamesWhoAsked(t *testing.T) {
	t.Parallel()
	const agent = "found-footy/1.2 (+https://example.org)"
	heard := ""
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard = r.UserAgent()
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(srv.Close)
	f := espn.New(espn.Options{BaseURL: srv.URL, Agent: agent, Leagues: func(context.Context) ([]string, error) { return []string{"eng.1"}, nil }}, httpx.New(httpx.Options{}))
	_, err := f.Account(context.Background())
	require.Equal(t, footy.CodeAuthRequired, footy.CodeOf(err))
	require.ErrorContains(t, err, `refuses the user agent "`+agent+`"`)
	require.Equal(t, agent, heard)
}

func TestAMatchThatWasPutOffIsFoundAtItsNewDate(t *testing.T) {
	t.Parallel()
	f, v := start(t, "eng.1")
	m := feedtest.Match(1, 0)
	v.Lists(m)
	_, err := f.ByIDs(context.Background(), []int64{1})
	require.NoError(t, err)
	v.passes(time.Minute)
	v.lock(func() { v.matches[0].Match.Kickoff = m.Match.Kickoff.AddDate(0, 1, 3) })
	a, err := f.ByIDs(context.Background(), []int64{1})
	require.NoError(t, err)
	require.Empty(t, a.Failed)
	require.Equal(t, m.Match.Kickoff.AddDate(0, 1, 3), a.Snapshots[0].Match.Kickoff)
}

// TestWhereNoBoardAnswersTheRestIsNotAskedFor: a team is looked for on some fifty.
func TestWhereNoBoardAnswersTheRestIsNotAskedFor(t *testing.T) {
	t.Parallel()
	f, v := start(t, "eng.1")
	v.Fails(feedtest.Down)
	_, err := f.Find(context.Background(), feed.Team, "arsenal")
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.LessOrEqual(t, v.Calls(), 8)
}

func TestACallerThatGivesUpSaysNothingAboutTheFeed(t *testing.T) {
	f, v := start(t, "eng.1", "esp.1")
	gone, leave := context.WithCancel(t.Context())
	leave()
	for range 5 {
		_, err := f.Day(gone, v.clock())
		require.ErrorIs(t, err, context.Canceled)
	}
	_, err := f.Day(t.Context(), v.clock())
	require.NoError(t, err)
}

func TestLeaguesAndTeamsAreFoundByName(t *testing.T) {
	t.Parallel()
	f, v := start(t, "eng.1")
	v.Lists(feedtest.Match(1, 1))
	named := func(name string) (out []string) {
		t.Helper()
		found, err := f.Find(context.Background(), feed.League, name)
		require.NoError(t, err)
		for _, l := range found {
			require.Equal(t, l.Name, must(f.ByID(context.Background(), feed.League, l.ID)).Name)
			require.Greater(t, l.ID, int64(1)<<32, "no number of API-Football")
			out = append(out, l.Country+"/"+l.Name+" "+espn.WordOf(l.ID, l.Name))
		}
		return out
	}
	require.Equal(t, []string{"England/Premier League eng.1"}, named("premier league"))
	require.Equal(t, []string{"Italy/Serie A ita.1", "Brazil/Serie A bra.1"}, named("serie a"))
	require.Empty(t, named("nobody plays here"))
	require.Empty(t, named("nowhere.1"))
	require.Equal(t, []string{"England/Premier League", "Spain/La Liga", "nor.1"}, espn.Named([]string{"39", "esp.1", "nor.1"}))

	teams, err := f.Find(context.Background(), feed.Team, "arsen")
	require.NoError(t, err)
	require.Len(t, teams, 1)
	require.Equal(t, feed.Found{ID: 42, Name: "Arsenal", Country: "England"}, teams[0])
	_, err = f.ByID(context.Background(), feed.Team, 43)
	require.True(t, footy.IsNotFound(err), "%v", err)
	teams, err = f.Find(context.Background(), feed.Team, "nobody")
	require.NoError(t, err, "leagues that ESPN does not have now have no teams")
	require.Empty(t, teams)
}

// TestOfManyFailuresOneIsTold: clubs are looked for in some fifty lists.
func TestOfManyFailuresOneIsTold(t *testing.T) {
	t.Parallel()
	f, v := start(t, "eng.1")
	v.Fails(feedtest.Down)
	_, err := f.Find(context.Background(), feed.Team, "arsenal")
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.NotContains(t, err.Error(), "\n")
}

func TestATeamIsOfTheCountryOfItsLeagueAlsoWhereACupComesFirst(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		events := []any{}
		if strings.Contains(r.URL.Path, "uefa.champions") || strings.Contains(r.URL.Path, "sco.1") {
			events = append(events, spell(feedtest.Match(1, 0), true, ""))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"leagues": []any{}, "events": events})
	}))
	t.Cleanup(srv.Close)
	f := espn.New(espn.Options{BaseURL: srv.URL, Leagues: func(context.Context) ([]string, error) { return nil, nil }}, httpx.New(httpx.Options{}))
	teams, err := f.Find(context.Background(), feed.Team, "arsen")
	require.NoError(t, err)
	require.Len(t, teams, 1)
	require.Equal(t, "Scotland", teams[0].Country)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
