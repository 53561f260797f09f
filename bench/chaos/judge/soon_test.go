package judge_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/judge"
)

func TestSoonCountsToTheFirstClipOfEachGoal(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := `{"timeline":[{"kind":"new","at":"2026-11-14T15:00:00Z"}]}`
		if n := strings.TrimPrefix(r.URL.Path, "/api/v1/events/"); n != "none" {
			text = `{"timeline":[{"kind":"clip","at":"2026-11-14T15:00:30Z"},{"kind":"clip","at":"2026-11-14T15:00:0` + n + `Z"}]}`
		}
		_, _ = w.Write([]byte(text))
	}))
	defer srv.Close()
	began := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	o := judge.Outcome{Goals: map[string]judge.Goal{}}
	for _, id := range []string{"2", "7", "3", "none"} {
		o.Goals[id] = judge.Goal{EventID: id, FirstSeen: began}
	}
	s, err := judge.Site{Page: srv.URL}.Soon(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, judge.Soon{Goals: 3, Median: 3 * time.Second, Slowest: 7 * time.Second}, s)
	require.Equal(t, "first clip 3.0 s after the goal was first seen (median of 3; the slowest 7.0 s)", s.String())
	require.Equal(t, "no goal had a clip", judge.Soon{}.String())
}
