package operator_test

import (
	"context"
	"strings"
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

	require.NoError(t, o.SettlePost(t.Context(), "5000_1_2_Goal_1", "discord", false, ""))
	require.NoError(t, o.SettlePost(t.Context(), uid, "bb", true, ""))
	is := goal(t, o).Postings
	require.Equal(t, footy.Posting{Target: "aa", Service: "Discord", Number: 1, Asked: true, At: now.UTC()}, is[0])
	require.Equal(t, footy.Posting{Target: "bb", Service: "Telegram", Step: footy.PostingThere, At: now.UTC()}, is[1])
	var said []string
	for _, r := range acts(t, o) {
		said = append(said, explain.Operator(r))
	}
	require.ElementsMatch(t, []string{"Discord: an operator saw that our post is not there, and has it posted again", "Telegram: an operator saw that our post is there"}, said)

	for _, at := range []string{"Discord", "bb", "Mastodon", "nowhere"} {
		require.Equal(t, footy.CodeConflict, footy.CodeOf(o.SettlePost(t.Context(), uid, at, true, "")), at)
	}
	require.True(t, footy.IsNotFound(o.SettlePost(t.Context(), "none", "bb", true, "")))
	change(t, o, func(e *footy.Event) { e.Postings[1].Step, e.Removed = footy.PostingUnsure, true })
	require.Equal(t, footy.CodeConflict, footy.CodeOf(o.SettlePost(t.Context(), uid, "bb", false, "")), "it no longer stands")
}

func TestAnOperatorSaysWhereAPostIs(t *testing.T) {
	t.Parallel()
	o := desk(t)
	o.ReadLink = func(_ context.Context, target, link string) (string, string, error) {
		if !strings.HasPrefix(link, "https://"+target+"/") {
			return "", "", footy.Errorf(footy.CodeInvalid, "read link", "expected https://%s/NUMBER", target)
		}
		return strings.TrimPrefix(link, "https://"+target+"/"), link, nil
	}
	change(t, o, func(e *footy.Event) {
		e.Postings = []footy.Posting{
			{Target: "aa", Service: "Discord", Step: footy.PostingUnsure, Error: "killed", Clip: "c", Says: "d", Number: 1, At: now},
			{Target: "bb", Service: "Telegram", Step: footy.PostingThere, At: now},
			{Target: "cc", Service: "X", Step: footy.PostingDone, Error: "X never said which post it is", At: now},
			{Target: "dd", Service: "Mastodon", Step: footy.PostingDone, ID: "1", At: now},
		}
		e.Removed = true // what is there can be deleted then
	})
	settle := func(at, link string) error { return o.SettlePost(t.Context(), uid, at, true, link) }
	require.ErrorContains(t, settle("Discord", "https://elsewhere/7"), "expected https://aa/NUMBER")
	require.ErrorContains(t, o.SettlePost(t.Context(), uid, "Discord", false, "https://aa/7"), "not there")
	for _, at := range []string{"Mastodon", "nowhere"} {
		require.Equal(t, footy.CodeConflict, footy.CodeOf(settle(at, "https://dd/7")), at)
	}
	for _, at := range []string{"Telegram", "X"} {
		require.Equal(t, footy.CodeConflict, footy.CodeOf(settle(at, "")), "nothing is in doubt")
	}
	require.NoError(t, settle("Discord", "https://aa/7"))
	require.NoError(t, settle("bb", "https://bb/7"), "another target's 7 is another post")
	require.NoError(t, settle("X", "https://cc/9"))
	is := goal(t, o).Postings
	require.Equal(t, footy.Posting{Target: "aa", Service: "Discord", Step: footy.PostingDone, ID: "7", URL: "https://aa/7", Clip: "c", Says: "d", Number: 1, At: now.UTC()}, is[0])
	require.Equal(t, footy.PostingDone, is[1].Step)
	require.Equal(t, "9", is[2].ID)
	require.Empty(t, is[2].Error)
	require.Equal(t, "Discord: an operator showed where our post is", explain.Operator(acts(t, o)[0]))

	change(t, o, func(e *footy.Event) {
		e.Postings = append(e.Postings, footy.Posting{Target: "dd", Service: "Mastodon", Step: footy.PostingUnsure})
	})
	require.ErrorContains(t, settle("Mastodon", "https://dd/1"), "is our post about", "one post is not two goals'")
	o.ReadLink = nil
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(settle("Mastodon", "https://dd/8")))
}
