package explain_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

func acted(act, clip, reason string) footy.Entry {
	return footy.Entry{Kind: footy.EntryOperator, ClipID: clip, Data: footy.Evidence{Act: act, Reason: reason}}
}

// Whoever asks why a goal has no clip hears of the operator, and why.
func TestWhatAnOperatorTookOutOfSight(t *testing.T) {
	t.Parallel()
	e := certain(done)
	e.Clips = []footy.Clip{{ID: "a", Hidden: true}, {ID: "b", Hidden: true}}
	shown := rows(query("results"), footy.Entry{Kind: footy.EntryClip, ClipID: "a"}, footy.Entry{Kind: footy.EntryClip, ClipID: "b"})
	found := posts(published("a"), published("b"), refused(footy.ReasonTooShort))
	cases := []struct {
		name, sentence string
		rows           []footy.Entry
	}{
		{"both hidden", "An operator hid 2 clips. Of the other posts 1 was too short.", []footy.Entry{acted("hide", "", "")}},
		{"one each", "An operator hid 1 clip and took 1 clip down: a claim. Of the other posts 1 was too short.",
			[]footy.Entry{acted("take down", "a", "a claim. "), acted("hide", "", "")}},
		{"the row of one is gone", "An operator hid 1 clip and took 1 clip down: a claim. Of the other posts 1 was too short.",
			[]footy.Entry{acted("take down", "a", "a claim")}},
		{"nobody wrote it down", "An operator hid 2 clips. Of the other posts 1 was too short.", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := explain.Why(e, found, append(slices.Clone(shown), c.rows...))
			require.Equal(t, "Why no clip?", a.Question)
			require.Equal(t, c.sentence, a.Sentence)
			require.Equal(t, []int{3, 0, 2, 1}, []int{a.Posts, a.Clips, a.Withdrawn, a.Rejected})
		})
	}
	require.Equal(t, "An operator hid it.", explain.Why(e, found[:1], append(slices.Clone(shown), acted("hide", "a", ""))).Sentence)
}

func TestEveryPostOfTheSentenceIsExplained(t *testing.T) {
	t.Parallel()
	found := posts(refused(footy.ReasonGaveUp), in(footy.PostFetched), in(footy.PostOffered))
	require.Equal(t, "1 search found 3 posts, none of which shows this goal for certain: 1 was given up by an operator and 2 are still being checked.",
		explain.Why(certain(), found, rows(query("results"))).Sentence)
	require.Equal(t, "1 search found 3 posts, none of which shows this goal for certain: 1 was given up by an operator and 2 were left without an answer.",
		explain.Why(certain(done), found, rows(query("results"))).Sentence)
}
