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
	aside []string // what brackets add to it

	beside []string // the words of the other name in a title
}

var written = strings.NewReplacer("&", " and ", "St. ", "Saint ", "St ", "Saint ")

func spell(name string) spelling {
	folded := names.Fold(written.Replace(name))
	s := spelling{short: strings.ToLower(names.Abbreviate(name))}
	if s.side = names.OnlySide(folded); s.side == "" {
		s.side, folded = names.Side(folded)
	}
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
	strange    likeness = iota
	partly              // each has words that the other has not
	resembling          // no word is the same, but one may be a form of the other
	loosely             // with more words
	surely              // with fewer words, or by a nickname
	wholly
)

// fit is how well something written fits a team's name.
type fit struct {
	likeness
	more  bool // it has other words, too
	left  bool // the team's name has
	named bool // by another name than its own
	kind  bool // it says what kind of club it is, which the team's name does not
	share int  // percent of the letters of both that the other has
}

// team is a team of the day.
type team struct {
	TeamName
	spelling
	others  []spelling // what else it is called
	league  string     // the side of a club that its competition says
	plays   string     // the side that its name says, or else its competition
	contest bool       // the competition has a name
}

func newTeam(n TeamName, contest string) team {
	t := team{TeamName: n, spelling: spell(n.Name), league: names.LeagueSide(contest), contest: contest != ""}
	t.plays = cmp.Or(t.side, t.league)
	for _, a := range append(slices.Clone(n.Aliases), n.Abbr) {
		if o := spell(a); !slices.Contains(t.words, o.whole) {
			t.others = append(t.others, o)
		}
	}
	return t
}

// like is how far something written is the team's name. Words that are common to several teams of the day say little, and short ones
// only what kind of club it is: Sporting KC is not Sporting CP.
func (t team) like(said spelling, having map[string]int) fit {
	common := func(word string) bool { return having[t.plays+word] > 1 }
	if said.whole == "" || t.whole == "" {
		return fit{}
	}
	if said.whole == t.whole || said.whole == t.short || said.short == t.whole || len(t.all) > 2 && said.whole == initials(t.all) {
		return fit{likeness: wholly, share: 100}
	}
	if i := slices.IndexFunc(t.others, func(o spelling) bool { return o.whole == said.whole }); i >= 0 {
		if o := t.others[i]; o.whole == names.Fold(t.Abbr) || len(o.words) > 1 {
			return fit{likeness: wholly, share: 100, named: true}
		}
		return fit{likeness: surely, share: 100, named: true}
	}
	a := align(said.all, t.all)
	f := fit{share: a.share}
	first, exact, forms, telling, all := -1, 0, 0, a.initials, true
	var club, town, theirKind bool
	for i, w := range said.all {
		nick := !a.exact[i] && slices.ContainsFunc(t.others, func(o spelling) bool { return o.whole == w })
		switch counts := slices.Contains(said.words, w) && (!a.exact[i] || slices.Contains(t.words, w) || len(said.words) == 1); {
		case counts && (a.exact[i] || nick):
			exact++
			telling = telling || nick || !common(w)
		case counts && a.said[i]:
			forms++
			telling = telling || !common(w)
		case a.said[i] || !letters(w):
			continue
		case clubWord.MatchString(w):
			club = true
			continue
		case slices.Contains(said.beside, w): // Red Star Belgrade - Partizan Belgrade
			town = true
			continue
		case counts && (len(w) > 3 || first >= 0 && strings.ContainsAny(w, "aeiouy")): // short words before a name, and such without a vowel, say what kind of club it is
			f.more = true
			continue
		default:
			f.kind = f.kind || len(w) == 2 && !particle.MatchString(w)
			continue
		}
		first = i
	}
	for j, w := range t.all {
		if !a.team[j] && !clubWord.MatchString(w) {
			all = all && !slices.Contains(t.words, w)
			f.left = f.left || len(w) > 3 && letters(w)
			theirKind = theirKind || len(w) == 2 && letters(w) && !particle.MatchString(w)
		}
	}
	f.more = f.more || town && f.left
	switch {
	case exact+forms == 0:
		f.more = true
	case f.more && (f.left || exact == 0), club && f.left, !telling && f.more:
		f.likeness = partly
	case !telling && !all:
		f.likeness = partly
		if a.team[0] { // River Plate of Montevideo
			f.likeness = loosely
		}
	case exact == 0 && forms == 1:
		f.likeness = resembling
	case f.more || f.kind && theirKind:
		f.likeness = loosely
	case f.left || f.kind || forms > 0:
		f.likeness = surely
	default:
		f.likeness = wholly
	}
	return f
}

// alignment is which words of two names are in the other.
type alignment struct {
	said, team []bool // as they are, as a form, or by their initials
	exact      []bool // of what is said
	initials   bool
	share      int
}

func align(said, team []string) alignment {
	a := alignment{said: make([]bool, len(said)), team: make([]bool, len(team)), exact: make([]bool, len(said))}
	letters, shared := 0, 0
	pair := func(i, j, of int) {
		a.said[i], a.team[j] = true, true
		shared += (len(said[i]) + len(team[j])) * of
	}
	for i, w := range said {
		letters += len(w)
		if j := slices.Index(team, w); j >= 0 && !a.team[j] {
			a.exact[i] = true
			pair(i, j, 2)
		}
	}
	for _, w := range team {
		letters += len(w)
	}
	short := func(words []string, done []bool, of []string, found []bool) {
		for i, w := range words {
			if n := len(w); !done[i] && n > 1 && n < 4 {
				for j := 0; j+n <= len(of) && !done[i]; j++ {
					if initials(of[j:j+n]) == w && !slices.Contains(found[j:j+n], true) {
						a.initials, done[i] = true, true
						for k := j; k < j+n; k++ {
							found[k] = true
							shared += 2 * len(of[k])
						}
						shared += 2 * n
					}
				}
			}
		}
	}
	short(said, a.said, team, a.team)
	short(team, a.team, said, a.said)
	for i, w := range said {
		for j, v := range team {
			if !a.said[i] && !a.team[j] && formOf(w, v) {
				pair(i, j, 1)
			}
		}
	}
	a.share = 50 * shared / max(letters, 1)
	return a
}

func initials(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteByte(w[0])
	}
	return b.String()
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

// has reports whether one of the words may be a form of another.
func (s spelling) has(word string) bool {
	return slices.ContainsFunc(s.words, func(w string) bool { return formOf(word, w) })
}
