package timeline

import (
	"errors"
	"html"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/loose"
	"github.com/found-footy/found-footy/internal/footy"
)

var errNoTimeline = errors.New("JSON at offset 0 is no search answer: neither data nor errors")

func decodeWeb(v loose.Value) (Page, error) {
	if !v.IsObject() || !v.Get("data").Present() && !v.Get("errors").Present() {
		return Page{}, errNoTimeline
	}
	timeline := v.Get("data", "search_by_raw_query", "search_timeline", "timeline")
	instructions := timeline.Get("instructions")
	if !instructions.IsArray() {
		return failure(v.Get("errors")), nil
	}
	var p Page
	for _, in := range instructions.List() {
		for _, e := range in.Get("entries").List() {
			p.entry(e)
		}
		p.entry(in.Get("entry")) // later pages replace the cursors one by one
		for _, m := range in.Get("moduleItems").List() {
			p.item(m.Get("entryId").Text(), m.Get("item"))
		}
	}
	p.setState()
	return p, nil
}

// failure reads an answer without a timeline. `data: {}` without a word is a failure too.
func failure(errs loose.Value) Page {
	p := Page{State: source.StateUpstreamError, Detail: "an answer without a timeline"}
	for _, e := range errs.List() {
		code := e.Get("code").Or(e.Get("extensions", "code")).Int()
		message := e.Get("message").Text()
		if code == codeRateLimit || strings.Contains(strings.ToLower(message), "rate limit") {
			p.State = source.StateRateLimited
		}
		if message != "" {
			p.Detail = message
		}
	}
	return p
}

// codeRateLimit is the one of X's error codes that passes with time; the others (32, 326, 336, LoadShed...) are
// failures that a person may have to look at.
const codeRateLimit = 88

func (p *Page) entry(e loose.Value) {
	content, id := e.Get("content"), e.Get("entryId").Text()
	if p.cursor(content) || p.cursor(content.Get("itemContent")) {
		return
	}
	if items := content.Get("items"); items.IsArray() {
		for _, it := range items.List() {
			p.item(id+it.Get("entryId").Text(), it.Get("item"))
		}
		return
	}
	p.item(id, content)
}

func (p *Page) cursor(v loose.Value) bool {
	kind := v.Get("cursorType").Text()
	if kind == "Bottom" {
		p.Cursor = v.Get("value").Text()
	}
	return kind != ""
}

// item reads one place of the list. Users, topics and hints also have places; only those of posts count.
func (p *Page) item(entryID string, v loose.Value) {
	content := v.Get("itemContent").Or(v.Get("content"))
	result := content.Get("tweet_results", "result").Or(content.Get("tweet_result", "result"))
	if !content.Get("tweet_results").Present() && !content.Get("tweet_result").Present() {
		return
	}
	if content.Get("promotedMetadata").Present() || strings.Contains(strings.ToLower(entryID), "promoted") {
		p.Seen.Promoted++
		return
	}
	p.Seen.Entries++
	post, ok := unwrap(result)
	if !ok {
		p.Seen.Unavailable++
		return
	}
	if original, ok := unwrap(post.Get("legacy", "retweeted_status_result", "result")); ok && original.Get("legacy").IsObject() {
		post = original
	}
	c := candidate(post)
	if c.PostID == "" || !post.Get("legacy").IsObject() {
		p.Seen.Unread++
		return
	}
	if !p.add(c) {
		return
	}
	if p.video(&c, post.Get("legacy")) {
		p.offer(c)
		return
	}
	if quoted, ok := unwrap(post.Get("quoted_status_result", "result")); ok {
		if c := candidate(quoted); p.video(&c, quoted.Get("legacy")) {
			c.Quoted = true
			p.offer(c)
		}
	}
}

// candidate is what a post says of itself, apart from its video.
func candidate(post loose.Value) footy.Candidate {
	legacy := post.Get("legacy")
	c := footy.Candidate{PostID: post.Get("rest_id").Or(legacy.Get("id_str")).Text(), Author: author(post),
		Text: html.UnescapeString(legacy.Get("full_text").Or(legacy.Get("text")).Text())}
	if at, err := time.Parse(time.RubyDate, legacy.Get("created_at").Text()); err == nil {
		c.PostedAt = at.UTC()
	}
	return c
}

// unwrap goes one level deeper where X limits what may be done with a post; false where X does not show it.
func unwrap(result loose.Value) (loose.Value, bool) {
	if inner := result.Get("tweet"); inner.IsObject() {
		result = inner
	}
	switch result.Get("__typename").Text() {
	case "TweetTombstone", "TweetUnavailable", "TweetPreviewDisplay":
		return loose.Value{}, false
	}
	return result, !result.Empty()
}

// author moved from legacy to core in 2025; both are still met.
func author(post loose.Value) string {
	user := post.Get("core", "user_results", "result").Or(post.Get("core", "user_result", "result"))
	return user.Get("core", "screen_name").Or(user.Get("legacy", "screen_name")).Text()
}

// video takes the first video of a post: the downloader takes the same one. The same media may stand in both lists.
func (p *Page) video(c *footy.Candidate, legacy loose.Value) bool {
	media := legacy.Get("extended_entities", "media")
	if media.Empty() {
		media = legacy.Get("entities", "media")
	}
	for _, m := range media.List() {
		info := m.Get("video_info")
		if m.Get("type").Text() != "video" || !info.IsObject() {
			continue
		}
		p.Seen.Videos++
		c.DurationMS = info.Get("duration_millis").Natural()
		if c.DurationMS == 0 {
			p.Seen.NoDuration++
		}
		if !hasFile(info.Get("variants")) {
			p.Seen.NoFile++
		}
		c.Width, c.Height = size(m)
		return true
	}
	return false
}

func hasFile(variants loose.Value) bool {
	for _, v := range variants.List() {
		if v.Get("content_type").Text() == "video/mp4" {
			return true
		}
	}
	return false
}

// size is the picture's size in pixels: the original's, else what the best file's address says.
func size(m loose.Value) (width, height int) {
	width, height = m.Get("original_info", "width").Natural(), m.Get("original_info", "height").Natural()
	if width > 0 && height > 0 {
		return width, height
	}
	width, height = 0, 0
	for _, v := range m.Get("video_info", "variants").List() {
		if w, h := sizeInURL(v.Get("url").Text()); w*h > width*height {
			width, height = w, h
		}
	}
	return width, height
}
