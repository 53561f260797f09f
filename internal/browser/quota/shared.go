package quota

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/found-footy/found-footy/internal/source"
)

const (
	// A goal asks once a minute and alternates two texts: after this long a text is no longer in use.
	textLife = 150 * time.Second
	// An answer younger than this serves the other goals of the match, each once: those that wait ask again within a minute.
	answerLife = 90 * time.Second
	// X cuts longer queries.
	queryLimit = 470
)

// SharedAnswers lets the open goals of one match use one search: it remembers what each match asked lately, and the latest
// answer to a merged query. It is safe for use by several tabs.
type SharedAnswers struct {
	mu     sync.Mutex
	scale  float64
	groups map[string]*match
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
	return &SharedAnswers{scale: max(scale, 1), groups: map[string]*match{}}
}

func (d *SharedAnswers) scaled(t time.Duration) time.Duration {
	return time.Duration(float64(t) / d.scale)
}

// Find finds an answer that another goal of the match paid for.
func (d *SharedAnswers) Find(now time.Time, q source.Query) (source.Result, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := d.remember(now, q)
	if g == nil || !g.covers[q.Text] || now.Sub(g.at) > d.scaled(answerLife) || q.Since.Before(g.since) {
		return source.Result{}, false
	}
	delete(g.covers, q.Text) // each goal may use it once: its next round is a new search
	r := g.answer
	r.CallsUsed, r.Detail = 0, "shared with another goal of the match"
	r.Candidates = source.Select(q, r.Candidates)
	return r, true
}

// HasPeers tells that other goals of the match search too.
func (d *SharedAnswers) HasPeers(now time.Time, q source.Query) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := d.remember(now, q)
	if g == nil {
		return false
	}
	for _, n := range g.texts {
		if !n.since.Equal(q.Since) {
			return true
		}
	}
	return false
}

// MaxWait is how long a goal with peers may wait without missing an answer.
func (d *SharedAnswers) MaxWait() time.Duration { return d.scaled(answerLife) * 2 / 3 }

// remember remembers that a text is in use; nil without a group.
func (d *SharedAnswers) remember(now time.Time, q source.Query) *match {
	if q.Group == "" {
		return nil
	}
	for name, g := range d.groups {
		for text, n := range g.texts {
			if now.Sub(n.at) > d.scaled(textLife) {
				delete(g.texts, text)
			}
		}
		if len(g.texts) == 0 {
			delete(d.groups, name)
		}
	}
	g := d.groups[q.Group]
	if g == nil {
		g = &match{texts: map[string]lastSearch{}}
		d.groups[q.Group] = g
	}
	g.texts[q.Text] = lastSearch{now, q.Since, q.Exclude}
	return g
}

// Merge widens a query to the other open goals of the match: as far back as the oldest of them needs, without the posts
// that all of them know. A goal is known by how far back it looks: its own other text is left for its own next search.
func (d *SharedAnswers) Merge(now time.Time, q source.Query) (merged source.Query, texts []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := d.remember(now, q)
	texts = []string{q.Text}
	if g == nil {
		return q, texts
	}
	merged = q
	joined := parenthesize(q.Text)
	for _, text := range g.newestFirst() {
		if text == q.Text || g.texts[text].since.Equal(q.Since) || utf8.RuneCountInString(joined)+utf8.RuneCountInString(text)+6 > queryLimit {
			continue
		}
		joined += " OR " + parenthesize(text)
		texts = append(texts, text)
		n := g.texts[text]
		if n.since.Before(merged.Since) {
			merged.Since = n.since
		}
		merged.Exclude = slices.DeleteFunc(slices.Clone(merged.Exclude), func(id string) bool { return !slices.Contains(n.exclude, id) })
	}
	if len(texts) == 1 {
		return q, texts
	}
	merged.Text, merged.Max = joined, q.Max*len(texts)
	return merged, texts
}

func (g *match) newestFirst() []string {
	return slices.SortedFunc(maps.Keys(g.texts), func(a, b string) int {
		if c := g.texts[b].at.Compare(g.texts[a].at); c != 0 {
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
func (d *SharedAnswers) Keep(now time.Time, asked, merged source.Query, texts []string, r source.Result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := d.groups[asked.Group]
	if g == nil || !r.State.Usable() || len(texts) < 2 {
		return
	}
	g.answer, g.at, g.since, g.covers = r, now, merged.Since, map[string]bool{}
	for _, text := range texts {
		g.covers[text] = text != asked.Text
	}
}
