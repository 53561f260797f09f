package reddit

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/cdn/host"
)

const site = "https://www.reddit.com"

// permalink is the address of a post, or of a comment below one.
func permalink(p post.Post) string {
	if p.On == script.Comment {
		return site + "/r/soccer/comments/" + p.Under + "/goal/" + p.ID + "/"
	}
	return site + "/r/soccer/comments/" + p.ID + "/goal/"
}

// below is the name of the post whose comments a path asks for; "" if it asks for something else.
func below(path string) string {
	_, rest, ok := strings.Cut(path, "/comments/")
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, "/")
	return "t3_" + id
}

// comments are those below a post by now.
func (s *Server) comments(of post.Post) (found []post.Post) {
	for _, p := range s.posts.All() {
		if p.Under == of.ID && !p.PostedAt.After(time.Now()) {
			found = append(found, p)
		}
	}
	return found
}

// said is the text of a comment, with its link in a form.
func said(p post.Post, form string) string {
	page := host.Page(p)
	if page == "" {
		page = link(p)
	}
	return strings.ReplaceAll(p.Text, "{link}", fmt.Sprintf(form, page))
}

// thread answers with a post and its comments, which answer the one of a bot that asks for mirrors.
func (s *Server) thread(w http.ResponseWriter, found []post.Post) {
	if len(found) == 0 {
		answer(w, http.StatusNotFound, map[string]any{"message": "Not Found", "error": 404})
		return
	}
	list := func(children ...any) any {
		return map[string]any{"kind": "Listing", "data": map[string]any{"after": nil, "children": children}}
	}
	comment := func(name, author, body, link string, at time.Time, replies any) any {
		return map[string]any{"kind": "t1", "data": map[string]any{"name": name, "author": author, "body": body, "permalink": strings.TrimPrefix(link, site),
			"created_utc": float64(at.UnixMilli()) / 1000, "replies": replies}}
	}
	var replies []any
	for _, p := range s.comments(found[0]) {
		replies = append(replies, comment(name(p), p.Author, said(p, "[here](%s)"), permalink(p), p.PostedAt, ""))
	}
	bot := comment("t1_bot"+found[0].ID, "AutoModerator", "**Mirrors / Alternative Angles**", permalink(found[0])+"bot/", found[0].PostedAt, list(replies...))
	answer(w, http.StatusOK, []any{list(s.child(found[0])), list(bot, map[string]any{"kind": "more", "data": map[string]any{"children": []string{"later"}}})})
}
