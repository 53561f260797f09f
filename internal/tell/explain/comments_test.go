package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

func TestCommentsAreExplained(t *testing.T) {
	t.Parallel()
	one := footy.CommentsRead{Post: "1", Times: 1, Links: 2}
	none := footy.CommentsRead{Post: "2", Times: 2}
	not := footy.CommentsRead{Post: "3", Failed: footy.SearchRateLimited}
	for want, read := range map[string][]footy.CommentsRead{
		"Search 7 found nothing": nil,
		"Search 7 found nothing; the comments of 1 post had 0 links to clips":                                                           {none},
		"Search 7 found nothing; the comments of 2 posts had 2 links to clips; the comments of 1 post could not be read (rate limited)": {one, none, not},
	} {
		require.Equal(t, want, explain.Row(footy.Entry{Kind: footy.EntryQuery, Try: 7, Data: footy.Evidence{State: footy.SearchEmpty, Comments: read}}, nil))
	}
	for want, d := range map[string]footy.Evidence{
		"From a comment of r/soccer's post, which links to streamff.pro": {CommentOf: "https://www.reddit.com/r/soccer/comments/1a/goal/", Link: "https://streamff.pro/v/1"},
		"From a comment of a post on Reddit, which links to v.redd.it":   {CommentOf: "https://redd.it/1a", Link: "https://v.redd.it/1"},
	} {
		require.Equal(t, want, explain.Row(footy.Entry{Kind: footy.EntryCandidate, Data: d}, nil))
	}
}
