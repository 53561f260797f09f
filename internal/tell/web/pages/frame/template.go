package frame

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/words"
)

// Pages are the pages of one part of the product, each with the templates of the frame. Names of different parts cannot clash.
type Pages struct {
	frame *Frame
	pages map[string]*translated
}

// translated is a template, cloned for each language on first use.
type translated struct {
	english bool               // for operators: it defines "english"
	master  *template.Template // never executed
	mu      sync.Mutex
	clones  map[*words.Language]*template.Template
}

func (t *translated) in(l *words.Language, f *Frame) (*template.Template, error) {
	if t.english {
		l = words.English()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if clone := t.clones[l]; clone != nil {
		return clone, nil
	}
	clone, err := t.master.Clone()
	if err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "translate template", err)
	}
	if t.clones == nil {
		t.clones = map[*words.Language]*template.Template{}
	}
	t.clones[l] = clone.Funcs(f.funcs(l))
	return t.clones[l], nil
}

// Add reads a part's pages from templates/*.html and its files for the browser from assets/. A page that defines "main" gets the layout;
// any other is the template of its name.
func (f *Frame) Add(files fs.FS) (*Pages, error) {
	if err := f.addFiles(files); err != nil {
		return nil, err
	}
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "list templates", err)
	}
	p := &Pages{frame: f, pages: map[string]*translated{}}
	for _, file := range names {
		set, err := f.common.Clone()
		if err == nil {
			set, err = set.ParseFS(files, file)
		}
		if err != nil {
			return nil, footy.Wrap(footy.CodeInvalid, "parse "+file, err)
		}
		name := strings.TrimSuffix(path.Base(file), ".html")
		if set.Lookup("main") == nil {
			set = set.Lookup(name)
		}
		p.pages[name] = &translated{master: set, english: set.Lookup("english") != nil}
	}
	return p, nil
}

// HTML renders a page into memory, so that a failing template never sends half of it.
func (p *Pages) HTML(l *words.Language, name string, data any) (template.HTML, error) {
	b, err := p.render(l, name, data)
	return template.HTML(b), err //nolint:gosec // what the template escaped
}

func (p *Pages) render(l *words.Language, name string, data any) ([]byte, error) {
	var buf bytes.Buffer
	page, err := p.pages[name].in(l, p.frame)
	if err != nil {
		return nil, err
	}
	if err := page.Execute(&buf, data); err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, "render "+name, err)
	}
	return buf.Bytes(), nil
}

// Answer renders a page that may be kept for readers of the language.
func (p *Pages) Answer(l *words.Language, status int, name string, data any) (*answer.Answer, error) {
	b, err := p.render(l, name, data)
	if err != nil {
		return nil, err
	}
	return answer.New(status, "text/html; charset=utf-8", b), nil
}

// Send answers with a page in the reader's language. If that fails it sends a plain line: an error page would have to be rendered, too.
func (p *Pages) Send(w http.ResponseWriter, r *http.Request, status int, name string, data any) error {
	a, err := p.Answer(words.Of(r), status, name, data)
	if err != nil {
		p.frame.opt.Log.ErrorContext(r.Context(), "cannot render", "action", "render", "page", name, "error", err)
		http.Error(w, "This page cannot be shown right now.", http.StatusInternalServerError)
		return nil
	}
	answer.Vary(w.Header(), "Cookie")
	answer.Vary(w.Header(), "Accept-Language")
	a.Send(w, r)
	return nil
}

func (f *Frame) funcs(l *words.Language) template.FuncMap {
	return template.FuncMap{
		"t": l.T, "lang": func() string { return l.Tag }, "hours": func() string { return strings.TrimPrefix(l.Key, l.Tag) }, "foreign": func(s string) bool { return l.Tag != "en" && !l.Has(s) },
		"languages": words.All, "icons": func() template.HTML { return template.HTML(icons) }, //nolint:gosec // our own file
		"asset": f.URL, "score": view.Score, "size": explain.Size, "videotype": footy.VideoType, "length": view.Length,
		"iso": func(t time.Time) string { return t.UTC().Format(time.RFC3339) }, "upper": explain.UpperFirst,
		"in": func(zone string, t time.Time, form string) string { return l.Time(view.InZone(zone, t), form) },
		// A number stays beside its unit.
		"ago":     func(t time.Time) string { return strings.ReplaceAll(ago(l, f.opt.Now().Sub(t)), " ", "\u00a0") },
		"seconds": func(n float64) string { return explain.Span(time.Duration(n * float64(time.Second))) },
		"span":    explain.Span, "past": func(t time.Time) bool { return !t.After(f.opt.Now()) },
		"version": f.Version, "modules": func() []string {
			return []string{"base.js", "morph.js", "live.js", "film.js", "prefs.js", "clock.js", "day.js", "feed.js"}
		},
		"percent": func(share float64) int { return int(share*100 + 0.5) }, "dict": dict, "card": func(v view.Fixture) (template.HTML, error) { return f.fixture(l, v) }, "plural": explain.Plural,
		"round": func(s string) string { return strings.Replace(s, "Regular Season -", l.T("Round"), 1) }, "late": func(v view.Event) string { return f.late(l, v) }, "aloud": func(b view.Board) string { return aloud(l, b) }, "clock": f.clock, "sections": sections, "inc": func(n int) int { return n + 1 }, "slot": func(at string, p page) template.HTML { return f.slot(l, at, p) },
		"links": func(at string, of Of) []shownLink { return f.linksAt(l, at, of) }, "ofmatch": ofMatch,
	}
}

// clock is what clock.js counts a minute on by, as data-clock of the element that holds it: when the clock stood at zero and how long a minute
// lasts, in milliseconds, and the minute after which stoppage time is counted. "" where no clock runs.
func (f *Frame) clock(s view.Status) string {
	if !s.Stored.Counts() {
		return ""
	}
	minute := cmp.Or(f.opt.Timing.Minute, time.Minute)
	return fmt.Sprint(s.Stored.Began(minute).UnixMilli(), " ", minute.Milliseconds(), " ", s.Stored.Regular())
}

// ago says how long something is past.
func ago(l *words.Language, d time.Duration) string {
	switch {
	case d < 0:
		return l.T("in %s", explain.Span(-d))
	case d < 5*time.Second:
		return l.T("just now")
	}
	return l.T("%s ago", explain.Span(d))
}

// aloud is a board for who hears it: "Liverpool 2, Arsenal 1, Arsenal scored".
func aloud(l *words.Language, b view.Board) string {
	var out []string
	for _, r := range b.Rows {
		s := r.Name
		if r.Goals != nil {
			s += fmt.Sprint(" ", *r.Goals)
		}
		out = append(out, s)
	}
	for _, r := range b.Rows {
		if r.Scored {
			out = append(out, l.T("%s scored", r.Name))
		}
	}
	return strings.Join(out, ", ")
}

// late says of a goal in a list that it fell before the first look.
func (f *Frame) late(l *words.Language, v view.Event) string {
	if from := f.opt.Timing.LateFrom(v.FirstSeen, v.ScoredAt); v.FirstLook && !from.IsZero() {
		return l.T("happened before we looked; posts from %s on", l.Time(view.InZone(v.Zone, from), "15:04"))
	}
	return ""
}

type menuEntry struct {
	Href, Icon, Name string
	Here             bool
}

// sections are those of the menu; what stands below one, as a goal does below Goals, has its mark.
func sections(path string) []menuEntry {
	all := []menuEntry{{"/", "goals", "Goals", false}, {"/matches", "matches", "Matches", false}, {"/watch", "watch", "Watch", false}, {"/search", "search", "Search", false}, {"/settings", "settings", "Settings", false}}
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	for i, under := range []string{" g goals", "matches day team league match", "watch", "search", "settings health waiting admin"} {
		all[i].Here = slices.Contains(strings.Split(under, " "), first)
	}
	return all
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

// fixture renders a match, or takes it from the cache: it depends only on the stored document, its minute, the language and the time zone, and one poll
// changes few of a day's 200 matches.
func (f *Frame) fixture(l *words.Language, v view.Fixture) (template.HTML, error) {
	key := fmt.Sprint(l.Key, " ", v.ID, " ", v.Zone, v.Revision, v.UpdatedAt.UnixNano(), v.Status.Label, len(v.Cancelled), v.Status.Phase == view.PhaseAhead && !v.Kickoff.After(f.opt.Now()))
	return cache.Get(context.Background(), f.fixtures, key, 24*time.Hour, func(context.Context) (template.HTML, error) {
		var buf bytes.Buffer
		cards, err := f.cards.in(l, f)
		if err != nil {
			return "", err
		}
		if err := cards.ExecuteTemplate(&buf, "fixture", v); err != nil {
			return "", footy.Wrap(footy.CodeUnavailable, "render fixture", err)
		}
		return template.HTML(buf.String()), nil //nolint:gosec // what the template escaped
	})
}
