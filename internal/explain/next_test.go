package explain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
)

// Who reads that a post waits wants to know for what, and whether there is something to do.
func TestWhatIsSaidOfPostsThatWait(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 8, 15, 15, 0, 0, 0, time.UTC)
	said := func(causes ...footy.Reason) string {
		var posts []footy.Post
		for _, c := range causes {
			posts = append(posts, footy.Post{State: footy.PostWaiting, Reason: c, WaitingSince: now, NextTry: now.Add(time.Minute)})
		}
		e := footy.Event{CertainAt: now, DownloadComplete: true}
		return explain.Timing{}.Next(&e, nil, posts, now, time.UTC)
	}
	require.Equal(t, "1 post waits for a model that can see pictures; the next try is at 15:01:00. Nothing is lost by waiting; Health says what to do.", said(footy.ReasonModelBlind))
	require.Contains(t, said(footy.ReasonModelContext), "waits for a model with a larger context; ")
	require.Equal(t, "1 post waits for a second look; the next try is at 15:01:00. Nothing is lost by waiting.", said(footy.ReasonDeleted))
	require.Contains(t, said(footy.ReasonFetchFailed, footy.ReasonDeleted), "Nothing is lost by waiting.")
	require.Contains(t, said(footy.ReasonFetchFailed, footy.ReasonStorage), "2 posts wait: 1 for another try, 1 for the clip storage; the next try is at 15:01:00. Nothing is lost by waiting; Health says what to do.")
}
