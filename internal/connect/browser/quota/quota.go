// Package quota shares the search calls of one X account: X allows 50 in 15 minutes, 40 goals need 400, and two hours give
// 320. A search is answered by what another goal of its match has just paid for, else paid from the account's budget; where
// calls are scarce it also asks for the match's other goals and reads fewer pages. The time is an argument.
package quota

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/footy"
)

// Quota is that of one account; its methods may be called by several tabs.
type Quota struct {
	*SharedAnswers
	Budget  *Budget
	scrolls int // further pages of one search while there is plenty
}

// New makes a quota. scale divides the intervals as TIME_SCALE divides the product's; scrolls is how many further pages a
// search may read while there is plenty.
func New(o Options, scale float64, scrolls int) *Quota {
	return &Quota{NewSharedAnswers(scale), NewBudget(o), scrolls}
}

// Request is one search as it will be made.
type Request struct {
	Query source.Query // what to ask X
	Asked source.Query // what was asked of us
	texts []string
}

// aheadAt is the sighting of a goal that is not certain at which X is asked: at the first hardly a clip is up, and one call is a tenth of what
// a goal costs.
const aheadAt = 2

// Spares reports whether a search may be paid for that is made before its goal is certain: only while more than half of the window is left.
func (q *Quota) Spares(now time.Time, asked source.Query) bool {
	return asked.Ahead == 0 || asked.Ahead == aheadAt && !q.Budget.State(now).Tight()
}

// Widen adds the match's other open goals to a query once half of the window is gone.
func (q *Quota) Widen(now time.Time, asked source.Query) Request {
	r := Request{Query: asked, Asked: asked, texts: []string{asked.Text}}
	if q.Budget.State(now).Tight() {
		r.Query, r.texts = q.Merge(now, asked)
	}
	return r
}

// Begin pays for the first page and says how far the search may go. Without a call to spend the scan is nil, and wait says
// when to try again: soon where other goals of the match search too, because one of them may pay for this one.
func (q *Quota) Begin(now time.Time, r Request) (s *Scan, wait time.Duration) {
	left := q.Budget.State(now)
	if wait, ok := q.Budget.Take(now); !ok {
		if q.HasPeers(now, r.Asked) {
			wait = min(wait, q.MaxWait())
		}
		return nil, wait
	}
	pages := left.ExtraPages(q.scrolls)
	if r.Asked.Ahead > 0 {
		pages = 0
	}
	return NewScan(r.Query, pages), 0
}

// Deliver keeps an answer for the goals it covers and returns the part that this one asked for.
func (q *Quota) Deliver(now time.Time, r Request, res source.Result) source.Result {
	q.Keep(now, r.Asked, r.Query, r.texts, res)
	res.Candidates = source.Select(r.Asked, res.Candidates)
	return res
}

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

// Scan is one search as far as it has come; it decides how far to scroll.
type Scan struct {
	query      source.Query
	scrolls    int // still allowed
	known      map[string]bool
	knownInRow int // known posts in a row at the end
	found      []footy.Candidate
	end        string
	pages      int
}

// knownRun is how many known posts in a row mean that the rest is known too. One alone can be a post that another query
// of the same goal found.
const knownRun = 3

// NewScan begins a scan; each scroll may cost one more call.
func NewScan(q source.Query, scrolls int) *Scan {
	s := &Scan{query: q, scrolls: scrolls, known: map[string]bool{}}
	for _, k := range q.Exclude {
		if id := snowflake.FromURL(k); id != "" {
			s.known[id] = true
		}
	}
	return s
}

// Add takes the next page; results come newest first.
func (s *Scan) Add(p timeline.Page) {
	s.pages++
	s.found = append(s.found, p.Candidates...)
	for _, c := range p.Candidates {
		if c.Quoted {
			continue // it may be of any time: that it is known says nothing of what stands below it
		}
		if s.knownInRow++; !s.known[c.PostID] {
			s.knownInRow = 0
		}
		if s.knownInRow == knownRun {
			s.end = "three known posts in a row"
			return
		}
	}
	switch {
	case p.Cursor == "" || p.Seen.Entries+p.Seen.Promoted == 0:
		s.end = "the end"
	case !s.query.Since.IsZero() && !p.Oldest.IsZero() && p.Oldest.Before(s.query.Since):
		s.end = "older than the floor"
	case s.query.Max > 0 && len(s.Candidates()) >= s.query.Max:
		s.end = "enough"
	}
}

// Scroll asks for one more page; it says no once the search is at its end.
func (s *Scan) Scroll() bool {
	if s.end != "" {
		return false
	}
	if s.scrolls <= 0 {
		s.end = "the page limit"
		return false
	}
	s.scrolls--
	return true
}

// Stop ends the scan for a reason of the page's own.
func (s *Scan) Stop(why string) { s.end = why }

// End says why the search ended; "" while it has not.
func (s *Scan) End() string { return s.end }

// Pages is how many were read.
func (s *Scan) Pages() int { return s.pages }

// Candidates are what the query asked for among what was found.
func (s *Scan) Candidates() []footy.Candidate { return source.Select(s.query, s.found) }
