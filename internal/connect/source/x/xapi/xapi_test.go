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
		return sourcetest.Bench{Source: xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret"}, srv.Client()), Stop: srv.Close}
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
	src := xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret", Now: func() time.Time { return now }}, srv.Client())
	for _, q := range []source.Query{{Text: `saka OR "Arsenal FC" filter:videos`, Since: now.Add(-3 * time.Minute), Max: 3},
		{Text: "saka arsenal", Since: now.Add(-8 * 24 * time.Hour), Max: 5000}} {
		_, err := src.Search(t.Context(), q)
		require.NoError(t, err)
	}
	require.Equal(t, `(saka OR "Arsenal FC") has:videos -is:retweet`, got[0]["query"], "AND binds tighter than OR in the API")
	require.Equal(t, "2026-03-14T15:27:00Z", got[0]["start_time"])
	require.Equal(t, "10", got[0]["max_results"])
	require.Equal(t, "attachments.media_keys,author_id,referenced_tweets.id,referenced_tweets.id.author_id", got[0]["expansions"])
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
	xapi.Ledger
	broken error
}

func (b *brittle) Reserve(ctx context.Context, day string, posts, limit int) (bool, error) {
	if b.broken != nil {
		return false, b.broken
	}
	return b.Ledger.Reserve(ctx, day, posts, limit)
}

func TestWhatIsNotReadIsGivenBackAndWhatIsUnknownIsNot(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer http.HandlerFunc
		spent  int
	}{
		"three posts":             {func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(body(posts(3))) }, 3},
		"no posts":                {func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(body(nil)) }, 0},
		"a refusal":               {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }, 0},
		"nonsense":                {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, 10},
		"an answer that got lost": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 10},
		"nobody there":            {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := serve(t, func(w http.ResponseWriter, r *http.Request) { tc.answer(w, r) })
			if tc.answer == nil {
				srv.Close()
			}
			purse := xapi.NewMemory()
			src := xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret", DailyCap: 1, Ledger: purse}, srv.Client())
			_, _ = src.Search(t.Context(), source.Query{Text: "saka", Max: 10}) // what it finds is another test's
			spent, err := purse.Posts(t.Context(), time.Now().UTC().Format(time.DateOnly))
			require.NoError(t, err)
			require.Equal(t, tc.spent, spent)
		})
	}
}

func TestTheDailyCapIsNeverPassed(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	calls := 0
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		calls++
		_ = json.NewEncoder(w).Encode(body(posts(10)))
	})
	var clock sync.Mutex
	now := time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)
	purse := &brittle{Ledger: xapi.NewMemory()}
	open := func() *xapi.Source {
		return xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret", DailyCap: 0.10, Ledger: purse, Now: func() time.Time {
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
	require.Equal(t, 2, calls, "ten cents are twenty posts")

	again := open() // a restart does not open a new purse
	for range 3 {
		_, err := again.Search(t.Context(), source.Query{Text: "saka", Max: 10})
		require.NoError(t, err)
	}
	require.Equal(t, 2, calls)
	r, err := again.Search(t.Context(), source.Query{Text: "saka", Max: 10})
	require.NoError(t, err)
	require.Equal(t, source.StateRateLimited, r.State)
	require.InDelta(t, 12, r.RetryAfter.Hours(), 0.01)
	h, err := again.Health(t.Context())
	require.NoError(t, err)
	require.False(t, h.Ready)
	require.Equal(t, []int{0, 20}, []int{h.BudgetLeft, h.BudgetLimit})

	clock.Lock()
	now = now.Add(13 * time.Hour)
	clock.Unlock()
	r, err = again.Search(t.Context(), source.Query{Text: "saka", Max: 10})
	require.NoError(t, err)
	require.Equal(t, source.StateResults, r.State)

	purse.broken = errors.New("the database is away")
	_, err = again.Search(t.Context(), source.Query{Text: "saka", Max: 10})
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.ErrorIs(t, err, purse.broken)
	require.Equal(t, 3, calls, "an unreadable ledger is not an empty one")
}

func TestNoCallIsWastedOnASureRefusal(t *testing.T) {
	t.Parallel()
	calls := 0
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		calls++
		answer(w, sourcetest.Answer{State: source.StateRateLimited, RetryAfter: time.Minute})
	})
	src := xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret"}, srv.Client())
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
	r, err := xapi.New(xapi.Options{URL: srv.URL, BearerToken: "secret", Timeout: 50 * time.Millisecond}, srv.Client()).
		Search(t.Context(), source.Query{Text: "saka"})
	require.NoError(t, err)
	require.Equal(t, source.StateTimeout, r.State)
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
