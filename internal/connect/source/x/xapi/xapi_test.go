package xapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/sourcetest"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/footy"
)

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv
}

func TestConformance(t *testing.T) {
	t.Parallel()
	sourcetest.Run(t, func(t *testing.T, s *sourcetest.Script) sourcetest.Bench {
		srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/2/tweets/search/recent" || r.Header.Get("Authorization") != "Bearer secret" {
				http.NotFound(w, r)
				return
			}
			answer(w, s.Next(r.URL.Query().Get("query")))
		})
		return sourcetest.Bench{Source: xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret", Ledger: newMemory()}, srv.Client()), Stop: srv.Close}
	})
}

// answer writes what the API would.
func answer(w http.ResponseWriter, a sourcetest.Answer) {
	problem := func(status int, title string) {
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"title":%q,"type":"about:blank","status":%d}`, title, status)
	}
	switch {
	case a.Junk:
		fmt.Fprint(w, "<html>gateway</html>")
	case a.State == source.StateRateLimited:
		w.Header().Set("x-rate-limit-remaining", "0")
		w.Header().Set("x-rate-limit-reset", strconv.FormatInt(time.Now().Add(a.RetryAfter+500*time.Millisecond).Unix(), 10))
		problem(429, "Too Many Requests")
	case a.State == source.StateLoginRequired:
		problem(401, "Unauthorized")
	case a.State == source.StateUpstreamError:
		problem(503, "Service Unavailable")
	default:
		_ = json.NewEncoder(w).Encode(body(a.Posts))
	}
}

func body(posts []footy.Candidate) map[string]any {
	if len(posts) == 0 {
		return map[string]any{"meta": map[string]any{"result_count": 0}}
	}
	var data, media []map[string]any
	for i, p := range posts {
		key := strconv.Itoa(i)
		data = append(data, map[string]any{"id": p.PostID, "text": p.Text, "author_id": "7",
			"created_at": p.PostedAt.Format("2006-01-02T15:04:05.000Z"), "attachments": map[string]any{"media_keys": []string{key}}})
		m := map[string]any{"media_key": key, "type": "video", "width": p.Width, "height": p.Height}
		if p.DurationMS > 0 {
			m["duration_ms"] = p.DurationMS
		}
		media = append(media, m)
	}
	return map[string]any{"data": data, "meta": map[string]any{"result_count": len(posts)},
		"includes": map[string]any{"users": []map[string]any{{"id": "7", "username": "fan"}}, "media": media}}
}

func posts(n int) []footy.Candidate {
	var out []footy.Candidate
	for i := range n {
		out = append(out, footy.Candidate{PostID: snowflake.At(time.Now().Add(-time.Minute), i), PostedAt: time.Now()})
	}
	return out
}

func TestTheRequest(t *testing.T) {
	t.Parallel()
	var got []map[string]string
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		q := map[string]string{}
		for k := range r.URL.Query() {
			q[k] = r.URL.Query().Get(k)
		}
		got = append(got, q)
		fmt.Fprint(w, `{"meta":{"result_count":0}}`)
	})
	now := time.Date(2026, 3, 14, 15, 30, 0, 0, time.UTC)
	src := xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret", Ledger: newMemory(), Now: func() time.Time { return now }}, srv.Client())
	for _, q := range []source.Query{{Text: `saka OR "Arsenal FC" filter:videos`, Since: now.Add(-3 * time.Minute), Max: 3},
		{Text: "saka arsenal", Since: now.Add(-8 * 24 * time.Hour), Max: 5000}} {
		_, err := src.Search(t.Context(), q)
		require.NoError(t, err)
	}
	require.Equal(t, `(saka OR "Arsenal FC") has:videos -is:retweet`, got[0]["query"], "AND binds tighter than OR in the API")
	require.Equal(t, "2026-03-14T15:27:00Z", got[0]["start_time"])
	require.Equal(t, "10", got[0]["max_results"])
	require.Equal(t, "attachments.media_keys", got[0]["expansions"], "authors and quoted posts are paid for")
	require.NotContains(t, got[0], "user.fields")
	require.Equal(t, "saka arsenal has:videos -is:retweet", got[1]["query"])
	require.NotContains(t, got[1], "start_time", "recent search refuses what is older than a week")
	require.Equal(t, "100", got[1]["max_results"])

	long := make([]byte, 600)
	for i := range long {
		long[i] = 'a'
	}
	for _, text := range []string{"", string(long)} {
		_, err := src.Search(t.Context(), source.Query{Text: text})
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	}
	require.Len(t, got, 2)
}

// brittle is a ledger that can be out of reach.
type brittle struct {
	bill.Ledger
	broken error
}

func (b *brittle) Change(ctx context.Context, change func(*bill.Book) bool) error {
	if b.broken != nil {
		return b.broken
	}
	return b.Ledger.Change(ctx, change)
}

// spent is what a ledger says of a day.
func spent(t *testing.T, l bill.Ledger, day time.Time) bill.Money {
	t.Helper()
	b, err := l.Read(t.Context())
	require.NoError(t, err)
	return b.Days[day.UTC().Format(time.DateOnly)]
}

// tenAtMost is what is set aside for ten posts: each may have four videos.
const tenAtMost = 10 * (5 + 4*5)

func TestAnAnswerIsPaidForByWhatItHolds(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer http.HandlerFunc
		cost   bill.Money
	}{
		"three posts, three videos and an author": {func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(body(posts(3))) }, 3*5 + 3*5 + 10},
		"a quoted post": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"data":[{"id":"1"}],"includes":{"tweets":[{"id":"2"}],"media":[{},{}]},"meta":{"result_count":1}}`)
		}, 5 + 5 + 2*5},
		"no posts":                {func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(body(nil)) }, 0},
		"a refusal":               {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }, 0},
		"nonsense":                {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, tenAtMost},
		"an answer that got lost": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, tenAtMost},
		"nobody there":            {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := serve(t, func(w http.ResponseWriter, r *http.Request) { tc.answer(w, r) })
			if tc.answer == nil {
				srv.Close()
			}
			ledger := newMemory()
			src := xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret", DailyCap: 1, Ledger: ledger}, srv.Client())
			_, _ = src.Search(t.Context(), source.Query{Text: "saka", Max: 10}) // what it finds is another test's
			require.Equal(t, tc.cost, spent(t, ledger, time.Now()))
		})
	}
}

// full is the most that ten posts can cost.
func full() map[string]any {
	data, media := []any{}, []any{}
	for i, p := range posts(10) {
		data = append(data, map[string]any{"id": p.PostID, "text": "goal", "attachments": map[string]any{"media_keys": []string{strconv.Itoa(4 * i)}}})
		for j := range 4 {
			media = append(media, map[string]any{"media_key": strconv.Itoa(4*i + j), "type": "video", "duration_ms": 9000})
		}
	}
	return map[string]any{"data": data, "includes": map[string]any{"media": media}, "meta": map[string]any{"result_count": 10}}
}

func TestTheDailyCapIsNeverPassed(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	calls := 0
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		calls++
		_ = json.NewEncoder(w).Encode(full())
	})
	var clock sync.Mutex
	now := time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)
	ledger := &brittle{Ledger: newMemory()}
	open := func() *xapi.Source {
		return xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret", DailyCap: 0.60, Ledger: ledger, Now: func() time.Time {
			clock.Lock()
			defer clock.Unlock()
			return now
		}}, srv.Client())
	}
	src := open()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { _, _ = src.Search(t.Context(), source.Query{Text: "saka", Max: 10}) })
	}
	wg.Wait()
	require.Equal(t, 2, calls, "sixty cents are two searches of 25 at most")
	require.Equal(t, bill.Dollars(0.50), spent(t, ledger, now))

	again := open() // a restart does not open a new purse
	r, err := again.Search(t.Context(), source.Query{Text: "saka", Max: 20})
	require.NoError(t, err)
	require.Equal(t, footy.SearchDayCap, r.State)
	require.InDelta(t, 12, r.RetryAfter.Hours(), 0.01)
	require.Equal(t, 2, calls)
	h, err := again.Health(t.Context())
	require.NoError(t, err)
	require.False(t, h.Ready)
	require.Equal(t, footy.SearchDayCap, h.Waits)
	require.Equal(t, "$0.50 of the day's $0.60 spent", h.Detail)

	clock.Lock()
	now = now.Add(13 * time.Hour)
	clock.Unlock()
	r, err = again.Search(t.Context(), source.Query{Text: "saka", Max: 10})
	require.NoError(t, err)
	require.Equal(t, source.StateResults, r.State)
	r, err = again.Search(t.Context(), source.Query{Text: "saka", Max: 20})
	require.NoError(t, err)
	require.Equal(t, source.StateResults, r.State, "what is left is enough for a search of ten")
	require.Equal(t, 4, calls)

	ledger.broken = errors.New("the database is away")
	_, err = again.Search(t.Context(), source.Query{Text: "saka", Max: 10})
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.ErrorIs(t, err, ledger.broken)
	require.Equal(t, 4, calls, "an unreadable ledger is not an empty one")
}

// TestAWantOfMoneyIsAWaitThatEndsByItself: 402 and a 429 with calls left were failures of X, which take a goal's tries.
func TestAWantOfMoneyIsAWaitThatEndsByItself(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status int
		left   string
		body   string
		want   source.State
	}{
		"no credits":        {402, "", `{"title":"CreditsDepleted","detail":"Your enrolled account does not have any credits to fulfill this request.","type":"https://api.twitter.com/2/problems/credits"}`, footy.SearchNoCredits},
		"402 of a gateway":  {402, "", `<html>Payment Required</html>`, footy.SearchNoCredits},
		"the monthly cap":   {429, "4711", `{"title":"Too Many Requests","detail":"Too Many Requests","type":"about:blank","status":429}`, footy.SearchMonthlyCap},
		"the cap, by name":  {429, "", `{"title":"UsageCapExceeded","detail":"Usage cap exceeded: Monthly product cap","type":"https://api.twitter.com/2/problems/usage-capped"}`, footy.SearchMonthlyCap},
		"the spending cap":  {403, "", `{"title":"SpendCapReached","detail":"reached its billing cycle spend cap","type":"https://api.twitter.com/2/problems/credits"}`, footy.SearchMonthlyCap},
		"a spent window":    {429, "0", `{"title":"Too Many Requests","status":429}`, source.StateRateLimited},
		"an honest refusal": {403, "", `{"title":"Client Forbidden","status":403}`, source.StateLoginRequired},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls, paid := 0, false
			srv := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if calls++; paid {
					fmt.Fprint(w, `{"meta":{"result_count":0}}`)
					return
				}
				w.Header().Set("x-rate-limit-remaining", tc.left)
				w.Header().Set("x-rate-limit-reset", strconv.FormatInt(time.Now().Add(time.Minute).Unix(), 10))
				w.WriteHeader(tc.status)
				fmt.Fprint(w, tc.body)
			})
			now, ledger := time.Now(), newMemory()
			open := func() *xapi.Source {
				return xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret", DailyCap: 1, Ledger: ledger, Now: func() time.Time { return now }}, srv.Client())
			}
			src := open()
			search := func(s *xapi.Source) source.Result {
				r, err := s.Search(t.Context(), source.Query{Text: "saka", Max: 10})
				require.NoError(t, err)
				return r
			}
			r := search(src)
			require.Equal(t, tc.want, r.State, r.Detail)
			require.True(t, r.State.Waits(), "it takes no try")
			require.Zero(t, spent(t, ledger, now))
			if !tc.want.NoMoney() {
				return
			}
			require.Equal(t, time.Minute, r.RetryAfter)
			other := open() // another process asks for nothing, and knows why
			require.Equal(t, tc.want, search(other).State)
			require.Equal(t, 1, calls)
			h, err := other.Health(t.Context())
			require.NoError(t, err)
			require.Equal(t, tc.want, h.Waits)
			require.False(t, h.Ready)

			now = now.Add(time.Minute)
			h, err = other.Health(t.Context())
			require.NoError(t, err)
			require.Equal(t, tc.want, h.Waits, "until X has answered")
			require.True(t, h.Ready, "but it may be asked")
			paid = true
			require.Equal(t, source.StateEmpty, search(other).State)
			require.Equal(t, source.StateEmpty, search(src).State)
			h, err = src.Health(t.Context())
			require.NoError(t, err)
			require.Empty(t, h.Waits)
		})
	}
}

func TestNoCallIsWastedOnASureRefusal(t *testing.T) {
	t.Parallel()
	calls := 0
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		calls++
		answer(w, sourcetest.Answer{State: source.StateRateLimited, RetryAfter: time.Minute})
	})
	src := xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret", Ledger: newMemory()}, srv.Client())
	for range 3 {
		r, err := src.Search(t.Context(), source.Query{Text: "saka"})
		require.NoError(t, err)
		require.Equal(t, source.StateRateLimited, r.State)
		require.Greater(t, r.RetryAfter, 30*time.Second)
	}
	require.Equal(t, 1, calls)
}

func TestASlowAPIIsATimeoutNotAnEmptyAnswer(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	srv := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	r, err := xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret", Ledger: newMemory(), Timeout: 50 * time.Millisecond}, srv.Client()).
		Search(t.Context(), source.Query{Text: "saka"})
	require.NoError(t, err)
	require.Equal(t, source.StateTimeout, r.State)
}

func TestNoMoneyIsSpentOnAGoalThatIsNotCertain(t *testing.T) {
	t.Parallel()
	asked := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("X was asked") }))
	t.Cleanup(asked.Close)
	r, err := xapi.New(xapi.Options{URL: asked.URL, BearerToken: "secret", Ledger: newMemory()}, asked.Client()).Search(t.Context(), source.Query{Text: "saka", Ahead: 2})
	require.NoError(t, err)
	require.Equal(t, source.StateNotNow, r.State)
}

func TestWithoutATokenNothingIsAsked(t *testing.T) {
	t.Parallel()
	src := xapi.New(xapi.Options{}, http.DefaultClient)
	r, err := src.Search(t.Context(), source.Query{Text: "saka"})
	require.NoError(t, err)
	require.Equal(t, source.StateLoginRequired, r.State)
	h, err := src.Health(t.Context())
	require.NoError(t, err)
	require.False(t, h.Ready)
	require.Equal(t, source.LoginMissing, h.Login)
}
