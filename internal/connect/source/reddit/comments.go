package reddit

import (
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
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
	decode, path := s.atomComments, "/comments/"+strings.TrimPrefix(p.id, source.RedditPrefix)
	if u, err := url.Parse(p.url); err == nil && strings.Contains(u.Path, path+"/") {
		path = strings.TrimSuffix(u.Path, "/")
	}
	switch {
	case refused != "":
		res.State = refused
	case s.opts.Way() != ByApp:
		if raw, res, err = s.rss(ctx, opComments, path+"/.rss", url.Values{"limit": {"100"}}); err == nil && res.State == "" {
			res = s.opts.Way().blocked(raw)
		}
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
	for _, raw := range rows {
		var w struct {
			wireComment
			ID      string `json:"id"`
			Created stamp  `json:"created_utc"`
		}
		if json.Unmarshal(raw, &w) != nil || !postID.MatchString(w.ID) {
			continue
		}
		w.Name, w.wireComment.Created = source.CommentPrefix+w.ID, float64(w.Created)
		if w.Link == "" {
			w.Link = "/comments/" + strings.TrimPrefix(id, source.RedditPrefix) + "/_/" + w.ID + "/"
		}
		all = append(all, w.comment())
	}
	return all, res
}

var errNoComments = errors.New("what Reddit answers are no comments")

// atomComments reads them from RSS, where the post stands first.
func (s *Source) atomComments(raw []byte) (own string, all []comment, err error) {
	var f feed
	if err := xml.Unmarshal(raw, &f); err != nil {
		return "", nil, err
	}
	l, err := s.atom(raw)
	if err != nil || len(f.Entries) == 0 {
		return "", nil, cmp.Or(err, errNoComments)
	}
	for _, p := range l.Data.Children {
		own = p.Data.URL
	}
	for _, e := range f.Entries {
		if !strings.HasPrefix(e.ID, source.CommentPrefix) {
			continue
		}
		c := comment{id: e.ID, author: strings.TrimPrefix(strings.TrimSpace(e.Author), "/u/"), url: e.Link.Href, body: e.Content}
		c.at, _ = time.Parse(time.RFC3339, strings.TrimSpace(cmp.Or(e.Published, e.Updated))) // without it a comment has no time, and is read
		all = append(all, c)
	}
	return own, all, nil
}

// wireComment is a comment as Reddit writes it.
type wireComment struct {
	Name    string  `json:"name"`
	Author  string  `json:"author"`
	Body    string  `json:"body"`
	Link    string  `json:"permalink"`
	Created float64 `json:"created_utc"`
}

func (w wireComment) comment() comment {
	return comment{id: w.Name, author: w.Author, url: "https://www.reddit.com" + w.Link, body: w.Body, at: time.UnixMilli(int64(w.Created * 1000)).UTC()}
}

// thing is a list, a post or a comment of the API.
type thing struct {
	Kind string `json:"kind"`
	Data struct {
		wireComment
		Children []json.RawMessage `json:"children"` // things; of a "more", names
		URL      string            `json:"url"`
		Replies  json.RawMessage   `json:"replies"` // a list; "" where there are none
	} `json:"data"`
}

// jsonComments reads them from the API: a list of the post, and one of its comments, whose answers lie in them.
func jsonComments(raw []byte) (own string, all []comment, err error) {
	var lists []thing
	if err := json.Unmarshal(raw, &lists); err != nil {
		return "", nil, err
	}
	if len(lists) != 2 || len(lists[0].Data.Children) == 0 || lists[1].Kind != "Listing" {
		return "", nil, errNoComments
	}
	var walk func(things ...json.RawMessage)
	walk = func(things ...json.RawMessage) {
		for _, raw := range things {
			var t thing
			if json.Unmarshal(raw, &t) != nil { // no thing: a name, or ""
				continue
			}
			if t.Kind == "t1" {
				all = append(all, t.Data.comment())
			}
			walk(t.Data.Children...)
			walk(t.Data.Replies)
		}
	}
	walk(lists[1].Data.Children...)
	var post thing
	if err := json.Unmarshal(lists[0].Data.Children[0], &post); err != nil {
		return "", nil, err
	}
	return post.Data.URL, all, nil
}
