package football_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/football"
	"github.com/found-footy/found-footy/tools/devtest"
)

type envelope struct {
	Errors   json.RawMessage `json:"errors"`
	Results  int             `json:"results"`
	Response []fixture       `json:"response"`
}

type fixture struct {
	Fixture struct {
		ID     int    `json:"id"`
		Date   string `json:"date"`
		Status struct {
			Short   string `json:"short"`
			Elapsed *int   `json:"elapsed"`
			Extra   *int   `json:"extra"`
		} `json:"status"`
	} `json:"fixture"`
	Teams struct {
		Home struct{ ID int }
		Away struct{ ID int }
	} `json:"teams"`
	Goals struct{ Home, Away *int } `json:"goals"`
	Score struct {
		Penalty struct{ Home, Away *int }
	} `json:"score"`
	Events *[]event `json:"events"`
}

type event struct {
	Time   struct{ Elapsed, Extra int }
	Team   struct{ ID int }
	Player struct {
		ID   *int
		Name *string
	}
	Type, Detail string
	Comments     *string
}

// bundle is a feed frozen at one product minute: at scale 1 a test's milliseconds do not matter.
type bundle struct {
	t   *testing.T
	url string
}

func setup(t *testing.T, s *script.Script, minute float64) bundle {
	t.Helper()
	d := day.StartedAt(time.Now().Add(-time.Duration(minute*float64(time.Minute))), 1)
	srv := httptest.NewServer(football.New(s, d))
	t.Cleanup(srv.Close)
	return bundle{t, srv.URL}
}

// quiet is the Saturday without failures and outages.
func quiet() *script.Script {
	s := script.Default()
	s.Feed.Failures, s.Outages = nil, nil
	return s
}

func (b bundle) get(query string) (int, []byte, http.Header) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.url+"/fixtures?"+query, nil)
	require.NoError(b.t, err)
	req.Header.Set("x-apisports-key", "k")
	res, err := http.DefaultClient.Do(req)
	require.NoError(b.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(b.t, err)
	return res.StatusCode, body, res.Header
}

func (b bundle) poll(id int) fixture {
	b.t.Helper()
	code, body, _ := b.get(fmt.Sprintf("ids=%d", id))
	require.Equal(b.t, 200, code)
	var env envelope
	require.NoError(b.t, json.Unmarshal(body, &env), string(body))
	require.Equal(b.t, "[]", string(env.Errors))
	require.Len(b.t, env.Response, 1)
	return env.Response[0]
}

func goals(f fixture) (home, away int) {
	for _, e := range *f.Events {
		if e.Type != "Goal" || e.Detail == "Missed Penalty" || e.Comments != nil {
			continue
		}
		if e.Team.ID == f.Teams.Home.ID {
			home++
		} else {
			away++
		}
	}
	return home, away
}

func happens(t *testing.T, s *script.Script, id int, key string) float64 {
	t.Helper()
	f, ok := s.Fixture(id)
	require.True(t, ok)
	e, ok := f.Event(key)
	require.True(t, ok)
	return f.Happens(e) + 0.5
}

func TestTheScoreEqualsTheListedGoalsAllDay(t *testing.T) {
	t.Parallel()
	for minute := 0.0; minute < 125; minute += 3.1 {
		s := quiet()
		for i := range s.Fixtures {
			for j := range s.Fixtures[i].Events {
				s.Fixtures[i].Events[j].Steps = nil
			}
		}
		b := setup(t, s, minute)
		for _, f := range s.Fixtures {
			got := b.poll(f.ID)
			if got.Goals.Home == nil {
				require.Empty(t, *got.Events)
				continue
			}
			h, a := goals(got)
			require.Equal(t, []int{*got.Goals.Home, *got.Goals.Away}, []int{h, a}, "fixture %d at %g", f.ID, minute)
		}
	}
}

func TestTheClockFollowsTheVendorsHabits(t *testing.T) {
	t.Parallel()
	s := quiet()
	for _, tt := range []struct {
		minute float64
		id     int
		want   string
	}{
		{0.2, 1300101, "1H 21 0"}, {25.5, 1300101, "1H 45 1"}, {28, 1300101, "HT 45 0"}, {35.5, 1300101, "2H 46 0"},
		{81.5, 1300101, "2H 90 2"}, {90, 1300101, "FT 90 0"}, {10, 1300112, "NS - 0"}, {4, 1300106, "BT 90 0"},
		{6.5, 1300106, "ET 91 0"}, {43, 1300106, "P 120 0"}, {60, 1300106, "PEN 120 0"}, {1, 1300109, "NS - 0"}, {20, 1300109, "PST - 0"},
		{70, 1300109, "TBD - 0"}, {40, 1300110, "SUSP 32 0"}, {70, 1300110, "ABD 32 0"},
	} {
		f := setup(t, s, tt.minute).poll(tt.id)
		st := f.Fixture.Status
		elapsed, extra := "-", 0
		if st.Elapsed != nil {
			elapsed = fmt.Sprint(*st.Elapsed)
		}
		if st.Extra != nil {
			extra = *st.Extra
		}
		require.Equal(t, tt.want, fmt.Sprintf("%s %s %d", st.Short, elapsed, extra), "fixture %d at %g", tt.id, tt.minute)
	}
}

func TestAScorerIsUnknownForFourPolls(t *testing.T) {
	t.Parallel()
	s := quiet()
	b := setup(t, s, happens(t, s, 1300105, "nobody"))
	for n := 1; n <= 6; n++ {
		e := (*b.poll(1300105).Events)[0]
		require.Equal(t, n > 4, e.Player.Name != nil, "poll %d", n)
		require.Equal(t, n > 4, e.Player.ID != nil, "poll %d", n)
	}
}

func TestANameComesBeforeItsID(t *testing.T) {
	t.Parallel()
	s := quiet()
	b := setup(t, s, happens(t, s, 1300105, "noid"))
	for n := 1; n <= 10; n++ {
		e := (*b.poll(1300105).Events)[0]
		require.Equal(t, "Y. Benhaddou", *e.Player.Name)
		require.Equal(t, n >= 9, e.Player.ID != nil, "poll %d", n)
	}
}

// counted polls a fixture n times and tells, per poll, listed goals / score.
func counted(b bundle, id, n int) string {
	var out []string
	for range n {
		f := b.poll(id)
		h, a := goals(f)
		out = append(out, fmt.Sprintf("%d/%d", h+a, *f.Goals.Home+*f.Goals.Away))
	}
	return strings.Join(out, " ")
}

func TestWhatTheFeedTakesBack(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		id   int
		key  string
		n    int
		want string
	}{
		"a VAR decision takes goal and score":           {1300104, "var", 17, strings.Repeat("1/1 ", 14) + "0/0 0/0 0/0"},
		"a flicker lasts two polls":                     {1300107, "flicker", 8, "2/2 2/2 2/2 2/2 1/1 1/1 2/2 2/2"},
		"an omission leaves the score":                  {1300108, "omitted", 13, strings.Repeat("1/1 ", 5) + strings.Repeat("0/1 ", 6) + "1/1 1/1"},
		"a cancelled goal comes back, a minute later":   {1300108, "returns", 14, strings.Repeat("2/2 ", 5) + "1/2 " + strings.Repeat("0/1 ", 5) + "1/1 2/2 2/2"},
		"a missed penalty is listed and does not count": {1300104, "missed", 1, "1/1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := quiet()
			require.Equal(t, tt.want, counted(setup(t, s, happens(t, s, tt.id, tt.key)), tt.id, tt.n))
		})
	}
}

func TestAnOwnGoalBelongsToTheSideThatBenefits(t *testing.T) {
	t.Parallel()
	s := quiet()
	f := setup(t, s, happens(t, s, 1300103, "own")).poll(1300103)
	e := (*f.Events)[0]
	require.Equal(t, "Own Goal", e.Detail)
	require.Equal(t, f.Teams.Home.ID, e.Team.ID)
	require.Equal(t, 1, *f.Goals.Home)
}

func TestShootOutKicksAreListedButAreNoGoals(t *testing.T) {
	t.Parallel()
	f := setup(t, quiet(), 60).poll(1300106)
	require.Len(t, *f.Events, 12)
	require.Equal(t, 1, *f.Goals.Home)
	require.Equal(t, 4, *f.Score.Penalty.Home)
	require.Equal(t, 3, *f.Score.Penalty.Away)
}

func TestDayListsCarryNoEventsAndDoNotCountAsPolls(t *testing.T) {
	t.Parallel()
	s := quiet()
	b := setup(t, s, happens(t, s, 1300105, "nobody"))
	for range 10 {
		_, body, header := b.get("date=" + time.Now().UTC().Format("2006-01-02"))
		require.NotContains(t, string(body), `"events"`)
		require.NotEmpty(t, header.Get("x-ratelimit-requests-remaining"))
		require.NotEmpty(t, header.Get("X-RateLimit-Remaining"))
	}
	require.Nil(t, (*b.poll(1300105).Events)[0].Player.Name, "still the first listing answer")
}

// live asks for what is under way and returns it by id.
func (b bundle) live(which string) map[int]fixture {
	b.t.Helper()
	_, body, _ := b.get("live=" + which)
	var env envelope
	require.NoError(b.t, json.Unmarshal(body, &env), string(body))
	require.Equal(b.t, "[]", string(env.Errors))
	out := map[int]fixture{}
	for _, f := range env.Response {
		out[f.Fixture.ID] = f
	}
	return out
}

func TestWhatIsUnderWayIsListedWithItsEvents(t *testing.T) {
	t.Parallel()
	s := quiet()
	b := setup(t, s, happens(t, s, 1300105, "nobody"))
	all := b.live("all")
	require.Greater(t, len(all), 3)
	for id, f := range all {
		require.NotNil(t, f.Events, "match %d", id)
	}
	require.Nil(t, (*all[1300105].Events)[0].Player.Name)
	for range 3 {
		b.live("all")
	}
	require.NotNil(t, (*b.poll(1300105).Events)[0].Player.Name, "each of these answers was a poll of it")
	one, _ := s.Fixture(1300105)
	for id := range b.live(fmt.Sprintf("%d-999", one.League)) {
		f, _ := s.Fixture(id)
		require.Equal(t, one.League, f.League)
	}
	require.NotContains(t, setup(t, s, 90).live("all"), 1300101, "it leaves the list at full time")
}

func TestScriptedFailuresHitTheirRequest(t *testing.T) {
	t.Parallel()
	s := script.Default()
	s.Outages = nil
	s.Feed.Failures = []script.FeedFailure{{Request: 2, Mode: "http_500"}, {Request: 3, Mode: "errors_in_200"}, {Request: 4, Mode: "rate_limited"}}
	b := setup(t, s, happens(t, s, 1300105, "nobody"))
	var codes []int
	for n := range 5 {
		code, body, _ := b.get("ids=1300105")
		codes = append(codes, code)
		if n == 2 {
			require.Contains(t, string(body), "rateLimit")
		}
	}
	require.Equal(t, []int{200, 500, 200, 429, 200}, codes)
	b.poll(1300105)
	require.Nil(t, (*b.poll(1300105).Events)[0].Player.Name, "failed answers are no polls: this is the fourth")
	require.NotNil(t, (*b.poll(1300105).Events)[0].Player.Name)
}

func TestAnOutageRegressesFourMatchesAndPasses(t *testing.T) {
	t.Parallel()
	s := script.Default()
	s.Feed.Failures = nil
	o := s.Outages[0]
	state := func(minute float64) string {
		b := setup(t, s, minute)
		var out []string
		for _, e := range o.Fixtures {
			f := b.poll(e.Fixture)
			total := -1
			if f.Goals.Home != nil {
				total = *f.Goals.Home + *f.Goals.Away
			}
			out = append(out, fmt.Sprintf("%s %d/%d", f.Fixture.Status.Short, len(*f.Events), total))
		}
		return strings.Join(out, ", ")
	}
	for _, how := range strings.Split(state(o.From-0.1), ", ") {
		require.Contains(t, how, " 2/", "each match has two goals before the outage")
	}
	require.Equal(t, "1H 0/0, NS 0/-1, HT 2/1, 1H 0/0", state(o.From+0.5))
	require.Equal(t, "FT 2/2, FT 2/2, FT 2/2, FT 2/2", state(o.From+o.Minutes+1))
}

func TestAPostponedMatchGetsANewDate(t *testing.T) {
	t.Parallel()
	before := setup(t, quiet(), 20).poll(1300109)
	after := setup(t, quiet(), 70).poll(1300109)
	old, err := time.Parse(time.RFC3339, before.Fixture.Date)
	require.NoError(t, err)
	fresh, err := time.Parse(time.RFC3339, after.Fixture.Date)
	require.NoError(t, err)
	require.Greater(t, fresh.Sub(old), 20*time.Hour)
}

func TestWithoutAKeyTheEnvelopeSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t, quiet(), 0)
	for _, key := range []string{"", "wrong"} {
		for _, path := range []string{"/fixtures?live=all", "/status", "/teams?search=arsenal"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+path, nil)
			require.NoError(t, err)
			req.Header.Set("x-apisports-key", key)
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			body, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, 200, res.StatusCode)
			require.Contains(t, string(body), `"token"`)
		}
	}
	_, body, _ := b.get("ids=" + strings.Repeat("1-", 20) + "1")
	require.Contains(t, string(body), "20 ids")
}

func TestTheWireShapeIsTheRecordedOne(t *testing.T) {
	t.Parallel()
	_, ours, _ := setup(t, quiet(), 60).get("ids=1300106")
	for _, name := range devtest.Payloads(t, "samples/api-football/fixtures-cl-penalties.json") {
		theirs, err := os.ReadFile(name)
		require.NoError(t, err)
		want := shape(t, theirs)
		got := shape(t, ours)
		for _, absent := range []string{"response[].lineups", "response[].statistics", "response[].players"} {
			for k := range want {
				if strings.HasPrefix(k, absent) {
					delete(want, k)
				}
			}
		}
		require.Equal(t, keys(want), keys(got), name)
	}
}

func shape(t *testing.T, data []byte) map[string]bool {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal(data, &v))
	out := map[string]bool{}
	walk(v, "", out)
	return out
}

func walk(v any, path string, out map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			p := strings.TrimPrefix(path+"."+k, ".")
			out[p] = true
			walk(inner, p, out)
		}
	case []any:
		for _, inner := range v {
			walk(inner, path+"[]", out)
		}
	}
}

func keys(m map[string]bool) []string {
	out := []string{}
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
