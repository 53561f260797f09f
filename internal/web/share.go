package web

import (
	"encoding/xml"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

func headline(e eventView) string {
	s := e.Home + " " + score(e.ScoreAfter.Home) + "–" + score(e.ScoreAfter.Away) + " " + e.Away
	if e.Kind != footy.KindGoal && e.Note != "" {
		s = e.Note + " · " + s
	}
	return e.Scorer + " " + e.MinuteLabel + " · " + s
}

// goalCard is what other sites show of a goal; with a clip it has a real picture and a player.
func (s *Server) goalCard(origin string, e eventView, c *clipView) *card {
	out := &card{Title: headline(e), URL: origin + e.Path, Description: e.League.Name + ", " + e.Kickoff.Format("2 January 2006"),
		OEmbed: origin + "/oembed?url=" + url.QueryEscape(origin+e.Path)}
	if c == nil {
		return out
	}
	out.URL = origin + e.Path
	if c.PosterURL != "" {
		out.Image = origin + c.PosterURL
	}
	out.Video, out.Width, out.Height = origin+c.URL, c.Width, c.Height
	return out
}

type embedPage struct {
	Title  string
	Origin string
	Event  eventView
	Clip   *clipView
	Gone   string
}

// handleEmbed is the player other sites may frame.
func (s *Server) handleEmbed(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	f, e, err := s.standing(r.Context(), r.PathValue("event"))
	if err != nil {
		s.render(w, r, statusOf(err), "embed", embedPage{Title: "Found Footy", Origin: s.origin(r), Gone: publicMessage(err, statusOf(err))})
		return
	}
	p := goalPage{Event: viewEvent(f, e)}
	p.choose(e, r.URL.Query().Get("v"))
	s.render(w, r, http.StatusOK, "embed", embedPage{Title: headline(p.Event), Origin: s.origin(r), Event: p.Event, Clip: p.Chosen})
}

type oEmbed struct {
	Version      string `json:"version"`
	Type         string `json:"type"`
	Title        string `json:"title"`
	ProviderName string `json:"provider_name"`
	ProviderURL  string `json:"provider_url"`
	HTML         string `json:"html,omitempty"`
	Width        int    `json:"width,omitempty"`
	Height       int    `json:"height,omitempty"`
	Thumbnail    string `json:"thumbnail_url,omitempty"`
	ThumbWidth   int    `json:"thumbnail_width,omitempty"`
	ThumbHeight  int    `json:"thumbnail_height,omitempty"`
}

func (s *Server) handleOEmbed(w http.ResponseWriter, r *http.Request) {
	if f := r.URL.Query().Get("format"); f != "" && f != "json" {
		s.fail(w, r, &statusError{http.StatusNotImplemented, footy.CodeInvalid, fmt.Sprintf("format %q is not spoken here; leave it out or say json", f)})
		return
	}
	u, err := url.Parse(r.URL.Query().Get("url"))
	id, ok := "", false
	if err == nil {
		id, ok = strings.CutPrefix(u.Path, "/g/")
	}
	if !ok || id == "" || (u.Scheme+"://"+u.Host != s.origin(r)) {
		s.fail(w, r, footy.Errorf(footy.CodeInvalid, "oembed", "url must be the address of a goal page of this site"))
		return
	}
	f, e, err := s.standing(r.Context(), id)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p := goalPage{Event: viewEvent(f, e)}
	p.choose(e, u.Query().Get("v"))
	out := oEmbed{Version: "1.0", Type: "link", Title: headline(p.Event), ProviderName: "Found Footy", ProviderURL: s.origin(r)}
	if c := p.Chosen; c != nil && c.Width > 0 && c.Height > 0 {
		out.Type, out.Width, out.Height = "video", 640, 640*c.Height/c.Width
		if n, err := strconv.Atoi(r.URL.Query().Get("maxwidth")); err == nil && n > 0 && n < out.Width {
			out.Width, out.Height = n, n*c.Height/c.Width
		}
		out.HTML = fmt.Sprintf(`<iframe src="%s" width="%d" height="%d" title="%s" allow="fullscreen" loading="lazy"></iframe>`,
			html.EscapeString(s.origin(r)+"/embed/"+e.ID+"?v="+c.ID), out.Width, out.Height, html.EscapeString(out.Title))
		if c.PosterURL != "" {
			out.Thumbnail, out.ThumbWidth, out.ThumbHeight = s.origin(r)+c.PosterURL, c.Width, c.Height
		}
	}
	s.reply(w, r, http.StatusOK, out)
}

type rss struct {
	XMLName xml.Name `xml:"rss"`
	Version string   `xml:"version,attr"`
	Channel rssChannel
}

type rssChannel struct {
	XMLName     xml.Name  `xml:"channel"`
	Title       string    `xml:"title"`
	Link        string    `xml:"link"`
	Description string    `xml:"description"`
	Items       []rssItem `xml:"item"`
}

type rssItem struct {
	Title       string        `xml:"title"`
	Link        string        `xml:"link"`
	GUID        rssGUID       `xml:"guid"`
	PubDate     string        `xml:"pubDate"`
	Description string        `xml:"description"`
	Enclosure   *rssEnclosure `xml:"enclosure,omitempty"`
}

type rssGUID struct {
	Permalink bool   `xml:"isPermaLink,attr"`
	ID        string `xml:",chardata"`
}

type rssEnclosure struct {
	URL    string `xml:"url,attr"`
	Length int64  `xml:"length,attr"`
	Type   string `xml:"type,attr"`
}

// handleFeed lists the latest goals that have a clip: all, of a team or of a league.
func (s *Server) handleFeed(w http.ResponseWriter, r *http.Request) {
	kind, raw := r.PathValue("kind"), strings.TrimSuffix(r.PathValue("id"), ".xml")
	id, err := strconv.ParseInt(raw, 10, 64)
	if kind != "" && (err != nil || (kind != "team" && kind != "league")) {
		s.fail(w, r, footy.Errorf(footy.CodeNotFound, "feed", "There is no such feed."))
		return
	}
	list, err := s.window(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	origin, name := s.origin(r), ""
	type dated struct {
		at   time.Time
		item rssItem
	}
	var found []dated
	for i := range list {
		f := &list[i]
		switch {
		case kind == "team" && f.Teams.Home.ID == id:
			name = f.Teams.Home.Name
		case kind == "team" && f.Teams.Away.ID == id:
			name = f.Teams.Away.Name
		case kind == "league" && f.League.ID == id:
			name = f.League.Name
		case kind != "":
			continue
		}
		for _, e := range viewFixture(f, time.UTC).Events {
			if len(e.Clips) > 0 {
				at, item := feedItem(origin, e)
				found = append(found, dated{at, item})
			}
		}
	}
	switch {
	case kind == "":
		name = "all goals"
	case name == "":
		s.fail(w, r, footy.Errorf(footy.CodeNotFound, "feed", "No match of %s %d is known here.", kind, id))
		return
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].at.After(found[j].at) })
	ch := rssChannel{Title: "Found Footy: " + name, Link: origin + "/", Description: "Goals with their best clip, newest first."}
	for _, d := range found[:min(len(found), pageSize)] {
		ch.Items = append(ch.Items, d.item)
	}
	body, err := xml.MarshalIndent(rss{Version: "2.0", Channel: ch}, "", " ")
	if err != nil {
		s.fail(w, r, footy.Wrap(footy.CodeUnavailable, "write feed", err))
		return
	}
	newAnswer(http.StatusOK, "application/rss+xml; charset=utf-8", append([]byte(xml.Header), body...)).send(w, r)
}

func feedItem(origin string, e eventView) (time.Time, rssItem) {
	best, first := e.Clips[0], e.Clips[0].AddedAt
	for _, c := range e.Clips {
		if c.AddedAt.Before(first) {
			first = c.AddedAt
		}
	}
	return first, rssItem{Title: headline(e), Link: origin + e.Path, GUID: rssGUID{ID: e.UID}, PubDate: first.UTC().Format(time.RFC1123Z),
		Description: e.League.Name, Enclosure: &rssEnclosure{URL: origin + best.URL, Length: best.Size, Type: "video/mp4"}}
}
