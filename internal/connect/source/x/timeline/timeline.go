// Package timeline reads the answers of X's searches: SearchTimeline as the web page gets it (shapes of 2023 to 2026) and
// API v2 recent search. Pure: bytes in, value out.
package timeline

import (
	"cmp"
	"fmt"
	"html"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/loose"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/footy"
)

// Page is one decoded answer.
type Page struct {
	State      source.State
	Detail     string            // what X said, where it failed
	Candidates []footy.Candidate // posts with a video, in X's order, no post twice
	Cursor     string            // where the next page begins; "" at the end
	Oldest     time.Time         // time of the oldest post, with or without a video
	Seen       Seen
}

// Seen counts what the answer held; the canary judges drift by it.
type Seen struct {
	Entries     int // places where a post should be
	Posts       int // posts read
	Promoted    int
	Unavailable int // tombstones and posts X does not show
	Broken      int // posts whose id lost digits
	Unread      int // places where there should be a post and none was understood
	NoAuthor    int
	NoTime      int
	Videos      int // videos, GIFs left out
	NoDuration  int
	NoFile      int // videos without any MP4 variant
}

// Decode reads either kind of answer. An error means that the bytes are no answer of X's search at all; X's own
// failures are states.
func Decode(raw []byte) (Page, error) {
	v, err := loose.Parse(raw)
	if err != nil {
		return Page{}, err
	}
	var p Page
	if isAPI(v) {
		p = decodeAPI(v)
	} else if p, err = decodeWeb(v); err != nil {
		return Page{}, err
	}
	if errs := v.Get("errors"); p.State == source.StateEmpty && !errs.Empty() {
		return failure(errs), nil // an empty list beside an error is no "nothing found"
	}
	return p, nil
}

// add counts a post that was found, with or without a video; false where its id is broken.
func (p *Page) add(c footy.Candidate) bool {
	posted, err := snowflake.Time(c.PostID)
	if err != nil {
		p.Seen.Broken++
		return false
	}
	p.Seen.Posts++
	if c.PostedAt.IsZero() {
		p.Seen.NoTime++
	}
	if c.Author == "" {
		p.Seen.NoAuthor++
	}
	if p.Oldest.IsZero() || posted.Before(p.Oldest) {
		p.Oldest = posted
	}
	return true
}

// offer keeps the post that a video belongs to, once: the one that was found, or the one it quotes. Who quotes a video makes
// it no newer, and ten who quote it offer one.
func (p *Page) offer(c footy.Candidate) {
	posted, err := snowflake.Time(c.PostID)
	if err != nil {
		p.Seen.Broken++
		return
	}
	if c.PostedAt.IsZero() {
		c.PostedAt = posted.Truncate(time.Second)
	}
	c.URL = cmp.Or(c.URL, source.PostURL(c.Author, c.PostID))
	for i, have := range p.Candidates {
		if have.PostID == c.PostID {
			if have.Quoted && !c.Quoted {
				p.Candidates[i] = c
			}
			return
		}
	}
	p.Candidates = append(p.Candidates, c)
}

func (p *Page) setState() {
	p.State = source.StateResults
	if p.Seen.Entries == 0 {
		p.State = source.StateEmpty
	} else if p.Seen.Posts == 0 && p.Seen.Unread > 0 {
		// There was something and none of it was understood: "nothing found" would be wrong.
		p.State, p.Detail = source.StateUpstreamError, "posts of an unknown shape"
	}
}

// Drift lists how an answer to a query that always has results departs from what the decoder expects; empty means that X
// still looks as known. It sees what the decoder's tolerance hides: fields that moved away leave posts readable but poor.
func Drift(p Page) []string {
	if !p.State.Usable() {
		return nil // a failure of X says nothing about its shape
	}
	if p.State == source.StateEmpty {
		return []string{"a query that always has results has none"}
	}
	var out []string
	say := func(bad bool, format string, args ...any) {
		if bad {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	s := p.Seen
	say(s.Unread > 0, "%d of %d posts have an unknown shape", s.Unread, s.Entries)
	say(s.Broken > 0, "%d posts have broken ids", s.Broken)
	say(2*s.Unavailable > s.Entries, "%d of %d posts are not shown", s.Unavailable, s.Entries)
	say(s.NoAuthor > 0, "%d of %d posts have no author", s.NoAuthor, s.Posts)
	say(s.NoTime > 0, "%d of %d posts have no date", s.NoTime, s.Posts)
	say(s.Posts > 0 && s.Videos == 0, "none of %d posts of a search for videos has a video", s.Posts)
	say(s.Videos > 0 && s.NoDuration == s.Videos, "no video has a duration")
	say(s.Videos > 0 && s.NoFile == s.Videos, "no video has an MP4 file")
	say(p.Cursor == "", "there is no next page")
	return out
}

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
	for i, key := range post.Get("attachments", "media_keys").List() {
		m := media[key.Text()]
		if m.Get("type").Text() != "video" {
			continue
		}
		n++
		c.Width, c.Height = m.Get("width").Natural(), m.Get("height").Natural()
		p.video(c, n, i+1, m.Get("duration_ms").Natural(), m.Get("variants"), false)
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
