package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhatADayBoreItSurvivedOnlyWhereNothingDiffers(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &composed{runner: &runner{Options: Options{Out: &out}}, plan: composedDay{name: "faults", faults: faults()[:1]}}
	c.report.note("as it was measured")
	c.print(time.Minute)
	require.Equal(t, "containers, faults: as one process, in 1m0s\n    survived: a worker is cut off from the engine for 60 s\n    as it was measured\n", out.String())
	out.Reset()
	c.report.fail("a goal is lost")
	c.print(time.Minute)
	require.Contains(t, out.String(), "1 DIFFERENCES")
	require.Contains(t, out.String(), "was made to bear: a worker is cut off")
	require.Contains(t, out.String(), "a goal is lost")
	require.NotContains(t, out.String(), "survived")
}

func TestEveryAccountMustHaveSearched(t *testing.T) {
	t.Parallel()
	w := &watch{most: map[string]int{"browser": 2}, did: map[string]map[string]int{"worker": {"a": 3, "b": 9, "c": 0}, "browser": {"d": 40, "e": 2}}}
	var r report
	w.tell(&r)
	require.Equal(t, []string{"the account of browser2 made no search"}, r.Lines)
	require.Contains(t, r.Notes[0], "posts fetched by each [9 3 0]")
	require.Contains(t, r.Notes[1], "searches by each account [42 0]")
}

func TestAFigureIsAddedUpOverItsLabels(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("# TYPE footy_searches_total counter\nfooty_searches_total{outcome=\"results\"} 12\nfooty_searches_total{outcome=\"empty\"} 3\nfooty_searches_total_other 99\n"))
	}))
	defer srv.Close()
	n, err := sum(t.Context(), srv.URL, "footy_searches_total")
	require.NoError(t, err)
	require.Equal(t, 15, n)
}

func TestBothServicesMustGrowAndShrink(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 22, 19, 54, 30, 0, time.UTC)
	var r report
	r.changes(`{"ts":"2026-11-22T19:54:36.65Z","level":"INFO","msg":"scales workers and browsers of the compose project x","module":"scaler"}
{"ts":"2026-11-22T19:54:51.9Z","level":"INFO","msg":"scales worker: 1 -> 2, because 7 matches are under way or about to begin","service":"worker","from":1,"to":2}
{"ts":"2026-11-22T19:58:51.9Z","level":"INFO","msg":"scales worker: 2 -> 1, because 0 tasks wait, fewer than 2 for each worker","service":"worker","from":2,"to":1}
{"ts":"2026-11-22T19:54:54.8Z","level":"INFO","msg":"scales browser: 1 -> 2, because 7 goals are searched for","service":"browser","from":1,"to":2}
not JSON
`, began)
	require.Len(t, r.Notes, 3)
	require.Equal(t, "  21.9 s  scales worker: 1 -> 2, because 7 matches are under way or about to begin", r.Notes[0])
	require.Equal(t, []string{"the scaler's log does not say that the number of browsers shrank"}, r.Lines)
}
