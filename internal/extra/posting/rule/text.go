package rule

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Template is what a post says, with the fields of a goal in braces.
type Template string

// DefaultTemplate is what a post says where nobody chose otherwise.
const DefaultTemplate Template = "{sign} {scorer} {minute}: {home} {score} {away}\n{competition}\n{link}"

// Fields lists what a template may hold.
func Fields() []string {
	return []string{"sign", "scorer", "assist", "minute", "home", "away", "score", "team", "kind", "detail", "competition", "country", "round", "link"}
}

// names are the fields that people worded.
var names = []string{"scorer", "assist", "home", "away", "team", "detail", "competition", "country", "round"}

var field = regexp.MustCompile(`\{([^{}]*)\}`)

// Check refuses a template with fields that nobody knows, or with more words of its own than fit.
func (t Template) Check(l Limit) error {
	for _, m := range field.FindAllStringSubmatch(string(t), -1) {
		if !slices.Contains(Fields(), m[1]) {
			return fmt.Errorf("has {%s}, which is no field: write one of {%s}", m[1], strings.Join(Fields(), "}, {"))
		}
	}
	if own := l.count(field.ReplaceAllString(string(t), ""), ""); own > l.Max/2 {
		return fmt.Errorf("has %d characters beside its fields: write at most %d, so that the fields fit", own, l.Max/2)
	}
	return nil
}

// Limit is how long a text may be, as its service counts.
type Limit struct {
	Max  int
	Unit func(string) int // of a text without links
	Link int              // what a link counts, whatever its length; 0: as it is
}

func (l Limit) count(text, link string) int {
	n := 0
	if link != "" && l.Link > 0 {
		n = l.Link * strings.Count(text, link)
		text = strings.ReplaceAll(text, link, "")
	}
	return n + l.Unit(text)
}

// UTF16 counts as Discord and Telegram do, Runes at least as much as graphemes are.
func UTF16(s string) int { return len(utf16.Encode([]rune(s))) }

// Runes counts code points.
func Runes(s string) int { return len([]rune(s)) }

// longestName is more letters than any real name has.
const longestName = 60

// Render writes a post that is within the limit. Words are cut where it is too long; a link never is.
func Render(t Template, f *footy.Fixture, e *footy.Event, link string, l Limit) string {
	text := fill(t, fieldsOf(f, e, link))
	if l.count(text, link) > l.Max {
		return shorten(text, link, l)
	}
	return text
}

func cut(s string, n int) string {
	r := []rune(strings.TrimSuffix(s, "…"))
	r = r[:max(min(n, len(r)), 0)]
	for len(r) > 0 && (unicode.Is(unicode.Mn, r[len(r)-1]) || r[len(r)-1] == '\u200d') {
		r = r[:len(r)-1]
	}
	return strings.TrimRightFunc(string(r), unicode.IsSpace) + "…"
}

func shorten(text, link string, l Limit) string {
	words, tail := text, ""
	if link != "" && strings.Contains(text, link) {
		words, tail = strings.TrimSpace(strings.ReplaceAll(text, link, "")), "\n"+link
	}
	for l.count(words+tail, link) > l.Max && words != "…" && words != "" {
		words = cut(words, len([]rune(words))-2)
	}
	return words + tail
}

func fill(t Template, values map[string]string) string {
	text := field.ReplaceAllStringFunc(strings.ReplaceAll(string(t), `\n`, "\n"), func(m string) string { return values[m[1:len(m)-1]] })
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func fieldsOf(f *footy.Fixture, e *footy.Event, link string) map[string]string {
	sign := "⚽"
	switch e.Kind {
	case footy.KindRedCard:
		sign = "🟥"
	case footy.KindYellowCard:
		sign = "🟨"
	}
	detail := ""
	if e.Detail != "Normal Goal" {
		detail = e.Detail
	}
	values := map[string]string{"sign": sign, "scorer": cmp.Or(e.Player.Name, "unknown scorer"), "assist": e.Assist.Name, "minute": footy.MinuteLabel(e.Minute),
		"home": f.Teams.Home.Name, "away": f.Teams.Away.Name, "score": explain.Goals(e.ScoreAfter.Home) + "–" + explain.Goals(e.ScoreAfter.Away),
		"team": e.Team.Name, "kind": e.Kind.Info().One, "detail": detail, "competition": f.League.Name, "country": f.League.Country,
		"round": f.League.Round, "link": link}
	for _, name := range names { // a mention in the template is the operator's own
		values[name] = explain.WithoutMentions(values[name])
		if len([]rune(values[name])) > longestName {
			values[name] = cut(values[name], longestName)
		}
	}
	return values
}
