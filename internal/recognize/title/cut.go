package title

import (
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

// endOfTeam is where the name of one of the goal's teams ends that a span begins with and goes on behind; 0 if it does not. The longest
// name counts: behind "Athletic Club" comes the scorer, and "Club" is none.
func (l *line) endOfTeam(s span, g *Goal) int {
	if g == nil {
		return 0
	}
	s = l.trim(s, "")
	for end := s.to - 1; end > s.from; end-- {
		if !space(l.plain[end]) || space(l.plain[end-1]) {
			continue
		}
		name, rest := l.original(span{s.from, end}), l.original(span{end, s.to})
		if g.Home.is(name) == unlike && g.Away.is(name) == unlike || particle.MatchString(lastWord(name)) {
			continue
		}
		if g.otherTeam(rest) {
			return 0
		}
		return end
	}
	return 0
}

// otherTeam reports whether what follows a club's name makes it that of its women, its youth or its second team. Scorers are called
// Jong, too, and have initials: those with a dot.
func (g *Goal) otherTeam(rest string) bool {
	scorer := strings.Fields(names.Fold(g.Scorer))
	words := slices.DeleteFunc(strings.Fields(rest), func(w string) bool {
		return len(w) == 2 && w[1] == '.' || len(w) > 1 && slices.Contains(scorer, names.Fold(w))
	})
	_, which := wordsOf(strings.Join(words, " "))
	return which != ""
}

func lastWord(name string) string {
	words := strings.Fields(names.Fold(name))
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
