package reddit

import (
	"bytes"
	"cmp"
	"context"
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
	Entries []entry  `xml:"http://www.w3.org/2005/Atom entry"`
}

// entry is a post or a comment.
type entry struct {
	ID     string `xml:"http://www.w3.org/2005/Atom id"`
	Title  string `xml:"http://www.w3.org/2005/Atom title"`
	Author string `xml:"http://www.w3.org/2005/Atom author>name"`
	Link   struct {
		Href string `xml:"href,attr"`
	} `xml:"http://www.w3.org/2005/Atom link"`
	Content   string `xml:"http://www.w3.org/2005/Atom content"`
	Published string `xml:"http://www.w3.org/2005/Atom published"`
	Updated   string `xml:"http://www.w3.org/2005/Atom updated"`
}

func (e entry) author() string { return strings.TrimPrefix(strings.TrimSpace(e.Author), "/u/") }

// at is when it was made; zero where it does not say.
func (e entry) at() time.Time {
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(cmp.Or(e.Published, e.Updated)))
	if err != nil {
		return time.Time{}
	}
	return at
}

// linked is the anchor of what a post links to. The last one is Reddit's own: before it stands what the author wrote.
var linked = regexp.MustCompile(`<a\s[^>]*href="([^"]*)"[^>]*>\s*\[link\]\s*</a>`)

// link is what a post links to.
func (e entry) link() string {
	all := linked.FindAllStringSubmatch(e.Content, -1)
	if len(all) == 0 {
		return ""
	}
	return html.UnescapeString(all[len(all)-1][1])
}

func (e entry) post() wire {
	w := wire{name: e.ID, title: strings.TrimSpace(e.Title), author: e.author(), permalink: e.Link.Href, links: []string{e.link()}}
	if at := e.at(); !at.IsZero() {
		w.created = float64(at.UnixMilli()) / 1000
	}
	return w
}

func (f feed) posts() (out []entry) {
	for _, e := range f.Entries {
		if strings.HasPrefix(e.ID, source.RedditPrefix) {
			out = append(out, e)
		}
	}
	return out
}

// rss asks for a feed, within what may be asked. What comes with 200 may be a refusal, too.
func (s *Source) rss(ctx context.Context, op, path string, params url.Values) ([]byte, source.Result, error) {
	if now := s.opts.Now(); !s.budget.take(now, op == opList) {
		return nil, source.Result{State: source.StateRateLimited, RetryAfter: max(s.budget.wait(now), time.Second), Detail: "as many calls were made as Reddit allows"}, nil
	}
	if s.opts.FeedToken != "" {
		params.Set("feed", s.opts.FeedToken)
		params.Set("user", s.opts.FeedUser)
	}
	raw, res, err := s.send(ctx, op, httpx.Call{Address: s.opts.URL + path + "?" + params.Encode()})
	if err == nil && res.State == "" {
		res = s.opts.Way().blocked(raw)
	}
	return raw, res, err
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

// namedByRSS is a post as it was listed, else as Reddit lists it by its name, by its name.
func (s *Source) namedByRSS(ctx context.Context, op, id string) ([]post, source.Result, error) {
	s.mu.Lock()
	p, ok := s.posts[id]
	refused := s.archive.open()
	s.mu.Unlock()
	switch {
	case ok:
	case refused:
		var res source.Result
		if p, res = s.inArchive(ctx, op, id); res.State != "" {
			return nil, res, nil
		}
	default:
		raw, res, err := s.rss(ctx, op, "/by_id/"+url.PathEscape(id)+"/.rss", url.Values{"limit": {"1"}})
		var list page
		if err == nil && res.State == "" {
			list, res = s.read(raw)
		}
		if err != nil || res.State != "" && res.Status != http.StatusNotFound {
			return nil, res, err
		}
		i := slices.IndexFunc(list.posts, func(p post) bool { return p.id == id })
		if i < 0 { // a fact only if Reddit answers: a list says so
			res, err = s.tried(ctx, s.opts.Now())
			return nil, res, err
		}
		p = list.posts[i]
	}
	return []post{p}, source.Result{}, nil
}

// resolve finds the file of a video of Reddit's own in its play-list; one that is gone has none.
func (s *Source) resolve(ctx context.Context, op string, f *file) (source.Result, error) {
	track, status, err := trackOf(ctx, s.client, s.opts.Timeout, op, f.playlist, "video")
	f.url = track
	switch {
	case err != nil || status == http.StatusNotFound || status == http.StatusGone:
		return source.Result{}, err
	case status != http.StatusOK:
		return source.Result{State: source.StateUpstreamError, Status: status, Detail: fmt.Sprintf("the play-list of the video answers HTTP %d", status)}, nil
	case track == "":
		return source.Result{State: source.StateUpstreamError, Detail: "the play-list of the video names no file"}, nil
	}
	return source.Result{}, nil
}

// Way is how Reddit's posts are listed.
type Way string

// The ways.
const (
	ByApp  Way = "app"    // through the API, with an app of the person's own
	ByFeed Way = "feed"   // by RSS, with the token that any account has
	Public Way = "public" // by RSS as everybody gets it; many are refused
)

// Way is the one that the options lead to.
func (o Options) Way() Way {
	switch {
	case o.ClientID != "":
		return ByApp
	case o.FeedToken != "":
		return ByFeed
	}
	return Public
}

// pace is how much may be asked.
type pace struct {
	calls   int // that Reddit takes: from an app in ten minutes, by RSS in a minute
	reserve int // of an app's, that lists leave for looking up the files of posts that were found
	pages   int // of one list at most, to reach back to a goal's own time
	lists   int // of the newest posts, in a minute at most
}

func (o Options) pace() pace {
	return map[Way]pace{ByApp: {1000, 50, 3, 3}, ByFeed: {10, 0, 3, 2}, Public: {2, 0, 1, 1}}[o.Way()]
}

func (s *Source) every() time.Duration { return s.opts.Every / time.Duration(s.opts.pace().lists) }

// refused says what it means that Reddit refuses a list, and how it does.
func (w Way) refused(how string) source.Result {
	why, what := footy.ReasonRedditPublic, "Reddit refuses its public list to this machine"
	if w == ByFeed {
		why, what = footy.ReasonRedditFeed, "Reddit refuses the address of REDDIT_FEED"
	}
	return source.Result{State: source.StateLoginRequired, Reason: why, Detail: what + " (" + how + ")"}
}

// blocked says that a feed is a refusal; a state that is empty says that it is none.
func (w Way) blocked(raw []byte) source.Result {
	switch text := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))); {
	case len(text) == 0:
		return w.refused("an empty answer")
	case text[0] != '<', webPage.Match(text[:min(len(text), 2<<10)]):
		return w.refused("a page in place of the list")
	}
	return source.Result{}
}

// webPage is the beginning of a page for people: no list comes before.
var webPage = regexp.MustCompile(`^(?:<\?[^>]*>|<!--|\s)*<(?:!doctype\s+html|html|head|body|title)[\s>]`)

// leads reports whether an answer leads to a page that begins so.
func leads(resp *http.Response, pages ...string) bool {
	to, err := resp.Location()
	return err == nil && slices.ContainsFunc(strings.Split(strings.ToLower(to.Path), "/"), func(part string) bool {
		return slices.ContainsFunc(pages, func(page string) bool { return strings.HasPrefix(part, page) })
	})
}

// longestPause is the longest wait after a list that failed, in times of the one between two lists.
const longestPause = 32

// paused makes a list by RSS that failed wait; one that was refused twice as long each time in a row: whoever asks on is refused on.
func (s *Source) paused(res source.Result, err error) source.Result {
	switch {
	case err == nil && res.State.Usable():
		s.refusals = 0
		return res
	case err == nil && res.State == source.StateRateLimited && res.Status == 0: // our own count
		return res
	}
	if err != nil || res.Status >= 500 { // an outage, which no asking makes worse
		res.RetryAfter = max(res.RetryAfter, s.opts.Every)
		return res
	}
	wait := s.opts.Every * time.Duration(min(1<<min(s.refusals, 10), longestPause))
	s.refusals++
	res.RetryAfter = max(res.RetryAfter, wait)
	return res
}

// staying is the client without redirects: an address with a token goes to Reddit alone.
func staying(c *http.Client) *http.Client {
	out := *c
	out.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &out
}
