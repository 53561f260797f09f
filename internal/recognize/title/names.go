package title

import (
	"regexp"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

// TeamName is what a team is called.
type TeamName struct {
	Name    string   // as the feed writes it
	Aliases []string // words people use for it
	Abbr    string
}

// likeness is how far something written is a team's name.
type likeness int

const (
	unlike  likeness = iota
	loosely          // by words that people also use for others: nicknames, the town
	surely
)

var (
	// which of a club's teams is meant: the women, the youth or the second team.
	women  = regexp.MustCompile(`\b(?:w|wfc|women|womens|ladies|femeni|femenino|feminino|feminina|feminine|feminines|femminile|frauen|vrouwen|lionesses)\b`)
	youth  = regexp.MustCompile(`\b(?:u ?(\d\d)s?|under ?(\d\d)s?)\b`)
	second = regexp.MustCompile(`\b(?:ii|b|reserves?|castilla|primavera|jong|youth|academy|juvenil)\b`)

	// phrases that one people writes in many ways, folded.
	phrases = strings.NewReplacer("united states", "usa", "korea republic", "south korea", "ivory coast", "cote divoire", "cote d ivoire", "cote divoire",
		"turkiye", "turkey", "czechia", "czech republic", "holland", "netherlands", "paris sg", "paris saint germain", "nottm", "nottingham", "mgladbach", "monchengladbach", " and ", " ")
)

// written maps shortened and foreign forms of words to one; form is what clubs are, not what they are called.
var (
	shortForms = map[string]string{"utd": "united", "man": "manchester", "atl": "atletico", "ath": "athletic", "st": "saint", "nott": "nottingham",
		"munchen": "munich", "muenchen": "munich", "koln": "cologne", "koeln": "cologne", "milano": "milan", "torino": "turin", "roma": "rome", "napoli": "naples",
		"sevilla": "seville", "lisboa": "lisbon", "moskva": "moscow", "praha": "prague", "warszawa": "warsaw", "beograd": "belgrade", "wien": "vienna",
		"kobenhavn": "copenhagen", "bucuresti": "bucharest", "bruges": "brugge", "antwerpen": "antwerp", "gent": "ghent", "gladbach": "monchengladbach",
		"marseilles": "marseille", "lyons": "lyon", "zaragoza": "saragossa", "krakow": "cracow", "kyiv": "kiev", "athina": "athens", "barca": "barcelona",
		"wolves": "wolverhampton", "spurs": "tottenham"}
	clubForms = names.Set(`fc afc cf sc ac acf ssc ss as asd us cd ud fk sk sv tsv vfb vfl fsv rb rcd rc sd ca cr ec se bk if ff il bsc tsg fcb club de the of futbol calcio 1 bc kv krc ks nk hnk gnk cp`)
)

// wordsOf are the words of a team's name with which of its teams it is.
func wordsOf(name string) (words []string, which string) {
	folded := phrases.Replace(names.Fold(name))
	if women.MatchString(folded) {
		which = "women "
	}
	if m := youth.FindStringSubmatch(folded); m != nil {
		which += "u" + m[1] + m[2]
	} else if second.MatchString(folded) {
		which += "second"
	}
	for _, re := range []*regexp.Regexp{women, youth, second} {
		folded = re.ReplaceAllString(folded, " ")
	}
	all := strings.Fields(folded)
	for _, w := range all {
		if short := shortForms[w]; short != "" {
			w = short
		}
		if !clubForms[w] && strings.Trim(w, "0123456789") != "" && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		words = all
	}
	return words, which
}

// isCalled says whether something written is the team's name, or has it whole among other words.
func (n TeamName) isCalled(written string) likeness {
	said, saidWhich := wordsOf(written)
	own, ownWhich := wordsOf(n.Name)
	if saidWhich == ownWhich && contains(said, own) {
		return surely
	}
	return n.is(written)
}

// is says whether something written is the team's name and nothing else. The women, the youth and the second team of a club are other teams.
func (n TeamName) is(written string) likeness {
	said, saidWhich := wordsOf(written)
	own, ownWhich := wordsOf(n.Name)
	if len(said) == 0 || len(own) == 0 || saidWhich != ownWhich {
		return unlike
	}
	joined := strings.Join(said, "")
	if joined == strings.Join(own, "") || n.Abbr != "" && joined == strings.ReplaceAll(names.Fold(n.Abbr), " ", "") || joined == strings.ToLower(names.Abbreviate(n.Name)) {
		return surely
	}
	if contains(own, said) {
		return surely
	}
	known := slices.Clone(own)
	for _, a := range n.Aliases {
		if words, _ := wordsOf(a); len(words) == 1 && names.Unfit(a) == "" {
			known = append(known, words...)
		}
	}
	if contains(known, said) {
		return loosely
	}
	return unlike
}

// contains reports whether all has each of some, and one of them means something alone.
func contains(all, some []string) bool {
	distinct := false
	for _, w := range some {
		if !slices.Contains(all, w) {
			return false
		}
		distinct = distinct || !names.Generic(w) && len(w) > 2
	}
	return distinct
}

// compareScorers compares the names of two scorers as people and feeds write them: whole, the last one alone, or with an initial.
func compareScorers(a, b string) Said {
	if a == "" || b == "" || len(names.PlayerTokens(a)) == 0 || len(names.PlayerTokens(b)) == 0 {
		return SaidNothing
	}
	if sameScorer(names.PlayerTokens(a), names.PlayerTokens(b)) && !otherInitial(a, b) {
		return Agrees
	}
	return Differs
}

func sameScorer(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	shared := 0
	lastShared := false
	for i, x := range a {
		for j, y := range b {
			if alike(x, y) {
				shared++
				lastShared = lastShared || i == len(a)-1 || j == len(b)-1
				break
			}
		}
	}
	return shared == len(a) || lastShared
}

// alike are words that differ by one letter at most, where they are long enough for that to be a manner of writing.
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
		return a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

// otherInitial reports whether two names of one family give first names that begin differently: brothers, or namesakes.
func otherInitial(a, b string) bool {
	x, y := strings.Fields(names.Fold(a)), strings.Fields(names.Fold(b))
	if len(x) != 2 || len(y) != 2 || x[1] != y[1] {
		return false
	}
	return x[0][0] != y[0][0]
}
