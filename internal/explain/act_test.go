package explain_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
)

func acted(act, clip, reason string) footy.Entry {
	return footy.Entry{Kind: footy.EntryOperator, ClipID: clip, Data: footy.Evidence{Act: act, Reason: reason}}
}

// Whoever asks why a goal has no clip hears of the operator, and why.
func TestWhatAnOperatorTookOutOfSight(t *testing.T) {
	t.Parallel()
	shown := []footy.Entry{certain, searching, query("results"), taken("1"), verified("1", "a"), row(footy.EntryClip, as("a")), taken("2"), verified("2", "b"),
		row(footy.EntryClip, as("b")), taken("3"), refused("3", footy.ReasonTooShort), done}
	none := func(string) bool { return false }
	cases := []struct {
		name, sentence string
		rows           []footy.Entry
	}{
		{"both hidden", "An operator hid 2 clips. Of the other posts 1 was too short.", []footy.Entry{acted("hide", "", "")}},
		{"one each", "An operator hid 1 clip and took 1 clip down: a claim. Of the other posts 1 was too short.",
			[]footy.Entry{acted("take down", "a", "a claim. "), acted("hide", "", "")}},
		{"restoring the goal leaves what was taken down", "An operator took it down: a claim. Of the other posts 1 was too short.",
			[]footy.Entry{acted("hide", "", ""), acted("take down", "a", "a claim"), acted("restore", "", "")}},
		{"nobody wrote it down", "Its clip is out of sight now. Of the other posts 1 was too short.", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := explain.Why(append(append([]footy.Entry(nil), shown...), c.rows...), none)
			require.Equal(t, "Why no clip?", a.Question)
			require.Equal(t, c.sentence, a.Sentence)
			require.Equal(t, []int{3, 0, 2, 1}, []int{a.Posts, a.Clips, a.Withdrawn, a.Rejected})
		})
	}
	a := explain.Why(append(append([]footy.Entry(nil), shown...), acted("hide", "b", "")), nil)
	require.Equal(t, "1 post of 3 looked at shows this goal; of the others 1 was too short and 1 is out of sight by an operator's word.", a.Sentence)
	one := append(append([]footy.Entry(nil), shown[:6]...), done, acted("hide", "a", ""))
	require.Equal(t, "An operator hid it.", explain.Why(one, nil).Sentence)
	require.Empty(t, explain.Why(append(one, acted("restore", "a", "")), nil).Question)
}

func TestEveryPostOfTheSentenceIsExplained(t *testing.T) {
	t.Parallel()
	waits := row(footy.EntryVerdict, post("1"), why(footy.ReasonUnvalidated), judged("unvalidated"))
	rows := []footy.Entry{certain, searching, query("results"), taken("1"), waits, taken("2"), taken("3")}
	require.Equal(t, "1 search found 3 posts, none of which shows this goal for certain: 1 was not checked, because no model answered and 2 are still being checked.",
		explain.Why(rows, nil).Sentence)
	require.Equal(t, "1 search found 3 posts, none of which shows this goal for certain: 1 was not checked, because no model answered and 2 were left without an answer.",
		explain.Why(append(rows, done), nil).Sentence)
}

func TestAGoalThatAnOperatorBroughtBackStands(t *testing.T) {
	t.Parallel()
	rows := []footy.Entry{
		{Kind: footy.EntryCertain}, {Kind: footy.EntryRemoved, Reason: footy.ReasonVAR},
		{Kind: footy.EntryOperator, Data: footy.Evidence{Act: "restore", RestoredGoal: true}},
	}
	raw, err := json.Marshal(rows)
	require.NoError(t, err)
	var stored []footy.Entry
	require.NoError(t, json.Unmarshal(raw, &stored))
	for _, rows := range [][]footy.Entry{rows, stored} {
		a := explain.Why(rows, nil)
		require.NotContains(t, a.Sentence, "no longer stands")
		require.True(t, a.Unfinished)
	}
	rows[2].Data = footy.Evidence{Act: "restore"}
	require.Contains(t, explain.Why(rows, nil).Sentence, "no longer stands", "clips alone bring no goal back")
}
