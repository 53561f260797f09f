package reddit

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	nethtml "golang.org/x/net/html"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/footy"
)

// post is one post of a list, as far as it matters.
type post struct {
	id, url, title, author string
	at, seen               time.Time // when it was posted, and first listed
	link                   string    // what it links to
	file                   file      // its video, where it lies with Reddit itself
	removed                bool
	external               bool                 // what it links to may be a video elsewhere
	evidence               *footy.TitleEvidence // how its title agrees with the goal that was asked for
}

// file is a video that lies with Reddit.
type file struct {
	url           string
	width, height int
	seconds       float64
	playlist      string // that names its sound; "" = it has none
}

func (p post) hasVideo() bool {
	return !p.removed && (p.file.url != "" || p.file.playlist != "" || p.external)
}

// elsewhere reports whether it links to a place that is not Reddit's own.
func (p post) elsewhere() bool {
	u, err := url.Parse(p.link)
	return err == nil && u.Host != "" && !httpx.Allowed(u.Host, []string{".reddit.com", ".redd.it"})
}

// shows names the clip of a post: two posts of one clip have one name.
func (s *Source) shows(p post) string {
	links := []string{p.file.url, p.link}
	if p.file.playlist != "" {
		links = []string{"https://v.redd.it/" + path.Base(path.Dir(p.file.playlist))}
	}
	for _, link := range links {
		if clip := s.clip(link); clip != "" {
			return clip
		}
	}
	return p.id
}

func (p post) candidate() footy.Candidate {
	return footy.Candidate{PostID: p.id, URL: p.url, Author: p.author, Text: p.title, PostedAt: p.at, DurationMS: int(p.file.seconds * 1000),
		Width: p.file.width, Height: p.file.height, Title: p.evidence}
}

// page is one list.
type page struct {
	posts []post
	after string
}

type listing struct {
	Kind string `json:"kind"`
	Data *data  `json:"data"`
}

type data struct {
	After    string  `json:"after"`
	Children []child `json:"children"`
}

type child struct {
	Kind string `json:"kind"`
	Data wire   `json:"data"`
}

// wire is a post as Reddit writes it.
type wire struct {
	Name      string  `json:"name"`
	Title     string  `json:"title"`
	Author    string  `json:"author"`
	Permalink string  `json:"permalink"`
	Created   float64 `json:"created_utc"`
	URL       string  `json:"url"`
	Dest      string  `json:"url_overridden_by_dest"` // where URL is the page of a crosspost's original
	IsSelf    bool    `json:"is_self"`
	Removed   string  `json:"removed_by_category"`
	Media     media   `json:"secure_media"`
	OldMedia  media   `json:"media"`
	Parents   []wire  `json:"crosspost_parent_list"`
}

type media struct {
	Video *video `json:"reddit_video"`
}

type video struct {
	Fallback string  `json:"fallback_url"`
	Width    int     `json:"width"`
	Height   int     `json:"height"`
	Duration float64 `json:"duration"`
	Playlist string  `json:"dash_url"`
	Sound    *bool   `json:"has_audio"` // old posts do not say
}

// list asks for one page of the newest posts and notes whether it has the shape that is known.
func (s *Source) list(ctx context.Context, after string) (page, source.Result, error) {
	params := url.Values{"limit": {"100"}}
	if after != "" {
		params.Set("after", after)
	}
	path, ask := "/r/"+strings.Join(s.opts.Subreddits, "+")+"/new", s.call
	if s.opts.Way() == ByApp {
		params.Set("raw_json", "1")
	} else {
		path, ask = path+"/.rss", s.rss
	}
	raw, res, err := ask(ctx, opList, path, params)
	if err != nil || res.State != "" {
		return page{}, res, err
	}
	if res := s.opts.Way().blocked(raw); res.State != "" {
		return page{}, res, nil
	}
	p, res := s.read(raw)
	s.canary = &source.Canary{At: s.opts.Now().UTC(), OK: res.State == "", Drift: res.State != "", Detail: res.Detail}
	switch {
	case res.State == "" && len(p.posts) == 0 && after == "" && s.opts.Way() != ByApp: // a subreddit has posts
		return page{}, s.opts.Way().refused("a list without posts"), nil
	case res.State == "":
		res.State = source.StateEmpty
	}
	return p, res, nil
}

// read reads a list; a state that is not empty says that it is none.
func (s *Source) read(raw []byte) (page, source.Result) {
	var l listing
	var err error
	none := func(why string) (page, source.Result) {
		return page{}, source.Result{State: source.StateUpstreamError, Detail: why}
	}
	if raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff"))); bytes.HasPrefix(raw, []byte("<")) {
		l, err = s.atom(raw)
	} else {
		err = json.Unmarshal(raw, &l)
	}
	if err != nil {
		return none("Reddit's list cannot be read: " + err.Error())
	}
	if l.Kind != "Listing" || l.Data == nil {
		return none("what Reddit answers is no list of posts")
	}
	out := page{after: l.Data.After}
	for _, c := range l.Data.Children {
		if c.Kind != "t3" {
			continue
		}
		if c.Data.Name == "" || c.Data.Title == "" || c.Data.Created == 0 {
			return none("a post in Reddit's list lacks its name, its title or its time")
		}
		out.posts = append(out.posts, s.post(c.Data))
	}
	return out, source.Result{}
}

func (s *Source) post(w wire) post {
	p := post{id: w.Name, title: w.Title, author: w.Author, link: w.URL, removed: w.Removed != "",
		at: time.UnixMilli(int64(w.Created * 1000)).UTC(), url: w.Permalink}
	if base, err := url.Parse("https://www.reddit.com"); err == nil {
		if ref, err := base.Parse(w.Permalink); err == nil {
			p.url = ref.String()
		}
	}
	for _, w := range append([]wire{w}, w.Parents...) {
		for _, m := range []media{w.Media, w.OldMedia} {
			if v := m.Video; v != nil && s.own(&p, *v, v.Fallback, v.Playlist) {
				return p
			}
		}
		for _, link := range []string{w.Dest, w.URL} {
			if s.own(&p, video{}, link) {
				return p
			}
			if p.external = !w.IsSelf && link != "" && s.mayBeClip(link); p.external {
				p.link = link
				return p
			}
		}
	}
	return p
}

// own notes a video of Reddit's own. Where its file lies an app's answer says; else it is asked for at Reddit, and nowhere else, when it is fetched.
func (s *Source) own(p *post, v video, addresses ...string) bool {
	p.file.width, p.file.height, p.file.seconds = max(p.file.width, v.Width), max(p.file.height, v.Height), max(p.file.seconds, v.Duration)
	if s.opts.Way() == ByApp && v.Fallback != "" {
		if p.file.url, p.file.playlist = v.Fallback, v.Playlist; v.Sound != nil && !*v.Sound {
			p.file.playlist = ""
		}
		return true
	}
	for _, address := range addresses {
		if id := hosts.RedditVideo(address); id != "" {
			p.file.playlist = s.opts.VideoURL + "/" + id + "/DASHPlaylist.mpd"
			return true
		}
	}
	return false
}

var (
	address = regexp.MustCompile("(?i)(?:https?://)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}/[^\\s<>\"'\\[\\]{}|^`\\\\]+")
	slashed = regexp.MustCompile(`\\([\\_*~()\[\]!#+.&>` + "`" + `-])`) // of Markdown
)

// links are the addresses in a comment where a clip may lie, in their order.
func (s *Source) links(body string) (out []string) {
	for _, raw := range address.FindAllString(plain(body), -1) {
		spellings := []string{strings.Replace(raw, "www.", "", 1), raw}
		if inside, err := url.PathUnescape(raw); err == nil { // also an address in another one
			spellings = append(spellings, address.FindString(inside[max(strings.LastIndex(strings.ToLower(inside), "http"), 0):]))
		}
		for _, link := range spellings {
			if link = bare(link); s.clip(link) != "" && !slices.Contains(out, link) {
				out = append(out, link)
				break
			}
		}
	}
	return out
}

// plain is the text of a comment: without the escapes of Markdown; of HTML, with the addresses of anchors before their words.
func plain(body string) string {
	if !strings.Contains(body, "</") {
		return slashed.ReplaceAllString(html.UnescapeString(body), "$1")
	}
	var b strings.Builder
	page := nethtml.NewTokenizer(strings.NewReader(body))
	for {
		switch page.Next() {
		case nethtml.ErrorToken: // the end
			return b.String()
		case nethtml.TextToken:
			b.WriteString(html.UnescapeString(string(page.Text())))
		case nethtml.StartTagToken:
			for _, a := range page.Token().Attr {
				if a.Key == "href" {
					b.WriteString(" " + a.Val + " ")
				}
			}
		case nethtml.EndTagToken:
			b.WriteByte(' ')
		}
	}
}

// bare is an address with its scheme, and without what a sentence or Markdown put behind it.
func bare(link string) string {
	depth := 0
	end := strings.IndexFunc(link, func(c rune) bool {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		return depth < 0
	})
	if end >= 0 {
		link = link[:end]
	}
	if _, rest, ok := strings.Cut(link, "://"); ok {
		link = rest
	}
	link = strings.TrimRight(link, ".,;:!?*~…")
	if id := hosts.RedditVideo("https://" + link); id != "" {
		link = "v.redd.it/" + id
	}
	return "https://" + link
}

// clip names the clip that an address of a known host leads to, however it is written; "" if no host here knows it.
func (s *Source) clip(link string) string {
	link = bare(link)
	if row, id, err := s.opts.Table.Lookup(link); err == nil && row.Known() {
		return row.Name + " " + id
	}
	if id := hosts.RedditVideo(link); id != "" { // also where the table has no such row
		return "v.redd.it " + id
	}
	return ""
}
