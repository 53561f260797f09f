package reddit

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	nethtml "golang.org/x/net/html"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
)

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
	u, err := url.Parse(link)
	if err != nil || strings.Trim(u.Path, "/") == "" || len(s.hosts) == 0 || !httpx.Allowed(u.Host, s.hosts) || s.opts.Table.Knows(link) {
		return ""
	}
	return strings.ToLower(u.Host) + u.RequestURI()
}
