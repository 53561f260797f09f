package explain

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// linkedIn says where a candidate comes from that no post showed, but a link in its comments.
func linkedIn(d footy.Evidence) string {
	post, link := "a post on Reddit", "a clip"
	if u, err := url.Parse(d.CommentOf); err == nil && strings.HasPrefix(u.Path, "/r/") {
		post = "r/" + strings.Split(u.Path, "/")[2] + "'s post"
	}
	if u, err := url.Parse(d.Link); err == nil {
		link = u.Host
	}
	return "From a comment of " + post + ", which links to " + link
}

// comments says how the comments of posts were read; "" if none were asked for.
func comments(all []footy.CommentsRead) string {
	read, links := 0, 0
	var why []string
	for _, r := range all {
		if r.Times > 0 {
			read, links = read+1, links+r.Links
		} else {
			why = append(why, plain(footy.Reason(r.Failed)))
		}
	}
	var parts []string
	if read > 0 {
		parts = append(parts, fmt.Sprintf("the comments of %s had %s", Plural(read, "post", "posts"), Plural(links, "link to a clip", "links to clips")))
	}
	if len(why) > 0 {
		parts = append(parts, fmt.Sprintf("the comments of %s could not be read (%s)", Plural(len(why), "post", "posts"), strings.Join(slices.Compact(why), ", ")))
	}
	return strings.Join(parts, "; ")
}
