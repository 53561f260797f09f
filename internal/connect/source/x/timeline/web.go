package timeline

import (
	"encoding/json"
	"errors"
	"html"
	"net/url"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/network/loose"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/connect/source/x/tweet"
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
	if p.videos(c, post) {
		return
	}
	if quoted, ok := unwrap(post.Get("quoted_status_result", "result")); ok {
		c := candidate(quoted)
		c.Quoted = true
		p.videos(c, quoted)
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

// webMedia are the media of a post, else those of its card. The same media may stand in both lists of a post.
func webMedia(post loose.Value) (media []loose.Value, ofCard bool) {
	for _, list := range []string{"extended_entities", "entities"} {
		if media := post.Get("legacy", list, "media"); !media.Empty() {
			return media.List(), false
		}
	}
	card := post.Get("card").Or(post.Get("legacy", "card"), post.Get("tweet_card"))
	values := card.Get("legacy", "binding_values").Or(card.Get("binding_values"))
	value := func(key string) loose.Value {
		v := values.Get(key)
		for _, bound := range values.List() {
			if bound.Get("key").Text() == key {
				v = bound.Get("value")
			}
		}
		return v.Get("string_value")
	}
	if unified, err := loose.Parse([]byte(value("unified_card").Text())); err == nil {
		return inOrder(unified), true
	}
	if address := value("player_stream_url").Text(); strings.HasPrefix(value("player_stream_content_type").Text(), "video/mp4") || strings.HasSuffix(address, ".mp4") {
		return []loose.Value{player(address, value("content_duration_seconds").Natural(), value("player_width").Natural(), value("player_height").Natural())}, true
	}
	return nil, true
}

// inOrder are the media of a unified card as its components show them; those that no component names come last.
func inOrder(card loose.Value) (out []loose.Value) {
	seen := map[string]bool{}
	add := func(id string) {
		if m := card.Get("media_entities", id); m.Present() && !seen[id] {
			seen[id], out = true, append(out, m)
		}
	}
	for _, name := range card.Get("components").List() {
		data := card.Get("component_objects", name.Text(), "data")
		add(data.Get("id").Text())
		for _, slide := range data.Get("media_list").Or(data.Get("slides"), data.Get("items")).List() {
			add(slide.Get("id").Or(slide.Get("media_id")).Text())
		}
	}
	card.Get("media_entities").ForEach(func(id, _ gjson.Result) bool { add(id.String()); return true })
	return out
}

// player is the video of a player card in the words of a post's own.
func player(address string, seconds, width, height int) loose.Value {
	raw, _ := json.Marshal(map[string]any{"type": "video", "original_info": map[string]int{"width": width, "height": height},
		"video_info": map[string]any{"duration_millis": seconds * 1000, "variants": []any{map[string]string{"content_type": "video/mp4", "url": address}}}}) // plain values
	v, _ := loose.Parse(raw) // it was just made
	return v
}

// videos offers each video of a post; false if it has none. The downloader counts them likewise.
func (p *Page) videos(c footy.Candidate, post loose.Value) bool {
	n := 0
	media, ofCard := webMedia(post)
	for i, m := range media {
		info := m.Get("video_info")
		if m.Get("type").Text() != "video" || !info.IsObject() {
			continue
		}
		n++
		c.Width, c.Height = size(m)
		p.video(c, n, i+1, info.Get("duration_millis").Natural(), info.Get("variants"), ofCard)
	}
	return n > 0
}

// video offers the n-th video of a post, with three addresses of its file: the lower ones are for files that are too large. X's address of it
// counts pictures and GIFs, too: place. Cards have addresses that anyone wrote.
func (p *Page) video(c footy.Candidate, n, place, duration int, variants loose.Value, ofCard bool) {
	p.Seen.Videos++
	if n > 1 {
		c.URL = source.PostURL(c.Author, snowflake.Video(c.PostID, place))
	}
	c.PostID, c.DurationMS = snowflake.Video(c.PostID, n), duration
	for _, v := range tweet.Variants(variants) {
		if u, err := url.Parse(v.URL); len(c.Files) < 3 && (!ofCard || err == nil && u.Scheme == "https" && u.User == nil && httpx.PublicName(u.Hostname())) {
			c.Files = append(c.Files, v.URL)
		}
	}
	if duration == 0 {
		p.Seen.NoDuration++
	}
	if len(c.Files) == 0 {
		p.Seen.NoFile++
	}
	p.offer(c)
}

// size is the picture's size in pixels: the original's, else what the best file's address says.
func size(m loose.Value) (width, height int) {
	width, height = m.Get("original_info", "width").Natural(), m.Get("original_info", "height").Natural()
	if width > 0 && height > 0 {
		return width, height
	}
	width, height = 0, 0
	for _, v := range tweet.Variants(m.Get("video_info", "variants")) {
		if v.Width*v.Height > width*height {
			width, height = v.Width, v.Height
		}
	}
	return width, height
}
