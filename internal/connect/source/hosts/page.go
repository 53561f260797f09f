package hosts

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/net/html"
	"golang.org/x/net/publicsuffix"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
)

// pointers are what a page points at, the likeliest first.
type pointers struct {
	files    []pointer
	frames   []string // of its own site
	refused  []string // why others are not asked
	player   bool     // it has a place for a video
	inPieces bool     // it names a play-list
	deleted  string   // its words that the clip is gone
}

// maxPointers is how many of a page's are asked.
const maxPointers = 8

// pointer is an address, and by what it was found.
type pointer struct{ address, how string }

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
func (f Find) in(body []byte) string {
	if f.JSON != "" {
		if !gjson.ValidBytes(body) {
			return ""
		}
		return gjson.GetBytes(body, f.JSON).String()
	}
	if f.Dash != "" {
		list, err := ReadPlaylist(body)
		if err != nil {
			return ""
		}
		return list.Best(f.Dash)
	}
	found := ""
	if f.Any {
		return ""
	}
	elements(body, func(t html.Token, all map[string]string) {
		if name := f.Attribute; found != "" {
			return
		} else if name != "" {
			found = strings.TrimSpace(all[strings.ToLower(name)])
		} else if t.Data == "meta" && strings.EqualFold(metaName(all), f.Meta) {
			found = strings.TrimSpace(all["content"])
		}
	}, nil)
	return found
}

func metaName(all map[string]string) string {
	for _, key := range []string{"property", "name", "itemprop"} {
		if all[key] != "" {
			return strings.TrimSpace(all[key])
		}
	}
	return ""
}

// elements walks through the elements of a page, and through its text outside of them: in is the raw element around it, as script.
func elements(body []byte, element func(html.Token, map[string]string), text func(in, text string, around map[string]string)) {
	page := html.NewTokenizer(bytes.NewReader(body))
	in, around := "", map[string]string{}
	for {
		switch kind := page.Next(); kind {
		case html.ErrorToken: // the end
			return
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			t := page.Token()
			all := map[string]string{}
			for _, a := range t.Attr {
				if _, twice := all[a.Key]; !twice {
					all[a.Key] = a.Val
				}
			}
			if in, around = "", nil; kind == html.StartTagToken && slices.Contains([]string{"script", "style", "noscript", "textarea", "iframe"}, t.Data) {
				in, around = t.Data, all
			}
			element(t, all)
		case html.TextToken:
			if in == "noscript" { // what browsers without scripts see
				elements(page.Raw(), element, text)
			} else if text != nil {
				text(in, page.Token().Data, around)
			}
		case html.CommentToken, html.DoctypeToken:
		}
	}
}

// gone are the words of a page without a video that says that there was one.
var gone = regexp.MustCompile(`(?i)\b(?:video|clip|file|media|content|page)\b[^.!?]{0,40}\b(?:removed|deleted|expired|not found|no longer (?:available|exists?)|(?:does not|doesn['’]t) exist|(?:not|un)available)\b`)

// ranks of pointers, by what names them.
const (
	byMeta = iota
	byStream
	byVideo
	byData
	ranks
)

// read finds the pointers that any page may have.
func (p *pointers) read(row Row, base *url.URL, body []byte) {
	var found [ranks][]pointer
	var frames []string
	var words strings.Builder
	put := func(rank int, address, how string) {
		if strings.TrimSpace(address) != "" {
			found[rank] = append(found[rank], pointer{address, how})
		}
	}
	based, audio, typed := false, false, 0 // typed: how many of og:video have had their type
	elements(body, func(t html.Token, all map[string]string) {
		if t.Type == html.EndTagToken {
			audio = audio && t.Data != "audio"
			return
		}
		switch t.Data {
		case "base":
			if at, err := base.Parse(strings.TrimSpace(all["href"])); err == nil && all["href"] != "" && !based {
				base, based = at, true
			}
		case "meta":
			switch name := strings.ToLower(metaName(all)); name {
			case "og:video", "og:video:url", "og:video:secure_url":
				put(byMeta, all["content"], "meta element "+name)
			case "og:video:type":
				if kind := strings.ToLower(all["content"]); strings.HasPrefix(kind, "text/") {
					for _, player := range found[byMeta][typed:] {
						frames = append(frames, player.address)
					}
					found[byMeta] = found[byMeta][:typed]
				}
				typed = len(found[byMeta])
			case "twitter:player:stream":
				put(byStream, all["content"], "meta element "+name)
			case "twitter:player", "embedurl":
				frames = append(frames, all["content"])
			case "contenturl":
				put(byData, all["content"], "itemprop contentUrl")
			}
		case "link":
			if strings.EqualFold(all["itemprop"], "contentUrl") {
				put(byData, all["href"], "itemprop contentUrl")
			}
		case "audio":
			audio = t.Type == html.StartTagToken
		case "video", "source":
			p.player = p.player || t.Data == "video"
			if kind := strings.ToLower(all["type"]); audio || strings.HasPrefix(kind, "image/") || strings.HasPrefix(kind, "audio/") {
				return
			}
			for _, key := range []string{"src", "data-src"} {
				put(byVideo, all[key], key+" of "+t.Data)
			}
		case "iframe", "embed":
			frames = append(frames, all["src"], all["data-src"])
		}
	}, func(in, text string, around map[string]string) {
		switch {
		case in == "script" && strings.HasPrefix(strings.ToLower(strings.TrimSpace(around["type"])), "application/ld+json"):
			linked(gjson.Parse(text), 0, func(address string) { put(byData, html.UnescapeString(address), "contentUrl") },
				func(address string) { frames = append(frames, html.UnescapeString(address)) })
		case in == "" && words.Len() < 64<<10:
			words.WriteString(" " + text)
		}
	})
	for _, rank := range found {
		for _, is := range rank {
			p.add(row, base, is.address, is.how)
		}
	}
	for _, frame := range frames {
		at, err := base.Parse(strings.TrimSpace(frame))
		if err == nil && strings.TrimSpace(frame) != "" && at.Scheme == "https" && at.User == nil && sameSite(at, base) && !slices.Contains(p.frames, at.String()) {
			p.frames = append(p.frames, at.String())
		}
	}
	if len(p.files) == 0 {
		p.deleted = gone.FindString(strings.Join(strings.Fields(words.String()), " "))
	}
}

// linked walks through JSON-LD to the addresses of videos and of their players.
func linked(v gjson.Result, depth int, file, frame func(address string)) {
	if depth > 20 || !v.IsObject() && !v.IsArray() {
		return
	}
	kind := v.Get(`\@type`).String()
	still := strings.Contains(kind, "Image") || strings.Contains(kind, "Audio")
	v.ForEach(func(key, value gjson.Result) bool {
		to := file
		switch name := strings.ToLower(key.String()); {
		case v.IsObject() && name == "embedurl":
			to = frame
			fallthrough
		case v.IsObject() && name == "contenturl" && !still:
			for _, one := range value.Array() {
				if one.Type == gjson.String {
					to(one.String())
				}
			}
		default:
			linked(value, depth+1, file, frame)
		}
		return true
	})
}

// add adds a pointer if it may be asked: over https, at a public host.
func (p *pointers) add(row Row, base *url.URL, address, how string) {
	address = strings.TrimSpace(address)
	u, err := base.Parse(address)
	switch {
	case address == "" || err != nil || strings.HasPrefix(address, "#"):
		return
	case slices.ContainsFunc(p.files, func(is pointer) bool { return is.address == u.String() }):
		return
	case len(p.files) == maxPointers || row.unknown && httpx.Allowed(u.Host, never):
		return
	case u.Scheme == "blob" || u.Scheme == "data" || u.Scheme == "about" || u.Scheme == "javascript":
		return // of scripts
	case pieces.MatchString(path.Ext(u.Path)):
		p.inPieces = true
		p.refused = append(p.refused, fmt.Sprintf("%s names a play-list of pieces, which is not fetched: %s", how, u))
	case u.String() == base.String() || fileless.MatchString(path.Ext(u.Path)):
		p.refused = append(p.refused, fmt.Sprintf("%s is no video: %s", how, u))
	case len(row.Files) > 0 && httpx.Secure(u) && httpx.Allowed(u.Host, row.Files):
		p.files = append(p.files, pointer{u.String(), how})
	case u.Scheme != "https" || u.User != nil || !public(u.Hostname()):
		p.refused = append(p.refused, fmt.Sprintf("%s is not asked, only public hosts over https are: %s://%s", how, u.Scheme, u.Host))
	default:
		p.files = append(p.files, pointer{u.String(), how})
	}
}

// public reports whether a name may be one of the open internet. Where it leads is looked at when it is dialled.
func public(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if addr, err := netip.ParseAddr(host); err == nil {
		return httpx.Public(addr)
	}
	end := host[strings.LastIndexByte(host, '.')+1:]
	return strings.Contains(host, ".") && !slices.Contains([]string{"local", "localhost", "internal", "lan", "home", "intranet", "arpa"}, end) &&
		strings.Trim(end, "0123456789") != ""
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
	if !bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		return body
	}
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return body
	}
	out, err := io.ReadAll(io.LimitReader(r, maxPage))
	if err != nil && len(out) == 0 {
		return body
	}
	return out
}

// never are sites whose pages are not fetched: Reddit's own, networks that ask for a log-in, news and results.
var never = []string{".reddit.com", ".redd.it", ".x.com", ".twitter.com", ".t.co", ".youtube.com", ".youtu.be", ".facebook.com", ".fb.watch", ".instagram.com", ".threads.net",
	".tiktok.com", ".bsky.app", ".telegram.org", ".t.me", ".discord.com", ".discord.gg", ".wikipedia.org", ".google.com", ".goo.gl", ".twitch.tv", ".dazn.com", ".bbc.co.uk", ".bbc.com",
	".skysports.com", ".espn.com", ".theguardian.com", ".nytimes.com", ".theathletic.com", ".marca.com", ".as.com", ".goal.com", ".dailymail.co.uk", ".telegraph.co.uk",
	".transfermarkt.com", ".fotmob.com", ".sofascore.com", ".flashscore.com", ".uefa.com", ".fifa.com", ".premierleague.com", ".kicker.de", ".lequipe.fr", ".gazzetta.it"}
