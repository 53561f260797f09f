package names

import (
	"regexp"
	"strings"
)

// sides are the sides of a club that are teams of their own.
var sides = []struct {
	of   string
	mark *regexp.Regexp
}{
	{Womens, regexp.MustCompile(`\b(?:n?wsl|wfc|women|womens|ladies|femen\w*|femini\w*|femmini\w*|frauen|vrouwen|lionesses|w)\b|\bf$`)},
	{"u", regexp.MustCompile(`\b(?:u|under) ?(\d\d)s?\b`)},
	{"second", regexp.MustCompile(`\b(?:ii|iii|b|reserves?|castilla|primavera|jong|youth|academy|juvenil|second team)\b`)},
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

// LeagueSide is the side of clubs that a competition is for. Its name may end with the letter of a division, which is no second team.
func LeagueSide(league string) string {
	side, _ := Side(Fold(league))
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
