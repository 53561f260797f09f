package title

import (
	"html"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

// line is a title twice, letter by letter: as it was written, and in plain ASCII of the same length, in which all dashes, quotes,
// brackets and letters look alike and what was dealt with is hidden. Places found in one are places in the other.
type line struct {
	written []rune
	plain   []byte
}

// Signs of the plain text that no title contains. Both count as space.
const (
	hidden     = '\f'
	minuteSign = '\v'
)

// span is a stretch of a line.
type span struct{ from, to int }

func newLine(s string) *line {
	l := &line{}
	for _, r := range norm.NFC.String(html.UnescapeString(s)) {
		switch {
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r): // invisible marks
			continue
		case unicode.IsControl(r):
			r = ' '
		}
		l.written = append(l.written, r)
		l.plain = append(l.plain, plain(r))
	}
	for i, c := range l.plain { // a dot in the middle is a letter of Catalan names, else it separates
		if l.written[i] == '·' && c == '|' && i > 0 && letter(l.plain[i-1]) && i+1 < len(l.plain) && letter(l.plain[i+1]) {
			l.plain[i] = 'x'
		}
	}
	return l
}

// plain is the sign that stands for r in the plain text.
func plain(r rune) byte {
	if r >= '！' && r <= '～' { // the wide forms of ASCII
		r -= '！' - '!'
	}
	if r >= '٠' && r <= '٩' {
		r += '0' - '٠'
	}
	switch {
	case unicode.Is(unicode.Pd, r), r == '−', r == '⁃', r == '~':
		return '-'
	case strings.ContainsRune("’‘‛′‵´`ʼʹʻ", r):
		return '\''
	case strings.ContainsRune("“”„‟″«»", r):
		return '"'
	case strings.ContainsRune("【〔〖", r):
		return '['
	case strings.ContainsRune("】〕〗", r):
		return ']'
	case strings.ContainsRune("│┃¦∣•●·⚽", r):
		return '|'
	case r < 0x80:
		return byte(r)
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsLetter(r):
		return plainLetter(r)
	case unicode.IsMark(r):
		return 'x'
	}
	return hidden // emoji and other pictures
}

// plainLetter keeps whether a letter is a capital: it separates names from prose.
func plainLetter(r rune) byte {
	c := byte('x')
	if ascii := names.Romanise(string(r)); ascii != "" && letter(ascii[0]) {
		c = ascii[0] | 0x20
	}
	if unicode.IsUpper(r) || unicode.Is(unicode.Lo, r) { // scripts without capitals
		c &^= 0x20
	}
	return c
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func space(c byte) bool { return c == ' ' || c == hidden || c == minuteSign }

func opens(c byte) bool { return c == '[' || c == '(' || c == '{' }

func closes(c byte) bool { return c == ']' || c == ')' || c == '}' }

func (l *line) text(s span) string { return string(l.plain[s.from:s.to]) }

// original is a span as it was written, without what is hidden, with single spaces.
func (l *line) original(s span) string {
	var b strings.Builder
	for i := s.from; i < s.to; i++ {
		if l.plain[i] == hidden || l.plain[i] == minuteSign {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(l.written[i])
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func (l *line) hide(s span, sign byte) {
	for i := s.from; i < s.to; i++ {
		l.plain[i] = sign
	}
}

func (l *line) all() span { return span{0, len(l.plain)} }

func (l *line) trim(s span, signs string) span {
	out := func(c byte) bool { return space(c) || strings.IndexByte(signs, c) >= 0 }
	for s.from < s.to && out(l.plain[s.from]) {
		s.from++
	}
	for s.to > s.from && out(l.plain[s.to-1]) {
		s.to--
	}
	return s
}

func (l *line) hasLetter(s span) bool {
	return slices.ContainsFunc(l.plain[s.from:s.to], letter)
}

// groups are the outermost stretches of a span in brackets of any kind, brackets included. An unclosed one goes to the end.
func (l *line) groups(s span) []span {
	var out []span
	depth, from := 0, 0
	for i := s.from; i < s.to; i++ {
		switch c := l.plain[i]; {
		case opens(c):
			if depth == 0 {
				from = i
			}
			depth++
		case closes(c) && depth > 0:
			if depth--; depth == 0 {
				out = append(out, span{from, i + 1})
			}
		}
	}
	if depth > 0 {
		out = append(out, span{from, s.to})
	}
	return out
}

func (l *line) inside(g span) span {
	g.from++
	if g.to > g.from && closes(l.plain[g.to-1]) {
		g.to--
	}
	return g
}

// pieces cuts a span where people separate: at bars, colons, semicolons and commas, and at dashes with a space on one side, since
// those without stand in names. Brackets are never cut.
func (l *line) pieces(s span) []span {
	var out []span
	groups := l.groups(s)
	from := s.from
	for i := s.from; i < s.to; i++ {
		if len(groups) > 0 && i >= groups[0].from {
			i = groups[0].to - 1
			groups = groups[1:]
			continue
		}
		if l.separates(i, s) {
			out = append(out, span{from, i})
			from = i + 1
		}
	}
	return append(out, span{from, s.to})
}

func (l *line) separates(i int, s span) bool {
	spaceBefore := i == s.from || space(l.plain[i-1]) || closes(l.plain[i-1])
	spaceAfter := i+1 == s.to || space(l.plain[i+1]) || opens(l.plain[i+1])
	switch l.plain[i] {
	case '|', ';', ':':
		return true
	case ',', '!':
		return spaceAfter
	case '/':
		return spaceBefore && spaceAfter
	case '-':
		return spaceBefore || spaceAfter || l.written[i] == '—' || l.written[i] == '―' || l.plain[i-1] == '-'
	}
	return false
}
