package reddit

import (
	"bytes"
	"context"
	"encoding/xml"
	"html"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	nethtml "golang.org/x/net/html"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/network/loose"
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

// wire is a post as a list has it.
type wire struct {
	name, title, author, permalink string
	created                        float64 // seconds since 1970; 0 = it does not say
	links                          []string
	self, removed                  bool
	videos                         []video // of Reddit's own
	parents                        []wire  // of a crosspost
}

type video struct {
	fallback, playlist string
	width, height      int
	seconds            float64
	silent             bool // old posts do not say
}

// wireOf reads a post as the API, and the archive, write it.
func wireOf(v loose.Value) wire {
	w := wire{name: v.Get("name").Text(), title: v.Get("title").Text(), author: v.Get("author").Text(), permalink: v.Get("permalink").Text(), created: created(v),
		links: []string{v.Get("url_overridden_by_dest").Text(), v.Get("url").Text()}, // the second may be the page of a crosspost's original
		self:  v.Get("is_self").Bool(), removed: v.Get("removed_by_category").Text() != ""}
	for _, media := range []string{"secure_media", "media"} {
		if m := v.Get(media, "reddit_video"); m.IsObject() {
			w.videos = append(w.videos, video{m.Get("fallback_url").Text(), m.Get("dash_url").Text(), m.Get("width").Natural(), m.Get("height").Natural(),
				m.Get("duration").Float(), m.Get("has_audio").Type == gjson.False})
		}
	}
	for _, parent := range v.Get("crosspost_parent_list").List() {
		w.parents = append(w.parents, wireOf(parent))
	}
	return w
}

// created is when a post or comment was made, in seconds; what is no time is 0.
func created(v loose.Value) float64 {
	if at := v.Get("created_utc").Float(); at > 0 && at < 1e11 {
		return at
	}
	return 0
}

func timeOf(seconds float64) time.Time { return time.UnixMilli(int64(seconds * 1000)).UTC() }

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
	none := func(why string) (page, source.Result) {
		return page{}, source.Result{State: source.StateUpstreamError, Detail: why}
	}
	var posts []wire
	var out page
	if raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff"))); bytes.HasPrefix(raw, []byte("<")) {
		var f feed
		if err := xml.Unmarshal(raw, &f); err != nil {
			return none("Reddit's list cannot be read: " + err.Error())
		}
		for _, e := range f.posts() {
			posts, out.after = append(posts, e.post()), e.ID
		}
	} else {
		l, err := loose.Parse(raw)
		if err != nil {
			return none("Reddit's list cannot be read: " + err.Error())
		}
		if l.Get("kind").Text() != "Listing" || !l.Get("data").IsObject() {
			return none("what Reddit answers is no list of posts")
		}
		out.after = l.Get("data", "after").Text()
		for _, c := range l.Get("data", "children").List() {
			if c.Get("kind").Text() == "t3" {
				posts = append(posts, wireOf(c.Get("data")))
			}
		}
	}
	for _, w := range posts {
		if w.name == "" || w.title == "" || w.created == 0 {
			return none("a post in Reddit's list lacks its name, its title or its time")
		}
		out.posts = append(out.posts, s.post(w))
	}
	return out, source.Result{}
}

func (s *Source) post(w wire) post {
	p := post{id: w.name, title: w.title, author: w.author, link: w.links[len(w.links)-1], removed: w.removed, at: timeOf(w.created), url: w.permalink}
	if base, err := url.Parse("https://www.reddit.com"); err == nil {
		if ref, err := base.Parse(w.permalink); err == nil {
			p.url = ref.String()
		}
	}
	for _, w := range append([]wire{w}, w.parents...) {
		for _, v := range w.videos {
			if s.own(&p, v, v.fallback, v.playlist) {
				return p
			}
		}
		for _, link := range w.links {
			if s.own(&p, video{}, link) {
				return p
			}
			if p.external = !w.self && link != "" && s.mayBeClip(link); p.external {
				p.link = link
				return p
			}
		}
	}
	return p
}

// own notes a video of Reddit's own. Where its file lies an app's answer says; else it is asked for at Reddit, and nowhere else, when it is fetched.
func (s *Source) own(p *post, v video, addresses ...string) bool {
	p.file.width, p.file.height, p.file.seconds = max(p.file.width, v.width), max(p.file.height, v.height), max(p.file.seconds, v.seconds)
	if s.opts.Way() == ByApp && v.fallback != "" {
		if p.file.url, p.file.playlist = v.fallback, v.playlist; v.silent {
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
