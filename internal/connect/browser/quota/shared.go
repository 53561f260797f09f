package quota

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/found-footy/found-footy/internal/connect/source"
)

const (
	// A young goal alternates two texts and asks for each every minute or two: after this long a text is no longer in use.
	textLife = 150 * time.Second
	// An answer younger than this serves the other goals of the match, each once: those that wait ask again within a minute.
	answerLife = 90 * time.Second
	// X cuts longer queries.
	queryLimit = 470
)

// SharedAnswers lets the open goals of one match use one search: it remembers what each match asked lately, and the latest
// answer to a merged query. It is safe for use by several tabs.
type SharedAnswers struct {
	mu      sync.Mutex
	scale   float64
	matches map[string]*match
}

type match struct {
	texts  map[string]lastSearch
	covers map[string]bool // texts that the answer answers and that nobody has used it for yet
	since  time.Time
	answer source.Result
	at     time.Time
}

// lastSearch is the latest search of a text.
type lastSearch struct {
	at      time.Time
	since   time.Time
	exclude []string
}

// NewSharedAnswers makes an empty memory; scale divides its intervals as TIME_SCALE divides the product's.
func NewSharedAnswers(scale float64) *SharedAnswers {
	return &SharedAnswers{scale: max(scale, 1), matches: map[string]*match{}}
}

func (s *SharedAnswers) scaled(t time.Duration) time.Duration {
	return time.Duration(float64(t) / s.scale)
}

// Find finds an answer that another goal of the match paid for.
func (s *SharedAnswers) Find(now time.Time, q source.Query) (source.Result, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.remember(now, q)
	if m == nil || !m.covers[q.Text] || now.Sub(m.at) > s.scaled(answerLife) || q.Since.Before(m.since) {
		return source.Result{}, false
	}
	delete(m.covers, q.Text) // each goal may use it once: its next round is a new search
	r := m.answer
	r.CallsUsed, r.Detail = 0, "shared with another goal of the match"
	r.Candidates = source.Select(q, r.Candidates)
	return r, true
}

// HasPeers tells that other goals of the match search too.
func (s *SharedAnswers) HasPeers(now time.Time, q source.Query) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.remember(now, q)
	if m == nil {
		return false
	}
	for _, last := range m.texts {
		if !last.since.Equal(q.Since) {
			return true
		}
	}
	return false
}

// MaxWait is how long a goal with peers may wait without missing an answer.
func (s *SharedAnswers) MaxWait() time.Duration { return s.scaled(answerLife) * 2 / 3 }

// remember remembers that a text is in use; nil for a query that belongs to no match.
func (s *SharedAnswers) remember(now time.Time, q source.Query) *match {
	if q.Group == "" {
		return nil
	}
	for name, m := range s.matches {
		for text, last := range m.texts {
			if now.Sub(last.at) > s.scaled(textLife) {
				delete(m.texts, text)
			}
		}
		if len(m.texts) == 0 {
			delete(s.matches, name)
		}
	}
	m := s.matches[q.Group]
	if m == nil {
		m = &match{texts: map[string]lastSearch{}}
		s.matches[q.Group] = m
	}
	m.texts[q.Text] = lastSearch{now, q.Since, q.Exclude}
	return m
}

// Merge widens a query to the other open goals of the match: as far back as the oldest of them needs, without the posts
// that all of them know. A goal is known by how far back it looks: its own other text is left for its own next search.
func (s *SharedAnswers) Merge(now time.Time, q source.Query) (merged source.Query, texts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.remember(now, q)
	texts = []string{q.Text}
	if m == nil {
		return q, texts
	}
	merged = q
	joined := parenthesize(q.Text)
	for _, text := range m.newestFirst() {
		if text == q.Text || m.texts[text].since.Equal(q.Since) || utf8.RuneCountInString(joined)+utf8.RuneCountInString(text)+6 > queryLimit {
			continue
		}
		joined += " OR " + parenthesize(text)
		texts = append(texts, text)
		last := m.texts[text]
		if last.since.Before(merged.Since) {
			merged.Since = last.since
		}
		merged.Exclude = slices.DeleteFunc(slices.Clone(merged.Exclude), func(id string) bool { return !slices.Contains(last.exclude, id) })
	}
	if len(texts) == 1 {
		return q, texts
	}
	merged.Text, merged.Max = joined, q.Max*len(texts)
	return merged, texts
}

func (m *match) newestFirst() []string {
	return slices.SortedFunc(maps.Keys(m.texts), func(a, b string) int {
		if c := m.texts[b].at.Compare(m.texts[a].at); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
}

// parenthesize keeps a text together: on X's page OR binds tighter than the space.
func parenthesize(text string) string {
	if strings.ContainsRune(text, ' ') {
		return "(" + text + ")"
	}
	return text
}

// Keep keeps the answer to a merged query for the goals whose texts it holds; the one who asked has had it.
func (s *SharedAnswers) Keep(now time.Time, asked, merged source.Query, texts []string, r source.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.matches[asked.Group]
	if m == nil || !r.State.Usable() || len(texts) < 2 {
		return
	}
	m.answer, m.at, m.since, m.covers = r, now, merged.Since, map[string]bool{}
	for _, text := range texts {
		m.covers[text] = text != asked.Text
	}
}
