package web

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
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
	Told        string // what an operator's action did
}

// card is what other sites show of a page.
type card struct {
	Title, Description, URL, Image, Video, OEmbed string
	Width, Height                                 int
}

func (s *Server) base(r *http.Request, title string) base {
	return base{
		Title: title, Origin: s.origin(r), Path: r.URL.Path, Zone: zoneOf(r).String(), AdminOn: s.opt.AdminToken != "",
		Admin: s.admin.session(r) != "", CSRF: s.admin.formToken(r), Told: told[r.URL.Query().Get("done")],
		Description: "Every goal of the day with its best clip, live.",
	}
}

// origin is the public address: configured, else what the client asked for.
func (s *Server) origin(r *http.Request) string {
	if s.opt.BaseURL != "" {
		return s.opt.BaseURL
	}
	scheme := "http"
	if r.TLS != nil || (isLoopback(r.RemoteAddr) && secure(r)) { // a proxy beside us is believed, nobody else
		scheme = "https"
	}
	u := url.URL{Scheme: scheme, Host: r.Host}
	return u.String()
}

func parsePages(s *Server) (map[string]*template.Template, error) {
	funcs := template.FuncMap{
		"asset": func(name string) string { return s.assets.url(name) }, "score": score, "size": sizeLabel, "length": lengthLabel,
		"iso": func(t time.Time) string { return t.UTC().Format(time.RFC3339) }, "reason": explain.Ending, "lower": strings.ToLower,
		"in":  func(zone string, t time.Time, form string) string { return inZone(zone, t).Format(form) },
		"ago": func(t time.Time) string { return ago(s.now().Sub(t)) }, "span": span, "past": func(t time.Time) bool { return !t.After(s.now()) }, "goalpath": footy.GoalPath,
		"version": func() string { return s.assets.version }, "modules": func() []string { return []string{"morph.js", "live.js", "player.js", "prefs.js", "clock.js"} },
		"percent": func(f float64) int { return int(f*100 + 0.5) }, "dict": dict, "card": s.card,
	}
	common := []string{"templates/layout.html", "templates/fixture.html", "templates/player.html"}
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
		key := strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".html")
		pages[key] = t
	}
	return pages, nil
}

// page renders into memory, so that a failing template never sends half a page.
func (s *Server) page(status int, name string, data any) (*answer, error) {
	var buf bytes.Buffer
	root := "layout.html"
	if name == "parts" || name == "embed" {
		root = name // fragments and the embedded player bring no frame
	}
	if err := s.pages[name].ExecuteTemplate(&buf, root, data); err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, "render "+name, err)
	}
	return newAnswer(status, "text/html; charset=utf-8", buf.Bytes()), nil
}

func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	a, err := s.page(status, name, data)
	if err != nil {
		s.log.ErrorContext(r.Context(), "cannot render", "action", "render", "page", name, "error", err)
		http.Error(w, "This page cannot be shown right now.", http.StatusInternalServerError)
		return
	}
	addVary(w.Header(), "Cookie")
	a.send(w, r)
}

type errorView struct {
	base
	Status  int
	Heading string
	Message string
	Event   *eventView
	Fixture *fixtureView
	Removed bool
}

func (s *Server) errorPage(w http.ResponseWriter, r *http.Request, status int, body failureBody, g *goneError) {
	v := errorView{base: s.base(r, http.StatusText(status)), Status: status, Message: body.Message, Heading: heading(status)}
	if g != nil && g.event != nil {
		e, f := viewEvent(g.fixture, g.event), viewFixture(g.fixture, zoneOf(r))
		v.Event, v.Fixture, v.Removed = &e, &f, g.event.Removed
	}
	s.render(w, r, status, "error", v)
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
