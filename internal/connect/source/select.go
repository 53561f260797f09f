package source

import (
	"cmp"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/footy"
)

// Select keeps what a query asked for: whole ids, nothing known, nothing older than the floor, no post twice, at most
// Max, in the order given. Every adapter passes its answer through it, so that no backend has to be trusted with it.
// A post's time is the one in its id: the text dates of the payloads are cut to seconds, or missing.
func Select(q Query, found []footy.Candidate) []footy.Candidate {
	known := make(map[string]bool, len(q.Exclude)+len(found))
	for _, k := range q.Exclude {
		if id := snowflake.FromURL(k); id != "" {
			known[id] = true
		}
	}
	var out []footy.Candidate
	for _, c := range found {
		posted, err := snowflake.Time(c.PostID)
		if err != nil || known[c.PostID] || posted.Before(q.Since.Truncate(time.Millisecond)) {
			continue
		}
		if q.Max > 0 && len(out) == q.Max {
			break
		}
		known[c.PostID] = true
		c.PostedAt = posted
		if c.URL == "" {
			c.URL = PostURL(c.Author, c.PostID)
		}
		out = append(out, c)
	}
	return out
}

// PostURL is the public address of a post; X redirects to the right author.
func PostURL(author, id string) string {
	author = cmp.Or(author, "i")
	return "https://x.com/" + author + "/status/" + id
}
