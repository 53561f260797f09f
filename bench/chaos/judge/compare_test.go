package judge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/judge"
)

func outcome(clips ...judge.Clip) judge.Outcome {
	return judge.Outcome{Fixtures: map[int]judge.Fixture{7: {Stage: "completed", Score: "1-0"}},
		Goals: map[string]judge.Goal{"7 Goal A. Body 1-0": {EventID: "7_1", UID: "7-1", Complete: true, Clips: clips}}}
}

func plain(id string) string { return "film " + id }

func TestADifferenceNamesWhatWasExpected(t *testing.T) {
	t.Parallel()
	a, b := judge.Clip{ID: "aa", Verified: true, Popularity: 3}, judge.Clip{ID: "bb", Popularity: 1}
	require.Empty(t, judge.Compare(outcome(a, b), outcome(a, b), plain))
	for name, tt := range map[string]struct {
		got  judge.Outcome
		want string
	}{
		"lost":       {outcome(a), "complete: film aa (verified, 3 posts)"},
		"order":      {outcome(b, a), "complete: film bb (unverified, 1 posts); film aa (verified, 3 posts)"},
		"doubled":    {outcome(a, a, b), "complete: film aa (verified, 3 posts); film aa (verified, 3 posts, DOUBLED); film bb (unverified, 1 posts)"},
		"popularity": {outcome(judge.Clip{ID: "aa", Verified: true, Popularity: 2}, b), "complete: film aa (verified, 2 posts); film bb (unverified, 1 posts)"},
		"no goal":    {judge.Outcome{Fixtures: outcome().Fixtures}, "no such goal"},
	} {
		d := judge.Compare(outcome(a, b), tt.got, plain)
		require.Len(t, d, 1, name)
		require.Equal(t, "complete: film aa (verified, 3 posts); film bb (unverified, 1 posts)", d[0].Expected, name)
		require.Equal(t, tt.want, d[0].Got, name)
	}
	more := outcome(a, b)
	more.Goals["7 Goal A. Body 2-0"] = judge.Goal{}
	require.Len(t, judge.Compare(outcome(a, b), more, plain), 1, "a goal that is none")
}

func TestBytesAndClipsComeInPairs(t *testing.T) {
	t.Parallel()
	const clip, other = "0123456789abcdef", "fedcba9876543210"
	o := outcome(judge.Clip{ID: clip})
	key := func(uid, id string) string { return "clips/" + uid + "/" + id + "0000.mp4" }
	for name, tt := range map[string]struct {
		keys []string
		want []string
	}{
		"as it should be":         {[]string{key("7-1", clip), "posters/7-1/" + other + ".jpg", "staging/" + other}, nil},
		"missing":                 {nil, []string{"7 Goal A. Body 1-0: the bytes of film " + clip + " lie in the object store 0 times"}},
		"orphaned":                {[]string{key("7-1", clip), key("7-1", other)}, []string{"7 Goal A. Body 1-0: the object store holds film " + other + ", which is no clip of this goal"}},
		"of a goal not standing":  {[]string{key("7-1", clip), key("7-2", other)}, nil},
		"with the match before":   {[]string{"clips/7/7-1/" + clip + ".mp4"}, nil},
		"twice under other names": {[]string{key("7-1", clip), "clips/7/7-1/" + clip + ".mp4"}, []string{"7 Goal A. Body 1-0: the bytes of film " + clip + " lie in the object store 2 times"}},
	} {
		require.Equal(t, tt.want, judge.Bytes(o, tt.keys, plain, false), name)
	}
	require.Empty(t, judge.Bytes(o, []string{key("7-1", clip), key("7-1", other)}, plain, true), "footy audit tells of it")
	require.Len(t, judge.Bytes(o, nil, plain, true), 1)
}
