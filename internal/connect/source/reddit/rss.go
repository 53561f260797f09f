package reddit

import (
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// feed is a list of posts by RSS, which with Reddit is Atom.
type feed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Entries []struct {
		ID     string `xml:"http://www.w3.org/2005/Atom id"`
		Title  string `xml:"http://www.w3.org/2005/Atom title"`
		Author string `xml:"http://www.w3.org/2005/Atom author>name"`
		Link   struct {
			Href string `xml:"href,attr"`
		} `xml:"http://www.w3.org/2005/Atom link"`
		Content   string `xml:"http://www.w3.org/2005/Atom content"`
		Published string `xml:"http://www.w3.org/2005/Atom published"`
		Updated   string `xml:"http://www.w3.org/2005/Atom updated"`
	} `xml:"http://www.w3.org/2005/Atom entry"`
}

// linked is the anchor of what a post links to. The last one is Reddit's own: before it stands what the author wrote.
var linked = regexp.MustCompile(`<a\s[^>]*href="([^"]*)"[^>]*>\s*\[link\]\s*</a>`)

// atom reads a feed into the form of the API's lists.
func (s *Source) atom(raw []byte) (listing, error) {
	var f feed
	if err := xml.Unmarshal(raw, &f); err != nil {
		return listing{}, err
	}
	l := listing{Kind: "Listing", Data: &data{}}
	for _, e := range f.Entries {
		if !strings.HasPrefix(e.ID, source.RedditPrefix) { // a comment
			continue
		}
		w := wire{Name: e.ID, Title: strings.TrimSpace(e.Title), Author: strings.TrimPrefix(strings.TrimSpace(e.Author), "/u/"), Permalink: e.Link.Href}
		if at, err := time.Parse(time.RFC3339, strings.TrimSpace(cmp.Or(e.Published, e.Updated))); err == nil {
			w.Created = float64(at.UnixMilli()) / 1000
		}
		if all := linked.FindAllStringSubmatch(e.Content, -1); len(all) > 0 {
			w.URL = html.UnescapeString(all[len(all)-1][1])
		}
		l.Data.Children = append(l.Data.Children, child{"t3", s.listedVideo(w)})
		l.Data.After = e.ID
	}
	return l, nil
}

// listedVideo notes a video of Reddit's own, of which RSS tells no more than its page. Where its file lies is asked for when it is fetched.
func (s *Source) listedVideo(w wire) wire {
	if list := s.playlistOf(w.URL); list != "" {
		w.Media.Video = &video{Fallback: w.URL, Playlist: list}
	}
	return w
}

var videoPage = regexp.MustCompile(`^https?://v\.redd\.it/([A-Za-z0-9]+)/?$`)

// playlistOf is the play-list of a video of Reddit's own by its page; "" if it is none.
func (s *Source) playlistOf(link string) string {
	page := videoPage.FindStringSubmatch(link)
	if page == nil {
		return ""
	}
	return s.opts.VideoURL + "/" + page[1] + "/DASHPlaylist.mpd"
}

// rss asks for a feed, within what may be asked.
func (s *Source) rss(ctx context.Context, op, path string, params url.Values) ([]byte, source.Result, error) {
	if now := s.opts.Now(); !s.budget.take(now, op == opList) {
		return nil, source.Result{State: source.StateRateLimited, RetryAfter: max(s.budget.wait(now), time.Second), Detail: "as many calls were made as Reddit allows"}, nil
	}
	if s.opts.FeedToken != "" {
		params.Set("feed", s.opts.FeedToken)
		params.Set("user", s.opts.FeedUser)
	}
	ctx, cancel := context.WithTimeout(ctx, s.opts.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.opts.URL+path+"?"+params.Encode(), nil)
	if err != nil {
		return nil, source.Result{}, footy.Errorf(footy.CodeInvalid, op, "REDDIT_URL is no address")
	}
	return s.send(req, op)
}

// tried is how the last list ended; a state that is not empty says why there is none. It asks for the first, and again after a pause.
func (s *Source) tried(ctx context.Context, now time.Time) (source.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listedAt.IsZero() || !s.listed.State.Usable() && s.due(now) {
		_ = s.relist(ctx, time.Time{}) // how it ended is noted
	}
	if s.failed != nil || !s.listed.State.Usable() {
		return s.listed, s.failed
	}
	return source.Result{}, nil
}

// info is one post in the API's form, with the file of its video: as it was listed, else as Reddit lists it by its name.
func (s *Source) info(ctx context.Context, op, id string) ([]byte, source.Result, error) {
	s.mu.Lock()
	p, ok := s.posts[id]
	s.mu.Unlock()
	if !ok {
		raw, res, err := s.rss(ctx, op, "/by_id/"+url.PathEscape(id)+"/.rss", url.Values{"limit": {"1"}})
		if err != nil || res.State != "" {
			return nil, res, err
		}
		found, why := s.decode(raw)
		if why != "" {
			return nil, source.Result{State: source.StateUpstreamError, Detail: why}, nil
		}
		i := slices.IndexFunc(found.posts, func(p post) bool { return p.id == id })
		if i < 0 {
			return inForm()
		}
		p = found.posts[i]
	}
	w := wire{Name: p.id, Title: p.title, Author: p.author, Permalink: p.url, Created: float64(p.at.UnixMilli()) / 1000, URL: p.link}
	if list := s.playlistOf(p.link); list != "" {
		if res, err := s.resolve(ctx, op, list, &w); err != nil || res.State != "" {
			return nil, res, err
		}
	}
	return inForm(child{"t3", w})
}

// inForm is a list in the API's form.
func inForm(posts ...child) ([]byte, source.Result, error) {
	raw, err := json.Marshal(listing{Kind: "Listing", Data: &data{Children: posts}})
	return raw, source.Result{}, err
}

// resolve finds the file of a video of Reddit's own in its play-list.
func (s *Source) resolve(ctx context.Context, op, list string, w *wire) (source.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, s.opts.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, list, nil)
	if err != nil {
		return source.Result{}, footy.Wrap(footy.CodeInvalid, op, err)
	}
	resp, err := s.client.Do(req) //nolint:bodyclose // httpx.Drain closes it
	if err != nil {
		return source.Result{}, httpx.Fault(op, err)
	}
	defer httpx.Drain(resp)
	var tracks playlist
	raw, err := httpx.ReadBody(resp, 1<<20)
	switch {
	case resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusGone:
		w.Removed = "its video is gone"
		return source.Result{}, nil
	case resp.StatusCode != http.StatusOK:
		return source.Result{State: source.StateUpstreamError, Status: resp.StatusCode, Detail: fmt.Sprintf("the play-list of the video answers HTTP %d", resp.StatusCode)}, nil
	case err != nil:
		return source.Result{}, httpx.Fault(op, err)
	case xml.Unmarshal(raw, &tracks) != nil:
		return source.Result{State: source.StateUpstreamError, Detail: "the play-list of the video cannot be read"}, nil
	}
	file := tracks.picture(req.URL)
	if file == "" {
		return source.Result{State: source.StateUpstreamError, Detail: "the play-list of the video names no file"}, nil
	}
	w.Media.Video = &video{Fallback: file, Playlist: list}
	return source.Result{}, nil
}

// picture is the address of the best picture that a play-list names; "" if it names none.
func (l playlist) picture(base *url.URL) string {
	found, bandwidth := "", -1
	for _, s := range l.Sets {
		for _, t := range s.Tracks {
			moving := s.Content == "video" || strings.HasPrefix(s.Kind, "video/") || strings.HasPrefix(t.Kind, "video/")
			if u, err := base.Parse(strings.TrimSpace(t.BaseURL)); moving && t.BaseURL != "" && t.Bandwidth > bandwidth && err == nil {
				found, bandwidth = u.String(), t.Bandwidth
			}
		}
	}
	return found
}
