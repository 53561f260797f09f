package pages

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

//go:embed templates
var templateFiles embed.FS

// base is what every page needs.
type base struct {
	Title       string
	Description string
	Origin      string // https://host, for links that leave the page
	Path        string
	Zone        string
	Admin       bool
	AdminOn     bool
	CSRF        string
	Card        *card
	Effect      string // what an operator's action did
}

// card is what other sites show of a page.
type card struct {
	Title, Description, URL, Image, Video, OEmbed string
	Width, Height                                 int
}

func (s *Server) base(r *http.Request, title string) base {
	return base{
		Title: title, Origin: s.Site.Origin(r), Path: r.URL.Path, Zone: lookup.Zone(r).String(), AdminOn: s.Operators.Enabled(),
		Admin: s.Operators.SignedIn(r), CSRF: s.Operators.FormToken(r), Effect: effects[r.URL.Query().Get("done")],
		Description: "Every goal of the day with its best clip, live.",
	}
}

// sharedBase is that of a page that is the same for all readers of a zone.
func (s *Server) sharedBase(r *http.Request, title string, zone *time.Location) base {
	b := s.base(r, title)
	b.Admin, b.CSRF, b.Effect, b.Origin, b.Zone = false, "", "", "", zone.String()
	return b
}

func (s *Server) parse() (map[string]*template.Template, error) {
	funcs := template.FuncMap{
		"asset": s.assets.url, "score": view.Score, "size": explain.Size, "length": view.Length,
		"iso": func(t time.Time) string { return t.UTC().Format(time.RFC3339) }, "reason": explain.Ending, "lower": strings.ToLower,
		"in": func(zone string, t time.Time, form string) string { return view.InZone(zone, t).Format(form) },
		// A number stays beside its unit.
		"ago":  func(t time.Time) string { return strings.ReplaceAll(view.Ago(s.Now().Sub(t)), " ", "\u00a0") },
		"span": explain.Span, "past": func(t time.Time) bool { return !t.After(s.Now()) }, "goalpath": footy.GoalPath,
		"version": s.Version, "modules": func() []string { return []string{"morph.js", "live.js", "player.js", "prefs.js", "clock.js", "day.js"} },
		"percent": func(f float64) int { return int(f*100 + 0.5) }, "dict": dict, "card": s.fixture, "plural": explain.Plural,
		"late": s.late,
	}
	common := []string{"templates/layout.html", "templates/fixture.html", "templates/player.html", "templates/push.html"}
	names, err := fs.Glob(templateFiles, "templates/pages/*.html")
	if err != nil {
		return nil, err
	}
	pages := map[string]*template.Template{}
	for _, name := range names {
		t, err := template.New("layout.html").Funcs(funcs).ParseFS(templateFiles, append(common, name)...)
		if err != nil {
			return nil, footy.Wrap(footy.CodeInvalid, "parse "+name, err)
		}
		pages[strings.TrimSuffix(path.Base(name), ".html")] = t
	}
	return pages, nil
}

// late says of a goal in a list that it fell before anybody looked.
func (s *Server) late(v view.Event) string {
	if !v.FirstLook || v.FirstSeen.Equal(v.ScoredAt) { // nearly all of them
		return ""
	}
	return s.Timing.LateNote(v.FirstSeen, v.ScoredAt, view.InZone(v.Zone, v.FirstSeen).Location())
}

// dict lets a template hand several named values to another.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, footy.Errorf(footy.CodeInvalid, "dict", "odd number of values")
	}
	out := make(map[string]any, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		out[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return out, nil
}

// fixture renders a match, or takes it from the cache: it depends only on the stored document and the time zone, and one poll
// changes few of a day's 200 matches.
func (s *Server) fixture(f view.Fixture) (template.HTML, error) {
	key := fmt.Sprint(f.ID, " ", f.Zone, f.Revision, f.UpdatedAt.UnixNano())
	return cache.Get(context.Background(), s.fixtures, key, 24*time.Hour, func(context.Context) (template.HTML, error) {
		var buf bytes.Buffer
		if err := s.pages["parts"].ExecuteTemplate(&buf, "fixture", f); err != nil {
			return "", footy.Wrap(footy.CodeUnavailable, "render fixture", err)
		}
		return template.HTML(buf.String()), nil //nolint:gosec // what the template escaped
	})
}

// page renders into memory, so that a failing template never sends half a page.
func (s *Server) page(status int, name string, data any) (*answer.Answer, error) {
	var buf bytes.Buffer
	root := "layout.html"
	if name == "parts" || name == "embed" || name == "offline" {
		root = name // these have no layout
	}
	if err := s.pages[name].ExecuteTemplate(&buf, root, data); err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, "render "+name, err)
	}
	return answer.New(status, "text/html; charset=utf-8", buf.Bytes()), nil
}

// render sends a page. If that fails it sends a plain line: an error page would have to be rendered, too.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) error {
	a, err := s.page(status, name, data)
	if err != nil {
		s.Log.ErrorContext(r.Context(), "cannot render", "action", "render", "page", name, "error", err)
		http.Error(w, "This page cannot be shown right now.", http.StatusInternalServerError)
		return nil
	}
	answer.Vary(w.Header(), "Cookie")
	a.Send(w, r)
	return nil
}

type errorPage struct {
	base
	Status  int
	Heading string
	Message string
	Event   *view.Event
	Fixture *view.Fixture
	Removed bool
}

// Error shows a failure.
func (s *Server) Error(w http.ResponseWriter, r *http.Request, e *answer.Error) {
	p := errorPage{base: s.base(r, http.StatusText(e.Status)), Status: e.Status, Message: e.Message, Heading: heading(e.Status)}
	if e.Event != nil {
		goal, match := view.EventOf(e.Fixture, e.Event), view.FixtureOf(e.Fixture, lookup.Zone(r))
		p.Event, p.Fixture, p.Removed = &goal, &match, e.Event.Removed
	}
	_ = s.render(w, r, e.Status, "error", p)
}

func heading(status int) string {
	switch status {
	case http.StatusNotFound:
		return "Nothing here"
	case http.StatusGone:
		return "No longer there"
	case http.StatusServiceUnavailable:
		return "Cannot look right now"
	case http.StatusUnauthorized:
		return "Operators only"
	}
	return http.StatusText(status)
}
