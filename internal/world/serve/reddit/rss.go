package reddit

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/cdn/host"
)

// The account that a person has, with the token of its RSS addresses.
const (
	User  = "simulated-user"
	Token = "simulated-feed-token"
)

const feedCalls = 10 // in a minute

// feed serves a list by RSS: to everybody, where nobody refuses it, and to an account's token.
func (s *Server) feed(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("feed")
	refused := func(by ...string) bool { return token == "" && slices.ContainsFunc(by, s.faults.On) }
	switch {
	case token != "" && (token != Token || r.URL.Query().Get("user") != User), refused(script.RedditBlocked, script.ArchiveStale, script.ArchiveSlow):
		w.WriteHeader(http.StatusForbidden)
		_, _ = fmt.Fprint(w, "<html><body>You've been blocked by network security. To continue, log in to your Reddit account or use your developer token</body></html>")
	case refused(script.RedditLimited), !s.spendFeed(token):
		http.Error(w, "<html>Too Many Requests</html>", http.StatusTooManyRequests)
	case refused(script.RedditEmpty):
		s.atom(w, nil, false)
	case refused(script.RedditLogin):
		http.Redirect(w, r, s.base+"/login/?dest=new", http.StatusFound)
	case strings.HasPrefix(r.URL.Path, "/by_id/"):
		id := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/by_id/"), "/.rss")
		s.atom(w, s.named(id), false)
	case below(r.URL.Path) != "":
		p := s.named(below(r.URL.Path))
		if len(p) == 0 {
			http.NotFound(w, r)
			return
		}
		s.atom(w, append(p, s.comments(p[0])...), false)
	default:
		found, _ := s.page(r)
		s.atom(w, found, r.URL.Query().Get("after") == "")
	}
}

// spendFeed counts the calls of a token; the public list has one count for everybody.
func (s *Server) spendFeed(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if !now.Before(s.feedReset) {
		s.feedUsed, s.feedReset = map[string]int{}, now.Add(time.Duration(float64(time.Minute)/s.scale))
	}
	s.feedUsed[token]++
	return s.feedUsed[token] <= feedCalls
}

// atom writes posts as Reddit's RSS does: without flair, score or file, and what they link to only in the HTML of their content.
func (s *Server) atom(w http.ResponseWriter, posts []post.Post, withThread bool) {
	var b strings.Builder
	b.WriteString(xml.Header + `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><category term="soccer" label="r/soccer"/><title>newest submissions : soccer</title>`)
	for _, p := range posts {
		if p.On == script.Comment {
			entry(&b, name(p), "/u/"+p.Author+" on a goal", p.Author, permalink(p), "<!-- SC_OFF --><div class=\"md\"><p>"+said(p, `<a href="%s">%[1]s</a>`)+"</p></div><!-- SC_ON -->", p.PostedAt)
			continue
		}
		entry(&b, name(p), p.Text, p.Author, permalink(p), submitted(p.Author, cmp.Or(host.Page(p), link(p)), permalink(p)), p.PostedAt)
	}
	if withThread {
		at := "https://www.reddit.com/r/soccer/comments/daily/daily_discussion/"
		entry(&b, "t3_daily", "Daily Discussion", "AutoModerator", at, submitted("AutoModerator", at, at), time.Now().Add(-12*time.Hour))
	}
	b.WriteString("</feed>\n")
	w.Header().Set("Content-Type", "application/atom+xml; charset=UTF-8")
	_, _ = w.Write([]byte(b.String()))
}

// submitted is the HTML of a post that links to something.
func submitted(author, link, comments string) string {
	return fmt.Sprintf(`<table> <tr><td> &#32; submitted by &#32; <a href="https://www.reddit.com/user/%s"> /u/%s </a> <br/> <span><a href="%s">[link]</a></span> &#32; <span><a href="%s">[comments]</a></span> </td></tr></table>`,
		author, author, html.EscapeString(link), comments)
}

func entry(b *strings.Builder, id, title, author, comments, content string, at time.Time) {
	fmt.Fprintf(b, `<entry><author><name>/u/%s</name><uri>https://www.reddit.com/user/%s</uri></author><category term="soccer" label="r/soccer"/><content type="html">%s</content><id>%s</id><link href="%s" /><updated>%s</updated><published>%s</published><title>%s</title></entry>`,
		author, author, html.EscapeString(content), id, comments, at.UTC().Format("2006-01-02T15:04:05+00:00"), at.UTC().Format("2006-01-02T15:04:05+00:00"), html.EscapeString(title))
}
