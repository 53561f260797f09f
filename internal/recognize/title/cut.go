package title

import (
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

// endOfTeam is where the name of one of the goal's teams ends that a span begins with and goes on behind; 0 if it does not. The longest
// name counts: behind "Athletic Club" comes the scorer, and "Club" is none.
func (l *line) endOfTeam(s span, of *Wanted) int {
	if of == nil {
		return 0
	}
	s = l.trim(s, "")
	for end := s.to - 1; end > s.from; end-- {
		if !space(l.plain[end]) || space(l.plain[end-1]) {
			continue
		}
		name, rest := l.original(span{s.from, end}), l.original(span{end, s.to})
		if !of.isTeam(name) || particle.MatchString(lastWord(name)) {
			continue
		}
		if of.otherTeam(rest) {
			return 0
		}
		return end
	}
	return 0
}

// isTeam reports whether a text is one of the two names and nothing else.
func (w *Wanted) isTeam(text string) bool {
	said := spell(text)
	return len(said.whole) > 2 && slices.ContainsFunc(w.teams[w.Match][:], func(t team) bool {
		f, _ := t.like(said, w.common).ofSide(said.side, said.side, t)
		return f.likeness > partly && !f.more
	})
}

// otherTeam reports whether what follows a club's name makes it that of its women, its youth or its second team. Scorers are called
// Jong, too, and have initials: those with a dot.
func (w *Wanted) otherTeam(rest string) bool {
	scorer := strings.Fields(names.Fold(w.goal().Scorer))
	words := slices.DeleteFunc(strings.Fields(rest), func(s string) bool {
		return len(s) == 2 && s[1] == '.' || len(s) > 1 && slices.Contains(scorer, names.Fold(s))
	})
	return spell(strings.Join(words, " ")).side != ""
}

func lastWord(name string) string {
	words := strings.Fields(names.Fold(name))
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
