package xweb_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/sourcetest"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
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
			if r.URL.Path == "/status" {
				_, _ = w.Write([]byte(`{"login":"ok","account":"fan","busy":false,"budget":{"remaining":12,"used":28,"limit":40}}`))
				return
			}
			var req searchapi.SearchRequest
			if r.URL.Path != "/search" || r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&req) != nil {
				http.NotFound(w, r)
				return
			}
			a := s.Next(req.SearchQuery)
			if a.Junk {
				_, _ = w.Write([]byte("<html>gateway</html>"))
				return
			}
			_ = json.NewEncoder(w).Encode(searchapi.NewSearchResponse(source.Result{State: a.State, Candidates: a.Posts,
				RetryAfter: a.RetryAfter, CallsUsed: 1}))
		})
		return sourcetest.Bench{Source: xweb.New(xweb.Options{URL: srv.URL + "/"}, srv.Client()), Stop: srv.Close}
	})
}

func TestTheRequestSpeaksTheContract(t *testing.T) {
	t.Parallel()
	var got map[string]any
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&got)
		_, _ = w.Write([]byte(`{"state":"empty","videos":[],"calls_used":1,"retry_after":0}`))
	})
	since := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	r, err := xweb.New(xweb.Options{URL: srv.URL}, srv.Client()).Search(t.Context(),
		source.Query{Text: "saka", Exclude: []string{"1"}, Since: since, Max: 5})
	require.NoError(t, err)
	require.Equal(t, 1, r.CallsUsed)
	require.Equal(t, map[string]any{"search_query": "saka", "exclude_urls": []any{"1"}, "since": "2026-03-14T15:00:00Z",
		"max_results": 5.0}, got)
}

func TestHTTPFailuresOfTheServiceAreErrorsWithTheirCode(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]footy.Code{400: footy.CodeInvalid, 401: footy.CodeAuthRequired,
		429: footy.CodeRateLimited, 500: footy.CodeUnavailable, 404: footy.CodeUnavailable} {
		srv := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"error":"no such thing"}`))
		})
		_, err := xweb.New(xweb.Options{URL: srv.URL}, srv.Client()).Search(t.Context(), source.Query{Text: "saka"})
		require.ErrorContains(t, err, "no such thing")
		require.Equal(t, want, footy.CodeOf(err), status)
		var e *footy.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, 3*time.Second, e.RetryAfter)
	}
}

func TestAStateCountsWhateverTheHTTPStatus(t *testing.T) {
	t.Parallel()
	srv := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"state":"rate_limited","videos":[],"retry_after":1.5}`))
	})
	r, err := xweb.New(xweb.Options{URL: srv.URL}, srv.Client()).Search(t.Context(), source.Query{Text: "saka"})
	require.NoError(t, err)
	require.Equal(t, source.StateRateLimited, r.State)
	require.Equal(t, 1500*time.Millisecond, r.RetryAfter)
}

func TestHealthSaysWhatIsLeft(t *testing.T) {
	t.Parallel()
	srv := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"login":"expired","busy":true,"budget":{"remaining":0,"used":40,"limit":40,"reset_at":"2026-03-14T15:00:00Z"},"detail":"log in"}`))
	})
	src := xweb.New(xweb.Options{URL: srv.URL}, srv.Client())
	h, err := src.Health(t.Context())
	require.NoError(t, err)
	require.False(t, h.Ready)
	require.Equal(t, source.LoginExpired, h.Login)
	require.Equal(t, 40, h.BudgetLimit)
	require.False(t, h.BudgetResets.IsZero())
	srv.Close()
	_, err = src.Health(t.Context())
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
}

func TestTheAccountIsLookedAfter(t *testing.T) {
	t.Parallel()
	var brought string
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		switch r.Method + " " + r.URL.Path {
		case "GET /status":
			_, _ = w.Write([]byte(`{"login":"ok","account":"fan","valid_until":"2027-01-02T00:00:00Z"}`))
		case "POST /authenticate":
			brought = string(raw)
			_, _ = w.Write([]byte(`{"login":"ok"}`))
		case "POST /auth/launch-browser":
			_, _ = w.Write([]byte(`{"status":"launched","url":"http://127.0.0.1:3203/vnc.html"}`))
		case "POST /canary":
			_, _ = w.Write([]byte(`{"at":"2026-03-14T15:00:00Z","ok":false,"drift":true,"detail":"no author","sample":"canary/1.json"}`))
		}
	})
	s := xweb.New(xweb.Options{URL: srv.URL}, srv.Client())
	h, err := s.Health(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2027, h.ValidUntil.Year())
	st, err := s.Authenticate(t.Context(), []byte("[1]"))
	require.NoError(t, err)
	require.Equal(t, source.LoginOK, st.Login)
	require.Equal(t, "[1]", brought)
	url, err := s.LaunchBrowser(t.Context())
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:3203/vnc.html", url)
	c, err := s.Canary(t.Context())
	require.NoError(t, err)
	require.True(t, c.Drift)
	require.Equal(t, "canary/1.json", c.Sample)
}
