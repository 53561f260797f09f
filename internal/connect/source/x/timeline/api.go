package timeline

import (
	"html"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/loose"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/footy"
)

// isAPI tells API v2 from the web: its data is a list, an empty answer has only meta, a refusal is a problem document.
func isAPI(v loose.Value) bool {
	return v.Get("data").IsArray() || v.Get("meta", "result_count").Present() ||
		v.Get("title").Present() && (v.Get("status").Present() || v.Get("type").Present())
}

func decodeAPI(v loose.Value) Page {
	if !v.Get("data").Present() && !v.Get("meta").Present() {
		return problem(v)
	}
	media, users, posts := index(v, "media", "media_key"), index(v, "users", "id"), index(v, "tweets", "id")
	var p Page
	for _, post := range v.Get("data").List() {
		p.Seen.Entries++
		c := apiCandidate(post, users)
		if c.PostID == "" {
			p.Seen.Unread++
			continue
		}
		if !p.add(c) {
			continue
		}
		if p.joined(c, post, media) {
			continue
		}
		for _, ref := range post.Get("referenced_tweets").List() {
			quoted := posts[ref.Get("id").Text()]
			c := apiCandidate(quoted, users)
			c.Quoted = true
			if ref.Get("type").Text() == "quoted" && p.joined(c, quoted, media) {
				break
			}
		}
	}
	p.Cursor = v.Get("meta", "next_token").Text()
	p.setState()
	return p
}

// apiCandidate is what a post says of itself, apart from its video.
func apiCandidate(post loose.Value, users map[string]loose.Value) footy.Candidate {
	c := footy.Candidate{PostID: post.Get("id").Text(), Text: html.UnescapeString(post.Get("text").Text()),
		Author: users[post.Get("author_id").Text()].Get("username").Text()}
	if at, err := time.Parse(time.RFC3339, post.Get("created_at").Text()); err == nil {
		c.PostedAt = at.UTC().Truncate(time.Second)
	}
	return c
}

// joined offers each video among a post's media keys; false if there is none.
func (p *Page) joined(c footy.Candidate, post loose.Value, media map[string]loose.Value) bool {
	n := 0
	id := c.PostID
	for _, key := range post.Get("attachments", "media_keys").List() {
		m := media[key.Text()]
		if m.Get("type").Text() != "video" {
			continue
		}
		n++
		c.Width, c.Height = m.Get("width").Natural(), m.Get("height").Natural()
		p.video(c, snowflake.Video(id, n), m.Get("duration_ms").Natural(), m.Get("variants"))
	}
	return n > 0
}

func index(v loose.Value, list, key string) map[string]loose.Value {
	out := map[string]loose.Value{}
	for _, it := range v.Get("includes", list).List() {
		out[it.Get(key).Text()] = it
	}
	return out
}

// problem reads an API refusal.
func problem(v loose.Value) Page {
	p := Page{State: StateOf(v.Get("status").Int()), Detail: v.Get("detail").Or(v.Get("title")).Text()}
	if p.State.Usable() {
		p.State = source.StateUpstreamError // a refusal is never an answer
	}
	return p
}

// StateOf is what an HTTP status says about a search; 200 says nothing yet and counts as results.
func StateOf(status int) source.State {
	switch {
	case status == 200:
		return source.StateResults
	case status == 429:
		return source.StateRateLimited
	case status == 401 || status == 403:
		return source.StateLoginRequired
	}
	return source.StateUpstreamError
}
