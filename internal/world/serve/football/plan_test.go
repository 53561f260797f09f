package football_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/football"
)

// errorsOf is the errors object of an answer.
func errorsOf(t *testing.T, body []byte) map[string]string {
	t.Helper()
	var env envelope
	require.NoError(t, json.Unmarshal(body, &env), string(body))
	require.Zero(t, env.Results)
	out := map[string]string{}
	if string(env.Errors) != "[]" {
		require.NoError(t, json.Unmarshal(env.Errors, &out), string(body))
	}
	return out
}

func free(t *testing.T, modes ...string) *script.Script {
	t.Helper()
	s := quiet()
	require.NoError(t, s.With(append(modes, script.FreePlan)...))
	return s
}

func TestAFreePlanRefusesInside200(t *testing.T) {
	t.Parallel()
	b := setup(t, free(t), 20)
	day := func(n int) string { return time.Now().UTC().AddDate(0, 0, n).Format(time.DateOnly) }
	for query, want := range map[string]string{
		"ids=1300101":                    "Free plans do not have access to the Ids parameter.",
		"last=5":                         "Free plans do not have access to the Last parameter.",
		"next=5":                         "Free plans do not have access to the Next parameter.",
		"date=" + day(2):                 "Free plans do not have access to this date, try from " + day(-1) + " to " + day(1) + ".",
		"date=" + day(-2):                "Free plans do not have access to this date, try from " + day(-1) + " to " + day(1) + ".",
		"league=39&season=" + day(0)[:4]: "Free plans do not have access to this season",
	} {
		code, body, _ := b.get(query)
		require.Equal(t, 200, code)
		require.Contains(t, errorsOf(t, body)["plan"], want, query)
	}
}

func TestAFreePlanAnswersAboutOneMatchAndWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	b := setup(t, free(t), 20)
	_, body, header := b.get("id=1300101")
	var env envelope
	require.NoError(t, json.Unmarshal(body, &env))
	require.Len(t, env.Response, 1)
	require.NotNil(t, env.Response[0].Events)
	require.Equal(t, []string{"100", "99", "10", "9"}, []string{header.Get("x-ratelimit-requests-limit"), header.Get("x-ratelimit-requests-remaining"),
		header.Get("X-RateLimit-Limit"), header.Get("X-RateLimit-Remaining")})
	require.NotEmpty(t, b.live("all"))
	for _, n := range []int{-1, 0, 1} {
		_, body, _ = b.get("date=" + time.Now().UTC().AddDate(0, 0, n).Format(time.DateOnly))
		require.NoError(t, json.Unmarshal(body, &env))
		require.Equal(t, "[]", string(env.Errors))
	}
}

func TestTenCallsAMinuteThenWordsThen429(t *testing.T) {
	t.Parallel()
	b := setup(t, free(t), 20)
	var codes []int
	for n := range 14 {
		code, body, header := b.get("id=1300101")
		codes = append(codes, code)
		if n >= 10 {
			require.Contains(t, errorsOf(t, body)["rateLimit"], "10 requests per minute")
			require.Equal(t, "0", header.Get("X-RateLimit-Remaining"))
		}
	}
	require.Equal(t, []int{200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 429, 429}, codes)
}

func TestAHundredCallsADayAndStatusIsNone(t *testing.T) {
	t.Parallel()
	s := free(t)
	d := day.StartedAt(time.Now().Add(-20*time.Minute), 1)
	for range 99 {
		d.Call(time.Now().UTC().Format(time.DateOnly))
	}
	srv := httptest.NewServer(football.New(s, d))
	t.Cleanup(srv.Close)
	b := bundle{t, srv.URL}
	used := func() (plan string, current, limit int) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/status", nil)
		require.NoError(t, err)
		req.Header.Set("x-apisports-key", "k")
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		var said struct {
			Response struct {
				Subscription struct{ Plan string }
				Requests     struct {
					Current int
					Limit   int `json:"limit_day"`
				}
			}
		}
		require.NoError(t, json.NewDecoder(res.Body).Decode(&said))
		return said.Response.Subscription.Plan, said.Response.Requests.Current, said.Response.Requests.Limit
	}
	for range 3 {
		plan, current, limit := used()
		require.Equal(t, "Free", plan)
		require.Equal(t, []int{99, 100}, []int{current, limit})
	}
	require.NotEmpty(t, b.live("all"))
	_, body, _ := b.get("live=all")
	require.Contains(t, errorsOf(t, body)["requests"], "request limit for the day")
}

func TestAPatchyListClaimsMoreThanItHas(t *testing.T) {
	t.Parallel()
	s := quiet()
	require.NoError(t, s.With(script.PatchyLive))
	b := setup(t, s, 20)
	whole := len(setup(t, quiet(), 20).live("all"))
	missing, silent := 0, 0
	for range 5 {
		_, body, _ := b.get("live=all")
		var env envelope
		require.NoError(t, json.Unmarshal(body, &env))
		require.Equal(t, whole, env.Results, "it says so many")
		missing += whole - len(env.Response)
		for _, f := range env.Response {
			if f.Events == nil {
				silent++
			}
		}
	}
	require.Equal(t, whole, missing, "each match once")
	require.Equal(t, whole, silent)
}
