package web

import (
	"bytes"
	"html/template"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// cards keeps rendered fixtures. A fixture's card depends on nothing but its document and the reader's zone, and one
// poll changes few of a day's 200: what did not change is not drawn again.
type cards struct {
	mu   sync.Mutex
	kept map[cardKey]cardHTML
}

type cardKey struct {
	id   int64
	zone string
}

type cardHTML struct {
	revision int64
	updated  time.Time
	html     template.HTML
}

const cardLimit = 4000

func newCards() *cards { return &cards{kept: map[cardKey]cardHTML{}} }

// card renders a fixture or returns what was rendered of this revision before.
func (s *Server) card(v fixtureView) (template.HTML, error) {
	key := cardKey{v.ID, v.Zone}
	s.cards.mu.Lock()
	c, ok := s.cards.kept[key]
	s.cards.mu.Unlock()
	if ok && c.revision == v.revision && c.updated.Equal(v.UpdatedAt) {
		return c.html, nil
	}
	var buf bytes.Buffer
	if err := s.pages["parts"].ExecuteTemplate(&buf, "fixture", v); err != nil {
		return "", footy.Wrap(footy.CodeUnavailable, "render fixture", err)
	}
	c = cardHTML{v.revision, v.UpdatedAt, template.HTML(buf.String())} //nolint:gosec // what the template escaped
	s.cards.mu.Lock()
	defer s.cards.mu.Unlock()
	if len(s.cards.kept) >= cardLimit {
		clear(s.cards.kept) // days passed since these were drawn
	}
	s.cards.kept[key] = c
	return c.html, nil
}
