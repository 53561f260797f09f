package hosts

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/net/html"
	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
)

// pointers are what a page points at.
type pointers struct {
	all      []pointer // the likeliest first
	refused  []string  // why others are not asked
	player   bool      // it has a place for a video
	inPieces bool      // it names a play-list
	deleted  string    // its words that the clip is gone
	article  bool      // it is a report
}

// pointer is an address, and by what it was found.
type pointer struct {
	address, how string
	rank         rank
	frame        bool // a page with a player
	own          bool // of the same site
}

// rank orders pointers.
type rank int

const (
	ofRow rank = iota
	byMeta
	byStream
	byPlayer // a <video> with controls
	byData
	byVideo
	inPlayer        // a frame that the page calls its player
	inScreen        // a frame that may fill the screen
	inFrame         // another one
	elsewherePlayer // as byPlayer, with a file of another site
	elsewhere       // as byVideo
	beside          // what the page is not about: a background, a thumbnail, a related item
)

// maxPointers is how many of a page's are asked, and most how many are looked at.
const (
	maxPointers = 8
	most        = 200
)

// by is what an answer is searched for.
func (f Find) by() string {
	switch {
	case f.Pattern != "":
		return f.Pattern
	case f.JSON != "":
		return "field " + f.JSON
	case f.Meta != "":
		return "meta element " + f.Meta
	case f.Attribute != "":
		return "attribute " + f.Attribute
	case f.Dash != "":
		return "track of " + f.Dash
	}
	return "pointer to a video"
}

// in finds what an answer says of the file.
func (f Find) in(body []byte, page *html.Node) (found string) {
	switch {
	case f.JSON != "":
		if gjson.ValidBytes(body) {
			found = gjson.GetBytes(body, f.JSON).String()
		}
	case f.Dash != "":
		if list, err := ReadPlaylist(body); err == nil {
			found = list.Best(f.Dash)
		}
	case f.Attribute != "" || f.Meta != "":
		visit(page, spot{}, func(n *html.Node, _ spot) {
			switch {
			case found != "":
			case f.Attribute != "":
				found = attr(n, strings.ToLower(f.Attribute))
			case n.Data == "meta" && strings.EqualFold(metaName(n), f.Meta):
				found = attr(n, "content")
			}
		})
	}
	return found
}

// parsed is a page as a browser without scripts sees it. What no browser would nest is not read.
func parsed(body []byte) *html.Node {
	page, err := html.ParseWithOptions(bytes.NewReader(body), html.ParseOptionEnableScripting(false))
	if err != nil {
		return &html.Node{}
	}
	return page
}

func lookup(n *html.Node, key string) (string, bool) {
	i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
	if i < 0 {
		return "", false
	}
	return strings.TrimSpace(n.Attr[i].Val), true
}

func attr(n *html.Node, key string) string { v, _ := lookup(n, key); return v }

func has(n *html.Node, key string) bool { _, ok := lookup(n, key); return ok }

func metaName(n *html.Node) string {
	for _, key := range []string{"property", "name", "itemprop"} {
		if name := attr(n, key); name != "" {
			return name
		}
	}
	return ""
}

// spot is where in a page something stands.
type spot struct {
	beside, audio, silent bool // in what the page is not about; in an <audio>; where a text is none of the page
	video                 *html.Node
	heading               *html.Node
}

var (
	margins = []string{"a", "aside", "button", "dialog", "footer", "nav", "select", "svg"}
	quiet   = []string{"script", "style", "textarea", "video", "audio", "object", "iframe", "label"}
	// marginal are classes of what the page is not about, and of what is not seen.
	marginal  = regexp.MustCompile(`(?i)(?:^|[\s_-])(?:related|recommend\w*|suggest\w*|sidebar|advert\w*|ads?|adsbygoogle|sponsor\w*|thumb\w*|preview|hidden|hide|d-none|invisible|comments?|modal|toast)(?:$|[\s_-])`)
	invisible = regexp.MustCompile(`(?i)(?:display\s*:\s*none|visibility\s*:\s*hidden)`)
)

// at is where what is inside of an element stands, which itself stands at s.
func (s spot) at(n *html.Node) spot {
	role := attr(n, "role")
	s.beside = s.beside || slices.Contains(margins, n.Data) || has(n, "hidden") || attr(n, "aria-hidden") == "true" || role == "complementary" || role == "navigation" ||
		invisible.MatchString(attr(n, "style")) || n.Data != "html" && n.Data != "body" && marginal.MatchString(attr(n, "class")+" "+attr(n, "id"))
	s.silent, s.audio = s.silent || slices.Contains(quiet, n.Data), s.audio || n.Data == "audio"
	switch n.Data {
	case "video":
		s.video = n
	case "h1", "title":
		s.heading = n
	}
	return s
}

// visit goes through the elements and texts of a page in their order, but for what only scripts put there.
func visit(n *html.Node, at spot, do func(*html.Node, spot)) {
	if n.Type == html.ElementNode {
		if n.Data == "template" {
			return
		}
		at = at.at(n)
	}
	if n.Type == html.ElementNode || n.Type == html.TextNode {
		do(n, at)
	}
	for c := range n.ChildNodes() {
		visit(c, at, do)
	}
}

// read finds the pointers that any page may have. proven is whether its host gave a clip before: then also a report may show one in passing.
func (p *pointers) read(row Row, base *url.URL, page *html.Node, proven bool) {
	var words saying
	based, typed := false, 0 // typed: how many of og:video have had their type
	first := len(p.all)
	put := func(rank rank, address, how string) {
		p.add(row, base, pointer{address: address, how: how, rank: rank, frame: how == frame || rank == inPlayer})
	}
	visit(page, spot{}, func(n *html.Node, at spot) {
		if n.Type == html.TextNode {
			if n.Parent.Data == "script" && strings.HasPrefix(strings.ToLower(attr(n.Parent, "type")), "application/ld+json") {
				p.linked(gjson.Parse(strings.TrimLeft(n.Data, "<!- \r\n\t")), 0, put) // some hide it from old browsers
			}
			words.add(n.Data, at)
			return
		}
		switch n.Data {
		case "base":
			if to, err := base.Parse(attr(n, "href")); err == nil && attr(n, "href") != "" && !based {
				base, based = to, true
			}
		case "meta", "link":
			switch name, content := strings.ToLower(metaName(n)), cmp.Or(attr(n, "content"), attr(n, "href")); name {
			case "og:video", "og:video:url", "og:video:secure_url":
				put(byMeta, content, "meta element "+name)
			case "og:video:type":
				for i := max(first, typed); strings.HasPrefix(strings.ToLower(content), "text/") && i < len(p.all); i++ {
					if p.all[i].rank == byMeta {
						p.all[i].rank, p.all[i].frame = inPlayer, true
					}
				}
				typed = len(p.all)
			case "og:type":
				p.article = p.article || strings.EqualFold(content, "article")
			case "twitter:player:stream":
				put(byStream, content, "meta element "+name)
			case "twitter:player", "embedurl":
				put(inPlayer, content, "meta element "+name)
			case "contenturl":
				put(byData, content, "itemprop contentUrl")
			}
		case "video", "source":
			p.player = p.player || n.Data == "video" && !at.beside
			if kind := strings.ToLower(attr(n, "type")); at.audio || strings.HasPrefix(kind, "image/") || strings.HasPrefix(kind, "audio/") {
				return
			}
			for _, key := range []string{"src", "data-src"} {
				put(at.rank(), attr(n, key), key+" of "+n.Data)
			}
		case "iframe", "embed", "frame":
			rank := inFrame
			switch {
			case at.beside:
				rank = beside
			case has(n, "allowfullscreen") || strings.Contains(attr(n, "allow"), "fullscreen"):
				rank = inScreen
			}
			for _, key := range []string{"src", "data-src"} {
				put(rank, attr(n, key), frame)
			}
		}
	})
	passing := p.article && !proven
	p.all = slices.DeleteFunc(p.all, func(is pointer) bool { return is.frame && !is.own || passing && is.rank > byData })
	p.player = p.player && !passing
	slices.SortStableFunc(p.all, func(a, b pointer) int { return int(a.rank - b.rank) })
	p.all = p.all[:min(len(p.all), maxPointers)]
	if len(p.all) == 0 || p.all[0].rank != ofRow {
		if p.deleted = words.gone(len(p.all) == 0 && !p.player); p.deleted != "" {
			p.all = nil
		}
	}
}

// rank is that of a <video>, or of a source in one, there.
func (s spot) rank() rank {
	v := s.video
	switch {
	case s.beside:
		return beside
	case v == nil:
		return byVideo
	case has(v, "controls"):
		return byPlayer
	case has(v, "loop") && (has(v, "muted") || has(v, "autoplay")), has(v, "poster") && attr(v, "preload") == "none":
		return beside
	}
	return byVideo
}

// linked walks through JSON-LD to the addresses of videos and of their players.
func (p *pointers) linked(v gjson.Result, depth int, put func(rank, string, string)) {
	if depth > 20 || !v.IsObject() && !v.IsArray() {
		return
	}
	kind := v.Get(`\@type`).String()
	p.article = p.article || strings.Contains(kind, "Article") || strings.Contains(kind, "BlogPosting")
	v.ForEach(func(key, value gjson.Result) bool {
		rank := map[string]rank{"contenturl": byData, "embedurl": inPlayer}[strings.ToLower(key.String())]
		switch {
		case v.IsObject() && rank == byData && (strings.Contains(kind, "Image") || strings.Contains(kind, "Audio")):
		case v.IsObject() && rank != 0:
			for _, one := range value.Array() {
				if one.Type == gjson.String {
					put(rank, html.UnescapeString(one.String()), key.String())
				}
			}
		case !slices.Contains([]string{"itemlistelement", "isrelatedto", "mentions"}, strings.ToLower(key.String())):
			p.linked(value, depth+1, put)
		}
		return true
	})
}

// saying are the words of a page.
type saying struct {
	headings []*html.Node
	heads    []string // the text of each
	blocks   []string
	size     int
}

func (s *saying) add(text string, at spot) {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case text == "" || at.beside || at.silent:
	case at.heading == nil:
		s.blocks, s.size = append(s.blocks, text), s.size+len(text)
	case len(s.headings) > 0 && s.headings[len(s.headings)-1] == at.heading:
		s.heads[len(s.heads)-1] += " " + text
	default:
		s.headings, s.heads = append(s.headings, at.heading), append(s.heads, text)
	}
}

// shortText is what a page has at most that only says that its clip is gone.
const shortText = 300

var (
	sentence = `(?:removed|deleted|expired|gone|taken down|not found|no longer (?:available|here|exists?)|(?:does not|doesn['’]t) exist|(?:not|un)available|(?:could not|couldn['’]t|cannot|can['’]t) be found|(?:isn['’]t|not) (?:here|available)(?: any ?more)?)`
	thing    = `(?:video|clip|file|media|content|page|post|link|upload)`
	// headed is a heading that says so, and nothing else.
	headed = regexp.MustCompile(`(?i)^(?:(?:sorry|oops|error|whoops|4(?:04|10))\b\W*)*(?:(?:(?:the|this|that|your|requested)\s+)*` + thing + `\b\s*(?:(?:that )?(?:you|we)\b[^.!?]{0,40}?\s)?)?` +
		`(?:(?:has|have|is|was|been)\s+)*` + sentence + `(?:\s+(?:by|due to|for|from|on|because|or)\b[^.!?]{0,80})?\W*$`)
	// said is a short text that does.
	said    = regexp.MustCompile(`(?i)\b` + thing + `\b[^.!?]{0,40}\b` + sentence)
	between = regexp.MustCompile(`\s+[-–—|:·•»]+\s+|[|–—·•»]|::`)
)

// gone are the words that say that the clip is gone, if the page says nothing else: a heading, or a short text where words count alone.
func (s *saying) gone(alone bool) string {
	for _, head := range s.heads {
		for _, part := range append(between.Split(head, -1), head) {
			if part = strings.TrimSpace(part); headed.MatchString(part) {
				return part
			}
		}
	}
	if alone && s.size <= shortText {
		return said.FindString(strings.Join(s.blocks, " "))
	}
	return ""
}

// standIn are names of films that play in place of one that is gone.
var standIn = regexp.MustCompile(`(?i)^(?:(?:video|clip|file|media|content)[-_]?)?(?:deleted|removed|not[-_]?found|unavailable|expired|missing|placeholder|404|410)(?:[-_](?:video|clip|file|media|content))?\.\w+$`)

// frame is how a frame is found.
const frame = "frame"

// add adds a pointer if it may be asked: over https, at a public host.
func (p *pointers) add(row Row, base *url.URL, is pointer) {
	u, err := join(base, is.address)
	if is.address == "" || is.address[0] == '#' || err != nil || row.unknown && httpx.Allowed(u.Host, never) || len(p.all)+len(p.refused) == most ||
		slices.Contains([]string{"blob", "data", "about", "javascript"}, u.Scheme) { // of scripts
		return
	}
	is.address, is.own = u.String(), sameSite(u, base)
	switch {
	case is.rank == byPlayer && !is.own:
		is.rank = elsewherePlayer
	case is.rank == byVideo && !is.own:
		is.rank = elsewhere
	}
	i := slices.IndexFunc(p.all, func(had pointer) bool { return had.address == is.address })
	refuse := func(why string, at any) { p.refused = append(p.refused, fmt.Sprintf("%s %s: %s", is.how, why, at)) }
	switch {
	case i >= 0:
		p.all[i].rank = min(p.all[i].rank, is.rank)
	case is.frame && (u.Scheme != "https" || u.User != nil || is.address == base.String()):
	case is.frame:
		p.all = append(p.all, is)
	case pieces.MatchString(path.Ext(u.Path)):
		p.inPieces = true
		refuse("names a play-list of pieces, which is not fetched", u)
	case is.address == base.String() || fileless.MatchString(path.Ext(u.Path)):
		refuse("is no video", u)
	case len(row.Files) > 0 && httpx.Secure(u) && httpx.Allowed(u.Host, row.Files), u.Scheme == "https" && u.User == nil && httpx.PublicName(u.Hostname()):
		p.all = append(p.all, is)
	default:
		refuse("is not asked, only public hosts over https are", u.Scheme+"://"+u.Host)
	}
}

// join reads an address as it stands at base (nil: alone), with the name that the host has in the DNS.
func join(base *url.URL, address string) (*url.URL, error) {
	if base == nil {
		base = &url.URL{}
	}
	u, err := base.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, err
	}
	if host, err := idna.Lookup.ToASCII(u.Hostname()); err == nil && host != u.Hostname() {
		u.Host = strings.Replace(u.Host, u.Hostname(), host, 1)
	}
	return u, nil
}

// sameSite reports whether two addresses belong to one site.
func sameSite(a, b *url.URL) bool {
	if strings.EqualFold(a.Host, b.Host) {
		return true
	}
	site, err := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(a.Hostname()))
	return err == nil && httpx.Allowed(b.Hostname(), []string{"." + site})
}

// unpacked is a body that was packed without a header that says so.
func unpacked(body []byte) []byte {
	if r, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
		if out, err := io.ReadAll(io.LimitReader(r, maxPage)); err == nil || len(out) > 0 {
			return out
		}
	}
	return body
}
