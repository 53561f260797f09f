package fetchhealth_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/footy"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// step is one fetch; why "" = it worked.
type step struct {
	post string
	why  footy.Reason
}

func posts(from, to int, why footy.Reason) []step {
	var out []step
	for i := from; i <= to; i++ {
		out = append(out, step{fmt.Sprint("p", i), why})
	}
	return out
}

func all(parts ...[]step) []step {
	var out []step
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// after plays steps a second apart.
func after(steps []step) fetchhealth.Health {
	var h fetchhealth.Health
	for i, s := range steps {
		h = fetchhealth.Note(h, s.post, s.why, footy.Candidate{PostID: s.post}, noon.Add(time.Duration(i)*time.Second))
	}
	return h
}

func TestTheFetchRestsWhenTenPostsFailAlike(t *testing.T) {
	t.Parallel()
	const gone, geo, failed = footy.ReasonDeleted, footy.ReasonGeoBlocked, footy.ReasonFetchFailed
	ok := []step{{post: "good"}}
	same := make([]step, 40)
	for i := range same {
		same[i] = step{"p1", gone}
	}
	for name, c := range map[string]struct {
		steps  []step
		rests  bool
		failed int
	}{
		"nothing yet":                     {nil, false, 0},
		"nine":                            {posts(1, 9, gone), false, 9},
		"ten":                             {posts(1, 10, gone), true, 10},
		"more than ten are not kept":      {posts(1, 40, gone), true, 10},
		"one post, forty times":           {same, false, 1},
		"ten, five of them the same five": {all(posts(1, 5, gone), posts(1, 5, gone)), false, 5},
		"a success between":               {all(posts(1, 9, gone), ok, posts(10, 18, gone)), false, 9},
		"another reason between":          {all(posts(1, 9, gone), posts(10, 10, failed), posts(11, 19, gone)), false, 9},
		"two reasons in turn":             {all(posts(1, 5, gone), posts(6, 10, geo), posts(11, 15, gone)), false, 5},
		"a success ends the rest":         {all(posts(1, 12, geo), ok), false, 0},
		"another reason does not":         {all(posts(1, 12, geo), posts(13, 13, failed)), true, 1},
		"ten more after the rest":         {all(posts(1, 12, geo), ok, posts(1, 10, geo)), true, 10},
		"posts that failed before the success count anew": {all(posts(1, 10, geo), ok, posts(1, 3, geo)), false, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := after(c.steps)
			require.Equal(t, c.rests, fetchhealth.Resting(h))
			require.Len(t, h.Failed, c.failed)
		})
	}
}

func TestTheRestBeginsOnceAndTheKnownPostStays(t *testing.T) {
	t.Parallel()
	h := after(all([]step{{post: "good"}}, posts(1, 30, footy.ReasonGeoBlocked)))
	require.Equal(t, noon.Add(10*time.Second), h.RestingSince)
	require.Equal(t, "good", h.Known.PostID)
	require.Equal(t, noon, h.LastOK)
	require.Equal(t, footy.ReasonGeoBlocked, h.Reason)
}

func TestFetchedSinceNeedsASuccess(t *testing.T) {
	t.Parallel()
	h := after([]step{{"p1", footy.ReasonDeleted}, {post: "good"}, {"p2", footy.ReasonDeleted}})
	require.True(t, fetchhealth.FetchedSince(h, noon))
	require.False(t, fetchhealth.FetchedSince(h, noon.Add(time.Second)), "not at that very moment")
	require.False(t, fetchhealth.FetchedSince(fetchhealth.Health{}, time.Time{}))
	rests := after(all([]step{{post: "good"}}, posts(1, 10, footy.ReasonGeoBlocked)))
	require.False(t, fetchhealth.FetchedSince(rests, noon.Add(-time.Hour)), "what all posts say proves nothing about one")
}

func TestNoteChangesNoListOfItsCaller(t *testing.T) {
	t.Parallel()
	h := after(posts(1, 3, footy.ReasonDeleted))
	before, err := json.Marshal(h)
	require.NoError(t, err)
	fetchhealth.Note(h, "a", footy.ReasonDeleted, footy.Candidate{}, noon)
	fetchhealth.Note(h, "b", footy.ReasonDeleted, footy.Candidate{}, noon)
	now, err := json.Marshal(h)
	require.NoError(t, err)
	require.JSONEq(t, string(before), string(now))
	var back fetchhealth.Health
	require.NoError(t, json.Unmarshal(now, &back))
	require.Equal(t, h, back)
}

func TestOneDuePostOfAnIntervalGoesThroughARest(t *testing.T) {
	t.Parallel()
	h := after(posts(1, 10, footy.ReasonGeoBlocked))
	rested := h.RestingSince
	_, turn := fetchhealth.TakeTurn(h, time.Minute, rested.Add(59*time.Second))
	require.False(t, turn, "the rest has just begun")
	h, turn = fetchhealth.TakeTurn(h, time.Minute, rested.Add(time.Minute))
	require.True(t, turn)
	_, turn = fetchhealth.TakeTurn(h, time.Minute, rested.Add(time.Minute+59*time.Second))
	require.False(t, turn, "another post has the turn")
	_, turn = fetchhealth.TakeTurn(h, time.Minute, rested.Add(2*time.Minute))
	require.True(t, turn)
	_, turn = fetchhealth.TakeTurn(h, time.Minute, rested.Add(-time.Hour))
	require.True(t, turn, "the clock was ahead")
	_, turn = fetchhealth.TakeTurn(fetchhealth.Health{}, time.Minute, noon)
	require.False(t, turn, "there is no rest")
}

func TestSeveralKnownPostsAreKept(t *testing.T) {
	t.Parallel()
	ids := func(h fetchhealth.Health) (out []string) {
		for _, c := range fetchhealth.KnownPosts(h) {
			out = append(out, c.PostID)
		}
		return out
	}
	require.Empty(t, ids(fetchhealth.Health{}))
	h := after(posts(1, 5, ""))
	require.Equal(t, []string{"p5", "p4", "p3"}, ids(h), "the newest first")
	h = fetchhealth.Note(h, "p4", "", footy.Candidate{PostID: "p4"}, noon)
	require.Equal(t, []string{"p4", "p5", "p3"}, ids(h))
	h = fetchhealth.Note(h, "p9", footy.ReasonDeleted, footy.Candidate{}, noon)
	require.Equal(t, []string{"p4", "p5", "p3"}, ids(h))
}

func TestAnOperatorEndsARest(t *testing.T) {
	t.Parallel()
	h := fetchhealth.EndRest(after(all([]step{{post: "good"}}, posts(1, 10, footy.ReasonGeoBlocked))))
	require.False(t, fetchhealth.Resting(h))
	require.Empty(t, h.Failed, "ten others must fail before the next rest")
	require.Equal(t, "good", h.Known.PostID)
	require.Equal(t, noon, h.LastOK)
}
