package names

import (
	"regexp"
	"strings"
)

// sides are the sides of a club that are teams of their own, and another game that it plays.
var sides = []struct {
	of   string
	mark *regexp.Regexp
}{
	{Womens, regexp.MustCompile(`\b(?:n?wsl|uwcl|(?:us)?wnt|wfc|women|womens|ladies|fem|femen\w*|femini\w*|femmini\w*|feminas|frauen|vrouwen|donne|damer|damen|kvinn\w+|lionesses|w)\b|\bf$`)},
	{"u", regexp.MustCompile(`\b(?:u|under|sub) ?(\d\d)s?\b`)},
	{"futsal", regexp.MustCompile(`\b(?:futsal|beach soccer|legends|e ?sports)\b`)},
	{"second", regexp.MustCompile(`\b(?:ii|iii|b|res|reserves?|castilla|primavera|jong|youth|academy|juvenil|second team)\b`)},
}

// Womens is the side of the women.
const Womens = "women "

// Side is which side of a club a folded text says, "" for the men, and the text without that. A text that is nothing but such a mark is a
// name.
func Side(folded string) (side, bare string) {
	bare = folded
	for _, s := range sides {
		if m := s.mark.FindStringSubmatch(bare); m != nil && m[0] != bare {
			side += s.of + strings.Join(m[1:], "")
			bare = strings.TrimSpace(s.mark.ReplaceAllString(bare, " "))
		}
	}
	return side, bare
}

// OnlySide is the side of a club that a folded text says and nothing else: "women", "u21", "castilla".
func OnlySide(folded string) string {
	if side, bare := Side("a " + folded); bare == "a" {
		return side
	}
	return ""
}

// womensLeagues are competitions of women whose names do not say so.
var womensLeagues = regexp.MustCompile(`\b(?:wwc|premiere ligue|swpl|damall\w*|elitettan|toppserien|kvinde\w*|liga bpi|we league|liga f|liga mx f|shebelieves|algarve cup|` +
	`copa de la reina|supercopa de la reina|northern super league|usl super league)\b`)

// LeagueSide is the side of clubs that a competition is for. Its name may end with the letter of a division, which is no second team.
func LeagueSide(league string) string {
	folded := Fold(league)
	if womensLeagues.MatchString(folded) {
		return Womens
	}
	side, _ := Side("a " + folded) // the name may be nothing but a mark: NWSL
	return strings.TrimSuffix(side, "second")
}

// Women splits a women's mark off a name: the feed writes "Arsenal W".
func Women(name string) (bare string, women bool) {
	bare = strings.TrimSpace(name)
	for _, suffix := range []string{" W", " Women", " Ladies", " (W)"} {
		if cut, ok := strings.CutSuffix(bare, suffix); ok {
			return cut, true
		}
	}
	return bare, false
}
