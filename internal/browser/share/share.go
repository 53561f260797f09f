// Package share lets the open goals of one match use one search when the budget is tight: 40 goals need 400 searches, two
// hours give 320 calls. Pure but for its memory: the time is an argument.
package share

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

// Desk remembers what each match asked lately. It is safe for use by several tabs.
type Desk struct {
	mu     sync.Mutex
	scale  float64
	groups map[string]*group
}

type group struct {
	texts  map[string]noted
	covers map[string]bool // texts that the answer answers
	since  time.Time
	answer source.Result
	at     time.Time
}

// noted is the latest search of a text.
type noted struct {
	at      time.Time
	since   time.Time
	exclude []string
}

// New makes a desk; scale divides its intervals as TIME_SCALE divides the product's.
func New(scale float64) *Desk {
	return &Desk{scale: max(scale, 1), groups: map[string]*group{}}
}

func (d *Desk) scaled(t time.Duration) time.Duration { return time.Duration(float64(t) / d.scale) }

// Answer finds an answer that another goal of the match paid for.
func (d *Desk) Answer(now time.Time, q source.Query) (source.Result, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := d.note(now, q)
	if g == nil || !g.covers[q.Text] || now.Sub(g.at) > d.scaled(answerLife) || q.Since.Before(g.since) {
		return source.Result{}, false
	}
	delete(g.covers, q.Text) // each goal may use it once: its next round is a new search
	r := g.answer
	r.CallsUsed, r.Detail = 0, "shared with another goal of the match"
	r.Candidates = source.Select(q, r.Candidates)
	return r, true
}

// Company tells that other goals of the match search too.
func (d *Desk) Company(now time.Time, q source.Query) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := d.note(now, q)
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

// Patience is how long a goal in company may wait without missing an answer.
func (d *Desk) Patience() time.Duration { return d.scaled(answerLife) * 2 / 3 }

// note remembers that a text is in use; nil without a group.
func (d *Desk) note(now time.Time, q source.Query) *group {
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
		g = &group{texts: map[string]noted{}}
		d.groups[q.Group] = g
	}
	g.texts[q.Text] = noted{now, q.Since, q.Exclude}
	return g
}

// Merge widens a query to the other open goals of the match: as far back as the oldest of them needs, without the posts
// that all of them know. A goal is known by how far back it looks: its own other text is left for its own next search.
func (d *Desk) Merge(now time.Time, q source.Query) (merged source.Query, texts []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := d.note(now, q)
	texts = []string{q.Text}
	if g == nil {
		return q, texts
	}
	merged = q
	joined := paren(q.Text)
	for _, text := range g.newestFirst() {
		if text == q.Text || g.texts[text].since.Equal(q.Since) || utf8.RuneCountInString(joined)+utf8.RuneCountInString(text)+6 > queryLimit {
			continue
		}
		joined += " OR " + paren(text)
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

func (g *group) newestFirst() []string {
	return slices.SortedFunc(maps.Keys(g.texts), func(a, b string) int {
		if c := g.texts[b].at.Compare(g.texts[a].at); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
}

// paren keeps a text together: on X's page OR binds tighter than the space.
func paren(text string) string {
	if strings.ContainsRune(text, ' ') {
		return "(" + text + ")"
	}
	return text
}

// Put keeps the answer to a merged query for the goals whose texts it holds; the one who asked has had it.
func (d *Desk) Put(now time.Time, asked, merged source.Query, texts []string, r source.Result) {
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
