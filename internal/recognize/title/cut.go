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
		if !of.isTeam(name) {
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
	return len(said.whole) > 2 && !particle.MatchString(said.all[len(said.all)-1]) && slices.ContainsFunc(w.teams[w.Match][:], func(t team) bool {
		f := t.like(said, w.having)
		return f.likeness > partly && !f.more && (said.side == names.Womens || names.SameSide(said.side, t.plays))
	})
}

// otherTeam reports whether what follows a club's name makes it that of its women, its youth or its second team. Scorers are called
// Jong, too, and have initials: those with a dot.
func (w *Wanted) otherTeam(rest string) bool {
	scorer, said := strings.Fields(names.Fold(w.goal().Scorer)), ""
	for i, s := range strings.Fields(rest) {
		if said += " " + names.Fold(s); i > 1 || len(s) == 2 && s[1] == '.' || len(s) > 1 && slices.Contains(scorer, names.Fold(s)) {
			return false
		}
		if names.OnlySide(said[1:]) != "" {
			return true
		}
	}
	return false
}
