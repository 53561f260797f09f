package apifootball_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/feed/feedtest"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

func status(code int, headers ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
	}
}

func TestPassingFailuresAreRetriedWithinTheBudget(t *testing.T) {
	t.Parallel()
	for _, code := range []int{499, 500, 502, 503, 504} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			t.Parallel()
			f, v := newVendor(t, 5*time.Second)
			v.Lists(feedtest.Match(1, 1))
			v.script = append(v.script, status(code))
			a, err := f.ByIDs(context.Background(), []int64{1})
			require.NoError(t, err)
			require.Len(t, a.Snapshots, 1)
			require.Equal(t, 2, v.Calls())
		})
	}
}

func TestVendorThatSaysLaterIsNotAskedBefore(t *testing.T) {
	t.Parallel()
	f, v := newVendor(t, 5*time.Second)
	v.script = append(v.script, status(429, "Retry-After", "40"))
	_, err := f.ByIDs(context.Background(), []int64{1})
	require.Equal(t, footy.CodeRateLimited, footy.CodeOf(err))
	var e *footy.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, 40*time.Second, e.RetryAfter)
	require.Equal(t, 1, v.Calls())
}

func TestALimitIsNotInsistedOn(t *testing.T) {
	t.Parallel()
	f, v := newVendor(t, 8*time.Second)
	v.script = append(v.script, status(429))
	_, err := f.ByIDs(context.Background(), []int64{1})
	require.Equal(t, footy.CodeRateLimited, footy.CodeOf(err))
	require.Equal(t, 1, v.Calls())
}

func TestRetriesEnd(t *testing.T) {
	t.Parallel()
	f, v := newVendor(t, 3*time.Second)
	v.Fails(feedtest.Down)
	_, err := f.ByIDs(context.Background(), []int64{1})
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.Equal(t, 2, v.Calls())
}

func TestFinalRefusalsAreNotRetried(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]footy.Code{401: footy.CodeAuthRequired, 403: footy.CodeAuthRequired, 404: footy.CodeUnavailable, 204: footy.CodeUnavailable} {
		f, v := newVendor(t, 2*time.Second)
		v.script = append(v.script, status(code))
		_, err := f.ByIDs(context.Background(), []int64{1})
		require.Equal(t, want, footy.CodeOf(err), "HTTP %d", code)
		require.Equal(t, 1, v.Calls(), "HTTP %d", code)
	}
}

func TestQuotaIsReadFromBothKindsOfHeader(t *testing.T) {
	t.Parallel()
	f, v := newVendor(t, 2*time.Second)
	v.Lists(feedtest.Match(1, 1))
	v.headers.Set("x-ratelimit-requests-limit", "7500")
	v.headers.Set("x-ratelimit-requests-remaining", "7321")
	v.headers.Set("X-RateLimit-Limit", "300")
	v.headers.Set("X-RateLimit-Remaining", "nonsense")
	_, err := f.ByIDs(context.Background(), []int64{1})
	require.NoError(t, err)
	q := f.Quota()
	require.Equal(t, []int{7500, 7321, 300, -1}, []int{q.DayLimit, q.DayRemaining, q.MinuteLimit, q.MinuteRemaining})
	require.False(t, q.At.IsZero())
}

func TestKeyNeverStandsInAnError(t *testing.T) {
	t.Parallel()
	f, v := newVendor(t, time.Second)
	v.Fails(feedtest.Down)
	_, err := f.ByIDs(context.Background(), []int64{1})
	require.NotContains(t, err.Error(), "secret")
}

func TestSpentDayIsKnownWithoutHeaders(t *testing.T) {
	t.Parallel()
	for _, code := range []int{200, 429} {
		f, v := newVendor(t, 2*time.Second)
		for range 3 {
			v.script = append(v.script, func(w http.ResponseWriter) {
				w.Header().Set("Retry-After", "4000")
				w.WriteHeader(code)
				fmt.Fprint(w, envelope(`{"requests":"You have reached the request limit for the day"}`))
			})
		}
		_, err := f.ByIDs(context.Background(), []int64{1})
		require.Equal(t, footy.CodeRateLimited, footy.CodeOf(err))
		require.Zero(t, f.Quota().DayRemaining)
		require.Equal(t, 1, v.Calls(), "asking again before midnight is pointless")
	}
}

func TestSlowVendorIsAskedTwice(t *testing.T) {
	t.Parallel()
	f, v := newVendor(t, 2*time.Second)
	v.Lists(feedtest.Match(1, 1))
	gate := make(chan struct{})
	t.Cleanup(func() { close(gate) })
	v.slow = gate
	a, err := f.ByIDs(context.Background(), []int64{1})
	require.NoError(t, err)
	require.Len(t, a.Snapshots, 1)
	require.Equal(t, 2, v.Calls())
}

func TestAccountTellsThePlan(t *testing.T) {
	t.Parallel()
	answer := func(body string) (feed.Account, error) {
		f, v := newVendor(t, 2*time.Second)
		v.script = append(v.script, func(w http.ResponseWriter) { fmt.Fprint(w, body) })
		a, err := f.Account(context.Background())
		require.Equal(t, []string{"/status"}, v.asked)
		return a, err
	}
	a, err := answer(`{"errors":[],"response":{"account":{},"subscription":{"plan":"Pro"},"requests":{"current":12,"limit_day":7500}}}`)
	require.NoError(t, err)
	require.Equal(t, feed.Account{Plan: "Pro", DayLimit: 7500, Used: 12}, a)
	for body, want := range map[string]footy.Code{
		`{"errors":{"token":"Error/Missing application key."},"response":[]}`: footy.CodeAuthRequired,
		`{"errors":[],"response":[]}`:                                         footy.CodeUnavailable,
		`<html>`:                                                              footy.CodeUnavailable,
	} {
		_, err := answer(body)
		require.Equal(t, want, footy.CodeOf(err), body)
	}
}

func TestTheAccountCountsWhereNoHeaderDoes(t *testing.T) {
	t.Parallel()
	status := `{"errors":[],"response":{"subscription":{"plan":"Free"},"requests":{"current":12,"limit_day":100}}}`
	f, v := newVendor(t, 2*time.Second)
	v.script = append(v.script, func(w http.ResponseWriter) { fmt.Fprint(w, status) })
	_, err := f.Account(context.Background())
	require.NoError(t, err)
	require.Equal(t, []int{100, 88, -1}, []int{f.Quota().DayLimit, f.Quota().DayRemaining, f.Quota().MinuteLimit})
	v.headers.Set("x-ratelimit-requests-remaining", "80")
	_, err = f.ByIDs(context.Background(), []int64{1})
	require.NoError(t, err)
	v.script = append(v.script, func(w http.ResponseWriter) {
		w.Header().Del("x-ratelimit-requests-remaining")
		fmt.Fprint(w, status)
	})
	_, err = f.Account(context.Background())
	require.NoError(t, err)
	require.Equal(t, 80, f.Quota().DayRemaining, "each answer counts, the account's page may lag behind")
}

func TestRecordedListsOfWhatIsUnderWayAreWhole(t *testing.T) {
	t.Parallel()
	paths := devtest.Payloads(t, "samples/api-football/live.json")
	for _, recorded := range []string{"leejinwoo_live_17.json", "teo2823_live_14.json"} {
		paths = append(paths, devtest.Recorded(t, "samples/api-football/"+recorded)...)
	}
	for _, path := range paths {
		body, err := os.ReadFile(path)
		require.NoError(t, err)
		env, err := apifootball.Open(body, time.Now())
		require.NoError(t, err)
		list, failed := apifootball.Read(env, time.Now(), true).All()
		require.Empty(t, failed)
		require.NotEmpty(t, list)
		for _, s := range list {
			require.True(t, s.HasEvents)
			require.True(t, s.Match.Status.InPlay(), "%s", s.Match.Status.Code)
		}
	}
}

func TestEnvelopesThatCarryFailure(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 7, 20, 0, 0, 0, time.UTC)
	for body, want := range map[string]footy.Code{
		`{"errors":[],"response":[]}`:                                                                                                                  "",
		`{"errors":{},"response":[],"parameters":[]}`:                                                                                                  "",
		`{"errors":{"rateLimit":"Too many requests."},"response":[]}`:                                                                                  footy.CodeRateLimited,
		`{"errors":["Too many requests. Your rate limit is 10."],"response":[]}`:                                                                       footy.CodeRateLimited,
		`{"errors":{"requests":"You have reached the request limit for the day"}}`:                                                                     footy.CodeRateLimited,
		`{"errors":{"token":"Error/Missing application key."},"response":[]}`:                                                                          footy.CodeAuthRequired,
		`{"errors":{"plan":"Free plans do not have access to this season"},"response":[]}`:                                                             footy.CodeNotInPlan,
		`{"errors":{"plan":"Free plans do not have access to this date, try from 2026-03-06 to 2026-03-08. Change your subscription."},"response":[]}`: footy.CodeNotInPlan,
		`{"errors":["Free plans do not have access to the Ids parameter."],"response":[]}`:                                                             footy.CodeNotInPlan,
		`{"errors":{"ids":"The Ids field is wrong."},"response":[]}`:                                                                                   footy.CodeInvalid,
		`{"errors":{"bug":"on our side"},"response":[]}`:                                                                                               footy.CodeUnavailable,
		`{"errors":"oops","response":[]}`:                                                                                                              footy.CodeUnavailable,
		`{"errors":null,"response":[]}`:                                                                                                                footy.CodeUnavailable,
		`{"response":[]}`:                                                                                                                              footy.CodeUnavailable,
		`{"errors":[],"response":{}}`:                                                                                                                  footy.CodeUnavailable,
		`{"errors":[]}`:                                                                                                                                footy.CodeUnavailable,
		`[]`:                                                                                                                                           footy.CodeUnavailable,
		``:                                                                                                                                             footy.CodeUnavailable,
	} {
		_, err := apifootball.Open([]byte(body), now)
		require.Equal(t, want, footy.CodeOf(err), "%s: %v", body, err)
	}
	_, err := apifootball.Open([]byte(`{"errors":{"requests":"limit"},"response":[]}`), now)
	var e *footy.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, 4*time.Hour, e.RetryAfter, "the vendor's day ends at midnight UTC")
}

// Wrong shapes of things that do not matter are tolerated; of things that matter, they fail the fixture alone.
func TestTolerantDecodingStrictTrust(t *testing.T) {
	t.Parallel()
	core := `"teams":{"home":{"id":"40","name":"A"},"away":{"id":42,"name":null}}`
	st := `"status":{"short":"2H","elapsed":"45","extra":null}`
	good := map[string]string{
		"arrays for objects": `{"fixture":{"id":1,` + st + `,"venue":[],"periods":null},` + core + `,"league":[],"goals":[],"score":[],"events":[]}`,
		"numbers for text":   `{"fixture":{"id":1,` + st + `,"referee":7},` + core + `,"events":[{"time":[],"team":null,"player":[],"type":5,"detail":null}]}`,
		"unknown keys":       `{"fixture":{"id":1,` + st + `,"x":{"y":[1]}},` + core + `,"events":[],"lineups":[{"z":1}],"2026":true}`,
		"an empty status":    `{"fixture":{"id":1,"status":{"short":"","long":"","elapsed":null}},` + core + `,"events":[]}`,
		"a null of a status": `{"fixture":{"id":1,"status":{"short":null,"long":"Second Half"}},` + core + `,"events":[]}`,
		"a list of none":     `{"fixture":{"id":1,"status":[]},` + core + `,"events":[]}`,
		"unknown status":     `{"fixture":{"id":1,"status":{"short":"XYZ"}},` + core + `,"events":[]}`,
	}
	for name, raw := range good {
		env := apifootball.Envelope{Response: []string{raw}}
		snaps, failed := apifootball.Read(env, time.Now(), true).All()
		require.Len(t, snaps, 1, "%s: %v", name, failed)
		require.EqualValues(t, 40, snaps[0].Teams.Home.ID)
	}
	bad := map[string]string{
		"no events":            `{"fixture":{"id":1,` + st + `},` + core + `}`,
		"events null":          `{"fixture":{"id":1,` + st + `},` + core + `,"events":null}`,
		"events an object":     `{"fixture":{"id":1,` + st + `},` + core + `,"events":{}}`,
		"an event that is not": `{"fixture":{"id":1,` + st + `},` + core + `,"events":[null]}`,
		"no status":            `{"fixture":{"id":1},` + core + `,"events":[]}`,
		"no teams":             `{"fixture":{"id":1,` + st + `},"events":[]}`,
	}
	for name, raw := range bad {
		env := apifootball.Envelope{Response: []string{raw}}
		snaps, failed := apifootball.Read(env, time.Now(), true).All()
		require.Empty(t, snaps, name)
		require.Len(t, failed, 1, name)
		require.EqualValues(t, 1, failed[0].ID)
	}
}

func TestFixtureListedTwiceDifferentlyIsNotTrusted(t *testing.T) {
	t.Parallel()
	a, b := spell(feedtest.Match(1, 1), true), spell(feedtest.Match(1, 2), true)
	raw := func(list ...string) apifootball.Envelope {
		env, err := apifootball.Open([]byte(envelope("[]", list...)), time.Now())
		require.NoError(t, err)
		return env
	}
	snaps, failed := apifootball.Read(raw(a, b), time.Time{}, true).All()
	require.Empty(t, snaps)
	require.Len(t, failed, 1)
	snaps, failed = apifootball.Read(raw(a, a), time.Time{}, true).All()
	require.Len(t, snaps, 1)
	require.Empty(t, failed)
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(envelope("[]", spell(feedtest.Match(1, 2), true))))
	f.Add([]byte(`{"errors":{"rateLimit":"x"},"response":[]}`))
	f.Add([]byte(`{"errors":[],"parameters":[],"response":[{"fixture":[],"teams":{"home":[]},"events":[[]]}]}`))
	var paths []string
	for _, dir := range devtest.Payloads(f, "samples/api-football") {
		found, err := filepath.Glob(filepath.Join(dir, "*.json"))
		require.NoError(f, err)
		paths = append(paths, found...)
	}
	for _, path := range paths {
		if data, err := os.ReadFile(path); err == nil && len(data) < 40_000 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		env, err := apifootball.Open(data, time.Unix(0, 0))
		if err != nil {
			return
		}
		env.Asked()
		for _, byID := range []bool{true, false} {
			snaps, failed := apifootball.Read(env, time.Unix(0, 0), byID).All()
			require.LessOrEqual(t, len(snaps)+len(failed), len(env.Response))
			for _, s := range snaps {
				require.NotZero(t, s.Match.ID)
				require.NotEmpty(t, s.Match.Status.Code)
			}
		}
	})
}
