package title

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/found-footy/found-footy/internal/footy"
)

// most is more than any match ended with; more is a year, a club's number or a time.
const most = 31

// match is where the score of a title stands.
type match struct {
	at         span
	score      Score
	side       footy.Side
	bracketed  bool
	home, away span // where the numbers stand beside their names; empty otherwise
	group      span // the brackets that the score stands in with its teams; empty otherwise
}

const number = `(0|[1-9]\d?)`

var (
	// A score, each side with or without its bracket, the aggregate of each in its own: 1 (3) - [2] (4).
	scoreLine = regexp.MustCompile(`([\[({]?)\s*` + number + `\s*([\])}]?)(?:\s*\(\d{1,2}\))?\s*(?:-{1,2}|:|=|\b[xX]\b|\bvs?\b\.?)\s*([\[({]?)\s*` + number + `\s*([\])}]?)(?:\s*\(\d{1,2}\))?`)
	// Home 2 - [1] Away has its score between the names; here each number stands behind its name.
	scoreApart = regexp.MustCompile(`^(.*[a-zA-Z].*?)\s([\[({]?)` + number + `([\])}]?)\s*(?:-|\bvs?\b\.?)\s*(\S.*?)\s([\[({]?)` + number + `([\])}]?)(?:[\s,:|-]|$)`)

	aggregateWord = `agg(?:regate|reg|r)?\b\.?`
	anyScore      = `(?:\[\d{1,2}\]|\d{1,2})\s*[-:]\s*(?:\[\d{1,2}\]|\d{1,2})`
	aggregates    = []*regexp.Regexp{
		regexp.MustCompile(`(?i)` + anyScore + `\s*,?\s*(?:on |in )?(?:the )?\b` + aggregateWord),
		regexp.MustCompile(`(?i)\b(?:on )?` + aggregateWord + `(?: score)?\s*[:=(\[]?\s*` + anyScore),
		regexp.MustCompile(`(?i)\b(?:on )?` + aggregateWord),
	}
)

// hideAggregates covers the score over two legs, which is not the match's.
func (l *line) hideAggregates() {
	for _, re := range aggregates {
		for _, m := range re.FindAllIndex(l.plain, -1) {
			l.hide(span{m[0], m[1]}, hidden)
		}
	}
}

// findScore finds the score: rather one whose bracket marks the side that scored, rather one outside brackets.
func (l *line) findScore() (match, bool) {
	var best match
	points := -1
	groups := l.bracketedText()
	for from := 0; from < len(l.plain); {
		found := scoreLine.FindSubmatchIndex(l.plain[from:])
		if found == nil {
			break
		}
		for i := range found {
			if found[i] >= 0 {
				found[i] += from
			}
		}
		from = found[0] + 1
		m, ok := l.scoreAt(found)
		if !ok {
			continue
		}
		p := 0
		if m.bracketed {
			p += 2
		}
		for _, g := range groups {
			if m.at.from > g.from && m.at.to <= g.to {
				m.group = g
				p--
			}
		}
		if p > points {
			best, points = m, p
		}
	}
	if points >= 0 {
		return best, true
	}
	return l.findApart()
}

// bracketedText are the brackets that hold more than a number.
func (l *line) bracketedText() []span {
	return slices.DeleteFunc(l.groups(l.all()), func(g span) bool { return !l.hasLetter(g) })
}

// scoreAt checks what looks like a score: no part of a date, a formation, a time or a minute.
func (l *line) scoreAt(f []int) (match, bool) {
	openHome, closeHome := f[3] > f[2], f[7] > f[6]
	openAway, closeAway := f[9] > f[8], f[13] > f[12]
	at := span{f[0], f[1]}
	if !openHome {
		at.from = f[4]
		if at.from > 0 {
			if c := l.plain[at.from-1]; letter(c) || digit(c) || c == '.' || c == '+' || c == '/' || c == '\'' || c == '-' {
				return match{}, false
			}
		}
	}
	if end := f[11]; !closeAway && end < len(l.plain) {
		c := l.plain[end]
		if digit(c) || c == '\'' || c == '/' || c == '%' || c == '+' || c == '-' && end+1 < len(l.plain) && digit(l.plain[end+1]) {
			return match{}, false
		}
	}
	if openHome && !closeHome && closeAway && !openAway { // (2-1) is a score in brackets
		openHome, closeAway = false, false
		at.from, at.to = f[4], f[11]
	}
	home, away := l.plain[f[4]:f[5]], l.plain[f[10]:f[11]]
	m := match{at: at, score: Score{atoi(home), atoi(away)}}
	if closeAway && !openAway && (l.plain[f[12]] != ']' || l.unclosed(f[0])) { // closes what was opened before the score
		m.at.to, closeAway = f[11], false
	}
	if openHome && !closeHome && l.plain[f[2]] != '[' {
		m.at.from, openHome = f[4], false
	}
	if m.score.Home > most || m.score.Away > most {
		return match{}, false
	}
	m.side, m.bracketed = scoringSide(m.score, openHome || closeHome, openAway || closeAway)
	return m, true
}

// unclosed reports whether a bracket that was opened before a place is still open there.
func (l *line) unclosed(at int) bool {
	depth := 0
	for _, c := range l.plain[:at] {
		if opens(c) {
			depth++
		} else if closes(c) {
			depth--
		}
	}
	return depth > 0
}

// scoringSide is the side whose number went up: the one in brackets, else the one that is not at nil. A bracket around nil marks nothing.
func scoringSide(s Score, home, away bool) (side footy.Side, bracketed bool) {
	home, away = home && s.Home > 0, away && s.Away > 0
	switch {
	case home != away && home:
		return footy.SideHome, true
	case home != away:
		return footy.SideAway, true
	case s.Away == 0 && s.Home > 0:
		return footy.SideHome, false
	case s.Home == 0 && s.Away > 0:
		return footy.SideAway, false
	}
	return "", false
}

// findApart finds a score whose numbers stand behind their names: Home 2 - Away [1].
func (l *line) findApart() (match, bool) {
	f := scoreApart.FindSubmatchIndex(l.plain)
	if f == nil {
		return match{}, false
	}
	openHome, openAway := f[5] > f[4], f[13] > f[12]
	closeHome, closeAway := f[9] > f[8], f[17] > f[16]
	m := match{home: span{f[2], f[3]}, away: span{f[10], f[11]}, at: span{f[4], f[17]},
		score: Score{atoi(l.plain[f[6]:f[7]]), atoi(l.plain[f[14]:f[15]])}}
	if openHome != closeHome || openAway != closeAway || !openHome && !openAway || !l.hasLetter(m.away) || m.score.Home > most || m.score.Away > most {
		return match{}, false
	}
	m.side, m.bracketed = scoringSide(m.score, openHome, openAway)
	if openHome && openAway { // a habit of writing, which marks no side, but no result either
		m.bracketed = true
	}
	return m, true
}

func atoi(b []byte) int {
	n, err := strconv.Atoi(string(b))
	if err != nil {
		return most + 1
	}
	return n
}
