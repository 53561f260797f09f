package api

import (
	"context"
	"encoding/xml"
	"fmt"
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
	if kind == "" {
		id = 0
	}
	of, err := lookup.Built(r.Context(), s.Reader, fmt.Sprint("feed ", kind, id), feedKept, func(ctx context.Context) (feedGoals, error) {
		list, err := s.Reader.KeptFixtures(ctx)
		return goalsOf(list, kind, id), err
	})
	switch {
	case err != nil:
		return err
	case of.name == "":
		return footy.Errorf(footy.CodeNotFound, "feed", "No match of %s %d is known here.", kind, id)
	}
	origin := s.Site.Origin(r) // not part of what is kept: clients write it
	items := make([]rssItem, len(of.goals))
	for i, e := range of.goals {
		items[i] = feedItem(origin, e)
	}
	body, err := xml.MarshalIndent(rss{Version: "2.0", Channel: rssChannel{Title: "Found Footy: " + of.name, Link: origin + "/",
		Description: "Goals with their best clip, newest first.", Items: items}}, "", " ")
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, "write feed", err)
	}
	answer.New(http.StatusOK, "application/rss+xml; charset=utf-8", append([]byte(xml.Header), body...)).Send(w, r)
	return nil
}

// feedKept is how long a feed is used if nothing is announced.
const feedKept = 20 * time.Second

// feedGoals are the goals of a feed and whose they are.
type feedGoals struct {
	name  string // "" where no match is known
	goals []view.Event
}

// goalsOf are the latest goals that have a clip.
func goalsOf(list []footy.Fixture, kind string, id int64) feedGoals {
	var out feedGoals
	if kind == "" {
		out.name = "all goals"
	}
	for i := range list {
		f := &list[i]
		switch {
		case kind == "team" && f.Teams.Home.ID == id:
			out.name = f.Teams.Home.Name
		case kind == "team" && f.Teams.Away.ID == id:
			out.name = f.Teams.Away.Name
		case kind == "league" && f.League.ID == id:
			out.name = f.League.Name
		case kind != "":
			continue
		}
		for _, e := range view.FixtureOf(f, time.UTC).Events {
			if len(e.Clips) > 0 {
				out.goals = append(out.goals, e)
			}
		}
	}
	slices.SortStableFunc(out.goals, func(a, b view.Event) int { return firstAdded(b).Compare(firstAdded(a)) })
	out.goals = out.goals[:min(len(out.goals), lookup.PageSize)]
	return out
}

// firstAdded is when the goal's first clip came.
func firstAdded(e view.Event) time.Time {
	return slices.MinFunc(e.Clips, func(a, b view.Clip) int { return a.AddedAt.Compare(b.AddedAt) }).AddedAt
}

func feedItem(origin string, e view.Event) rssItem {
	best := e.Clips[0]
	return rssItem{Title: e.Headline(), Link: origin + e.Path, GUID: rssGUID{ID: e.UID}, PubDate: firstAdded(e).UTC().Format(time.RFC1123Z),
		Description: e.League.Name, Enclosure: &rssEnclosure{URL: origin + best.URL, Length: best.Size, Type: footy.VideoType(best.URL)}}
}
