package api

import (
	"encoding/xml"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

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

	added time.Time // of the goal's first clip
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

// Feed lists the latest goals that have a clip: all, of a team or of a league.
func (s *Server) Feed(w http.ResponseWriter, r *http.Request) error {
	kind, raw := r.PathValue("kind"), strings.TrimSuffix(r.PathValue("id"), ".xml")
	id, err := strconv.ParseInt(raw, 10, 64)
	if kind != "" && (err != nil || (kind != "team" && kind != "league")) {
		return footy.Errorf(footy.CodeNotFound, "feed", "There is no such feed.")
	}
	list, err := s.Reader.KeptFixtures(r.Context())
	if err != nil {
		return err
	}
	origin, name := s.Site.Origin(r), ""
	var items []rssItem
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
		for _, e := range view.FixtureOf(f, time.UTC).Events {
			if len(e.Clips) > 0 {
				items = append(items, feedItem(origin, e))
			}
		}
	}
	switch {
	case kind == "":
		name = "all goals"
	case name == "":
		return footy.Errorf(footy.CodeNotFound, "feed", "No match of %s %d is known here.", kind, id)
	}
	slices.SortStableFunc(items, func(a, b rssItem) int { return b.added.Compare(a.added) })
	body, err := xml.MarshalIndent(rss{Version: "2.0", Channel: rssChannel{Title: "Found Footy: " + name, Link: origin + "/",
		Description: "Goals with their best clip, newest first.", Items: items[:min(len(items), lookup.PageSize)]}}, "", " ")
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, "write feed", err)
	}
	answer.New(http.StatusOK, "application/rss+xml; charset=utf-8", append([]byte(xml.Header), body...)).Send(w, r)
	return nil
}

func feedItem(origin string, e view.Event) rssItem {
	best, first := e.Clips[0], slices.MinFunc(e.Clips, func(a, b view.Clip) int { return a.AddedAt.Compare(b.AddedAt) }).AddedAt
	return rssItem{Title: e.Headline(), Link: origin + e.Path, GUID: rssGUID{ID: e.UID}, PubDate: first.UTC().Format(time.RFC1123Z), added: first,
		Description: e.League.Name, Enclosure: &rssEnclosure{URL: origin + best.URL, Length: best.Size, Type: "video/mp4"}}
}
