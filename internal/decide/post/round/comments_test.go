package round_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestWhoseCommentsAreReadAndWhen(t *testing.T) {
	t.Parallel()
	l := limits
	l.CommentsAfter, l.CommentsAgain = 3*time.Minute, 4*time.Minute
	sound := footy.Post{PostID: "sound", State: footy.PostWaiting, Reason: footy.ReasonModelUnreachable}
	gone := footy.Post{PostID: "gone", State: footy.PostWaiting, Reason: footy.ReasonDeleted}
	blocked := footy.Post{PostID: "blocked", State: footy.PostRefused, Reason: footy.ReasonGeoBlocked}
	linked := footy.Post{PostID: "linked", State: footy.PostRefused, Reason: footy.ReasonDeleted, Candidate: footy.Candidate{Link: "https://streamff.pro/v/1"}}
	posts := []footy.Post{sound, gone, blocked, linked}
	read := func(post string, times int, ago time.Duration) footy.CommentsRead {
		return footy.CommentsRead{Post: post, Times: times, At: certain().CertainAt.Add(10*time.Minute - ago)}
	}
	for name, c := range map[string]struct {
		after  time.Duration
		change func(*footy.Event)
		want   []string // nil = none are due
		done   []string
	}{
		"at once only what is gone or blocked":      {time.Minute, nil, []string{"gone", "blocked"}, nil},
		"later every post, and no comment's own":    {3 * time.Minute, nil, []string{"sound", "gone", "blocked"}, nil},
		"what was read lately is not read":          {10 * time.Minute, func(e *footy.Event) { e.CommentsRead = []footy.CommentsRead{read("gone", 1, 3*time.Minute)} }, []string{"sound", "blocked"}, []string{"gone"}},
		"what was read some minutes ago is":         {10 * time.Minute, func(e *footy.Event) { e.CommentsRead = []footy.CommentsRead{read("gone", 1, 4*time.Minute)} }, []string{"sound", "gone", "blocked"}, nil},
		"but not a third time":                      {10 * time.Minute, func(e *footy.Event) { e.CommentsRead = []footy.CommentsRead{read("gone", 2, 9*time.Minute)} }, []string{"sound", "blocked"}, []string{"gone"}},
		"what could not be read is asked for again": {10 * time.Minute, func(e *footy.Event) { e.CommentsRead = []footy.CommentsRead{read("gone", 0, time.Minute)} }, []string{"sound", "gone", "blocked"}, nil},
		"none of a goal with a clip":                {10 * time.Minute, func(e *footy.Event) { e.Clips = []footy.Clip{{ID: "c"}} }, nil, nil},
		"nor of one whose clip was hidden":          {10 * time.Minute, func(e *footy.Event) { e.Clips = []footy.Clip{{ID: "c", Hidden: true}} }, nil, nil},
		"nor of one that is not certain":            {10 * time.Minute, func(e *footy.Event) { e.CertainAt = time.Time{} }, nil, nil},
		"nor of one that was removed":               {10 * time.Minute, func(e *footy.Event) { e.Removed = true }, nil, nil},
	} {
		e := certain()
		now := e.CertainAt.Add(c.after)
		if c.change != nil {
			c.change(e)
		}
		got, ok := l.CommentsDue(e, posts, now)
		require.Equal(t, c.want != nil, ok, name)
		if !ok {
			continue
		}
		var ids []string
		for _, p := range got.Of {
			ids = append(ids, p.PostID)
		}
		require.Equal(t, c.want, ids, name)
		require.Equal(t, c.done, got.Done, name)
		require.Equal(t, 9, got.Max, "one link of ten was taken")
	}
	many := make([]footy.Post, 10)
	for i := range many {
		many[i] = linked
	}
	_, ok := l.CommentsDue(certain(), many, certain().CertainAt.Add(time.Hour))
	require.False(t, ok, "a goal gets no more")
	_, ok = round.Limits{}.CommentsDue(certain(), posts, certain().CertainAt.Add(time.Hour))
	require.False(t, ok, "a search that an earlier release began")
}

func TestAReadingThatFailsTakesNothingFromOneThatDidNot(t *testing.T) {
	t.Parallel()
	e := certain()
	round.NoteComments(e, []footy.CommentsRead{{Post: "1", At: at(1), Failed: footy.SearchRateLimited}})
	round.NoteComments(e, []footy.CommentsRead{{Post: "1", At: at(2), Times: 1, Links: 3}, {Post: "2", At: at(2), Times: 1}})
	require.Equal(t, []footy.CommentsRead{{Post: "1", At: at(2), Times: 1, Links: 3}, {Post: "2", At: at(2), Times: 1}}, e.CommentsRead)
	round.NoteComments(e, []footy.CommentsRead{{Post: "1", At: at(3), Failed: footy.SearchTimeout}})
	require.Equal(t, footy.CommentsRead{Post: "1", At: at(3), Times: 1, Links: 3, Failed: footy.SearchTimeout}, e.CommentsRead[0])
}
