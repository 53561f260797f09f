package reddit

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/loose"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
)

const (
	opComments   = "read comments on Reddit"
	commentPosts = 3                // whose comments one search reads at most
	commentTime  = 40 * time.Second // that this may take: the search waits for it
	commentText  = 300              // characters of a comment that are kept
)

// comment is one below a post.
type comment struct {
	id, author, url string
	body            string // Markdown, or HTML
	at              time.Time
}

// mirrors reads the comments of a goal's posts for links to other copies of its clip, and says how that went for each post. A post whose
// comments could not be asked for any more has no record.
func (s *Source) mirrors(ctx context.Context, q source.Query) (found []footy.Candidate, read []footy.CommentsRead) {
	ctx, cancel := context.WithTimeout(ctx, commentTime)
	defer cancel()
	posts, known, refused := s.commented(q)
	for _, p := range posts {
		own, all, failed := s.comments(ctx, p, refused)
		read = append(read, footy.CommentsRead{Post: p.id, At: s.opts.Now().UTC(), Failed: failed})
		switch failed {
		case "":
		case source.StateUpstreamError: // of this post alone, perhaps
			continue
		default:
			return found, read
		}
		last := &read[len(read)-1]
		last.Times = 1
		seen := map[string]bool{s.clip(own): true, s.clip(p.link): true}
		for _, c := range all {
			for n, link := range s.links(c.body) {
				clip := s.clip(link)
				if seen[clip] {
					continue
				}
				seen[clip] = true
				last.Links++
				if known[clip] || len(found) >= q.Comments.Max {
					continue
				}
				known[clip] = true
				found = append(found, c.candidate(n, link, p.url))
			}
		}
	}
	return found, read
}

func (c comment) candidate(n int, link, of string) footy.Candidate {
	out := footy.Candidate{PostID: c.id, URL: c.url, Author: c.author, Text: strings.Join(strings.Fields(plain(c.body)), " "), PostedAt: c.at, Link: link, CommentOf: of}
	if short := []rune(out.Text); len(short) > commentText {
		out.Text = string(short[:commentText]) + "…"
	}
	if n > 0 {
		out.PostID += fmt.Sprintf(".%d", n+1)
	}
	return out
}

// commented are the posts of a goal whose comments are to be read, and the clips that are known. Reddit's list may be
// refused: then Reddit is not asked for comments either.
func (s *Source) commented(q source.Query) (posts []post, known map[string]bool, refused source.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known = map[string]bool{"": true}
	for _, c := range q.Comments.Of {
		posts = append(posts, post{id: c.PostID, url: c.URL, link: s.posts[c.PostID].link})
	}
	for _, k := range q.Exclude {
		known[s.clip(cmp.Or(s.posts[k].link, k))] = true
	}
	var others []post
	for id, p := range s.posts {
		if p.hasVideo() && s.shows(p) != p.id || !p.removed && !(q.Comments.Late && p.elsewhere()) || p.at.Before(q.Since) || slices.Contains(q.Comments.Done, id) ||
			slices.ContainsFunc(posts, func(o post) bool { return o.id == id }) || !q.Goal.Names(title.Parse(p.title), p.at).OK() {
			continue
		}
		others = append(others, p)
	}
	slices.SortFunc(others, func(a, b post) int { return a.at.Compare(b.at) })
	posts = append(posts, others...)
	if s.opts.Way() != ByApp && !s.listedAt.IsZero() && !s.listed.State.Usable() && !s.due(s.opts.Now()) {
		refused = cmp.Or(s.listed.State, footy.SearchUnreachable)
		return posts[:min(len(posts), 1)], known, refused // the archive has one call for it
	}
	return posts[:min(len(posts), commentPosts)], known, ""
}

// comments are those of a post, with what the post links to; a state says why they could not be read. Where Reddit refuses them, the archive
// is asked.
func (s *Source) comments(ctx context.Context, p post, refused source.State) (own string, all []comment, state source.State) {
	var raw []byte
	var res source.Result
	var err error
	decode, path := atomComments, "/comments/"+strings.TrimPrefix(p.id, source.RedditPrefix)
	if u, err := url.Parse(p.url); err == nil && strings.Contains(u.Path, path+"/") {
		path = strings.TrimSuffix(u.Path, "/")
	}
	switch {
	case refused != "":
		res.State = refused
	case s.opts.Way() != ByApp:
		raw, res, err = s.rss(ctx, opComments, path+"/.rss", url.Values{"limit": {"100"}})
	case s.budget.left(s.opts.Now()) <= s.opts.pace().reserve:
		res.State = source.StateRateLimited
	default:
		decode = jsonComments
		raw, res, err = s.call(ctx, opComments, path, url.Values{"limit": {"500"}, "raw_json": {"1"}})
	}
	switch {
	case s.archive != nil && (refused != "" || res.Reason == footy.ReasonRedditPublic):
		all, res = s.archive.comments(ctx, p.id)
		return p.link, all, res.State
	case err != nil:
		return "", nil, footy.SearchUnreachable
	case res.State != "":
		return "", nil, res.State
	}
	if own, all, err = decode(raw); err != nil {
		return "", nil, source.StateUpstreamError
	}
	slices.SortStableFunc(all, func(a, b comment) int { return a.at.Compare(b.at) })
	return own, all, ""
}

// comments are those of a post as the archive has them: as they were soon after they were made. Its list was asked for just now, so that the
// next call is waited for.
func (a *archive) comments(ctx context.Context, id string) (all []comment, res source.Result) {
	a.mu.Lock()
	wait := a.next.Sub(a.now())
	a.mu.Unlock()
	if wait <= a.minute/archiveCalls {
		if network.Pause(ctx, wait) != nil {
			return nil, source.Result{State: source.StateTimeout}
		}
	}
	rows, res := a.get(ctx, opComments, "/api/comments/search", url.Values{"link_id": {id}, "limit": {"100"}, "sort": {"asc"}})
	for _, row := range rows {
		name := row.Get("id").Text()
		if !postID.MatchString(name) {
			continue
		}
		c := commentOf(row)
		if c.id = source.CommentPrefix + name; row.Get("permalink").Text() == "" {
			c.url = "https://www.reddit.com/comments/" + strings.TrimPrefix(id, source.RedditPrefix) + "/_/" + name + "/"
		}
		all = append(all, c)
	}
	return all, res
}

var errNoComments = errors.New("what Reddit answers are no comments")

// atomComments reads them from RSS, where the post stands first.
func atomComments(raw []byte) (own string, all []comment, err error) {
	var f feed
	if err := xml.Unmarshal(raw, &f); err != nil {
		return "", nil, err
	}
	if len(f.Entries) == 0 {
		return "", nil, errNoComments
	}
	for _, p := range f.posts() {
		own = p.link()
	}
	for _, e := range f.Entries {
		if strings.HasPrefix(e.ID, source.CommentPrefix) {
			all = append(all, comment{id: e.ID, author: e.author(), url: e.Link.Href, body: e.Content, at: e.at()})
		}
	}
	return own, all, nil
}

// commentOf reads a comment as the API, and the archive, write it.
func commentOf(v loose.Value) comment {
	return comment{id: v.Get("name").Text(), author: v.Get("author").Text(), url: "https://www.reddit.com" + v.Get("permalink").Text(), body: v.Get("body").Text(), at: timeOf(created(v))}
}

// jsonComments reads them from the API: a list of the post, and one of its comments, whose answers lie in them.
func jsonComments(raw []byte) (own string, all []comment, err error) {
	v, err := loose.Parse(raw)
	if err != nil {
		return "", nil, err
	}
	lists := v.List()
	if len(lists) != 2 || lists[0].Get("data", "children").Empty() || lists[1].Get("kind").Text() != "Listing" {
		return "", nil, errNoComments
	}
	var walk func(things []loose.Value)
	walk = func(things []loose.Value) {
		for _, t := range things {
			if t.Get("kind").Text() == "t1" {
				all = append(all, commentOf(t.Get("data")))
			}
			walk(t.Get("data", "replies", "data", "children").List())
		}
	}
	walk(lists[1].Get("data", "children").List())
	return lists[0].Get("data", "children", "0", "data", "url").Text(), all, nil
}
