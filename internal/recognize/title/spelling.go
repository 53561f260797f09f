package title

import (
	"cmp"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

// TeamName is what a team is called.
type TeamName struct {
	Name    string   // as the feed writes it
	Aliases []string // what else people call it
	Abbr    string
}

// spelling is a name, cut into what can be compared.
type spelling struct {
	all   []string // its words
	words []string // those that tell something: of three letters or more, if there are any
	whole string   // all as one
	short string   // their initials, as fans write them
	side  string   // of the club; "" = the men, or unsaid
}

func spell(name string) spelling {
	folded := names.Fold(strings.ReplaceAll(name, "&", " and "))
	s := spelling{short: strings.ToLower(names.Abbreviate(name))}
	s.side, folded = names.Side(folded)
	s.all = strings.Fields(folded)
	s.whole = strings.Join(s.all, "")
	s.words = slices.DeleteFunc(slices.Clone(s.all), func(w string) bool {
		return len(w) < 3 || w == "and" || len(w) < 4 && !letters(w)
	})
	if len(s.words) == 0 {
		s.words = s.all
	}
	return s
}

// likeness is how far something written is a team's name.
type likeness int

const (
	strange likeness = iota
	partly           // each has words that the other has not
	loosely          // by a nickname, a form of it, or with more words
	surely
)

// team is a team of the day.
type team struct {
	TeamName
	spelling
	others []spelling // what else it is called
	league string     // the side of a club that its competition says
	plays  string     // the side that its name says, or else its competition
}

func newTeam(n TeamName, league string) team {
	t := team{TeamName: n, spelling: spell(n.Name), league: league}
	t.plays = cmp.Or(t.side, league)
	for _, a := range append(slices.Clone(n.Aliases), n.Abbr) {
		t.others = append(t.others, spell(a))
	}
	return t
}

// like is how far something written is the team's name, and whether it has other words, too. Those that are common to several teams of
// the day say little.
func (t team) like(said spelling, common func(string) bool) (l likeness, more bool) {
	if said.whole == "" || t.whole == "" {
		return strange, false
	}
	if said.whole == t.whole || said.whole == t.short || said.short == t.whole ||
		slices.ContainsFunc(t.others, func(o spelling) bool {
			return o.whole == said.whole && (o.whole == names.Fold(t.Abbr) || len(o.words) > 1)
		}) {
		return surely, false
	}
	hits, exact, telling := 0, 0, false
	for _, w := range said.words {
		own := slices.Contains(t.words, w) || len(said.words) == 1 && slices.Contains(t.all, w) // AZ, of Alkmaar
		switch nick := slices.ContainsFunc(t.others, func(o spelling) bool { return o.whole == w }); {
		case own || nick || t.has(w):
			hits++
			telling = telling || nick || !common(w)
			if own {
				exact++
			}
		case len(w) > 3 && letters(w) || hits > 0: // before a name short words say what kind of club it is
			more = true
		}
	}
	left := slices.ContainsFunc(t.words, func(w string) bool { return len(w) > 3 && !said.has(w) })
	switch {
	case hits == 0:
		return strange, true
	case more && left || !telling && (more || hits < len(t.words)):
		return partly, true
	case more || exact == 0 && hits == 1:
		return loosely, more
	}
	return surely, false
}

// has reports whether one of the words may be a form of another.
func (s spelling) has(word string) bool {
	return slices.ContainsFunc(s.words, func(w string) bool { return formOf(word, w) })
}

// within reports whether a text has all words of the team's name.
func (t team) within(said spelling) bool {
	return !slices.ContainsFunc(t.words, func(w string) bool { return !said.has(w) })
}

func letters(w string) bool { return strings.Trim(w, "0123456789") != "" }

// formOf reports whether two words may be forms of one: shortened (Man, Utd, Wed), with a typing fault, in another language (Praha,
// Prague), or one within the other.
func formOf(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	begin, rest := 0, a
	for begin < len(a) && a[begin] == b[begin] {
		begin++
	}
	for i := range len(b) {
		if rest != "" && rest[0] == b[i] {
			rest = rest[1:]
		}
	}
	return a == b || len(a) > 4 && strings.Contains(b, a) ||
		len(a) > 2 && begin > 0 && (rest == "" || begin > 2 && 2*begin >= len(a) || alike(a, b))
}
