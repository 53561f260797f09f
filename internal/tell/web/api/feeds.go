package api

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/xml"
	"fmt"
	"math"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

// Feed is RSS or a playlist of the latest goals that have a clip, or a calendar of matches: all, of a team or competition, or of favourites.
func (s *Server) Feed(w http.ResponseWriter, r *http.Request) error {
	form := path.Ext(r.URL.Path)
	of, err := chosenOf(r, strings.TrimSuffix(r.PathValue("id"), form))
	write, known := feedForms[form]
	if err == nil && !known {
		err = footy.Errorf(footy.CodeNotFound, "feed", "There is no such feed.")
	}
	if err != nil {
		return err
	}
	feed, err := lookup.Built(r.Context(), s.Reader, fmt.Sprint("feed ", of), feedKept, func(ctx context.Context) (feed, error) {
		list, err := s.Reader.KeptFixtures(ctx)
		return feedOf(of, list), err
	})
	switch {
	case err != nil:
		return err
	case feed.name == "":
		return footy.Errorf(footy.CodeNotFound, "feed", "No match of %s %s is known here.", r.PathValue("kind"), of[0])
	}
	contentType, body, err := write(s.Site.Origin(r), feed) // the origin is not part of what is kept: clients write it
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, "write feed", err)
	}
	answer.New(http.StatusOK, contentType, body).Send(w, r)
	return nil
}

// feedForms are how a feed is written, by the ending of its address.
var feedForms = map[string]func(origin string, f feed) (contentType string, body []byte, err error){
	".xml": writeRSS, ".m3u": writePlaylist, ".ics": writeCalendar,
}

// feedKept is how long a feed is used if nothing is announced.
const feedKept = 20 * time.Second

// maxChosen bounds the favourites of an address.
const maxChosen = 200

var favourite = regexp.MustCompile(`^l?-?\d{1,19}$`) // 40, l39

func chosenOf(r *http.Request, id string) (lookup.Favourites, error) {
	list := r.URL.Query().Get("favourites")
	switch r.PathValue("kind") {
	case "":
	case "team":
		list = id
	case "league":
		list = "l" + id
	default:
		return nil, footy.Errorf(footy.CodeNotFound, "feed", "There is no such feed.")
	}
	if list == "" {
		return nil, nil
	}
	of := lookup.Favourites(strings.Split(list, ","))
	slices.Sort(of)
	of = slices.Compact(of)
	if len(of) > maxChosen || slices.ContainsFunc(of, func(id string) bool { return !favourite.MatchString(id) }) {
		if r.PathValue("kind") != "" {
			return nil, footy.Errorf(footy.CodeNotFound, "feed", "There is no such feed.")
		}
		return nil, answer.BadParam("favourites", list, fmt.Sprintf("at most %d teams and competitions, like 40,l39", maxChosen))
	}
	return of, nil
}

// feed is what was chosen, and what it is called.
type feed struct {
	name    string         // "" where no match is known
	goals   []view.Event   // with a clip, the latest first
	matches []view.Fixture // by kickoff
}

func feedOf(c lookup.Favourites, list []footy.Fixture) (out feed) {
	switch {
	case len(c) == 0:
		out.name = "all matches"
	case len(c) > 1:
		out.name = "favourites"
	}
	for i := range list {
		mine := c.Of(list[i])
		if len(c) > 0 && len(mine) == 0 {
			continue
		}
		if len(mine) > 0 {
			out.name = cmp.Or(out.name, mine[0].Name)
		}
		v := view.FixtureOf(&list[i], time.UTC)
		out.matches = append(out.matches, v)
		for _, e := range v.Events {
			if len(e.Clips) > 0 {
				out.goals = append(out.goals, e)
			}
		}
	}
	slices.SortStableFunc(out.matches, func(a, b view.Fixture) int { return cmp.Or(a.Kickoff.Compare(b.Kickoff), cmp.Compare(a.ID, b.ID)) })
	slices.SortStableFunc(out.goals, func(a, b view.Event) int { return firstAdded(b).Compare(firstAdded(a)) })
	out.goals = out.goals[:min(len(out.goals), lookup.PageSize)]
	return out
}

// firstAdded is when the goal's first clip came.
func firstAdded(e view.Event) time.Time {
	return slices.MinFunc(e.Clips, func(a, b view.Clip) int { return a.AddedAt.Compare(b.AddedAt) }).AddedAt
}

//go:embed feed.xml
var rssText string

var rss = template.Must(template.New("feed.xml").Funcs(template.FuncMap{
	"type": footy.VideoType, "added": func(e view.Event) string { return firstAdded(e).UTC().Format(time.RFC1123Z) },
	"x": func(text string) (string, error) {
		var b strings.Builder
		err := xml.EscapeText(&b, []byte(text))
		return b.String(), err
	},
}).Parse(rssText))

func writeRSS(origin string, f feed) (string, []byte, error) {
	var b bytes.Buffer
	err := rss.Execute(&b, map[string]any{"Origin": origin, "Name": f.name, "Goals": f.goals})
	return "application/rss+xml; charset=utf-8", b.Bytes(), err
}

// writePlaylist is extended M3U, as VLC, Kodi and Jellyfin read it.
func writePlaylist(origin string, f feed) (string, []byte, error) {
	plain := strings.NewReplacer("\n", " ", "\r", " ", `"`, "'")
	out := []byte("#EXTM3U\n#PLAYLIST:" + plain.Replace("Found Footy: "+f.name) + "\n")
	for _, e := range f.goals {
		best := e.Clips[0]
		out = fmt.Appendf(out, "#EXTINF:%d", int(math.Ceil(best.Duration)))
		if best.PosterURL != "" {
			out = fmt.Appendf(out, ` tvg-logo="%s"`, origin+best.PosterURL)
		}
		out = fmt.Appendf(out, " group-title=\"%s\",%s\n%s\n", plain.Replace(e.League.Name), plain.Replace(e.Headline()), origin+best.URL)
	}
	return "audio/x-mpegurl; charset=utf-8", out, nil
}
