package explain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
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

func TestWhatIsSaidOfTheSearchesOfARound(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 8, 15, 15, 0, 0, 0, time.UTC)
	timing := explain.Timing{Every: time.Minute, Round: round.Limits{Searches: 10, Tries: 15, Window: 45 * time.Minute, Blocked: 6 * time.Hour,
		At: []time.Duration{0, 30 * time.Second, 100 * time.Second}}}
	state := footy.SearchEmpty
	next := func(r footy.Round, posts ...footy.Post) string {
		r.Number, r.OpenedAt = 1, now
		e := footy.Event{FirstSeen: now, CertainAt: now, Round: r}
		rows := []footy.Entry{{Kind: footy.EntryQuery, At: now, Data: footy.Evidence{State: state}}}
		return timing.Next(&e, rows[:min(r.Tries, 1)], posts, now, time.UTC)
	}
	open, waits, ended := footy.Post{State: footy.PostFetching}, footy.Post{State: footy.PostWaiting, WaitingSince: now, NextTry: now}, footy.Post{State: footy.PostRefused}
	require.Equal(t, "Search 1 of 10 is about to start.", next(footy.Round{}))
	require.Equal(t, "Search 3 of 10 is due about 15:01:10; the last chance is 15:45:00.", next(footy.Round{Tries: 4, Searches: 2}))
	state = footy.SearchTimeout
	require.Contains(t, next(footy.Round{Tries: 4, Searches: 2}), "X did not answer the last search. Search 3 of 10 is due about 15:01:00;")
	state = footy.SearchEmpty
	require.Equal(t, "All searches were made; the last posts are being checked.", next(footy.Round{Searches: 10}, open, ended))
	require.Contains(t, next(footy.Round{Tries: 15}, open, waits, ended), "All searches were made; 1 post is being checked.")
	require.Contains(t, next(footy.Round{EndedAt: now}, waits, ended), "All searches were made. 1 post waits")
	require.Equal(t, "Nobody can search since 15:00:00: the search service does not answer. "+
		"This time does not count against the search: once it can go on, 45 min are left.", next(footy.Round{Blocked: footy.Blocked{Since: now, By: "unreachable"}}))
	require.Contains(t, next(footy.Round{Blocked: footy.Blocked{Since: now, By: "monthly_cap"}}),
		": the monthly cap of X's paid API is spent. Raise the monthly cap at console.x.com; it goes on by itself. This time does not count")
}
