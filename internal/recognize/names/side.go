package names

import (
	"regexp"
	"strings"
)

// What names say of the side of a club that plays.
var (
	age       = regexp.MustCompile(`\b(?:u|under|sub) ?(\d\d)s?\b`)
	second    = regexp.MustCompile(`\b(?:ii|iii|res|reserv\w*|castilla|primavera|jong|next ?gen|youth|academy|juvenil(?: [abc])?|eds|second team|b team)\b`)
	womens    = regexp.MustCompile(`\b(?:[ansu]{0,2}w(?:cl|sl|pl|nt|fc|(?:af)?con)|wwc|wom[ae]ns?|ladies|girls|fem\w*|frauen|vrouwen|donne|dam(?:er|en|all\w*)|kvin\w+|naisten|lionesses|reina)\b`)
	womensEnd = regexp.MustCompile(` (?:W|Women|Ladies|\(W\))$`) // of a feed's name
	letter    = regexp.MustCompile(` (?:[bw]\b|[cf]$)`)
	divided   = regexp.MustCompile(` (?:[abc]|i+)$`)
	leagues   = regexp.MustCompile(`\b(?:we league|liga f|premiere ligue|toppserien|elitettan|shebelieves)\b`) // of women, and do not say so
	youths    = regexp.MustCompile(`\b(?:development|junior\w*|premier league 2)\b`)                           // clubs are called Juniors, too
)

// What Side says. Behind Young may stand the age.
const (
	Womens = "women "
	Young  = "young"
)

// Side is which side of a club a folded text says, "" for the men, and the text without that. A text that is nothing but such a mark is a
// name.
func Side(folded string) (side, bare string) {
	bare = folded
	cut := func(mark *regexp.Regexp) []string {
		m := mark.FindStringSubmatch(bare)
		if m == nil || m[0] == bare {
			return nil
		}
		bare = strings.Join(strings.Fields(mark.ReplaceAllString(bare, " ")), " ")
		return m
	}
	young, years := "", cut(age)
	if cut(second) != nil || years != nil {
		young = Young + strings.Join(years[min(1, len(years)):], "")
	}
	women := cut(womens) != nil
	if m := cut(letter); m != nil {
		if m[0] == " f" || m[0] == " w" {
			women = true
		} else if young == "" {
			young = Young
		}
	}
	if women {
		return Womens + young, bare
	}
	return young, bare
}

// SameSide reports whether two sides may be one: that of the young, whose age one does not say.
func SameSide(a, b string) bool {
	return a == b || strings.HasSuffix(a, Young) && strings.HasPrefix(b, a) || strings.HasSuffix(b, Young) && strings.HasPrefix(a, b)
}

// OnlySide is the side of a club that a folded text says and nothing else: "women", "u21", "castilla".
func OnlySide(folded string) string {
	if side, bare := Side("a " + folded); bare == "a" {
		return side
	}
	return ""
}

// LeagueSide is the side of clubs that a competition is for. Its name may end with a division, which is no second team.
func LeagueSide(league string) string {
	folded := divided.ReplaceAllString(Fold(league), "")
	switch side, _ := Side("a " + folded); { // it may be nothing but a mark: NWSL
	case side != "":
		return side
	case leagues.MatchString(folded):
		return Womens
	case youths.MatchString(folded):
		return Young
	}
	return ""
}

// Women splits a women's mark off a name: the feed writes "Arsenal W".
func Women(name string) (bare string, women bool) {
	name = strings.TrimSpace(name)
	bare = womensEnd.ReplaceAllString(name, "")
	return bare, bare != name
}
