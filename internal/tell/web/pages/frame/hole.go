package frame

import (
	"html/template"
	"net/http"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/words"
)

// Place is where on a page a part of the product may show something.
type Place string

// Places.
const (
	Bar      Place = "bar"  // beside the search, on every page
	Foot     Place = "foot" // at the end of every page, for dialogs
	Day      Place = "day"
	League   Place = "league"
	Team     Place = "team"
	Match    Place = "match"
	Goal     Place = "goal"
	Settings Place = "settings"
)

// Of says what the page, or its part around the place, is about. What is not known there is zero.
type Of struct {
	Language     *words.Language
	Zone, Date   string // the reader's
	League, Team int64
	Match        *view.Fixture
	Event        *footy.Event
}

// Link leads from a place to a page of a part. Those of a match depend on the match alone: rendered matches are kept by revision.
type Link struct {
	At           Place
	Label, Title string
	Href         func(Of) string // "": no link there
}

// Section is shown at a place. Bar and Foot are the same for all readers: they get no request.
type Section struct {
	At   Place
	Show func(*http.Request, Of) (template.HTML, error) // "": nothing
}

// Put adds what is shown in places.
func (f *Frame) Put(links []Link, sections []Section) {
	f.links, f.sections = append(f.links, links...), append(f.sections, sections...)
}

type shownLink struct{ Label, Title, Href string }

func (f *Frame) linksAt(l *words.Language, at string, of Of) (out []shownLink) {
	for _, link := range f.links {
		if string(link.At) != at {
			continue
		}
		if href := link.Href(of); href != "" {
			out = append(out, shownLink{l.T(link.Label), l.T(link.Title), href})
		}
	}
	return out
}

func ofMatch(v view.Fixture) Of { return Of{Zone: v.Zone, Match: &v} }

// Of is what a page is about; those that have places answer for themselves.
func (b Base) Of() Of { return Of{Zone: b.Zone} }

func (b Base) asked() *http.Request { return b.request }

// page has places.
type page interface {
	Of() Of
	asked() *http.Request
}

// slot shows the sections of a place. One that fails is logged and left out: the page is served.
func (f *Frame) slot(l *words.Language, at string, p page) template.HTML {
	var out strings.Builder
	for _, s := range f.sections {
		if string(s.At) != at {
			continue
		}
		r := p.asked()
		if s.At == Bar || s.At == Foot {
			r = nil
		}
		of := p.Of()
		of.Language = l
		html, err := s.Show(r, of)
		if err != nil {
			f.opt.Log.Error("cannot show a section", "action", "render", "place", at, "error", err)
			continue
		}
		out.WriteString(string(html))
	}
	return template.HTML(out.String()) //nolint:gosec // what templates escaped
}
