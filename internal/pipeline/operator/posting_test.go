package operator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/operator"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

func TestAnOperatorSettlesAnUnsurePost(t *testing.T) {
	t.Parallel()
	o := desk(t)
	change(t, o, func(e *footy.Event) {
		e.Postings = []footy.Posting{
			{Target: "aa", Service: "Discord", Step: footy.PostingUnsure, Error: "killed", Tries: 2, At: now},
			{Target: "bb", Service: "Telegram", Step: footy.PostingUnsure, Error: "HTTP 502", At: now},
			{Target: "cc", Service: "Mastodon", Step: footy.PostingDone, ID: "1", At: now},
		}
	})
	list, err := operator.UnsurePosts(t.Context(), o.Store)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "Telegram", list[1].Service)
	require.Equal(t, "HTTP 502", list[1].Why)

	require.NoError(t, o.SettlePost(t.Context(), "5000_1_2_Goal_1", "discord", false))
	require.NoError(t, o.SettlePost(t.Context(), uid, "bb", true))
	is := goal(t, o).Postings
	require.Equal(t, footy.Posting{Target: "aa", Service: "Discord", Number: 1, Asked: true, At: now.UTC()}, is[0])
	require.Equal(t, footy.Posting{Target: "bb", Service: "Telegram", Step: footy.PostingThere, At: now.UTC()}, is[1])
	var said []string
	for _, r := range acts(t, o) {
		said = append(said, explain.Operator(r))
	}
	require.ElementsMatch(t, []string{"Discord: an operator saw that our post is not there, and has it posted again", "Telegram: an operator saw that our post is there"}, said)

	for _, at := range []string{"Discord", "bb", "Mastodon", "nowhere"} {
		require.Equal(t, footy.CodeConflict, footy.CodeOf(o.SettlePost(t.Context(), uid, at, true)), at)
	}
	require.True(t, footy.IsNotFound(o.SettlePost(t.Context(), "none", "bb", true)))
	change(t, o, func(e *footy.Event) { e.Postings[1].Step, e.Removed = footy.PostingUnsure, true })
	require.Equal(t, footy.CodeConflict, footy.CodeOf(o.SettlePost(t.Context(), uid, "bb", false)), "it no longer stands")
}
