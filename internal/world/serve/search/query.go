package search

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Query is a parsed search: every clause must hold; a clause holds if one of its terms does. OR binds tighter than the
// implicit AND, as on the real page.
type Query []clause

type clause []term

type term struct {
	group Query    // a parenthesis, or
	words []string // words that must stand side by side
	not   bool
}

// Parse reads a query. Operators the simulated X has no use for (filter:, from:, lang:, is:, has:) always hold.
func Parse(text string) Query {
	p := parser{rest: text}
	return p.query()
}

// Matches reports whether a post's text answers the query.
func (q Query) Matches(text string) bool { return q.Holds(Words(text)) }

// Holds reports whether a text of these words, as Words folds them, answers the query.
func (q Query) Holds(words []string) bool {
	for _, c := range q {
		ok := false
		for _, t := range c {
			ok = ok || t.holds(words)
		}
		if !ok {
			return false
		}
	}
	return true
}

func (t term) holds(words []string) bool {
	found := t.group != nil && t.group.Holds(words)
	if t.group == nil {
		found = contains(words, t.words)
	}
	return found != t.not
}

func contains(words, phrase []string) bool {
	if len(phrase) == 0 {
		return true
	}
	for i := 0; i+len(phrase) <= len(words); i++ {
		ok := true
		for j, w := range phrase {
			ok = ok && words[i+j] == w
		}
		if ok {
			return true
		}
	}
	return false
}

// Words folds a text to its words: no case, no accents, no marks.
func Words(text string) []string {
	return strings.FieldsFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// strokes are letters that no decomposition touches.
var strokes = strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ß", "ss", "ı", "i", "æ", "ae", "œ", "oe", "'", "", "’", "")

func fold(text string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return strokes.Replace(b.String())
}

type parser struct{ rest string }

func (p *parser) query() Query {
	q := Query{}
	or := false
	for {
		t, tok, ok := p.term()
		switch {
		case !ok || tok == ")":
			return q
		case tok == "OR":
			or = true
			continue
		case tok == "AND":
			continue
		}
		if or && len(q) > 0 {
			q[len(q)-1] = append(q[len(q)-1], t)
		} else {
			q = append(q, clause{t})
		}
		or = false
	}
}

// term reads one term; tok is set instead for OR, AND and a closing parenthesis.
func (p *parser) term() (term, string, bool) {
	p.rest = strings.TrimLeft(p.rest, " \t\n")
	if p.rest == "" {
		return term{}, "", false
	}
	not := false
	if p.rest[0] == '-' && len(p.rest) > 1 {
		not, p.rest = true, p.rest[1:]
	}
	switch p.rest[0] {
	case '(':
		p.rest = p.rest[1:]
		return term{group: p.query(), not: not}, "", true
	case ')':
		p.rest = p.rest[1:]
		return term{}, ")", true
	case '"':
		text, rest, _ := strings.Cut(p.rest[1:], `"`)
		p.rest = rest
		return term{words: Words(text), not: not}, "", true
	}
	end := strings.IndexAny(p.rest, " \t\n()")
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	switch {
	case word == "OR" || word == "AND":
		return term{}, word, true
	case strings.Contains(word, ":"):
		return term{}, "", true // an operator: its empty phrase always holds
	}
	return term{words: Words(word), not: not}, "", true
}
