package judge_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/judge"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

const goal = "7 Goal A. Body 1-0"

func TestAPostIsOfOneGoalOnceWithItsBestClip(t *testing.T) {
	t.Parallel()
	right := social.Message{Text: "A. Body\nhttps://goals.example/g/7-1", Size: 9}
	other, stray := right, social.Message{Text: "nobody\nhttps://goals.example/g/7-10"}
	other.Size = 4
	for name, c := range map[string]struct {
		posted    []social.Message
		forgiven  bool // where the page was cut off once
		complaint string
	}{
		"once":                {[]social.Message{right}, true, ""},
		"lost":                {nil, true, goal + ": not posted"},
		"doubled":             {[]social.Message{right, right}, false, goal + ": posted 2 times"},
		"with another clip":   {[]social.Message{other}, true, goal + ": posted with 4 bytes that are not its best clip"},
		"of a goal not there": {[]social.Message{right, stray}, true, `posted, and no goal that stands: "nobody\nhttps://goals.example/g/7-10"`},
	} {
		o := outcome(judge.Clip{ID: "aa", Size: 9}, judge.Clip{ID: "bb", Size: 4})
		o.Place(c.posted)
		var want []string
		if c.complaint != "" {
			want = []string{c.complaint}
		}
		require.Equal(t, want, o.Posted(0), name)
		require.Equal(t, c.forgiven, len(o.Posted(1)) == 0, name)
	}
	none := outcome(judge.Clip{ID: "aa", Size: 9})
	none.Place([]social.Message{stray})
	require.Len(t, none.Posted(1), 2, "more than one cut can cost")
}

func TestABrowserIsToldOnce(t *testing.T) {
	t.Parallel()
	const told, taken = "7-1 Goal: A. Body", "7-1 No longer stands: A. Body"
	for name, tt := range map[string]struct {
		pushed map[string]int
		ends   int
		want   []string
	}{
		"once":                  {map[string]int{told: 1, taken: 1, "test Found Footy": 1}, 0, nil},
		"lost":                  {map[string]int{"7-10 Goal: A. Body": 1}, 0, []string{"a browser was never told of " + goal + "; the page ended 0 times"}},
		"lost in a kill":        {nil, 1, nil},
		"twice":                 {map[string]int{told: 2}, 3, []string{goal + ": a browser was told 2 times that it is certain"}},
		"in other words":        {map[string]int{told: 1, "7-1 Goal: B. Body": 1}, 0, []string{goal + ": a browser was told 2 times that it is certain"}},
		"twice of something":    {map[string]int{told: 1, taken: 2}, 0, []string{`a browser was told "` + taken + `" 2 times`}},
		"sealed for nobody":     {map[string]int{told: 1, "unreadable x": 1}, 0, []string{`a browser was told "unreadable x" 1 times`}},
		"twice of no such goal": {map[string]int{told: 1, "7-9 Goal: C. Body": 2}, 0, []string{`a browser was told "7-9 Goal: C. Body" 2 times`}},
	} {
		require.Equal(t, tt.want, judge.Pushed(outcome(), tt.pushed, tt.ends), name)
	}
}

func TestAReelIsAskedForUntilItPlays(t *testing.T) {
	t.Parallel()
	asked, film := 0, func(w http.ResponseWriter) { _, _ = w.Write([]byte("bytes")) }
	mux := http.NewServeMux()
	mux.HandleFunc("POST /reel/match/7", func(http.ResponseWriter, *http.Request) { asked++ })
	mux.HandleFunc("GET /api/v1/reels/match/7", func(w http.ResponseWriter, _ *http.Request) {
		if asked == 0 {
			_, _ = w.Write([]byte(`{"state":"none"}`))
			return
		}
		_, _ = w.Write([]byte(`{"state":"made","film_url":"/r/k/reel.mp4","size":5,"chapters":[{"start":3,"title":"A. Body","clip_id":"aa"}]}`))
	})
	mux.HandleFunc("GET /r/k/reel.mp4", func(w http.ResponseWriter, _ *http.Request) { film(w) })
	s := httptest.NewServer(mux)
	defer s.Close()
	shows, err := judge.Site{Page: s.URL}.Reel(t.Context(), 7)
	require.NoError(t, err)
	require.Equal(t, 1, asked)
	require.Equal(t, "[{3 A. Body aa}]", shows)
	ctx, stop := context.WithCancel(t.Context())
	film = func(w http.ResponseWriter) { // not all of it comes
		_, _ = w.Write([]byte("cut"))
		stop()
	}
	_, err = judge.Site{Page: s.URL}.Reel(ctx, 7)
	require.ErrorContains(t, err, "the reel of match 7 is \"made\"")
}
