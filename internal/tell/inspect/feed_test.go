package inspect_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/inspect"
	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/football"
	"github.com/found-footy/found-footy/tools/devtest"
)

func feedRules(leagues ...int64) inspect.FeedRules {
	return inspect.FeedRules{Follow: lifecycle.Follow{Leagues: leagues}, Windows: lifecycle.Defaults(), Cycle: 30 * time.Second}
}

var inspected = time.Date(2026, 3, 7, 9, 0, 0, 0, time.UTC)

// answers writes recorded answers into a directory, one file each.
func answers(t *testing.T, bodies ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i, b := range bodies {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("answer-%d.json", i)), []byte(b), 0o600))
	}
	return dir
}

// envelope is an answer as the vendor sends it.
func envelope(get, params, errors string, response ...string) string {
	return fmt.Sprintf(`{"get":%q,"parameters":%s,"errors":%s,"results":%d,"paging":{"current":1,"total":1},"response":[%s]}`, get, params, errors, len(response), strings.Join(response, ","))
}

// dayList is a list of matches of league 39 at three and half past five, among others.
func dayList(first, second, others int) string {
	var out []string
	add := func(n int, at string, league int) {
		for range n {
			id := len(out) + 1
			out = append(out, fmt.Sprintf(`{"fixture":{"id":%d,"date":"2026-03-07T%s:00+00:00","status":{"short":"NS"}},"league":{"id":%d,"name":%q},"teams":{"home":{"id":%d,"name":"Town %d"},"away":{"id":%d,"name":"City %d"}}}`,
				id, at, league, map[int]string{39: "Premier League"}[league], 2*id, id, 2*id+1, id))
		}
	}
	add(first, "15:00", 39)
	add(second, "17:30", 39)
	add(others, "16:00", 4711)
	return envelope("fixtures", `{"date":"2026-03-07"}`, `[]`, out...)
}

const (
	freeStatus = `{"get":"status","parameters":[],"errors":[],"results":1,"response":{"subscription":{"plan":"Free","active":true},"requests":{"current":3,"limit_day":100}}}`
	proStatus  = `{"get":"status","parameters":[],"errors":[],"results":1,"response":{"subscription":{"plan":"Pro","active":true},"requests":{"current":3,"limit_day":7500}}}`
)

func states(a inspect.FeedAnswer) map[string]string {
	out := map[string]string{}
	for _, c := range a.Plan.Calls {
		out[c.Call] = c.State
	}
	return out
}

func TestRecordedAnswersTellWhatAFreePlanAllowsAndCosts(t *testing.T) {
	t.Parallel()
	dir := answers(t, freeStatus, dayList(5, 3, 40),
		envelope("fixtures", `{"ids":"1-2"}`, `{"plan":"Free plans do not have access to the Ids parameter."}`),
		envelope("fixtures", `[]`, `{"plan":"Free plans do not have access to the Last parameter."}`),
		envelope("fixtures", `{"date":"2026-03-12"}`, `{"plan":"Free plans do not have access to this date, try from 2026-03-06 to 2026-03-08."}`),
		envelope("fixtures", `{"live":"all"}`, `[]`),
		envelope("fixtures", `{"id":"1"}`, `{"rateLimit":"Too many requests. Your rate limit is 10 requests per minute."}`))
	a, err := inspect.FeedFiles([]string{dir}, feedRules(39), inspected)
	require.NoError(t, err)
	require.Equal(t, []any{"Free", 100, 10, 3}, []any{a.Plan.Name, a.Plan.DayLimit, a.Plan.MinuteLimit, a.Plan.UsedToday})
	require.Equal(t, map[string]string{"ids": "refused", "id": "not told", "live": "allowed", "date": "limited", "last": "refused"}, states(a))
	require.Len(t, a.Days, 1)
	d := a.Days[0]
	require.Equal(t, []any{"2026-03-07", 48, 8}, []any{d.Date, d.Listed, d.Followed})
	require.Equal(t, map[string]int{"15:00": 5, "17:30": 3}, d.Kickoffs)
	require.Equal(t, d.Calls, d.Live+d.IDs+d.ID)
	require.Zero(t, d.IDs)
	require.LessOrEqual(t, d.Calls+d.Lists, 100)
	require.LessOrEqual(t, d.BusyMinute, 10)
	require.Greater(t, d.FullPace, 400)
	require.Regexp(t, `^With a free key each live match is looked at every 3 min( \d\d s)?;`, d.Sentence)
	require.Equal(t, []string{"no answer told whether one match by its id is allowed; that it is, is taken from what is known of all plans"}, a.Notes)
	require.Contains(t, a.String(), "ids    refused (Free plans do not have access to the Ids parameter.)")
	require.Contains(t, a.String(), "kickoffs 15:00 UTC (5), 17:30 UTC (3)")
}

func TestADayOnAPaidPlanIsFollowedAtFullPace(t *testing.T) {
	t.Parallel()
	a, err := inspect.FeedFiles([]string{answers(t, proStatus, dayList(38, 22, 0), envelope("fixtures", `{"ids":"1"}`, `[]`))}, feedRules(39), inspected)
	require.NoError(t, err)
	d := a.Days[0]
	require.Equal(t, "Full pace: each live match is looked at every 30 s.", d.Sentence)
	require.Positive(t, d.Live)
	require.Equal(t, "allowed", states(a)["ids"])
	require.Less(t, d.Calls, 1000, "1,477 by ids alone")
}

func TestWhatIsNotToldIsSaid(t *testing.T) {
	t.Parallel()
	read := func(bodies ...string) inspect.FeedAnswer {
		a, err := inspect.FeedFiles([]string{answers(t, bodies...)}, feedRules(39), inspected)
		require.NoError(t, err)
		return a
	}
	a := read(freeStatus)
	require.Equal(t, "not told", states(a)["ids"])
	require.Contains(t, strings.Join(a.Notes, "; "), "refuses several matches by id is taken from what is known of it")
	require.Contains(t, strings.Join(a.Notes, "; "), "what an afternoon costs is not known")
	require.Contains(t, a.Plan.PollsBy, "others one by one")
	a = read(envelope("fixtures", `{"ids":"1"}`, `["Free plans do not have access to the Ids parameter."]`))
	require.Equal(t, "Free", a.Plan.Name, "by its words")
	a = read(dayList(2, 0, 0), envelope("fixtures", `{"id":"1"}`, `{"token":"Error/Missing application key."}`), `{"http":429,"body":null}`)
	require.Equal(t, -1, a.Plan.DayLimit)
	require.Contains(t, strings.Join(a.Notes, "; "), "Missing application key")
	require.Contains(t, strings.Join(a.Notes, "; "), "HTTP 429")
	require.Contains(t, a.Days[0].Sentence, "Full pace")
	a = read(`[{"name":"kept with its headers","http":200,"headers":{"X-RateLimit-Limit":["10"],"x-ratelimit-requests-limit":100},"body":` + dayList(1, 0, 0) + `}]`)
	require.Equal(t, []int{100, 10}, []int{a.Plan.DayLimit, a.Plan.MinuteLimit})
	require.Len(t, a.Days, 1)
	require.NotEmpty(t, read(dayList(0, 0, 3)).Days[0].Sentence)
	a = read(strings.Replace(dayList(2, 0, 0), `{"date":"2026-03-07"}`, `{"date":"soon"}`, 1))
	require.Equal(t, "2026-03-07", a.Days[0].Date, "a list without a date is one by the days of its matches")

	_, err := inspect.FeedFiles([]string{answers(t, `{"get":`)}, feedRules(39), inspected)
	require.ErrorContains(t, err, "byte 7: unexpected end of JSON input")
	_, err = json.Marshal(a)
	require.NoError(t, err)
}

func TestRecordedListsOfWhatIsUnderWayAreAllowedCalls(t *testing.T) {
	t.Parallel()
	paths := devtest.Payloads(t, "samples/api-football/live.json")
	paths = append(paths, devtest.Recorded(t, "samples/api-football/leejinwoo_live_17.json")...)
	for _, p := range paths {
		a, err := inspect.FeedFiles([]string{p}, feedRules(39), inspected)
		require.NoError(t, err)
		require.Equal(t, "allowed", states(a)["live"], p)
		require.Empty(t, a.Days, "a list of what is under way is no day's")
	}
}

func TestTheKeyItselfIsAsked(t *testing.T) {
	t.Parallel()
	s := script.Default()
	s.Outages, s.Feed.Failures = nil, nil
	require.NoError(t, s.With(script.FreePlan))
	today := day.StartedAt(time.Now(), 1)
	srv := httptest.NewServer(football.New(s, today))
	t.Cleanup(srv.Close)
	key := func(k string) *apifootball.Feed {
		return apifootball.New(apifootball.Options{BaseURL: srv.URL, Key: k}, httpx.New(httpx.Options{}))
	}
	rules := feedRules()
	rules.Follow.All = true
	a, err := inspect.Feed(t.Context(), key("k"), rules, time.Now().UTC())
	require.NoError(t, err)
	require.Equal(t, []any{"Free", 100, 10}, []any{a.Plan.Name, a.Plan.DayLimit, a.Plan.MinuteLimit})
	require.Equal(t, map[string]string{"ids": "refused", "id": "not told", "live": "allowed", "date": "allowed"}, states(a))
	require.Positive(t, a.Days[0].Followed)
	require.Equal(t, 3, today.Calls(time.Now().UTC().Format(time.DateOnly)), "today's list, a refusal and a poll")
	_, err = inspect.Feed(t.Context(), key(""), rules, time.Now().UTC())
	require.Equal(t, footy.CodeAuthRequired, footy.CodeOf(err))
}

// TestAnswersThatTellNothingAreAnError: a wrong key, an outage and junk are no plan.
func TestAnswersThatTellNothingAreAnError(t *testing.T) {
	t.Parallel()
	for _, body := range []string{envelope("status", `[]`, `{"token":"Error/Missing application key."}`), `{"http":503,"body":"unavailable"}`, `{"hello":"world"}`} {
		_, err := inspect.FeedFiles([]string{answers(t, body)}, feedRules(39), inspected)
		require.ErrorContains(t, err, "nothing of a plan is told here; answer-0.json", body)
	}
}

// TestAFileThatIsNoAnswerIsNamedForWhatItIs: a parser's words alone do not tell that the wrong file was named.
func TestAFileThatIsNoAnswerIsNamedForWhatItIs(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"":                                "nothing is in it",
		" \n":                             "nothing is in it",
		"hello\nworld":                    `this is no JSON but begins with "hello"`,
		strings.Repeat("a long text ", 9): `begins with "a long text a long text a long text a lo…"`,
		"<html>":                          "a web page, no JSON",
		"\x89PNG\r\n\x1a\n\x00":           "no text, so no JSON",
		"3":                               "neither a response nor an array of responses",
		`{"get":`:                         "unexpected end of JSON input",
	} {
		_, err := inspect.FeedFiles([]string{answers(t, body)}, feedRules(39), inspected)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "answer-0.json: byte ")
	}
}

func TestNamesAreFoundInTheRecordedLists(t *testing.T) {
	t.Parallel()
	r := feedRules()
	r.Names = func(lists feed.Finder) (lifecycle.Follow, error) {
		leagues, err := lists.Leagues(t.Context(), "Premier League")
		require.NoError(t, err)
		require.EqualValues(t, 39, leagues[0].ID)
		return lifecycle.Follow{Leagues: []int64{leagues[0].ID}}, nil
	}
	a, err := inspect.FeedFiles([]string{answers(t, proStatus, dayList(3, 2, 5))}, r, inspected)
	require.NoError(t, err)
	require.Equal(t, 5, a.Days[0].Followed)
}

// TestANameThatTheRecordedListsDoNotHave: those who do not play are not offered as near.
func TestANameThatTheRecordedListsDoNotHave(t *testing.T) {
	t.Parallel()
	r := feedRules()
	for name, want := range map[string]string{
		"Arsenal": `names are looked up in the recorded lists alone; there TRACK_TEAMS="Arsenal" is the name of no team: look it up`,
		"Towm 10": `TRACK_TEAMS="Towm 10" is the name of no team; near it are Town 10 (20), `,
	} {
		r.Names = func(lists feed.Finder) (lifecycle.Follow, error) {
			return follow.New(follow.Options{Leagues: []string{follow.Nothing}, Teams: []string{name}, Finder: lists}).Follow(t.Context())
		}
		_, err := inspect.FeedFiles([]string{answers(t, proStatus, dayList(3, 2, 5))}, r, inspected)
		require.ErrorContains(t, err, want)
	}
}

func TestAPaidPlanThatRefusesIdsHasNotTheMinuteOfAFreeOne(t *testing.T) {
	t.Parallel()
	a, err := inspect.FeedFiles([]string{answers(t, proStatus, dayList(3, 2, 5), envelope("fixtures", `{"ids":"1"}`, `{"plan":"not for you"}`))}, feedRules(39), inspected)
	require.NoError(t, err)
	require.Equal(t, -1, a.Plan.MinuteLimit)
	require.Contains(t, strings.Join(a.Notes, "\n"), "no answer told whether one match by its id is allowed")
}
