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
	right := social.Message{Key: "footy-7-1-a1-0", Text: "A. Body", Size: 9}
	posted := func(all ...social.Message) judge.Outcome {
		o := outcome(judge.Clip{ID: "aa", Size: 9}, judge.Clip{ID: "bb", Size: 4})
		o.Place(all)
		return o
	}
	calm := posted(right)
	require.True(t, calm.Posted())
	require.Empty(t, judge.Compare(calm, posted(right), plain))
	other := right
	other.Size = 4
	for name, got := range map[string]judge.Outcome{
		"lost":                posted(),
		"doubled":             posted(right, right),
		"with another clip":   posted(other),
		"of a goal not there": posted(right, social.Message{Key: "footy-7-10-a1-0", Text: "nobody"}),
	} {
		require.False(t, got.Posted(), name)
		require.Len(t, judge.Compare(calm, got, plain), 1, name)
	}
	require.Contains(t, judge.Compare(calm, posted(other), plain)[0].Got, `posted "A. Body" with 4 bytes that are not its best clip`)
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

func TestADayWithoutPostsIsComparedWithoutThem(t *testing.T) {
	t.Parallel()
	calm := outcome()
	calm.Place([]social.Message{{Key: "footy-7-1-a1-0", Text: "A. Body"}})
	require.Len(t, judge.Compare(calm, outcome(), plain), 1)
	require.Empty(t, judge.Compare(calm.WithoutPosts(), outcome(), plain))
	require.Len(t, calm.Goals[goal].Posts, 1)
}
