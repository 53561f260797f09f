package title

import (
	"regexp"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

// naming is what one stretch says of a scorer.
type naming struct {
	scorer string
	phrase string // everything it says, brackets apart
	rest   string // what follows the name, praise apart
}

// nameOf takes the scorer's name out of a stretch: what stands before the minute, else behind it, up to what is no name any more.
func (l *line) nameOf(s span) naming {
	t := []byte(l.text(s))
	for _, g := range l.groups(s) {
		for i := g.from; i < g.to; i++ {
			if l.plain[i] != minuteSign {
				t[i-s.from] = ' '
			}
		}
	}
	in := span{0, len(t)}
	rest := ""
	if cut := strings.IndexByte(string(t), minuteSign); cut >= 0 {
		if slices.ContainsFunc(t[:cut], letter) {
			in.to = cut
		} else {
			in.from = strings.LastIndexByte(string(t), minuteSign) + 1
		}
	}
	n := naming{phrase: strings.TrimSpace(string(t[in.from:in.to]))}
	in = startOfName(t, in)
	if !slices.ContainsFunc(t[in.from:in.to], letter) {
		if g, ok := l.ownGoalBy(s); ok {
			n.scorer = l.original(l.trim(g, `"*-`))
		}
		return n
	}
	if end := endOfName(t[in.from:in.to]); end >= 0 {
		rest = string(t[in.from+end : in.to])
		in.to = in.from + end
	}
	if f := possessive.FindIndex(t[in.from:in.to]); f != nil {
		in.to = in.from + f[0]
	}
	in.to = l.dropProse(t, in)
	for _, g := range l.groups(s) { // brackets that the name goes on behind
		l.hide(g, hidden)
	}
	at := l.trim(span{s.from + in.from, s.from + in.to}, `|:;,!*"-/=~#>[]{}()+`)
	if at.to-at.from > 4 && l.plain[at.to-1] == '.' && lower.Match(l.plain[at.to-4:at.to-1]) { // the end of a sentence, no initial
		at.to--
	}
	if l.hasLetter(at) {
		n.scorer = l.original(at)
	}
	for _, re := range []*regexp.Regexp{praise, ownGoal, penalty} {
		rest = re.ReplaceAllString(rest, " ")
	}
	n.rest = strings.Trim(rest, " \f\v.!*-")
	return n
}

// dropProse is where a name ends without the small words at its end that are no part of names; a title that knows no capitals keeps all.
func (l *line) dropProse(t []byte, in span) int {
	if l.text(l.all()) == strings.ToLower(l.text(l.all())) {
		return in.to
	}
	for {
		name := strings.TrimRight(string(t[in.from:in.to]), " \f\v")
		at := strings.LastIndexAny(name, " \f\v")
		if at < 0 || !lower.MatchString(name[at+1:]) || particle.MatchString(name[at+1:]) || !slices.ContainsFunc([]byte(name[:at]), letter) {
			return in.to
		}
		in.to = in.from + at
	}
}

// startOfName skips what people put before a name: "Great goal by", "OG".
func startOfName(t []byte, in span) span {
	begin := in.from
	for {
		from := in.from
		for in.from < in.to && (space(t[in.from]) || strings.IndexByte(`-:|,"!*`, t[in.from]) >= 0) {
			in.from++
		}
		for _, re := range []*regexp.Regexp{praise, ownGoal, penalty, byWhom} {
			if f := re.FindIndex(t[in.from:in.to]); f != nil && f[0] == 0 && (re != byWhom || in.from > begin) {
				in.from += f[1]
			}
		}
		if in.from == from {
			return in
		}
	}
}

// endOfName is where a name ends and praise or prose begins; -1 if it is all there is.
func endOfName(t []byte) int {
	end := -1
	for _, re := range []*regexp.Regexp{praise, ownGoal, penalty, penaltyP, prose, joined, video} {
		f := re.FindIndex(t)
		if f == nil {
			continue
		}
		at := f[0]
		if re == penaltyP {
			at++ // the last letter of the name
		}
		if end < 0 || at < end {
			end = at
		}
	}
	return end
}

// ownGoalBy is who is named in the brackets behind "own goal", if anybody is.
func (l *line) ownGoalBy(s span) (span, bool) {
	f := ownGoal.FindIndex(l.plain[s.from:s.to])
	if f == nil {
		return span{}, false
	}
	for _, g := range l.groups(s) {
		if between := l.trim(span{s.from + f[1], max(g.from, s.from+f[1])}, ""); between.from == between.to && !contest.Match(l.plain[g.from:g.to]) && l.hasLetter(g) {
			return l.inside(g), true
		}
	}
	return span{}, false
}

// compareScorers compares the names of two scorers as people and feeds write them: whole, the last one alone, or with an initial.
func compareScorers(a, b string) Said {
	if a == "" || b == "" || penalty.FindString(b) == b || len(names.PlayerTokens(a)) == 0 || len(names.PlayerTokens(b)) == 0 {
		return SaidNothing
	}
	switch {
	case sameScorer(names.PlayerTokens(a), names.PlayerTokens(b)) && !otherInitial(a, b):
		return Agrees
	case givenName(a, b), givenName(b, a):
		return SaidNothing
	}
	return Differs
}

// givenName reports whether one may be nothing but the given name of the other: Lautaro, L. Martínez.
func givenName(a, b string) bool {
	x, y := strings.Fields(names.Fold(a)), strings.Fields(names.Fold(b))
	return len(names.PlayerTokens(a)) == 1 && len(x[0]) > 2 && len(y[0]) == 1 && x[0][0] == y[0][0]
}

func sameScorer(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	shared, lastShared := 0, false
	for i, x := range a {
		if j := slices.IndexFunc(b, func(y string) bool { return alike(x, y) }); j >= 0 {
			shared++
			lastShared = lastShared || i == len(a)-1 || j == len(b)-1
		}
	}
	return shared == len(a) || lastShared
}

// alike are words that differ by one letter or two swapped ones at most, where they are long enough for that to be a manner of writing.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 5 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return swapped || a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

// otherInitial reports whether two names of one family give first names that begin differently: brothers, namesakes, or a nickname (Papu Gómez).
func otherInitial(a, b string) bool {
	x, y := strings.Fields(names.Fold(a)), strings.Fields(names.Fold(b))
	return len(x) == 2 && len(y) == 2 && x[1] == y[1] && x[0][0] != y[0][0]
}

// diminutive is how nicknames end in Spanish and Portuguese: Chicharito, Vitinha.
var diminutive = regexp.MustCompile(`(?:it|inh)[oa]$`)

// nickname reports whether a scorer may be called so beside his name: by one word, which must look like a nickname where no competition is known.
func nickname(scorer string, contest bool) bool {
	words := slices.DeleteFunc(strings.Fields(names.Fold(scorer)), particle.MatchString)
	return len(words) == 1 && (contest || diminutive.MatchString(words[0]))
}
